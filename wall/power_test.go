package wall

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"dashboard/wall/scene"
)

// TestDisplayIsRead checks that all keys of `display` are read.
func TestDisplayIsRead(t *testing.T) {
	b := scene.NewBuilder(scene.Parts{Wake: func() {}, Log: discardLog()})
	defer b.Providers.Close()
	for more, want := range map[string]string{
		"display: {when: {days: mon-fri, time: \"07:00-20:00\"}}\n":                                   "",
		"display: {when: true, brightness: 60%, backends: [fb, drm, backlight]}\n":                    "",
		"display: {when: [{time: \"06:00-09:00\"}, {time: \"22:00-01:00\"}], wake: [notification]}\n": "",
		"display: {brightness: {day: 100%, night: 0.25, fade: 5s}, wake: []}\n":                       "",
		"display: {presence: {value: !data '.machine.load1', above: 1}, off_after: 90}\n":             "no provider is named 'machine'",
		"display: {presence: {gpio: 17}, off_after: 5m}\n":                                            "",
		"display: {off_after: 5m}\n":                                                                  "",
		"display: {brightness: {sensor: auto, min: 10%, max: 90%}}\n":                                 "",
		"display: {backends: [cec, drm]}\n":                                                           "",
		"display: {wake: [touch]}\n":                                                                  "",
		"display: {pixel_shift: true}\n":                                                              "",
		"views: {hall: {widgets: widgets.yaml, display: {pixel_shift: true}}}\n":                      "",
		"display: {pixel_shift: false}\n":                                                             "",
		"views: {hall: {widgets: widgets.yaml, display: {when: {time: \"07:00-20:00\"}}}}\n":          "",
	} {
		g, said := reads(t, b, more)
		if g == nil || strings.Contains(said, "error") || want == "" && said != "" || !strings.Contains(said, want) {
			t.Errorf("%s: got %q, want a warning with %q", more, said, want)
		}
	}
	g, said := reads(t, b, "display: {when: true, presence: true, off_after: 5m, brightness: {night: 20%}}\nviews: {hall: {widgets: widgets.yaml, display: {brightness: 30%}}}\n")
	if g == nil {
		t.Fatal(said)
	}
	main, hall := g.Scenes["main"].Display, g.Scenes["hall"].Display
	if s := main.Settings; time.Duration(*s.OffAfter) != 5*time.Minute || s.Brightness.Day != 1 || s.Brightness.Night != 0.2 || s.Brightness.Fade != 2*time.Second || len(s.Wake) != 3 || len(s.Backends) != 5 || main.When == nil || main.Presence == nil {
		t.Errorf("got %+v", main)
	}
	if hall.Settings.Brightness.Night != 0.3 || hall.When != nil {
		t.Errorf("got %+v", hall)
	}
}

