package wall

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"image"
	_ "image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A listener reads /events until the test or the stream has ended.
type listener struct {
	ended  atomic.Bool
	events atomic.Int64
}

func (p site) listen() *listener {
	p.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url("/events"), nil)
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("A-IM", "tiles") // this header requests an event for every frame
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil || resp.StatusCode != http.StatusOK {
		p.t.Fatalf("events: %v, %v", resp, err)
	}
	l, done := &listener{}, make(chan struct{})
	go func() {
		defer close(done)
		defer l.ended.Store(true)
		for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "data:") {
				l.events.Add(1)
			}
		}
	}()
	p.t.Cleanup(func() { cancel(); resp.Body.Close(); <-done })
	return l
}

// watch requests /frame every few milliseconds until `stop` is called. `stop` returns the number of requests, and the answers that do not
// have the status 200.
func (p site) watch() (stop func() (asked int, bad []string)) {
	var wg sync.WaitGroup
	var bad []string
	asked, end, tick := 0, make(chan struct{}), time.NewTicker(2*time.Millisecond)
	wg.Go(func() {
		defer tick.Stop()
		for {
			asked++
			if status, body := p.get("/frame"); status != http.StatusOK {
				bad = append(bad, fmt.Sprintf("%d %.80s", status, body))
			}
			select {
			case <-end:
				return
			case <-tick.C:
			}
		}
	})
	return func() (int, []string) { close(end); wg.Wait(); return asked, bad }
}

// uncut() stops the requests that watch() sends. It checks that all requests succeeded and that the stream of events did not end.
func uncut(t *testing.T, l *listener, stop func() (int, []string)) {
	t.Helper()
	asked, bad := stop()
	if len(bad) > 0 || asked == 0 {
		t.Errorf("%d of %d requests for /frame failed: %q", len(bad), asked, bad)
	}
	if l.ended.Load() {
		t.Error("the stream of events ended")
	}
}

func TestGoodReload(t *testing.T) {
	port := freePort(t)
	f := files{"conf.yaml": wallConf(port, ""), "widgets.yaml": plainWall("red")}
	p := start(t, port, f)
	p.shows(1, 1, red)
	p.serves("/frame", http.StatusOK)
	l, stop := p.listen(), p.watch()
	for _, color := range []string{"blue", "red", "blue"} {
		p.change(f.with("widgets.yaml", plainWall(color)))
	}
	p.shows(1, 1, blue)
	eventually(t, "events", func() bool { return l.events.Load() >= 2 })
	uncut(t, l, stop)
}

func TestReloadKeepsSamples(t *testing.T) {
	t.Parallel()
	var asked [2]atomic.Int64
	sources := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i := strings.Count(r.URL.Path, "other")
		if asked[i].Add(1) > 1 && i == 0 {
			<-r.Context().Done() // only the first request for /kept gets an answer
			return
		}
		fmt.Fprint(w, `"value"`)
	}))
	t.Cleanup(sources.Close)
	port := freePort(t)
	providers := "providers:\n  kept: {type: rest, url: '" + sources.URL + "/kept', update_interval: 3600}\n"
	flip := func(color string) string {
		return "widgets:\n  - widget: grid\n    background_color: " + color + "\n    children:\n" +
			"      - {widget: provider, providers: [kept], color: white, text_size: 90}\n"
	}
	f := files{"conf.yaml": wallConf(port, ""), "widgets.yaml": flip("red"), "providers.yaml": providers}
	p := start(t, port, f)
	p.serves("/healthz", http.StatusOK)
	fresh := func() bool {
		var h struct {
			Providers []struct {
				SecondsSinceValue *int `json:"seconds_since_value"`
			}
		}
		_, body := p.get("/healthz")
		return json.Unmarshal([]byte(body), &h) == nil && len(h.Providers) > 0 && h.Providers[0].SecondsSinceValue != nil
	}
	eventually(t, "the first value", fresh)
	p.change(f.with("widgets.yaml", flip("blue")))
	p.change(f.with("providers.yaml", providers+"  new: {type: rest, url: '"+sources.URL+"/other'}\n"))
	eventually(t, "the new provider asks", func() bool { return asked[1].Load() > 0 })
	if n := asked[0].Load(); n != 1 || !fresh() {
		t.Errorf("got %d requests of the provider that did not change, want 1 and its value kept", n)
	}
	p.change(f.with("providers.yaml", strings.Replace(providers, "3600", "1800", 1)))
	eventually(t, "a changed provider asks again", func() bool { return asked[0].Load() > 1 })
}

