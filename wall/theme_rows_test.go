package wall

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"dashboard/internal/testing/thorough"
)

const (
	themeOff  = `{"error":"appearance.http_control is off","success":false}`
	oneTheme  = `{"error":"there is only one theme: conf.yaml has no 'appearance' block, or --theme was given","success":false}`
	wrongMode = `{"error":"'mode' must be one of: day, night, auto","success":false}`
	wrongHold = `{"error":"'hold' must be 'next' (until the sun's next turn) or 'forever'","success":false}`
	noPlace   = `{"error":"'auto' means follow the sun, which needs a latitude and longitude in conf.yaml's appearance block","success":false}`
)

// Locations in conf.yaml. At the pole, the sun does not rise or set in the months around the solstices.
const (
	pole    = "latitude: 90, longitude: 0, "
	nowhere = ""
)

// byDay is a location near the equator where it is noon now, because the sun must not rise or set during a test.
var byDay = func() string {
	now := time.Now().UTC()
	return fmt.Sprintf("latitude: -0.18, longitude: %.2f, ", 180-15*(float64(now.Hour())+float64(now.Minute())/60))
}()

// sunny() returns a wall at a location. The wall is red by day and blue at night.
func sunny(port int, place string) files {
	return files{
		"conf.yaml":    wallConf(port, "appearance: {themes: {day: day.yaml, night: night.yaml}, "+place+"http_control: true}\n"),
		"widgets.yaml": "widgets:\n  - {widget: empty, color: !color wall}\ntheme:\n  colors: {wall: white}\n",
		"day.yaml":     "colors: {wall: red}\n", "night.yaml": "colors: {wall: blue}\n",
	}
}

// themeAnswer is the body of an answer to a request to /theme.
type themeAnswer struct {
	Success, FollowingSun bool
	Mode                  string
	HeldUntil             *string
	NextChange, NextMode  *string
	Error                 string

	keys map[string]any // all keys and values as they were received
}

func (a *themeAnswer) UnmarshalJSON(b []byte) error {
	var v struct {
		Success      bool
		FollowingSun bool    `json:"following_sun"`
		Mode         string  `json:"mode"`
		HeldUntil    *string `json:"held_until"`
		NextChange   *string `json:"next_change"`
		NextMode     *string `json:"next_mode"`
		Error        string
	}
	err := json.Unmarshal(b, &v)
	*a = themeAnswer{Success: v.Success, FollowingSun: v.FollowingSun, Mode: v.Mode, HeldUntil: v.HeldUntil, NextChange: v.NextChange, NextMode: v.NextMode, Error: v.Error}
	_ = json.Unmarshal(b, &a.keys) // cannot fail, because the same text was decoded before
	return err
}

// theme requests the state of the theme. If `body` is not empty, it sends `body` to change the theme. The answer must have the status 200.
func (p site) theme(body string) (a themeAnswer) {
	p.t.Helper()
	status, text := p.get("/theme")
	if body != "" {
		status, text = p.post("/theme", body)
	}
	if err := json.Unmarshal([]byte(text), &a); err != nil || status != http.StatusOK || !a.Success {
		p.t.Fatalf("%s: got %d %s", body, status, text)
	}
	return a
}