// An error in `display` is reported with its position and the most similar valid word.
func TestDisplayMistakes(t *testing.T) {
	b := scene.NewBuilder(scene.Parts{Wake: func() {}, Log: discardLog()})
	defer b.Providers.Close()
	for more, want := range map[string]string{
		"display: {wen: true}\n":                                                                        "near: when",
		"display: on\n":                                                                                 "must be a mapping",
		"display: {when: 5}\n":                                                                          "must be a condition",
		"display: {when: {days: mon-fry}}\n":                                                            "fry",
		"display: {when: {time: \"7-7\"}}\n":                                                            "conf.yaml:9:24: display.when.time",
		"display: {when: []}\n":                                                                         "needs at least one condition",
		"display: {presence: {gpio: -1}}\n":                                                             "must be between 0 and 1023",
		"display: {presence: {gpio: 4, pin: 5}}\n":                                                      "unknown key 'pin'",
		"display: {presence: {entity: hall}}\n":                                                         "must be an entity",
		"display: {off_after: 0}\n":                                                                     "must be at least 1",
		"display: {off_after: 5 parsecs}\n":                                                             "must be a duration",
		"display: {wake: [tuch]}\n":                                                                     "near: touch",
		"display: {brightness: 40}\n":                                                                   "near: 40%",
		"display: {brightness: {day: 140%}}\n":                                                          "between 0% and 100%",
		"display: {brightness: {sensor: auto, min: 90%, max: 10%}}\n":                                   "min is more than max",
		"display: {brightness: {min: 10%}}\n":                                                           "sensor",
		"display: {brightness: {day: 50%, max: 70%}}\n":                                                 "day",
		"display: {brightness: {schedule: []}}\n":                                                       "at least",
		"display: {brightness: {schedule: 5%}}\n":                                                       "must be a list",
		"display: {brightness: {schedule: [{level: 5%}]}}\n":                                            "when",
		"display: {brightness: {schedule: [{when: true}]}}\n":                                           "level",
		"display: {brightness: {schedule: [{when: {time: \"22:00-06:00\"}, level: 5}]}}\n":              "near: 5%",
		"display: {brightness: {schedule: [{when: {time: \"7-7\"}, level: 5%}]}}\n":                     "schedule[0].when.time",
		"display: {brightness: {schedule: [{when: {entity: hall}, level: 5%}]}}\n":                      "must be an entity",
		"display: {brightness: {schedule: [{time: \"22:00-06:00\", level: 5%}]}}\n":                     "unknown key 'time'",
		"display: {brightness: {shedule: [{when: true, level: 5%}]}}\n":                                 "near: schedule",
		"display: {brightness: {schedule: [" + strings.Repeat("{when: true, level: 5%},", 33) + "]}}\n": "at most",
		"display: {backends: [dcc]}\n":                                                                  "near: ddc",
		"display: {backends: []}\n":                                                                     "at least",
		"views: {hall: {widgets: widgets.yaml, display: {wen: 1}}}\n":                                   "views.hall.display",
	} {
		g, said := reads(t, b, more)
		if g != nil || !strings.Contains(said, want) {
			t.Errorf("%s: got %q, want an error with %q", more, said, want)
		}
	}
}

// screenState is the answer of /power.
type screenState struct {
	On         bool
	Why, Hand  string
	HandUntil  *string `json:"hand_until"`
	Brightness *float64
	Screens    []struct{ Backend, Dimmer, Problem *string }
}

func (p site) power() (s screenState) {
	p.t.Helper()
	if a := p.ask("GET /power", nil, ""); a.status != http.StatusOK || json.Unmarshal([]byte(a.body), &s) != nil {
		p.t.Fatalf("got %d %s", a.status, a.body)
	}
	return s
}

// dark() reports whether the window's device is switched off.
func (p site) dark() bool {
	var h struct {
		Outputs []struct{ Device struct{ Off bool } }
	}
	_ = json.Unmarshal([]byte(p.text("/healthz")), &h)
	return len(h.Outputs) > 0 && h.Outputs[0].Device.Off
}

