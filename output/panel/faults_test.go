package panel

import (
	"bytes"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/state"
)

// TestPowerCut: if the power fails during an update, the next start refreshes the whole panel. If the update was completed, the next
// start restores the state and does not refresh.
func TestPowerCut(t *testing.T) {
	for _, cut := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(12 * time.Hour)
			m := model(t, "waveshare-7in5-v2")
			panel := newSim(m)
			r := start(t, panel, m.Size, nil)
			one, _ := clock(m.Size, 1)
			r.show(one, nil, time.Minute)
			two, _ := clock(m.Size, 2)
			r.show(two, nil, time.Minute)
			r.stop()
			r.sound()
			last := r.kept[len(r.kept)-1]
			if cut {
				last = r.kept[len(r.kept)-2] // the last state that was saved before the refresh
			}
			before := len(panel.shown)
			r = start(t, panel, m.Size, func(o *Options) { o.Load = func() ([]byte, bool) { return last, true } })
			r.show(two, nil, 2*time.Minute)
			if same := len(panel.shown) == before; same == cut {
				t.Errorf("cut %v: refreshed %v after the start", cut, !same)
			}
			three, _ := clock(m.Size, 3)
			r.show(three, nil, 2*time.Minute)
			r.stop()
			r.sound()
			r.looks(three, nil)
			if got := panel.shown[before].partial; got == cut {
				t.Errorf("cut %v: the first refresh was partial: %v", cut, got)
			}
		})
	}
}

// TestKeptNonsense: a damaged state, or the state of another panel, is ignored.
func TestKeptNonsense(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := model(t, "waveshare-4in2-v2")
		r := start(t, newSim(m), m.Size, nil)
		frame, _ := clock(m.Size, 1)
		r.show(frame, nil, time.Minute)
		r.stop()
		whole := r.kept[len(r.kept)-1]
		other := slices.Clone(whole)
		copy(other[len(other)/2:], "????")
		for _, data := range [][]byte{nil, {0, 0}, {255, 255, 255, 255}, whole[:len(whole)-20], whole[:40], other, []byte(strings.Replace(string(whole), "4in2-v2", "4in2-v3", 1))} {
			o, err := New(Options{Model: m, Frame: m.Size, Load: func() ([]byte, bool) { return data, true }})
			if err != nil || o.state.Known {
				t.Errorf("%q: known %v, %v", data[:min(len(data), 9)], o.state.Known, err)
			}
		}
		if o, _ := New(Options{Model: m, Frame: m.Size, Load: func() ([]byte, bool) { return whole, true }}); !o.state.Known {
			t.Error("what is whole is not known")
		}
	})
}

// TestStateThatCannotBeKept: if the state cannot be saved, for example on a full drive, this is
// logged once. After a success, the next failure is logged again.
func TestStateThatCannotBeKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := model(t, "waveshare-4in2-v2")
		var full atomic.Bool
		var log bytes.Buffer
		r := start(t, newSim(m), m.Size, func(o *Options) {
			o.Log = slog.New(slog.NewTextHandler(&log, nil))
			o.Save = func([]byte) error {
				if full.Load() {
					return errors.New("the drive is full")
				}
				return nil
			}
		})
		for i := range 40 {
			full.Store(i/10%2 == 1)
			frame, _ := clock(m.Size, i)
			r.show(frame, nil, 10*time.Minute)
		}
		r.stop()
		r.sound()
		if n := strings.Count(log.String(), "cannot keep"); n != 2 {
			t.Errorf("told %d times, want 2:\n%s", n, log.String())
		}
	})
}

// TestStartAfterFullDrive: the drive becomes full, and the panel then shows another picture than the stored one. After the next start the
// stored picture is not used, although the first frame equals it.
func TestStartAfterFullDrive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := model(t, "waveshare-4in2-v2")
		panel := newSim(m)
		store, err := state.Open(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		full := false
		options := func(o *Options) {
			o.Load = func() ([]byte, bool) { return store.Load("panel", "x") }
			o.Save = func(data []byte) error {
				if full {
					return syscall.ENOSPC
				}
				return store.Save("panel", "x", data)
			}
			o.Forget = func() error { return store.Remove("panel", "x") }
		}
		r := start(t, panel, m.Size, options)
		one, _ := clock(m.Size, 1)
		r.show(one, nil, 2*time.Minute)
		full = true
		two, _ := clock(m.Size, 2)
		r.show(two, nil, 2*time.Minute)
		r.looks(two, nil)
		r.stop()
		r = start(t, panel, m.Size, options)
		r.show(one, nil, 2*time.Minute)
		r.stop()
		r.sound()
		r.looks(one, nil)
	})
}

