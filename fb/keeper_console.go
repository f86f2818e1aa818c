package fb

import (
	"time"
)

// leaseConsole leases the console when the first device has appeared. If that fails, it tries again with the next device. The lease
// remains when devices change, so that no text appears in between. If `text` is true, the lease also hides the kernel's text. With mode
// setting, text need not be hidden. Hiding the text would leave the terminal without text after a crash of the program.
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
		// Restore has allowed the console's text. The kernel may therefore have replaced the display mode and the picture by the text
		// console (drm_fb_helper_set_par, FB_ACTIVATE_KD_TEXT). So regain the screen, which sets the mode again.
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

// lease calls `open` and stores the console. The caller holds mu. The callbacks need mu too, so they wait until lease() has returned.
// Callbacks of an older lease are ignored, because a signal can arrive while the older lease is released. Such a callback would hide the
// wall until the next switch, or show the wall over another console.
func (k *Keeper) lease(open func(release, acquire func()) *Console) {
	k.leases++
	n := k.leases
	c := open(func() { k.hideFor(n) }, func() { k.unhideFor(n) })
	k.learn(func(now *known) { now.hidden = c.behind })
	k.console.Store(c)
}

// hide stops painting, because another console comes to the front or the screen is released.
func (k *Keeper) hide() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.hideLocked()
}

// hideFor is the release callback of lease number n.
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

// unhideFor is the acquire callback of lease number n. It starts painting again, and requests a check of the geometry, because the other
// console may have panned.
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

// leaveTime bounds the wait for the end of a draw before the console is released.
const leaveTime = 200 * time.Millisecond

// leavePage makes the console's page visible before the console is released. To do this, it calls `hide`. Without panning, the console's
// page is always visible, and leavePage does nothing. If a draw hangs, leavePage stops waiting after leaveTime.
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
