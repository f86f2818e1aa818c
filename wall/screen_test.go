package wall

import (
	"context"
	"image"
	"io"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/config"
	"dashboard/fb"
	"dashboard/fb/fbtest"
	"dashboard/wall/outputs"
	"dashboard/wall/scene"
)

// A socket is a graphics connector. If a screen is plugged in, the field `in` contains it. Otherwise the field is nil.
type socket struct{ in atomic.Pointer[fbtest.Memory] }

func (p *socket) open() (fb.Device, error) {
	if m := p.in.Load(); m != nil {
		return m, nil
	}
	return nil, fs.ErrNotExist
}

// plug replaces the screen. The new screen stays until the test ends or another screen is plugged in.
func (p *socket) plug(w, h int) *fbtest.Memory {
	m := fbtest.NewMemory(fb.Geometry{Width: w, Height: h, Format: fb.XRGB8888})
	if old := p.in.Swap(m); old != nil {
		old.Fail(fs.ErrClosed)
	}
	return m
}

// The key `resolution` has its default, `screen`. Without a screen, the wall has the size in `design`. When a screen appears or changes,
// the wall gets the size of the rotated screen. If the files have an error at this time, the last valid wall is shown in the screen's
// size.
func TestResolutionScreen(t *testing.T) {
	t.Chdir(t.TempDir())
	var log logbook
	wall := files{
		"conf.yaml":    "graphics: {design: [320, 180]}\noutputs: [{type: window, rotate: 90, tty: none}]\ndisplay: {pixel_shift: false}\n",
		"widgets.yaml": "widgets: [{widget: grid, padding: 32, background_color: red, children: [{widget: empty, color: blue}]}]\n",
	}
	wall.write(t, ".")
	synctest.Test(t, func(t *testing.T) {
		port := &socket{}
		s := newService(parts{opts: Options{Folder: scene.Folder{Widgets: "widgets.yaml", Home: "."}}, stderr: &log, devices: outputs.ThisMachine()})
		s.devices.Keeper = func(o fb.Options) (*fb.Keeper, error) {
			return fb.NewKeeperOf(o, port.open)
		}
		g, report := s.load()
		if g == nil {
			t.Fatal(report.Errors())
		}
		s.begin(g)
		ctx, cancel := context.WithCancel(t.Context())
		var ended = make(chan struct{})
		go func() { defer close(ended); _ = s.run(ctx, nil) }()
		defer func() { cancel(); <-ended; s.builder.Providers.Close() }()
		wait := func() { time.Sleep(2 * fb.LookInterval); synctest.Wait() }
		is := func(what string, w, h int) {
			t.Helper()
			if got := s.main().Size(); got != image.Pt(w, h) {
				t.Errorf("%s: got %v, want %dx%d", what, got, w, h)
			}
		}
		wait()
		is("no screen", 320, 180)
		m := port.plug(640, 360)
		wait()
		is("a screen that hangs upright", 360, 640)
		if c := m.Shown().RGBAAt(63, 63); c != red {
			t.Errorf("a padding of 32 px on twice the size: got %v at 63,63, want red", c)
		}
		if c := m.Shown().RGBAAt(65, 65); c != blue {
			t.Errorf("a padding of 32 px on twice the size: got %v at 65,65, want blue", c)
		}
		port.plug(160, 90)
		wait()
		is("another screen", 90, 160)
		port.plug(config.MaxSide+1, 4)
		wait()
		is("a screen larger than a frame", 320, 180)
		files{"widgets.yaml": "widgets: [{widget: nothing}]\n"}.write(t, ".")
		m = port.plug(1280, 720)
		wait()
		is("wrong files", 720, 1280)
		if c := m.Shown().RGBAAt(1277, 2); c != red {
			t.Errorf("wrong files: got %v on the screen, want the wall", c)
		}
		if s.problem.Load() == nil {
			t.Error("wrong files: the wall reports no problem")
		}
		wall.write(t, ".")
		s.askReload()
		wait()
		is("files mended", 720, 1280)
		port.in.Swap(nil).Fail(fs.ErrClosed)
		wait()
		is("screen gone", 720, 1280)
	})
	if n := log.Count("level=ERROR"); n != log.Count("reload refused")+log.Count("unknown widget type") {
		t.Errorf("the log:\n%s", &log)
	}
}

