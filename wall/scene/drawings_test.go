package scene

import (
	"errors"
	"image"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/config"
	"dashboard/control/notify"
	"dashboard/internal/fetch"
	"dashboard/internal/testing/race"
	"dashboard/internal/testing/thorough"
	"dashboard/render"
	"dashboard/render/picture"
	"dashboard/theme/sun"
	"dashboard/widgets/kit"
)

// sinceNotice is the time since which a notification is shown.
const sinceNotice = 6 * time.Second

var (
	drawingDay = time.Date(2025, 5, 15, 0, 0, 0, 0, time.UTC)
	// drawingMoment is the time that most design drawings show.
	drawingMoment = drawingDay.Add(10*time.Hour + 24*time.Minute + 37*time.Second)
	kitchenMoment = drawingDay.Add(18*time.Hour + 12*time.Minute + 20*time.Second)
	photoMoment   = drawingDay.Add(7*time.Hour + 12*time.Minute + 20*time.Second)
)

// A drawing is a wall with the content of a design drawing. Its files are in testdata/drawings.
type drawing struct {
	name, dir string
	size      image.Point
	mode      sun.Mode
	at        time.Time
	from      time.Duration // the wall starts this long before the time `at`
	step      time.Duration // time from one frame to the next until the time `at`
	finish    func(t *testing.T, b *Builder, seat Seat, tree *Tree, at time.Time)
}

var drawings = []drawing{
	{"demo", "demo", image.Pt(1280, 720), sun.Night, drawingMoment, 2 * time.Minute, 2 * time.Second, nil},
	{"demo-day", "demo", image.Pt(1280, 720), sun.Day, drawingMoment, 2 * time.Minute, 2 * time.Second, nil},
	{"door", "home", image.Pt(1280, 720), sun.Night, drawingMoment, time.Minute, 10 * time.Second, someoneRang},
	{"epaper", "epaper", image.Pt(800, 480), sun.Day, drawingMoment, time.Minute, 10 * time.Second, nil},
	{"hat", "hat", image.Pt(320, 240), sun.Night, drawingMoment, time.Minute, 10 * time.Second, nil},
	{"home", "home", image.Pt(1280, 720), sun.Night, drawingMoment, time.Minute, 10 * time.Second, nil},
	{"kiosk", "kiosk", image.Pt(1080, 1920), sun.Night, drawingMoment, time.Minute, 10 * time.Second, nil},
	{"kitchen", "kitchen", image.Pt(1280, 800), sun.Night, kitchenMoment, time.Minute, 10 * time.Second, timersRun},
	{"office", "office", image.Pt(1920, 1080), sun.Night, drawingMoment, time.Minute, 10 * time.Second, nil},
	{"paper", "home", image.Pt(1280, 720), sun.Day, drawingMoment, time.Minute, 10 * time.Second, nil},
	{"photo", "photo", image.Pt(1280, 720), sun.Night, photoMoment, time.Minute, 10 * time.Second, nil},
	{"states", "states", image.Pt(1280, 720), sun.Night, drawingMoment, 6 * time.Hour, 2 * time.Minute, manyStates},
}

// someoneRang shows the notification of the drawing named door.
func someoneRang(t *testing.T, _ *Builder, seat Seat, _ *Tree, at time.Time) {
	inbox, err := seat.Board.Lookup(notify.Wall)
	if err != nil {
		t.Fatal(err)
	}
	v := inbox.View()
	n := &notify.Notification{
		Title: "Front door", Text: "Somebody rang 6 seconds ago", Icon: "mdi:doorbell-video", Role: "warn",
		Duration: 19 * time.Second, Posted: at.Add(-sinceNotice), Box: v.Box,
	}
	if n.Picture, err = picture.Load(t.Context(), os.DirFS("testdata/drawings/home"), "door.jpg", v.Box, v.Fit, v.Smooth); err != nil {
		t.Fatal(err)
	}
	if err := seat.Board.Post(notify.Wall, n); err != nil {
		t.Fatal(err)
	}
}

// timersRun starts the timers of the drawing named kitchen.
func timersRun(t *testing.T, b *Builder, _ Seat, _ *Tree, at time.Time) {
	for name, ago := range map[string]time.Duration{"spaghetti": 4*time.Minute + 28*time.Second, "bread": 18*time.Minute + 53*time.Second} {
		if _, err := b.Timers.Do(name, "start", 0, at.Add(-ago)); err != nil {
			t.Fatal(err)
		}
	}
}