// themeRows are requests to /theme on a wall with a location. The answer to an invalid request is compared byte by byte.
var themeRows = []struct {
	name, body string
	status     int
	want       string // expected answer if the request fails
	mode       string // expected mode if the request succeeds; "sun": the mode that the sun gives
	held       bool   // true if held_until is the next sunrise or sunset
}{
	{name: "day", body: `{"mode":"day"}`, status: 200, mode: "day", held: true},
	{name: "night", body: `{"mode":"night"}`, status: 200, mode: "night", held: true},
	{name: "day until the next turn", body: `{"mode":"day","hold":"next"}`, status: 200, mode: "day", held: true},
	{name: "night until the next turn", body: `{"mode":"night","hold":"next"}`, status: 200, mode: "night", held: true},
	{name: "day for ever", body: `{"mode":"day","hold":"forever"}`, status: 200, mode: "day"},
	{name: "night for ever", body: `{"mode":"night","hold":"forever"}`, status: 200, mode: "night"},
	{name: "auto", body: `{"mode":"auto"}`, status: 200, mode: "sun"},
	{name: "auto with a hold that it does not use", body: `{"mode":"auto","hold":"forever"}`, status: 200, mode: "sun"},
	{name: "other keys", body: `{"mode":"day","until":"noon"}`, status: 200, mode: "day", held: true},

	{name: "no mode", body: `{}`, status: 400, want: wrongMode},
	{name: "mode unknown", body: `{"mode":"dusk"}`, status: 400, want: wrongMode},
	{name: "mode in other case", body: `{"mode":"Day"}`, status: 400, want: wrongMode},
	{name: "mode empty", body: `{"mode":""}`, status: 400, want: wrongMode},
	{name: "mode null", body: `{"mode":null}`, status: 400, want: wrongMode},
	{name: "mode a number", body: `{"mode":1}`, status: 400, want: wrongMode},
	{name: "mode a list", body: `{"mode":["day"]}`, status: 400, want: wrongMode},
	{name: "mode before hold", body: `{"mode":"dusk","hold":"x"}`, status: 400, want: wrongMode},
	{name: "hold unknown", body: `{"mode":"day","hold":"noon"}`, status: 400, want: wrongHold},
	{name: "hold null", body: `{"mode":"day","hold":null}`, status: 400, want: wrongHold},
	{name: "hold a number", body: `{"mode":"day","hold":3600}`, status: 400, want: wrongHold},
	{name: "hold unknown for auto", body: `{"mode":"auto","hold":"noon"}`, status: 400, want: wrongHold},
	{name: "body empty", body: ``, status: 400, want: wrongMode},
	{name: "body null", body: `null`, status: 400, want: wrongMode},
	{name: "body a list", body: `["day"]`, status: 400, want: wrongMode},
	{name: "body a string", body: `"day"`, status: 400, want: wrongMode},
	{name: "body cut off", body: `{"mode":"day"`, status: 400, want: wrongMode},
	{name: "body too deep", body: strings.Repeat(`{"mode":`, 8000), status: 400, want: wrongMode},
	{name: "body binary", body: "\xff\x00", status: 400, want: wrongMode},
	{name: "number beyond any", body: `{"mode":1e999}`, status: 400, want: wrongMode},
	{name: "body above 64 KiB", body: `{"mode":"day"` + strings.Repeat(" ", 64<<10) + `}`, status: 413, want: wrong("the body must be at most 65536 bytes long")},
}

// TestThemeRows sends every body and checks the wall after each body.
func TestThemeRows(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	b := launch(t, port, sunny(port, byDay))
	b.serves("/theme", http.StatusOK)
	sun := b.theme("").Mode
	wall := map[string]bool{"day": true}
	for _, tt := range themeRows {
		t.Run(tt.name, func(t *testing.T) {
			p := b.site
			p.t = t
			if tt.status != 200 {
				before := p.theme("")
				if status, body := p.post("/theme", tt.body); status != tt.status || strings.TrimSuffix(body, "\n") != tt.want {
					t.Errorf("got %d %s, want %d %s", status, body, tt.status, tt.want)
				}
				if after := p.theme(""); after.Mode != before.Mode || after.FollowingSun != before.FollowingSun {
					t.Errorf("got %+v afterwards, want no change", after)
				}
				return
			}
			a, want := p.theme(tt.body), tt.mode
			if want == "sun" {
				want = sun
			}
			if a.Mode != want || a.FollowingSun != (tt.mode == "sun") || (a.HeldUntil != nil) != tt.held || len(a.keys) != 4 {
				t.Errorf("got %+v, want mode %s, held %v", a, want, tt.held)
			}
			now := p.theme("")
			if now.NextChange == nil || now.NextMode == nil || len(now.keys) != 6 || now.Mode != want || now.FollowingSun != a.FollowingSun {
				t.Errorf("GET: got %+v", now)
			}
			if tt.held && (*a.HeldUntil != *now.NextChange || *now.HeldUntil != *now.NextChange) {
				t.Errorf("held until %s, want the next turn, %s", *a.HeldUntil, *now.NextChange)
			}
			if wall["day"] = want == "day"; wall["day"] {
				p.shows(1, 1, red)
			} else {
				p.shows(1, 1, blue)
			}
		})
	}
}

