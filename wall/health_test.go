package wall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"dashboard/wall/outputs"
	"dashboard/wall/scene"
)

// busyHouse is a wall with every part that health and metrics describe.
func busyHouse(t *testing.T) *binary {
	t.Helper()
	broken := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(broken.Close)
	port := freePort(t)
	b := launch(t, port, files{
		"conf.yaml": pushConf(port, "", "") + "views: {other: {widgets: widgets.yaml}}\n", "widgets.yaml": pushWidgets,
		"providers.yaml": "providers:\n  here: {type: system}\n  broken: {type: rest, url: '" + broken.URL + "'}\n",
	})
	b.serves("/frame?width=80&height=48", http.StatusOK)
	b.open("GET /events?width=80&height=48")
	eventually(t, "both sources have been tried", func() bool {
		return b.metric(`dashboard_provider_failing{provider="broken"}`) == 1 && strings.Contains(b.text("/metrics"), `age_seconds{provider="here"}`)
	})
	return b
}

// text returns the body of an answer.
func (p site) text(path string) string {
	p.t.Helper()
	_, body := p.get(path)
	return body
}

func healthPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(sourceDir, "../../docs/health.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// docs/health.md describes every metric of the program and no other metrics.
func TestMetricsAreDocumented(t *testing.T) {
	t.Parallel()
	b := busyHouse(t)
	page := healthPage(t)
	name := regexp.MustCompile(`\bdashboard_[a-z_]+`)
	there, said := map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(b.text("/metrics")) {
		if n := name.FindString(line); n != "" {
			there[n] = true
		}
	}
	for _, n := range name.FindAllString(page, -1) {
		said[n] = true
		// These metrics exist only with a backlight or on an appliance.
		if !there[n] && n != "dashboard_screen_brightness" && !strings.HasPrefix(n, "dashboard_update_") {
			t.Errorf("docs/health.md tells of %s, which is not there", n)
		}
	}
	for n := range there {
		if !said[n] {
			t.Errorf("docs/health.md does not tell of %s", n)
		}
	}
	if len(there) < 20 {
		t.Errorf("got %d metrics only", len(there))
	}
	// The processor time may be 0, because it has steps of 10 ms.
	for n, least := range map[string]float64{"process_resident_memory_bytes": 1, "process_cpu_seconds_total": 0, "go_goroutines": 1} {
		if b.metric(n) < least {
			t.Errorf("%s is not there", n)
		}
	}
}

// docs/health.md describes every field of /healthz. The geometry of a framebuffer is described as a whole.
func TestHealthIsDocumented(t *testing.T) {
	t.Parallel()
	b := busyHouse(t)
	page := healthPage(t)
	var report map[string]any
	if err := json.Unmarshal([]byte(b.text("/healthz")), &report); err != nil {
		t.Fatal(err)
	}
	var look func(path string, v any)
	look = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, field := range v {
				look(k, field)
			}
		case []any:
			for _, one := range v {
				look(path, one)
			}
		default:
			if !strings.Contains(page, "`"+path+"`") && !strings.Contains(page, "."+path+"`") {
				t.Errorf("docs/health.md does not tell of %s", path)
			}
		}
	}
	for _, o := range report["outputs"].([]any) {
		device, _ := o.(map[string]any)["device"].(map[string]any)
		for _, geometry := range []string{"width", "height", "format", "driver", "vsync", "panning", "connector", "mode"} {
			delete(device, geometry)
		}
	}
	delete(report["notifications"].(map[string]any), "waiting") // the keys of this object are names of widgets
	for k, field := range report {
		if !strings.Contains(page, "`"+k) {
			t.Errorf("docs/health.md does not tell of %s", k)
		}
		look(k, field)
	}
	for _, want := range []string{`"name":"broken"`, `404`, `"displays":[{"address":"127.0.0.1:`, `"width":80`} {
		if !strings.Contains(b.text("/healthz"), want) {
			t.Errorf("/healthz does not say %s", want)
		}
	}
}

