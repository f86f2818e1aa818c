package outputs

import (
	"context"
	"image"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"dashboard/config"
	"dashboard/fb"
	"dashboard/internal/state"
	"dashboard/netstream"
	"dashboard/output"
)

// testOutputs returns a set of outputs without an open output.
func testOutputs(view string, store *state.Store, on *Devices) *Set {
	none := func() {}
	return New(Parts{
		View: view, Log: slog.New(slog.DiscardHandler), Stream: netstream.New(time.Now), Devices: on, Store: store,
		Dark: func() bool { return false }, Again: none, Repaint: none, Resized: none,
	})
}

// newMember returns an output that calls `closed` when it ends. It does nothing else.
func newMember(kind string, size image.Point, closed func()) *Member {
	ctx, cancel := context.WithCancel(context.Background())
	m := &Member{Conf: config.Output{Type: kind}, size: size, end: cancel}
	p := output.NewPacer(output.Pacing{
		Name: kind, Draw: func(*image.RGBA, []image.Rectangle) error { return nil },
		Close: func() error { closed(); return nil },
	})
	m.start(ctx, p, p.Run)
	return m
}

// An old window is closed before the new window is opened. The new window works only in a folder that the old window creates when it is
// closed. A removed output is closed once. An unchanged output continues.
func TestDeviceIsClosedBeforeItIsOpenedAgain(t *testing.T) {
	size := image.Pt(16, 8)
	dir := filepath.Join(t.TempDir(), "made when the old one is closed")
	var closed []string
	o := testOutputs("main", nil, ThisMachine())
	window := newMember("window", size, func() {
		closed = append(closed, "window")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Error(err)
		}
	})
	stays := newMember("file", size, func() { closed = append(closed, "file") })
	gone := newMember("post", size, func() { closed = append(closed, "post") })
	o.set([]*Member{stays, window, gone})

	conf := config.Output{Type: "window", Window: &config.WindowOutput{Driver: "virtual", Device: filepath.Join(dir, "screen")}}
	fresh := o.Apply(Plan{Outputs: []config.Output{stays.Conf, conf}, Size: size})
	defer o.Close()
	if want := []string{"window", "post"}; !fresh || !slices.Equal(closed, want) {
		t.Errorf("fresh %v, closed %q; want true and %q", fresh, closed, want)
	}
	now := o.List()
	if len(now) != 2 || now[0] != stays {
		t.Fatalf("got %d outputs, want the one that stays and the new window", len(now))
	}
	if h := now[1].state().(map[string]any); h["open"] != true {
		t.Errorf("the new window was opened before the old one was closed: %v", h)
	}

	if o.Apply(Plan{Outputs: []config.Output{stays.Conf, conf}, Size: size}) || len(closed) != 2 || o.List()[1] != now[1] {
		t.Errorf("the same outputs again: closed %q, want nothing done", closed)
	}
	turned := Plan{Size: size, Outputs: []config.Output{conf}, Flip: true}
	if !o.Apply(turned) || o.List()[0] == now[1] || !slices.Contains(closed, "file") {
		t.Errorf("turned frames: closed %q, want the window opened anew", closed)
	}
}

// If a screen hangs, Health reports this without waiting for the screen.
func TestHealthOfAHungScreen(t *testing.T) {
	began, end := make(chan struct{}), make(chan struct{})
	o := testOutputs("main", nil, ThisMachine())
	ctx, cancel := context.WithCancel(context.Background())
	m := &Member{Conf: config.Output{Type: "window"}, end: cancel}
	p := output.NewPacer(output.Pacing{Name: "screen", Limit: -1, Draw: func(*image.RGBA, []image.Rectangle) error {
		close(began)
		<-end
		return nil
	}})
	m.state = func() any { return deviceHealth(fb.State{Open: true}) }
	m.start(ctx, p, p.Run)
	o.set([]*Member{m})
	frame := image.NewRGBA(image.Rect(0, 0, 4, 4))
	o.Show(frame, []image.Rectangle{frame.Rect})
	<-began
	h := o.Health(time.Now())[0].(map[string]any)
	if h["ok"] != false || h["seconds_busy"] == nil {
		t.Errorf("got %v, want it told", h)
	}
	close(end)
	o.Close()
}

// During the fade between themes, a client of the stream fetches whole frames. The stream receives the final frame of the fade at once,
// and nothing more until the fade ends. A window receives each frame of the fade.
func TestStreamsHaveTheEndOfAFade(t *testing.T) {
	o := testOutputs("main", nil, ThisMachine())
	size := image.Pt(4, 4)
	got := map[string]chan uint8{"window": make(chan uint8, 10), "stream": make(chan uint8, 10)}
	member := func(kind string) *Member {
		ctx, cancel := context.WithCancel(context.Background())
		m := &Member{Conf: config.Output{Type: kind}, size: size, end: cancel}
		p := output.NewPacer(output.Pacing{Name: kind, Draw: func(m *image.RGBA, _ []image.Rectangle) error { got[kind] <- m.Pix[0]; return nil }})
		m.start(ctx, p, p.Run)
		return m
	}
	stream := member("stream")
	stream.Conf.Stream = &config.StreamOutput{}
	o.set([]*Member{member("window"), stream})
	defer o.Close()
	picture := func(v uint8) *image.RGBA {
		m := image.NewRGBA(image.Rectangle{Max: size})
		for i := range m.Pix {
			m.Pix[i] = v
		}
		return m
	}
	show := func(end *image.RGBA, v uint8, kind string, want uint8) {
		t.Helper()
		o.Settled(end)
		o.Show(picture(v), []image.Rectangle{{Max: size}})
		for _, k := range []string{"window", kind} {
			if k == "" {
				continue
			}
			if g, w := <-got[k], map[string]uint8{"window": v, "stream": want}[k]; g != w {
				t.Errorf("frame %d: the %s has %d, want %d", v, k, g, w)
			}
		}
	}
	show(nil, 10, "stream", 10)
	show(picture(90), 20, "stream", 20) // no client fetches whole frames yet
	o.Stream.Wholes(1)
	show(picture(90), 30, "stream", 90)
	show(picture(90), 60, "", 0)
	show(nil, 90, "stream", 90)
	if len(got["stream"]) > 0 {
		t.Error("the stream has more frames")
	}
}