// themed() returns the files of a wall that needs all of them. If a file is missing, a reload is refused.
func themed(port int) files {
	return files{
		"conf.yaml":      wallConf(port, "appearance: {themes: {day: day.yaml, night: night.yaml}, http_control: true}\n"),
		"widgets.yaml":   "widgets:\n  - widget: grid\n    background_color: !color wall\n    children:\n      - {widget: provider, providers: [p]}\ntheme:\n  colors: {wall: white}\n",
		"day.yaml":       "colors: {wall: red}\n",
		"night.yaml":     "colors: {wall: blue}\n",
		"providers.yaml": "providers:\n  p: {type: rest, url: 'http://127.0.0.1:9/', headers: {X-Key: !secret key}}\n",
		"secrets.yaml":   "key: abc\n",
	}
}

func TestBrokenReload(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ file, text, says string }{
		"conf":             {"conf.yaml", "graphics: {resolution: [160, 96], flap: true}\noutputs: [{type: stream}]\n", "conf.yaml:1:"},
		"conf, no YAML":    {"conf.yaml", "graphics: [\n", "conf.yaml:"},
		"widgets":          {"widgets.yaml", "widgets:\n  - {widget: gird}\n", "widgets.yaml:2:"},
		"widgets, a token": {"widgets.yaml", "widgets:\n  - {widget: empty, color: !color nope}\ntheme:\n  colors: {wall: white}\n", "widgets.yaml:2:"},
		"day":              {"day.yaml", "colors: {wal: red}\n", "day.yaml"},
		"night":            {"night.yaml", "", "night.yaml"},
		"providers":        {"providers.yaml", "providers:\n  p: {type: rust, url: 'http://127.0.0.1:9/'}\n", "providers.yaml:2:"},
		"provider renamed": {"providers.yaml", "providers:\n  q: {type: rest, url: 'http://127.0.0.1:9/'}\n", "widgets.yaml:5:"},
		"secrets":          {"secrets.yaml", "other: abc\n", "'!secret key'"},
		"secrets, no map":  {"secrets.yaml", "[]\n", "secrets.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			port := freePort(t)
			f := themed(port)
			p := start(t, port, f)
			p.shows(1, 1, red)
			p.serves("/frame", http.StatusOK)
			l, stop := p.listen(), p.watch()
			p.change(f.with(tc.file, tc.text))
			eventually(t, "a banner shows", func() bool { return p.pixel(1, testH-1) != red })
			if got := p.pixel(1, 1); got != red {
				t.Errorf("got %v on the wall, want it as it was", got)
			}
			if c := p.config(); c.OK || !strings.Contains(c.Problem, tc.says) {
				t.Errorf("healthz: got %+v, want %q", c, tc.says)
			}
			if !strings.Contains(p.log.String(), tc.says) {
				t.Errorf("the log does not say %q", tc.says)
			}
			if status, body := p.post("/theme", `{"mode": "night"}`); status != http.StatusOK {
				t.Errorf("theme: got %d %s, want it to work all the same", status, body)
			}
			p.shows(1, 1, blue)
			eventually(t, "the banner stays", func() bool { return p.pixel(1, testH-1) != blue })
			p.change(f)
			p.shows(1, testH-1, blue)
			if c := p.config(); !c.OK || c.Problem != "" {
				t.Errorf("healthz after mending: got %+v", c)
			}
			uncut(t, l, stop)
		})
	}
}

type configHealth struct {
	OK      bool
	Problem string
}