// shows() returns a simulated panel that shows its first picture, and the output that runs it.
func shows(t *testing.T) (*Model, *sim, *started) {
	t.Helper()
	m := model(t, "waveshare-4in2-v2")
	panel := newSim(m)
	r := start(t, panel, m.Size, nil)
	one, _ := clock(m.Size, 1)
	r.show(one, nil, 2*time.Minute)
	return m, panel, r
}

// TestMissingPanel: while the board has no lines to the panel, nothing is saved, although the output tries again each minute. When the
// panel is there again, the picture that it still shows is known.
func TestMissingPanel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, panel, r := shows(t)
		r.stop()
		last, tries, saves := r.kept[len(r.kept)-1], 0, 0
		missing := errors.New("no /dev/spidev0.0")
		r = start(t, panel, m.Size, func(o *Options) {
			wires := o.Open
			o.Load = func() ([]byte, bool) { return last, true }
			o.Save = func([]byte) error { saves++; return nil }
			o.Open = func(m *Model) (*Wires, error) {
				if tries++; missing != nil {
					return nil, missing
				}
				return wires(m)
			}
		})
		two, _ := clock(m.Size, 2)
		r.show(two, nil, time.Hour)
		if st := r.Stats(); tries < 30 || saves > 0 || !strings.Contains(st.LastError, "spidev") {
			t.Errorf("got %d saves in %d attempts, %+v", saves, tries, st)
		}
		missing = nil
		before := len(panel.shown)
		r.show(two, nil, 2*time.Minute)
		r.stop()
		r.sound()
		r.looks(two, nil)
		if !panel.shown[before].partial {
			t.Error("the whole panel was refreshed")
		}
	})
}

// TestStuckPanel: if the panel stays busy or never becomes busy, it is reset and the update is tried once more. If this fails too, the
// failure is reported. DrawFrame does not wait for the panel. When the panel works again, it shows the newest frame.
func TestStuckPanel(t *testing.T) {
	for _, mute := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(12 * time.Hour)
			m := model(t, "waveshare-7in5-v2")
			panel := newSim(m)
			r := start(t, panel, m.Size, nil)
			panel.stuck, panel.mute = !mute, mute
			frame, _ := clock(m.Size, 1)
			began := time.Now()
			r.show(frame, nil, 0)
			if d := time.Since(began); d != 0 {
				t.Errorf("handing a frame over took %v", d)
			}
			time.Sleep(2*busyLimit + 5*time.Second)
			st := r.Stats()
			want := errStuck
			if mute {
				want = errSilent
			}
			if st.Errors == 0 || !strings.Contains(st.LastError, want.Error()) || r.Status().Known {
				t.Errorf("got %+v, %+v, want it told: %v", st, r.Status(), want)
			}
			time.Sleep(10 * time.Minute) // by then, no update is running
			panel.mu.Lock()
			panel.stuck, panel.mute = false, false
			panel.mu.Unlock()
			frame, _ = clock(m.Size, 2)
			r.show(frame, nil, 5*time.Minute)
			r.stop()
			r.looks(frame, nil)
			panel.asleep()
			if !r.Stats().OK() {
				t.Errorf("got %+v, want all well", r.Stats())
			}
		})
	}
}

// TestStuckPanelIsSavedOnce: while each update fails, the state is saved once, although the output tries again each minute.
func TestStuckPanelIsSavedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, panel, r := shows(t)
		panel.mu.Lock()
		panel.mute = true
		panel.mu.Unlock()
		before := len(r.kept)
		two, _ := clock(m.Size, 2)
		r.show(two, nil, 3*time.Hour)
		if st := r.Stats(); st.Errors < 60 || len(r.kept) != before+1 {
			t.Errorf("got %d saves in %d attempts, want 1", len(r.kept)-before, st.Errors)
		}
		panel.mu.Lock()
		panel.mute = false
		panel.mu.Unlock()
		r.show(two, nil, 2*time.Minute)
		r.stop()
		r.looks(two, nil)
		if n := len(r.kept) - before; n != 2 {
			t.Errorf("got %d saves, want another one after the success", n)
		}
	})
}

// TestPinsThatAreMissing: if the GPIO lines are missing, the output reports this and tries again.
func TestPinsThatAreMissing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := model(t, "waveshare-4in2-v2")
		panel := newSim(m)
		var there atomic.Bool
		r := start(t, panel, m.Size, func(o *Options) {
			o.Open = func(m *Model) (*Wires, error) {
				if !there.Load() {
					return nil, errors.New("no bus")
				}
				return panel.wires(m)
			}
		})
		frame, _ := clock(m.Size, 1)
		r.show(frame, nil, time.Second)
		if st := r.Stats(); st.LastError != "no bus" {
			t.Errorf("got %+v", st)
		}
		there.Store(true)
		time.Sleep(5 * time.Minute)
		r.stop()
		r.sound()
		r.looks(frame, nil)
	})
}
