package fb

import (
	"context"
	"errors"
	"image"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/fb/drm/drmtest"
)

// afterRead is a ModeKeeper that calls the function f at the first call of SaveMode. At this time, the Keeper has just read the modes of
// a screen.
type afterRead struct{ f func() }

func (afterRead) LoadMode(string) ([]byte, bool) { return nil, false }
func (a *afterRead) SaveMode(string, []byte) {
	if f := a.f; f != nil {
		a.f = nil
		f()
	}
}

// run runs a keeper in a synctest bubble until the returned function is called.
func (r *rack) run(k *Keeper) (end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- k.Run(ctx) }()
	synctest.Wait() // no time passes
	return func() {
		r.t.Helper()
		cancel()
		if err := <-done; err != nil || r.heard() != 0 || r.Left() != 0 {
			r.t.Errorf("got %v, %d listeners open, %d things left", err, r.heard(), r.Left())
		}
	}
}

// becomes() gives the screen modes of other sizes, and sends n messages as say() does.
func (r *rack) becomes(n int, property bool, sizes ...image.Point) {
	r.Do(func(k *drmtest.Kernel) { k.Modes = sizes })
	for range n {
		r.say(property)
	}
}

// TestConnectorChangesEarly: the screen changes after NewKeeper has read its modes and before Run. Run finds the change at once.
func TestConnectorChangesEarly(t *testing.T) {
	for name, change := range map[string]func(*rack){
		"one message":     func(r *rack) { r.becomes(1, false, image.Pt(100, 30)) },
		"a property":      func(r *rack) { r.becomes(1, true, image.Pt(100, 30)) },
		"several at once": func(r *rack) { r.becomes(3, true, image.Pt(20, 20)); r.becomes(3, false, image.Pt(100, 30)) },
	} {
		synctest.Test(t, func(t *testing.T) {
			r := newRack(t)
			r.cards.KeepModes(&afterRead{func() { change(r) }})
			k := r.keeper(nil)
			if got := r.Mode(); got != image.Pt(64, 48) {
				t.Fatalf("%s: got %v, want the old mode", name, got)
			}
			end := r.run(k)
			if got := k.ScreenSize(); got != image.Pt(100, 30) || r.Mode() != got {
				t.Errorf("%s: got size %v, mode %v", name, got, r.Mode())
			}
			end()
		})
	}
}

// TestConnectorReplugsEarly: the same screen is connected again between NewKeeper and Run. The screen then needs a new signal.
func TestConnectorReplugsEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRack(t)
		k := r.keeper(nil)
		before := r.Sets()
		r.say(false)
		end := r.run(k)
		if n := r.Sets(); n != before+1 {
			t.Errorf("the mode was set %d times more, want once", n-before)
		}
		end()
	})
}

// TestConnectorChangesWhileOpening: the screen changes a second time while the keeper opens it again. The keeper finds this change too.
func TestConnectorChangesWhileOpening(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, after := newRack(t), &afterRead{}
		r.cards.KeepModes(after)
		k := r.keeper(nil)
		end := r.run(k)
		after.f = func() { r.becomes(1, false, image.Pt(100, 30)) }
		r.becomes(1, false, image.Pt(20, 20))
		synctest.Wait()
		if got := k.ScreenSize(); got != image.Pt(100, 30) || after.f != nil {
			t.Errorf("got size %v", got)
		}
		end()
	})
}

// TestConnectorDeaf: if the program cannot receive messages, or no further messages, the Keeper finds a change by its regular check. It
// logs the reason once.
func TestConnectorDeaf(t *testing.T) {
	broken := errors.New("no memory")
	for _, late := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			r := newRack(t)
			if !late {
				r.deaf = broken
			}
			k := r.keeper(func(o *Options) { o.Connector.Log = o.Log })
			end := r.run(k)
			if late { // the screen changes when the error occurs, and the message about the change is lost
				r.becomes(0, false, image.Pt(20, 20))
				r.ears[0].broken <- broken
				synctest.Wait()
				if got := k.ScreenSize(); got != image.Pt(20, 20) {
					t.Errorf("got size %v after the error", got)
				}
			}
			r.becomes(0, false, image.Pt(100, 30))
			time.Sleep(2 * LookInterval) // takes no real time
			synctest.Wait()
			if got := k.ScreenSize(); got != image.Pt(100, 30) {
				t.Errorf("late %v: got size %v", late, got)
			}
			if n := strings.Count(r.log.String(), broken.Error()); n != 1 {
				t.Errorf("late %v: the reason was logged %d times, want once:\n%s", late, n, r.log.String())
			}
			end()
		})
	}
}

// TestConnectorHaltsEarly: a keeper may be halted before Run, and while Run begins. Nothing stays open.
func TestConnectorHaltsEarly(t *testing.T) {
	for _, early := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			r := newRack(t)
			k := r.keeper(nil)
			halt := func() {
				if err := k.Halt(); err != nil {
					t.Error(err)
				}
			}
			if early {
				halt()
				if n := r.heard(); n != 0 {
					t.Errorf("%d listeners stay open without Run", n)
				}
			} else {
				go halt()
			}
			end := r.run(k)
			if k.State().Open || r.heard() != 0 {
				t.Errorf("early %v: open %v, %d listeners open", early, k.State().Open, r.heard())
			}
			end()
			if strings.Contains(r.log.String(), "does not report plugs") {
				t.Errorf("early %v: got the log\n%s", early, r.log.String())
			}
		})
	}
}

// TestConnectorAllowedEarly: at first the program has no permission to open the card, so the keeper uses the framebuffer. The program
// gets the permission before Run.
func TestConnectorAllowedEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRack(t)
		denied := errors.New("permission denied")
		r.cards.may = func(string) error { return denied }
		k := r.keeper(func(o *Options) { o.Connector.Else, o.Path = true, "/dev/none" })
		if k.State().Open {
			t.Fatal("the screen is open without the permission")
		}
		r.cards.may = func(string) error { return nil }
		r.say(false)
		end := r.run(k)
		if !k.State().Open {
			t.Errorf("got %v", k.State().Err)
		}
		end()
	})
}