// manyStates shows the failed widget, the banner and the notification of the drawing named states.
func manyStates(t *testing.T, b *Builder, seat Seat, tree *Tree, at time.Time) {
	if crash(reflect.ValueOf(tree.Root), "trains", map[uintptr]bool{}) != 1 {
		t.Error("no widget has the name trains")
	}
	loaded := time.Date(2025, 5, 15, 9, 58, 0, 0, time.UTC)
	b.Banner.Publish(kit.Banner{Place: "widgets.yaml:41", Words: "colour is unknown, did you mean color?", Stays: loaded}, at)
	n := &notify.Notification{
		Title: "Laundry is done", Text: "2 h 5 min, 0.9 kWh. Please take it out.", Icon: "mdi:washing-machine",
		Duration: 19 * time.Second, Posted: at.Add(-sinceNotice),
	}
	if err := seat.Board.Post(notify.Wall, n); err != nil {
		t.Fatal(err)
	}
}

// TestDrawings draws walls with the content of the design drawings, in the drawings' sizes. docs/dev/look compares the pictures.
func TestDrawings(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	for i, d := range drawings {
		if race.Left(i, len(drawings)) {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			dir, photo := t.TempDir(), "First light on the lake"
			if err := errors.Join(os.CopyFS(dir, os.DirFS(filepath.Join("testdata/drawings", d.dir))),
				os.Mkdir(filepath.Join(dir, "photos"), 0o700),
				copyFile("../../samples/kiosk/marche.jpg", filepath.Join(dir, "marche.jpg")),
				copyFile("../../samples/frame/photos/"+photo+".jpg", filepath.Join(dir, "photos", photo+", Ida’s walk, October 2024.jpg"))); err != nil {
				t.Fatal(err)
			}
			synctest.Test(t, func(t *testing.T) { d.show(t, dir) })
		})
	}
}

// copyFile copies a file.
func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}

// show loads the wall in the folder dir, runs it until the drawing's time, and checks and writes its picture.
func (d *drawing) show(t *testing.T, dir string) {
	t.Helper()
	time.Sleep(time.Until(d.at.Add(-d.from)))
	sensors := drawnHouse(time.Now())
	house, end := servedBy(sensors)
	defer end()
	b := NewBuilder(Parts{Wake: func() {}, Log: slog.New(slog.DiscardHandler)})
	defer b.Providers.Close()
	ended := make(chan struct{})
	defer close(ended)
	b.Client = fetch.NewWith(drawn{d.dir, house, ended})
	seat := Alone(func() {})(config.MainView)
	size := config.Size{Width: d.size.X, Height: d.size.Y}
	o := Folder{Widgets: "widgets.yaml", Home: dir, Files: withoutBroker(t, dir), Size: size, Strict: true}
	g, report := b.Load(o, func(string) Seat { return seat })
	if g == nil || len(report.Errors()) > 0 {
		t.Fatal(report.String())
	}
	b.Providers.Commit(g.Sources)
	b.Timers.Commit(g.Timers)
	tree := g.Scenes[config.MainView].Trees[d.mode]
	seat.Board.Commit(tree.Inboxes)
	r := g.Scenes[config.MainView].Renderer(d.mode)
	until := func(at time.Time, step time.Duration) {
		for time.Now().Before(at) {
			time.Sleep(min(step, time.Until(at)))
			measure(sensors, time.Now())
			synctest.Wait()
			r.Step(time.Now())
		}
	}
	until(d.at.Add(-sinceNotice), d.step)
	if d.finish != nil {
		d.finish(t, b, seat, tree, d.at)
	}
	until(d.at, 50*time.Millisecond) // a notification arrives
	m := r.Frame()
	if m.Rect.Size() != d.size || oneColor(m) {
		t.Errorf("the picture is plain, or of size %v", m.Rect.Size())
	}
	sheet(t, d.name, m)
}

// A fault is a widget that panics.
type fault struct{ render.Widget }

func (fault) Update(render.Tick) { panic("a fault") }

// crash replaces the content of the widgets with the given name by a fault. It follows the pointers of the tree at v. Only values of the
// packages below widgets belong to the tree alone. Fonts, caches and providers are shared, and parallel tests write to them.
func crash(v reflect.Value, name string, seen map[uintptr]bool) (n int) {
	switch v.Kind() {
	case reflect.Interface:
		return crash(v.Elem(), name, seen)
	case reflect.Pointer:
		if v.IsNil() || seen[v.Pointer()] || v.Type() == reflect.TypeFor[*kit.Builder]() || v.Type() == reflect.TypeFor[*kit.Env]() {
			return 0
		}
		seen[v.Pointer()] = true
		if v.Type() == reflect.TypeFor[*kit.Guard]() && v.Elem().FieldByName("name").String() == name {
			(*kit.Guard)(v.UnsafePointer()).Inner.(*kit.Frame).Inner = fault{}
			return 1
		}
		return crash(v.Elem(), name, seen)
	case reflect.Struct:
		if !strings.HasPrefix(v.Type().PkgPath(), "dashboard/widgets/") {
			return 0
		}
		for i := range v.NumField() {
			n += crash(v.Field(i), name, seen)
		}
	case reflect.Slice:
		for i := range v.Len() {
			n += crash(v.Index(i), name, seen)
		}
	}
	return n
}