// Times are in ISO 8601 with an offset. The end of a hold is in the future and at most 13 hours away.
func TestThemeTimes(t *testing.T) {
	port := freePort(t)
	b := launch(t, port, sunny(port, byDay))
	b.serves("/theme", http.StatusOK)
	a := b.theme(`{"mode":"day"}`)
	at, err := time.Parse("2006-01-02T15:04:05-07:00", *a.HeldUntil)
	if in := time.Until(at); err != nil || in < -time.Minute || in > 13*time.Hour {
		t.Errorf("held until %s, in %v (%v), want within half a day", *a.HeldUntil, in, err)
	}
	if _, offset := at.Zone(); offset != 0 || !strings.HasSuffix(*a.HeldUntil, "+00:00") {
		t.Errorf("got %s, want UTC written as +00:00", *a.HeldUntil)
	}
	now := b.theme("")
	if next := *now.NextMode; next == b.theme(`{"mode":"auto"}`).Mode {
		t.Errorf("the next mode is %s, which is the one now", next)
	}
	b.Says("Sun at -0.18,")
}

// If there is no location, a hold has no end, and the next change is not known. The same applies if the sun does not rise or set in the
// next months.
func TestThemeWithoutTurns(t *testing.T) {
	for _, tt := range []struct {
		name, place string
		status      int // status for the mode auto
	}{
		{"no place", nowhere, 400},
		{"at the pole", pole, 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, sunny(1, tt.place), func(t *testing.T, _ *Service, l *pipeListener) { // the bubble's clock begins in January
				ask := func(request, body string) (status int, text string, a themeAnswer) {
					resp := l.ask(t, request+" /theme", body)
					answer, err := io.ReadAll(resp.Body)
					if err = errors.Join(err, json.Unmarshal(answer, &a)); err != nil {
						t.Fatal(err)
					}
					return resp.StatusCode, string(answer), a
				}
				for _, body := range []string{`{"mode":"day"}`, `{"mode":"night","hold":"next"}`, `{"mode":"day","hold":"forever"}`} {
					if _, _, a := ask("POST", body); !a.Success || a.FollowingSun || a.HeldUntil != nil {
						t.Errorf("%s: got %+v, want no end of the hold", body, a)
					}
				}
				if _, _, a := ask("GET", ""); !a.Success || a.NextChange != nil || a.NextMode != nil {
					t.Errorf("got %+v, want no change to come", a)
				}
				status, body, _ := ask("POST", `{"mode":"auto"}`)
				if status != tt.status || status == 400 && strings.TrimSpace(body) != noPlace {
					t.Errorf("auto: got %d %s, want %d", status, body, tt.status)
				}
			})
		})
	}
}

