package fb

import (
	"time"
)

// leaseConsole takes the console when the first device is there, and retries with the next device if something was
// missing. The lease outlives devices, so that no text shows in between. With text set it keeps the kernel's text away.
// A mode setter does not need that, and such a lease would outlive the program's sudden end.
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
		// When the console's text is allowed, the kernel shows the console over any mode setter (drm_fb_helper_set_par,
		// FB_ACTIVATE_KD_TEXT). Therefore the mode is set again.
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

// lease stores the returned console of open. mu is held, here and by the callbacks, so that they come after this. A
// callback of an older lease, for a signal that came when it was given back, is ignored: it would hide the screen for
// good, or show it over another console's text.
func (k *Keeper) lease(open func(release, acquire func()) *Console) {
	k.leases++
	n := k.leases
	c := open(func() { k.hideFor(n) }, func() { k.unhideFor(n) })
	k.learn(func(now *known) { now.hidden = c.behind })
	k.console.Store(c)
}

// hide stops painting: another console is in front, or the screen is released.
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

// unhideFor starts painting again for the lease with number n. It has the
// geometry looked at too: the other console may have panned.
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

// leaveTime bounds how long the console is kept waiting for a draw to end.
const leaveTime = 200 * time.Millisecond

// leavePage has hide go to the console's page before the console is given
// back. Without panning there is nothing to leave. A draw that hangs is not
// waited for.
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
