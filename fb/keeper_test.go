package fb_test

import (
	"context"
	"errors"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/fb"
	"dashboard/fb/fbtest"
)

// A bench is a Keeper with devices that the test provides.
type bench struct {
	*testing.T
	keeper *fb.Keeper
	cancel context.CancelFunc
	done   chan error

	mu       sync.Mutex     // guards the following fields
	next     *fbtest.Memory // result of the next open. nil: open fails with err
	err      error
	opens    int
	repaints int
}

// newBench starts a Keeper in a synctest bubble.
func newBench(t *testing.T, o fb.Options, first *fbtest.Memory) *bench {
	t.Helper()
	b := &bench{T: t, next: first, err: fs.ErrNotExist, done: make(chan error, 1)}
	o.TTY = fb.NoTTY
	o.OnRepaint = func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.repaints++
	}
	k, err := fb.NewKeeperOf(o, b.open)
	if err != nil {
		t.Fatal(err)
	}
	b.keeper = k
	ctx, cancel := context.WithCancel(context.Background())
	b.cancel = cancel
	go func() { b.done <- k.Run(ctx) }()
	return b
}

func (b *bench) open() (fb.Device, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.opens++
	if b.next == nil {
		return nil, b.err
	}
	m := b.next
	b.next = nil
	return m, nil
}

// give sets the device or the error that the next open returns.
func (b *bench) give(m *fbtest.Memory, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.next, b.err = m, err
}

func (b *bench) counts() (opens, repaints int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.opens, b.repaints
}

// wait lets the duration d pass in the synctest bubble.
func (b *bench) wait(d time.Duration) {
	time.Sleep(d) // takes no real time
	synctest.Wait()
}

func (b *bench) stop() {
	b.Helper()
	b.cancel()
	if err := <-b.done; err != nil {
		b.Errorf("Run: %v", err)
	}
}

func memory(w, h int) *fbtest.Memory {
	return fbtest.NewMemory(fb.Geometry{Width: w, Height: h, Stride: w*2 + 6, Format: fb.RGB565})
}

func TestKeeperWaitsForDevice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, fb.Options{Frame: image.Pt(20, 10)}, nil)
		frame := fbtest.Pattern(b.keeper.Bounds(), 1)
		if got, want := frame.Rect, image.Rect(0, 0, 20, 10); got != want {
			t.Errorf("bounds without a device: got %v, want %v", got, want)
		}
		for range 3 {
			err := b.keeper.DrawFrame(frame, nil)
			if !errors.Is(err, fb.ErrAbsent) || !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("draw without a device: got %v", err)
			}
		}
		b.give(nil, fs.ErrPermission)
		b.wait(fb.RetryInterval)
		if s := b.keeper.State(); s.Open || s.Lost != 3 || !errors.Is(s.Err, fs.ErrPermission) {
			t.Errorf("state: got %+v", s)
		}
		m := memory(20, 10)
		b.give(m, nil)
		b.wait(fb.RetryInterval)
		if _, repaints := b.counts(); repaints != 1 {
			t.Errorf("got %d repaints, want 1", repaints)
		}
		mustDraw(t, b.keeper.DrawFrame(frame, nil))
		if err := fbtest.Same(m.Shown(), frame); err != nil {
			t.Error(err)
		}
		if s := b.keeper.State(); !s.Open || s.Err != nil || s.Shown != 1 || s.Geometry.Driver != "memory" {
			t.Errorf("state: got %+v", s)
		}
		b.stop()
		if !m.Closed() {
			t.Error("the device was not closed")
		}
	})
}

// TestKeeperRetriesAtBoundedRate counts the attempts to open a missing device in an hour.
func TestKeeperRetriesAtBoundedRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, fb.Options{}, nil)
		b.wait(time.Hour)
		want := int(time.Hour/fb.RetryInterval) + 1
		if opens, _ := b.counts(); opens > want || opens < want-1 {
			t.Errorf("got %d attempts, want %d", opens, want)
		}
		if !b.keeper.Bounds().Empty() {
			t.Errorf("bounds: got %v, want none", b.keeper.Bounds())
		}
		b.stop()
	})
}