// If a screen is plugged in late, it shows the whole wall, even if the wall does not change. The wall stores no copy of the frame for
// such a screen.
func TestScreenComesLate(t *testing.T) {
	t.Chdir(t.TempDir())
	files{
		"conf.yaml":    "graphics: {resolution: [320, 180]}\noutputs: [{type: window, tty: none}]\ndisplay: {pixel_shift: false}\n",
		"widgets.yaml": plainWall("blue"),
	}.write(t, ".")
	synctest.Test(t, func(t *testing.T) {
		port := &socket{}
		s := newService(parts{opts: Options{Folder: scene.Folder{Widgets: "widgets.yaml"}}, stderr: io.Discard, devices: outputs.ThisMachine()})
		s.devices.Keeper = func(o fb.Options) (*fb.Keeper, error) { return fb.NewKeeperOf(o, port.open) }
		g, report := s.load()
		if g == nil {
			t.Fatal(report.Errors())
		}
		s.begin(g)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); _ = s.run(ctx, nil) }()
		defer func() { cancel(); <-ended; s.builder.Providers.Close() }()
		window := s.main().Outs.List()[0]
		time.Sleep(time.Minute)
		synctest.Wait()
		if st := window.Stats(); st.OK() || st.Errors == 0 || st.LastError != fb.ErrAbsent.Error() || window.Invalidate() {
			t.Errorf("without a screen: got %+v", st)
		}
		m := port.plug(320, 180)
		time.Sleep(2 * fb.LookInterval)
		synctest.Wait()
		for _, at := range []image.Point{{}, {160, 90}, {319, 179}} {
			if c := m.Shown().RGBAAt(at.X, at.Y); c != blue {
				t.Errorf("got %v at %v, want blue", c, at)
			}
		}
		if !window.Stats().OK() {
			t.Errorf("got %+v", window.Stats())
		}
	})
}

// The first layout of a wall already has the size of the screen. The option --size has priority.
func TestResolutionAtTheStart(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, tc := range []struct {
		name, conf string
		asked      config.Size
		want       image.Point
		scale      float64
		shift      int
	}{
		{"screen, with room to move", "outputs: [{type: window}]\n", config.Size{}, image.Pt(632, 392), 632.0 / 1272, 4},
		{"screen", "outputs: [{type: window}]\ndisplay: {pixel_shift: false}\n", config.Size{}, image.Pt(640, 400), 0.5, 0},
		{"screen, turned", "outputs: [{type: window, rotate: 90}]\ndisplay: {pixel_shift: false}\n", config.Size{}, image.Pt(640, 400), 0.5, 0},
		{"a resolution that moves", "graphics: {resolution: [320, 240]}\noutputs: [{type: window}]\ndisplay: {pixel_shift: true}\n", config.Size{}, image.Pt(320, 240), 1, 4},
		{"no window", "outputs: [{type: stream}]\n", config.Size{}, image.Pt(1280, 720), 1, 0},
		{"virtual without a size", "outputs: [{type: window, driver: virtual, device: x}]\n", config.Size{}, image.Pt(640, 400), 0.5, 0},
		{"--size", "graphics: {resolution: screen, design: [640, 320]}\noutputs: [{type: window}]\n", config.Size{Width: 1280, Height: 720}, image.Pt(1280, 720), 2, 0},
		{"resolution", "graphics: {resolution: [320, 240]}\noutputs: [{type: window}]\n", config.Size{}, image.Pt(320, 240), 1, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files{"conf.yaml": tc.conf, "widgets.yaml": plainWall("red")}.write(t, ".")
			b := scene.NewBuilder(scene.Parts{Wake: func() {}, Log: discardLog()})
			defer b.Providers.Close()
			b.Serving.Screen = func(*config.WindowOutput) image.Point { return image.Pt(640, 400) }
			g, report := b.Load(scene.Folder{Widgets: "widgets.yaml", Size: tc.asked}, scene.Alone(func() {}))
			if g == nil {
				t.Fatal(report.Errors())
			}
			if s := g.Scenes[config.MainView]; s.Size != tc.want || s.Scale != tc.scale || s.Sizing.Shift != tc.shift {
				t.Errorf("got %v times %v, moved by %d, want %v times %v, by %d", s.Size, s.Scale, s.Sizing.Shift, tc.want, tc.scale, tc.shift)
			}
		})
	}
}

// If all outputs are files or uploads, which cannot show motion, motion is reduced. The key `motion` overrides this default.
func TestMotion(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, tc := range []struct {
		conf string
		want bool
	}{
		{"outputs: [{type: stream}]\n", false},
		{"outputs: [{type: file, output_path: x}]\n", true},
		{"outputs: [{type: file, output_path: x}, {type: post, url: 'http://127.0.0.1/'}]\n", true},
		{"outputs: [{type: file, output_path: x}, {type: stream}]\n", false},
		{"graphics: {motion: full}\noutputs: [{type: file, output_path: x}]\n", false},
		{"graphics: {motion: reduced}\noutputs: [{type: stream}]\n", true},
	} {
		files{"conf.yaml": tc.conf, "widgets.yaml": plainWall("red")}.write(t, ".")
		b := scene.NewBuilder(scene.Parts{Wake: func() {}, Log: discardLog()})
		g, report := b.Load(scene.Folder{Widgets: "widgets.yaml"}, scene.Alone(func() {}))
		if g == nil {
			t.Fatal(report.Errors())
		}
		if got := g.Scenes[config.MainView].Reduced(); got != tc.want {
			t.Errorf("%s: got %v, want %v", strings.TrimSpace(tc.conf), got, tc.want)
		}
		b.Providers.Close()
	}
}
