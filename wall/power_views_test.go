package wall

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// Each view has a separate power state and brightness. Requests, reports and metrics are about one view. Remote screens follow the state
// and the brightness of the view that they show.
func TestPowerOfViews(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	conf := wallConf(port, "views:\n  hall: {widgets: hall.yaml}\n")
	conf = strings.Replace(conf, "type: window,", "type: window, view: hall,", 1)
	p := start(t, port, files{"conf.yaml": conf, "widgets.yaml": plainWall("red"), "hall.yaml": plainWall("blue")})
	p.shows(1, 1, blue)
	p.serves("/", http.StatusOK)
	state := func(view string) (s screenState) {
		a := p.ask("GET /power"+view, nil, "")
		if a.status != http.StatusOK || json.Unmarshal([]byte(a.body), &s) != nil {
			t.Fatalf("%s: got %d %s", view, a.status, a.body)
		}
		return s
	}
	post := func(path, body string) {
		if a := p.ask("POST "+path, []string{"Content-Type", "application/json"}, body); a.status != http.StatusOK {
			t.Fatalf("%s: got %d %s", path, a.status, a.body)
		}
	}
	heard := func(view, header string) string { return p.ask("HEAD /events"+view, nil, "").header.Get(header) }
	post("/power?view=hall", `{"state": "off"}`)
	eventually(t, "the hall's screen is off", func() bool {
		s := state("?view=hall")
		return !s.On && s.Hand == "off" && len(s.Screens) == 1 && s.Screens[0].Backend != nil && *s.Screens[0].Backend == "fb"
	})
	post("/brightness?view=hall", `{"brightness": "40%"}`)
	for _, main := range []string{"", "?view=main"} {
		if s := state(main); !s.On || s.Hand != "auto" || s.Brightness != nil {
			t.Errorf("main%s: got %+v, want nothing of the hall's", main, s)
		}
		if off, light := heard(main, "X-Screen"), heard(main, "X-Screen-Light"); off+light != "" {
			t.Errorf("main%s: remote screens are told %q, %q", main, off, light)
		}
	}
	if off, light := heard("?view=hall", "X-Screen"), heard("?view=hall", "X-Screen-Light"); off != "off" || light != "brightness 40%, warmth 0%" {
		t.Errorf("the hall's remote screens are told %q, %q", off, light)
	}
	if p.measure(`dashboard_screen_on{view="main"}`) != 1 || p.measure(`dashboard_screen_on{view="hall"}`) != 0 {
		t.Error("the figures have it otherwise")
	}
	post("/power?view=hall", `{"state": "toggle"}`)
	eventually(t, "the hall's screen is on", func() bool { return state("?view=hall").On && heard("?view=hall", "X-Screen") == "" })
}

// The shift against burn-in moves only the picture on the wall's screen. Frames over HTTP keep their tag and their bytes.
func TestShiftStaysAtHome(t *testing.T) {
	t.Parallel()
	got := map[string]answer{}
	for _, shift := range []string{"true", "false"} {
		port := freePort(t)
		p := start(t, port, files{"conf.yaml": wallConf(port, "display: {pixel_shift: "+shift+"}\n"), "widgets.yaml": "widgets:\n  - {widget: text, text: \"Where am I?\"}\n"})
		p.serves("/frame", http.StatusOK)
		for _, path := range []string{"/frame", "/frame?width=320&height=200"} {
			a := p.ask("GET "+path, nil, "")
			if before, ok := got[path]; ok && (a.body != before.body || a.header.Get("ETag") != before.header.Get("ETag")) {
				t.Errorf("%s: %d bytes of %s, and %d of %s where the picture moves", path, len(a.body), a.header.Get("ETag"), len(before.body), before.header.Get("ETag"))
			}
			if a.status != http.StatusOK || len(a.body) < 100 {
				t.Errorf("%s: got %d, %d bytes", path, a.status, len(a.body))
			}
			got[path] = a
		}
	}
}