func TestKeeperReopens(t *testing.T) {
	for _, test := range []struct {
		name   string
		happen func(*fbtest.Memory)
		after  time.Duration
		draw   bool // true: draw after the change, so that the change is found sooner
	}{
		{"unplugged", func(m *fbtest.Memory) { m.Fail(errors.New("no such device")) }, fb.LookInterval, false},
		{"unplugged while drawing", func(m *fbtest.Memory) { m.Fail(errors.New("no such device")) }, fb.RetryInterval, true},
		{"other mode", func(m *fbtest.Memory) {
			m.Change(fb.Geometry{Width: 30, Height: 8, Stride: 80, Size: 800, Format: fb.RGB565})
		}, fb.LookInterval, false},
		{"panned by another", func(m *fbtest.Memory) { _ = m.Pan(1) }, fb.RetryInterval, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				old := memory(20, 10)
				b := newBench(t, fb.Options{}, old)
				mustDraw(t, b.keeper.DrawFrame(fbtest.Pattern(b.keeper.Bounds(), 1), nil))
				if _, repaints := b.counts(); repaints != 0 {
					t.Errorf("got %d repaints at the start, want none", repaints)
				}
				next := memory(30, 8)
				test.happen(old)
				b.give(next, nil)
				b.wait(test.after)
				if test.draw {
					mustDraw(t, b.keeper.DrawFrame(fbtest.Pattern(b.keeper.Bounds(), 3), nil))
					synctest.Wait()
				}
				if _, repaints := b.counts(); !old.Closed() || repaints != 1 {
					t.Fatalf("closed %v, repaints %d; want true, 1", old.Closed(), repaints)
				}
				want := fbtest.Pattern(image.Rect(0, 0, 30, 8), 2)
				mustDraw(t, b.keeper.DrawFrame(want, nil))
				if err := fbtest.Same(next.Shown(), want); err != nil {
					t.Error(err)
				}
				if s := b.keeper.State(); s.Geometry.Width != 30 || s.Shown < 2 {
					t.Errorf("state: got %+v", s)
				}
				b.stop()
			})
		})
	}
}

func TestKeeperIdleWakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := memory(20, 10)
		b := newBench(t, fb.Options{}, m)
		b.wait(time.Hour)
		if opens, repaints := b.counts(); opens != 1 || repaints != 0 {
			t.Errorf("got %d opens and %d repaints of an idle device, want 1 and 0", opens, repaints)
		}
		b.stop()
		if err := b.keeper.DrawFrame(fbtest.Pattern(image.Rect(0, 0, 20, 10), 1), nil); !errors.Is(err, fb.ErrHalted) {
			t.Errorf("after Run: got %v, want ErrHalted", err)
		}
	})
}

// TestKeeperSurvivesFault truncates a mapped file. The Keeper then restores the file and draws on it.
func TestKeeperSurvivesFault(t *testing.T) {
	path := filepath.Join(t.TempDir(), "screen.raw")
	v := fb.Virtual{Width: 100, Height: 60, Format: fb.RGB565}
	repainted := make(chan struct{}, 1)
	k, err := fb.NewKeeper(fb.Options{Path: path, Virtual: &v, OnRepaint: func() {
		select {
		case repainted <- struct{}{}:
		default: // one repaint is already recorded, which is enough for this test
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	frame := fbtest.Pattern(k.Bounds(), 1)
	mustDraw(t, k.DrawFrame(frame, nil))
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	if err := k.DrawFrame(frame, nil); err == nil {
		t.Error("draw on a file cut short: got no error")
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- k.Run(ctx) }() // Run would restore the file, so it starts only after the failed draw
	<-repainted
	mustDraw(t, k.DrawFrame(frame, nil))
	if err := fbtest.Same(readVirtual(t, path, v), frame); err != nil {
		t.Error(err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestKeeperOfNoRoom: the device can be opened, but each draw on it fails, as on a file on a full disk. The Keeper opens the device again
// at once, and after that once a second.
func TestKeeperOfNoRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const times = 10
		repaints := make(chan struct{}, 1)
		k, err := fb.NewKeeperOf(fb.Options{TTY: fb.NoTTY, OnRepaint: func() { repaints <- struct{}{} }}, func() (fb.Device, error) {
			m := memory(20, 10)
			m.FailFlush(errors.New("no room"))
			return m, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- k.Run(ctx) }()
		began := time.Now()
		for i := range times {
			if err := k.DrawFrame(fbtest.Pattern(k.Bounds(), i), nil); err == nil {
				t.Fatal("a draw on it: got no error")
			}
			<-repaints
		}
		// the first attempt is made at once, and the other attempts at intervals
		if took := time.Since(began); took != (times-1)*fb.RetryInterval {
			t.Errorf("it was opened %d times in %v, want once in %v", times, took, fb.RetryInterval)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
