package fb

import (
	"time"
)

// leaseConsole leases the console when the first device has appeared. If this fails, it retries with the next device. The lease
// remains while devices change, so that no text appears in between. If text is true, the lease also hides the kernel's text. With
// mode setting this is not needed, and such a lease would remain after a crash of the program.
func (k *Keeper) leaseConsole(text bool) {
	if !k.opts.leasesConsole() {
		return
	}
	old := k.console.Load()
	if old != nil && old.Problem() == nil && text == k.text {
		return
	}
	old.Restore()
	if k.text && !text {
		// If the console's text is allowed, the kernel shows the console over any picture of mode setting (drm_fb_helper_set_par,
		// FB_ACTIVATE_KD_TEXT). So the mode is set again.
		k.source.regain()
		k.lookSoon()
	}
	k.text = text
	open := OpenSwitching
	if text {
		open = OpenConsole
	}
	k.lease(func(release, acquire func()) *Console { return open(k.opts.TTY, release, acquire) })
}

// lease stores the console that open returns. The caller holds mu. The callbacks also take mu, so that they run after lease. A
// callback of an older lease is ignored: it belongs to a signal that arrived during its release, and would hide the screen forever,
// or show it over the text of another console.
func (k *Keeper) lease(open func(release, acquire func()) *Console) {
	k.leases++
	n := k.leases
	c := open(func() { k.hideFor(n) }, func() { k.unhideFor(n) })
	k.learn(func(now *known) { now.hidden = c.behind })
	k.console.Store(c)
}

// hide stops painting, because another console is in front or the screen is released.
func (k *Keeper) hide() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.hideLocked()
}

// hideFor is hide for the lease with number n.
func (k *Keeper) hideFor(n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if n == k.leases {
		k.hideLocked()
	}
}

func (k *Keeper) hideLocked() {
	k.learn(func(n *known) { n.hidden = true })
	if d := k.known.display; d != nil {
		d.hide()
	}
	k.source.yield()
}

// unhideFor starts painting again for the lease with number n. It also requests a check of the geometry, because the other console
// may have panned.
func (k *Keeper) unhideFor(n int) {
	if !k.unhide(n) {
		return
	}
	k.lookSoon()
	repaint(k.opts)
}

func (k *Keeper) unhide(n int) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if n != k.leases {
		return false
	}
	k.learn(func(n *known) { n.hidden = false })
	k.source.regain()
	if d := k.known.display; d != nil {
		d.unhide()
	}
	return true
}

// leaveTime bounds the time that the console waits for the end of a draw.
const leaveTime = 200 * time.Millisecond

// leavePage calls hide, which shows the console's page, before the console is released. Without panning it does nothing. It does
// not wait for a draw that hangs.
func (o Options) leavePage(hide func()) {
	if !o.Pan {
		return
	}
	left := make(chan struct{})
	go func() {
		defer close(left)
		hide()
	}()
	select {
	case <-left:
	case <-time.After(leaveTime):
	}
}