// /healthz has the status 200 only if a frame has been painted and the loop has recently completed a pass.
func TestHealthIsThatOfPainting(t *testing.T) {
	t.Chdir(t.TempDir())
	s, _ := quiet(t, sunny(1, nowhere), &logbook{})
	v := s.main()
	defer v.Close()
	if _, ok := s.health(); ok {
		t.Error("well before the first frame")
	}
	ok := func(name string, want bool) {
		t.Helper()
		if _, got := s.health(); got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
	var loop sync.WaitGroup
	ctx, cancel := context.WithCancel(t.Context())
	loop.Go(func() { v.Loop.Run(ctx) })
	eventually(t, "the first frame", func() bool { _, ok := s.health(); return ok })
	cancel()
	loop.Wait() // otherwise another pass could set LastPass again
	v.LastPass.Store(v.LastPass.Load() - int64(alive))
	ok("a pass too long ago", false)
	again, end := context.WithCancel(t.Context())
	defer func() { end(); loop.Wait() }()
	loop.Go(func() { v.Loop.Run(again) })
	eventually(t, "a pass", func() bool { _, ok := s.health(); return ok })
}

// TestHealthTellsWhatIsLeftOut checks a calendar with an invalid event among valid events. /healthz
// counts the invalid event but does not contain its text.
func TestHealthTellsWhatIsLeftOut(t *testing.T) {
	dir := t.TempDir()
	files{
		"conf.yaml":      "graphics: {resolution: [160, 96]}\noutputs: [{type: stream}]\n",
		"widgets.yaml":   "widgets: [{widget: text, text: hello}]\n",
		"providers.yaml": "providers:\n  family: {type: calendar, calendars: [{name: A, path: a.ics}]}\n",
		"a.ics":          "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:tea\nDTSTART:20300101T100000Z\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:broken\nDTSTART:soon\nEND:VEVENT\nEND:VCALENDAR\n",
	}.write(t, dir)
	b := scene.NewBuilder(scene.Parts{Wake: func() {}, Log: discardLog()})
	defer b.Providers.Close()
	g, report := b.Load(scene.Folder{Widgets: "widgets.yaml", Home: dir}, scene.Alone(func() {}))
	if g == nil {
		t.Fatal(report.String())
	}
	b.Providers.Commit(g.Sources)
	s := &Service{builder: b}
	eventually(t, "an event is left out", func() bool {
		list := s.providerHealth(time.Now())
		return len(list) == 1 && list[0].(map[string]any)["left_out"] == 1 && !strings.Contains(fmt.Sprint(list), "broken")
	})
}

// mixedCalendar has a valid event, an event with an unknown time zone, and an event with an invalid date.
const mixedCalendar = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:tea\nDTSTART:20300101T100000Z\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:far\n" +
	"DTSTART;TZID=Mars/Olympus:20300102T100000\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:broken\nDTSTART:soon\nEND:VEVENT\nEND:VCALENDAR\n"

// The report about the health does not access the folder, which may be on a network disk that hangs. The identity of the folder is that of
// the last reading.
func TestHealthKeepsFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "wall")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	files{"conf.yaml": wallConf(1, ""), "widgets.yaml": plainWall("red")}.write(t, dir)
	s := newService(parts{opts: Options{Folder: scene.Folder{Home: dir, Widgets: "widgets.yaml"}}, stderr: io.Discard, devices: outputs.ThisMachine()})
	s.readAll()
	read := FolderID(dir)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if got := s.configHealth(time.Now())["folder"]; got != read {
		t.Errorf("got %v, want %v", got, read)
	}
}

// A folder has one identity under all of its paths, and each path keeps its identity if the folder is replaced.
func TestSameFolder(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(a, link); err != nil {
		t.Fatal(err)
	}
	before := FolderID(link)
	if !SameFolder(before, FolderID(a)) || SameFolder(before, FolderID(b)) || SameFolder(FolderID("/none/a"), FolderID("/none/b")) {
		t.Error("the identity of a folder depends on its path")
	}
	if err := errors.Join(os.Remove(link), os.Symlink(b, link)); err != nil {
		t.Fatal(err)
	}
	if !SameFolder(before, FolderID(link)) {
		t.Error("a path whose folder was replaced has another identity")
	}
}