// A request switches a screen off. The screen stays off through a reload and is not painted while
// it is off. After another request it shows the current wall.
func TestPowerByHand(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	f := files{"conf.yaml": wallConf(port, ""), "widgets.yaml": plainWall("red"), "more.yaml": plainWall("blue")}
	p := start(t, port, f)
	p.shows(1, 1, red)
	p.serves("/power", http.StatusOK)
	if s := p.power(); !s.On || s.Why != "when" || s.Hand != "auto" || s.Brightness != nil || p.dark() {
		t.Errorf("at first: %+v", s)
	}
	post := func(path, body string) answer {
		return p.ask("POST "+path, []string{"Content-Type", "application/json"}, body)
	}
	if a := post("/power", `{"state": "off"}`); a.status != http.StatusOK || !strings.Contains(a.body, `"on":false`) {
		t.Fatalf("got %d %s", a.status, a.body)
	}
	eventually(t, "the screen is off", p.dark)
	eventually(t, "who did it", func() bool {
		s := p.power()
		return !s.On && s.Hand == "off" && len(s.Screens) == 1 && s.Screens[0].Backend != nil && *s.Screens[0].Backend == "fb" && s.Screens[0].Problem == nil
	})
	if p.measure(`dashboard_screen_on{view="main"}`) != 0 || p.measure(`dashboard_screen_backend{view="main",backend="fb"}`) != 1 {
		t.Error("the figures say that it is on, or not what did it")
	}
	if h := p.text("/healthz"); !strings.Contains(h, `"backend":"fb"`) || !strings.Contains(h, `"why":"hand"`) {
		t.Errorf("/healthz does not say what did it: %s", h)
	}
	if status, _ := p.get("/healthz"); status != http.StatusOK {
		t.Errorf("a screen that is off: /healthz answers %d", status)
	}
	frames := p.measure("dashboard_frames_total")
	p.change(files{"widgets.yaml": plainWall("blue")})
	if !p.dark() || p.power().On {
		t.Error("it is on after a reload")
	}
	if n := p.measure("dashboard_frames_total"); n != frames {
		t.Errorf("%v frames were painted for a screen that is off", n-frames)
	}
	if a := post("/power", `{"state": "toggle", "for": 3600}`); a.status != http.StatusOK || !strings.Contains(a.body, `"hand":"on"`) || p.power().HandUntil == nil {
		t.Errorf("toggle: got %d %s", a.status, a.body)
	}
	eventually(t, "the screen is on", func() bool { return !p.dark() })
	p.shows(1, 1, blue)
	if a := post("/brightness", `{"brightness": "40%"}`); a.status != http.StatusOK || p.power().Brightness == nil {
		t.Errorf("brightness: got %d %s", a.status, a.body)
	}
}

// A request that cannot be carried out is answered with a reason and changes nothing.
func TestPowerRefuses(t *testing.T) {
	port := freePort(t)
	f := files{"conf.yaml": strings.Replace(wallConf(port, ""), "server:\n", "server:\n  auth: {control_token: c}\n", 1), "widgets.yaml": plainWall("red")}
	p := start(t, port, f)
	p.shows(1, 1, red)
	p.serves("/frame", http.StatusOK)
	token := []string{"Authorization", "Bearer c", "Content-Type", "application/json"}
	for _, tt := range []struct {
		request string
		header  []string
		body    string
		status  int
		says    string
	}{
		{"GET /power", nil, "", 401, "control"},
		{"POST /power", []string{"Content-Type", "application/json"}, `{"state":"off"}`, 401, "control"},
		{"POST /brightness", []string{"Authorization", "Bearer d", "Content-Type", "application/json"}, `{"brightness":0}`, 401, "control"},
		{"POST /power", token[:2], `{"state":"off"}`, 415, "application/json"},
		{"POST /power", token, `{"state":"of"}`, 400, "on, off, toggle, auto"},
		{"POST /power", token, `{}`, 400, "on, off, toggle, auto"},
		{"POST /power", token, `{"state":"off","for":0}`, 400, "'for'"},
		{"POST /power", token, `{"state":"off","for":1e300}`, 400, "'for'"},
		{"POST /power", token, `{"state":"auto","for":5}`, 400, "'for'"},
		{"POST /power", token, `{"state":"off","until":5}`, 400, "unknown field"},
		{"POST /power", token, `{"state":"off"}{"state":"on"}`, 400, "more than one"},
		{"POST /power", token, `["off"]`, 400, "JSON object"},
		{"POST /power", token, `null`, 400, "on, off, toggle, auto"},
		{"POST /power", token, ``, 400, "JSON object"},
		{"POST /power?view=hall", token, `{"state":"off"}`, 404, "main"},
		{"GET /power?view=hall", token, "", 404, "main"},
		{"POST /brightness", token, `{"brightness":40}`, 400, "40%"},
		{"POST /brightness", token, `{"brightness":"NaN%"}`, 400, "40%"},
		{"POST /brightness", token, `{"brightness":"-1%"}`, 400, "40%"},
		{"POST /brightness", token, `{}`, 400, "40%"},
		{"DELETE /power", token, "", 405, "not allowed"},
		{"POST /power", token, `{"state":"` + strings.Repeat("o", 70_000) + `"}`, 413, "65536"},
	} {
		if a := p.ask(tt.request, tt.header, tt.body); a.status != tt.status || !strings.Contains(a.body, tt.says) {
			t.Errorf("%s %.60s: got %d %s, want %d with %q", tt.request, tt.body, a.status, a.body, tt.status, tt.says)
		}
	}
	if a := p.ask("GET /power", token, ""); !strings.Contains(a.body, `"on":true`) {
		t.Errorf("got %s", a.body)
	}
}