func (p site) config() configHealth {
	p.t.Helper()
	var h struct{ Config configHealth }
	_, body := p.get("/healthz")
	if err := json.Unmarshal([]byte(body), &h); err != nil {
		p.t.Fatalf("healthz: %v in %q", err, body)
	}
	return h.Config
}

func TestReloadedSettings(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	// red above blue
	halves := "widgets:\n  - widget: grid\n    rows: 2\n    children:\n      - {widget: empty, color: red}\n      - {widget: empty, color: blue}\n"
	f := files{"conf.yaml": wallConf(port, ""), "widgets.yaml": halves}
	p := start(t, port, f)
	p.shows(1, 1, red)
	p.serves("/frame", http.StatusOK)
	l, stop := p.listen(), p.watch()

	p.change(f.with("conf.yaml", strings.Replace(f["conf.yaml"], "graphics:\n", "graphics:\n  flip: true\n  fps-limit: 1\n", 1)))
	p.shows(1, 1, blue)
	p.change(f)
	p.shows(1, 1, red)

	said := strings.Count(p.log.String(), "configuration reloaded")
	f.with("conf.yaml", strings.Replace(f["conf.yaml"], "graphics:\n", "logging: {level: warning}\ngraphics:\n  flip: true\n", 1)).write(t, p.dir)
	p.reload <- os.Interrupt
	p.shows(1, 1, blue)
	if n := strings.Count(p.log.String(), "configuration reloaded"); n != said {
		t.Error("a log at level warning tells of a reload")
	}
	p.change(f)
	p.shows(1, 1, red)

	p.change(f.with("conf.yaml", strings.Replace(f["conf.yaml"], "[160, 96]", "[200, 100]", 1)))
	eventually(t, "a frame of the new size", func() bool {
		_, body := p.get("/frame")
		c, _, err := image.DecodeConfig(strings.NewReader(body))
		return err == nil && c.Width == 200 && c.Height == 100
	})
	uncut(t, l, stop)

	p.change(f.with("conf.yaml", strings.Replace(f["conf.yaml"], fmt.Sprint(port), "1", 1)))
	if !strings.Contains(p.log.String(), "requires a restart") {
		t.Error("the log does not say that a port needs a restart")
	}
	p.serves("/frame", http.StatusOK)
}

func TestReloadedSecrets(t *testing.T) {
	port := freePort(t)
	conf := strings.Replace(wallConf(port, ""), "server:\n", "server:\n  auth: {stream_token: !secret token}\n", 1)
	f := files{"conf.yaml": conf, "widgets.yaml": plainWall("red"), "secrets.yaml": "token: first\n"}
	p := start(t, port, f)
	p.serves("/frame", http.StatusUnauthorized)
	with := func(token string) int {
		status, _ := p.get("/frame", "Authorization", "Bearer "+token)
		return status
	}
	eventually(t, "the token opens", func() bool { return with("first") == http.StatusOK })
	p.change(f.with("secrets.yaml", "token: second\n"))
	if a, b := with("first"), with("second"); a != http.StatusUnauthorized || b != http.StatusOK {
		t.Errorf("after a new secret: got %d for the old token and %d for the new, want 401 and 200", a, b)
	}
}

func TestReloadedOutputs(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	f := files{"conf.yaml": wallConf(port, ""), "widgets.yaml": plainWall("red")}
	p := start(t, port, f)
	p.serves("/frame", http.StatusOK)
	without := strings.Replace(f["conf.yaml"], "  - {type: stream, image_format: png}\n", "", 1)
	p.change(f.with("conf.yaml", without))
	if status, body := p.get("/frame"); status != http.StatusNotFound {
		t.Errorf("without a stream: got %d %s, want 404", status, body)
	}
	p.change(f)
	p.serves("/frame", http.StatusOK)
	p.change(f.with("conf.yaml", strings.Replace(f["conf.yaml"], "image_format: png", "image_format: jpeg", 1)))
	eventually(t, "another format", func() bool {
		_, body := p.get("/frame")
		return strings.HasPrefix(body, "\xff\xd8")
	})
}