// A request to /theme is refused for each of these reasons, in the order of the checks: token, feature, themes, arguments.
func TestThemeRefused(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	token := []string{"Authorization", "Bearer c"}
	stream := []string{"Authorization", "Bearer s"}
	tokens := func(f files) {
		f["conf.yaml"] = strings.Replace(f["conf.yaml"], "server:\n", "server:\n  auth: {control_token: c, stream_token: s}\n", 1)
	}
	off := func(f files) {
		f["conf.yaml"] = strings.Replace(f["conf.yaml"], "http_control: true", "http_control: false", 1)
	}
	none := func(f files) {
		conf, _, _ := strings.Cut(f["conf.yaml"], "appearance:")
		f["conf.yaml"] = conf
	}
	for _, tt := range []struct {
		name   string
		edit   func(files)
		args   []string
		header []string
		get    int
		getSay string
		post   int
		say    string // expected error in the answer to a POST with an invalid mode
	}{
		{"off", off, nil, nil, 404, themeOff, 404, themeOff},
		{"no appearance", none, nil, nil, 404, themeOff, 404, themeOff},
		{"one theme by the command line", nil, []string{"--theme", "night.yaml"}, nil, 400, oneTheme, 400, oneTheme},
		{"no token", tokens, nil, nil, 401, controlDenied, 401, controlDenied},
		{"the other token", tokens, nil, stream, 401, controlDenied, 401, controlDenied},
		{"no token and off", func(f files) { tokens(f); off(f) }, nil, nil, 401, controlDenied, 401, controlDenied},
		{"token", tokens, nil, token, 200, "", 400, wrongMode},
	} {
		t.Run(tt.name, func(t *testing.T) {
			port := freePort(t)
			f := sunny(port, byDay)
			if tt.edit != nil {
				tt.edit(f)
			}
			b := launch(t, port, f, tt.args...)
			b.serves("/healthz", http.StatusOK)
			got := b.ask("GET /theme", tt.header, "")
			if got.status != tt.get || tt.getSay != "" && strings.TrimSpace(got.body) != tt.getSay {
				t.Errorf("GET: got %d %s, want %d %s", got.status, got.body, tt.get, tt.getSay)
			}
			got = b.ask("POST /theme", append([]string{"Content-Type", "application/json"}, tt.header...), `{"mode":"dusk"}`)
			if got.status != tt.post || strings.TrimSpace(got.body) != tt.say {
				t.Errorf("POST: got %d %s, want %d %s", got.status, got.body, tt.post, tt.say)
			}
			if challenge := got.header.Get("WWW-Authenticate"); (challenge == "Bearer") != (tt.post == 401) {
				t.Errorf("got WWW-Authenticate %q with status %d", challenge, got.status)
			}
		})
	}
}

// A reload with other theme files, for example by cron, keeps the theme that a person has chosen. It also keeps the time at which this
// choice ends.
func TestHoldsOutliveReloads(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	f := sunny(port, byDay)
	b := launch(t, port, f)
	b.serves("/theme", http.StatusOK)
	for _, body := range []string{`{"mode":"night","hold":"next"}`, `{"mode":"night","hold":"forever"}`} {
		before := b.theme(body)
		b.shows(1, 1, blue)
		b.change(f.with("night.yaml", "colors: {wall: black}\n"))
		b.shows(1, 1, black)
		after := b.theme("")
		same := (before.HeldUntil == nil) == (after.HeldUntil == nil) && (before.HeldUntil == nil || *before.HeldUntil == *after.HeldUntil)
		if after.Mode != "night" || after.FollowingSun || !same {
			t.Errorf("%s: got %+v after a reload, want %+v", body, after, before)
		}
		b.change(f)
	}
	if a := b.theme(`{"mode":"auto"}`); !a.FollowingSun || a.HeldUntil != nil {
		t.Errorf("got %+v, want the sun to be followed again", a)
	}
}

// Each switch of the theme is one whole frame. No partial change is painted or streamed, and no source is requested again.
func TestThemeSwitchIsOneFrame(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	b := launch(t, port, sunny(port, byDay))
	b.serves("/theme", http.StatusOK)
	b.theme(`{"mode":"day","hold":"forever"}`)
	b.shows(1, 1, red)
	b.serves("/frame", http.StatusOK)
	events := b.listen()
	eventually(t, "the first event", func() bool { return events.events.Load() > 0 })
	painted := b.metric("dashboard_frames_total")
	const switches = 12
	tags := map[string]bool{}
	for i := range switches {
		mode, want := "night", blue
		if i%2 == 1 {
			mode, want = "day", red
		}
		b.theme(`{"mode":"` + mode + `","hold":"forever"}`)
		b.shows(1, 1, want)
		b.shows(testW-1, testH-1, want)
		eventually(t, "its event", func() bool { return events.events.Load() == int64(i+2) })
		tags[b.ask("GET /frame", nil, "").header.Get("ETag")] = true
		b.theme(`{"mode":"` + mode + `"}`) // the same mode again causes no frame
	}
	if got := b.metric("dashboard_frames_total") - painted; got != switches {
		t.Errorf("got %v frames for %d switches", got, switches)
	}
	if got := b.metric("dashboard_stream_frames_total"); got > painted+switches {
		t.Errorf("got %v frames published, want at most %v", got, painted+switches)
	}
	if len(tags) != 2 {
		t.Errorf("got %d different frames, want that of the day and that of the night", len(tags))
	}
}