// A screen is off from the start if `display.when` does not apply. A notification with `wake: true` switches the screen on until the
// notification ends.
func TestNotificationWakesScreen(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	f := files{"conf.yaml": wallConf(port, "notifications: fullscreen\ndisplay: {when: false}\n"), "widgets.yaml": plainWall("red")}
	p := start(t, port, f)
	eventually(t, "the screen is off", p.dark)
	p.serves("/", http.StatusOK)
	note := func(body string) {
		if a := p.ask("POST /notify", []string{"Content-Type", "application/json"}, body); a.status != http.StatusOK {
			t.Fatalf("got %d %s", a.status, a.body)
		}
	}
	note(`{"text": "nobody is woken", "duration": 1}`)
	note(`{"text": "the bell", "duration": 10, "wake": true}`)
	eventually(t, "the screen is on", func() bool { // read the log, because the screen is on for only ten seconds
		return p.log.Count(`"screen switched" on=true why=notification`) == 1
	})
	eventually(t, "the screen is off again", func() bool { return p.dark() && p.power().Why == "when" })

	note(`{"text": "at the door", "duration": 3600, "wake": true, "id": "door"}`)
	eventually(t, "the screen is on for an hour", func() bool { return !p.dark() })
	if a := p.ask("DELETE /notify/door", nil, ""); a.status != http.StatusOK {
		t.Fatalf("got %d %s", a.status, a.body)
	}
	eventually(t, "the screen is off without the notification", func() bool { return p.dark() && p.power().Why == "when" })
}

// A trigger that shows a page with `wake: true` switches the screen on if `display.wake` contains `trigger`.
func TestTriggerWakesScreen(t *testing.T) {
	t.Parallel()
	wall := strings.Replace(pagesWall, "hold: 1s", "hold: 1s, wake: true", 1)
	for wake, want := range map[string]string{"[trigger]": "trigger", "[touch]": "when"} {
		port := freePort(t)
		p := start(t, port, files{
			"conf.yaml":      wallConf(port, "display: {when: false, wake: "+wake+"}\n"),
			"providers.yaml": "providers:\n  bell: {type: push}\n", "widgets.yaml": wall,
		}, "--state-dir", t.TempDir()) // a new folder, because the next wall would load this wall's value of bell
		eventually(t, "the screen is off", p.dark)
		p.serves("/", http.StatusOK)
		if a := p.ask("PUT /values/bell", nil, "true"); a.status != http.StatusOK {
			t.Fatalf("the bell: got %d %s", a.status, a.body)
		}
		eventually(t, "the page of the bell is shown", func() bool { return strings.Contains(p.text("/pages"), `"page":"door"`) })
		eventually(t, "wake: "+wake, func() bool { return p.power().Why == want && p.dark() == (want == "when") })
		p.ask("PUT /values/bell", nil, "false")
		eventually(t, "the screen is off again", func() bool { return p.dark() && p.power().Why == "when" })
	}
}
