package wall

import (
	"fmt"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/testing/thorough"
)

var lime = color.RGBA{0, 255, 0, 255}

// tX is the x coordinate of the column of the widget t. iX is the x coordinate of the column of the widgets i and n. midY is the middle
// row of the screen. If a text would cover a pixel that a test reads, the test sends an empty text.
const (
	tX, iX = testW / 6, testW / 2
	midY   = testH / 2
)

// notify sends a notification that must be accepted.
func (p site) notify(format string, args ...any) {
	p.t.Helper()
	if status, body := p.post("/notify", fmt.Sprintf(format, args...)); status != 200 || !strings.Contains(body, `"success":true`) {
		p.t.Fatalf("got %d %s, want it to be taken", status, body)
	}
}

// dismiss() ends notifications. The parameter `what` is "/ID" for one notification, "?widget=NAME" for the notifications of a widget, or ""
// for all.
func (p site) dismiss(what string) {
	p.t.Helper()
	if a := p.ask("DELETE /notify"+what, nil, ""); a.status != http.StatusOK {
		p.t.Fatalf("dismissing %q: got %d %s", what, a.status, a.body)
	}
}

// notify sends a notification that must be accepted.
func (l *pipeListener) notify(t *testing.T, body string) {
	t.Helper()
	resp := l.ask(t, "POST /notify", body)
	if answer, err := io.ReadAll(resp.Body); resp.StatusCode != http.StatusOK || err != nil {
		t.Fatalf("got %s %s, %v, want it to be taken", resp.Status, answer, err)
	}
}

// glance waits in the time of the synctest bubble, and then checks a pixel of the virtual screen.
func (p site) glance(after time.Duration, x, y int, want color.RGBA) {
	p.t.Helper()
	time.Sleep(after)
	synctest.Wait()
	if got := p.pixel(x, y); got != want {
		p.t.Errorf("%v later: got %v, want %v", after, got, want)
	}
}

// TestNotifyRefused checks every reason to refuse a request before its body is read, in the order of the checks.
func TestNotifyRefused(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	const guarded = "  auth: {stream_token: s, control_token: c}\n"
	note := `{"widget":"t","text":"x"}`
	json := []string{"Content-Type", "application/json"}
	with := func(token string) []string { return append([]string{"Authorization", token}, json...) }
	for _, group := range []struct {
		name, server, widgets string
		rows                  []row
	}{
		{"no push widget", "", plainWall("red"), []row{
			{"no push widget", "POST /notify", json, 404, noPushWidget, asJSON},
			{"before the content type", "POST /notify", nil, 404, noPushWidget, nil},
		}},
		{"no push widget, guarded", guarded, plainWall("red"), []row{
			{"token before feature", "POST /notify", json, 401, controlDenied, challenge},
		}},
		{"guarded", guarded, pushWidgets, []row{
			{"no token", "POST /notify", json, 401, controlDenied, challenge},
			{"the stream's token", "POST /notify", with("Bearer s"), 401, controlDenied, challenge},
			{"other scheme", "POST /notify", with("Basic c"), 401, controlDenied, nil},
			{"scheme in lower case", "POST /notify", with("bearer c"), 401, controlDenied, nil},
			{"two blanks", "POST /notify", with("Bearer  c"), 401, controlDenied, nil},
			{"token that is not ASCII", "POST /notify", with("Bearer \u00e9"), 401, controlDenied, nil},
			{"token in the query", "POST /notify?token=c", json, 401, controlDenied, nil},
			{"token before content type", "POST /notify", nil, 401, controlDenied, nil},
			{"token", "POST /notify", with("Bearer c"), 200, notifyDone, asJSON},
		}},
		{"open", "", pushWidgets, []row{
			{"no content type", "POST /notify", nil, 415, wrong("the content type must be application/json"), asJSON},
			{"a form", "POST /notify", []string{"Content-Type", "application/x-www-form-urlencoded"}, 415, wrong("the content type must be application/json"), nil},
			{"text", "POST /notify", []string{"Content-Type", "text/plain"}, 415, wrong("the content type must be application/json"), nil},
			{"no type at all", "POST /notify", []string{"Content-Type", ";"}, 415, wrong("the content type must be application/json"), nil},
			{"with a charset", "POST /notify", []string{"Content-Type", "Application/JSON; charset=UTF-8"}, 200, notifyDone, nil},
			{"other JSON", "POST /notify", []string{"Content-Type", "application/vnd.api+json"}, 200, notifyDone, nil},
			{"PUT", "PUT /notify", nil, 405, wrongMethod, []string{"Allow", "DELETE, GET, HEAD, OPTIONS, POST"}},
			{"PUT", "PUT /notify", json, 405, wrongMethod, nil},
			{"OPTIONS", "OPTIONS /notify", nil, 200, "", []string{"Allow", "DELETE, GET, HEAD, OPTIONS, POST"}},
			{"slash at the end", "POST /notify/", json, 404, nothingHere, nil},
		}},
	} {
		port := freePort(t)
		b := launch(t, port, files{"conf.yaml": pushConf(port, group.server, ""), "widgets.yaml": group.widgets})
		b.serves("/healthz", http.StatusOK)
		for _, r := range group.rows {
			t.Run(group.name+"/"+r.name, func(t *testing.T) {
				body := note
				if strings.HasPrefix(r.request, "OPTIONS") || strings.HasPrefix(r.request, "PUT") {
					body = ""
				}
				got := b.ask(r.request, r.header, body)
				if got.status != r.status || strings.TrimSuffix(got.body, "\n") != r.body {
					t.Errorf("got %d %q, want %d %q", got.status, got.body, r.status, r.body)
				}
				checkHas(t, got.header, r.has)
			})
		}
	}
}

// checkHas compares headers with the list `has`, which contains names and values. The value "-" means that the header is missing.
func checkHas(t *testing.T, h http.Header, has []string) {
	t.Helper()
	for i := 0; i+1 < len(has); i += 2 {
		if got := h.Get(has[i]); got != has[i+1] && (has[i+1] != "-" || got != "") {
			t.Errorf("got %s: %q, want %q", has[i], got, has[i+1])
		}
	}
}

// Notifications of a widget are shown one after another. Each notification has the requested duration and color. No notification stays
// longer.
func TestNotifyTurns(t *testing.T) {
	inBubble(t, pushFiles, func(t *testing.T, s *Service, l *pipeListener) {
		screen := site{t: t, dir: "."}
		const turn = 1500 * time.Millisecond
		for _, tt := range []struct {
			widget  string
			x       int
			grounds []string
			want    []color.RGBA // expected colors in order; the last is the color without a notification
		}{
			{"t", tX, []string{`"#ff0000"`, `[255,255,255]`}, []color.RGBA{red, white, blue}},
			{"n", iX, []string{`"red"`, `"no color"`, `"#f00"`}, []color.RGBA{red, white, red, lime}},
		} {
			screen.glance(turn/2, tt.x, midY, tt.want[len(tt.want)-1])
			for _, ground := range tt.grounds {
				l.notify(t, fmt.Sprintf(`{"widget":%q,"text":"","duration":1.5,"background_color":%s}`, tt.widget, ground))
			}
			screen.glance(turn/5, tt.x, midY, tt.want[0])
			for i, c := range tt.want {
				screen.glance(turn/2, tt.x, midY, c)
				if i < len(tt.grounds) {
					screen.glance(turn/2, tt.x, midY, tt.want[i+1])
				}
			}
		}
		metrics, err := io.ReadAll(l.get(t, "/metrics").Body)
		if err != nil || !strings.Contains(string(metrics), "\ndashboard_notifications_total{result=\"accepted\"} 5\n") {
			t.Errorf("got %s, %v, want 5 notifications counted", metrics, err)
		}
	})
}

// Without a background color, the text is drawn over the child widget, which stays visible. With a
// background color, the child widget is covered.
func TestNotifyOverTheChild(t *testing.T) {
	inBubble(t, pushFiles, func(t *testing.T, s *Service, l *pipeListener) {
		screen := site{t: t, dir: "."}
		has := func(want color.RGBA) bool { // searches the column of the widget t
			for x := range testW/3 - 2 {
				if screen.pixel(x, midY) == want {
					return true
				}
			}
			return false
		}
		l.notify(t, `{"widget":"t","text":"HHHHHH","duration":3}`)
		screen.glance(time.Second, 1, 1, color.RGBA{0, 0, 51, 255}) // next to the text, a scrim darkens the child widget
		if !has(white) {
			t.Error("no white letters")
		}
		l.notify(t, `{"widget":"t","text":"HHHHHH","color":[255,0,0],"background_color":"#000000","duration":3}`)
		screen.glance(3*time.Second, 1, 1, black)
		if !has(red) || has(blue) {
			t.Error("no red letters on black, or something of the child")
		}
		screen.glance(3*time.Second, 1, 1, blue)
		if has(red) || has(white) {
			t.Error("something of the notification stays")
		}
	})
}

// At most 32 notifications wait for a widget. Other widgets are not affected.
func TestNotifyQueueIsBounded(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	b := launchPush(t, "")
	b.notify(`{"widget":"t","text":"","duration":86400,"background_color":"red"}`)
	b.shows(tX, midY, red)
	for range 32 {
		b.notify(`{"widget":"t","text":"x","duration":86400}`)
	}
	got := b.ask("POST /notify", []string{"Content-Type", "application/json"}, `{"widget":"t","text":"x"}`)
	if got.status != 429 || got.body != wrong("too many notifications are waiting for this widget")+"\n" || got.header.Get("Retry-After") == "" {
		t.Errorf("got %d %s, want 429", got.status, got.body)
	}
	if n := b.metric(`dashboard_notifications_waiting{widget="t"}`); n != 32 {
		t.Errorf("got %v waiting, want 32", n)
	}
	b.notify(`{"widget":"n","text":"","duration":86400}`)
	b.shows(iX, midY, white)
	b.paints()
}

// Shown and waiting notifications remain across successful and failed reloads. A wall with an error
// in its files still accepts notifications.
func TestNotifyOutlivesReloads(t *testing.T) {
	t.Parallel()
	b := launchPush(t, "")
	b.notify(`{"id":"first","widget":"t","text":"","duration":86400,"background_color":"red"}`) // long enough for a busy machine
	b.notify(`{"id":"second","widget":"t","text":"","duration":86400,"background_color":"white"}`)
	b.shows(tX, midY, red)
	b.change(files{"widgets.yaml": strings.ReplaceAll(pushWidgets, "lime", "black")})
	b.shows(iX, midY, black)
	if got := b.pixel(tX, midY); got != red {
		t.Errorf("got %v after a reload, want the notification", got)
	}
	b.change(files{"widgets.yaml": "widgets: [{widget: gird}]\n"})
	b.notify(`{"widget":"n","text":"","duration":86400}`)
	b.shows(iX, 20, white)
	b.shows(tX, 20, red)
	b.dismiss("/first")
	b.shows(tX, 20, white)
	b.dismiss("/second")
	b.shows(tX, 20, blue)
	b.paints()
}

// The next frame on the screen and in streams shows a new notification. The test measures in the bubble's time, which does not depend on
// how busy the machine is. docs/notifications.md has measured values.
func TestNotifyShowsAtOnce(t *testing.T) {
	const frame = 100 * time.Millisecond // frame interval, because the wall paints at most ten frames a second
	slow := files{"conf.yaml": strings.Replace(pushConf(1, "", ""), "graphics:\n", "graphics:\n  fps-limit: 10\n", 1), "widgets.yaml": pushWidgets}
	inBubble(t, slow, func(t *testing.T, s *Service, l *pipeListener) {
		screen := site{t: t, dir: "."}
		for i := range 20 {
			want := color.RGBA{0, 0, uint8(i + 1), 255}
			note := fmt.Sprintf(`{"widget":"t","text":"","duration":1,"background_color":"#%06x"}`, i+1)
			if _, err := s.main().Notes.Notify(t.Context(), []byte(note), false); err != nil {
				t.Fatal(err)
			}
			time.Sleep(frame + time.Millisecond)
			img, err := png.Decode(l.get(t, "/frame").Body)
			if err != nil {
				t.Fatal(err)
			}
			if shown, sent := screen.pixel(tX, midY), img.At(tX, midY); shown != want || color.RGBAModel.Convert(sent) != want {
				t.Errorf("notification %d: got %v on the screen and %v in the stream, want %v", i+1, shown, sent, want)
			}
			time.Sleep(time.Second)
			if got := screen.pixel(tX, midY); got != blue {
				t.Errorf("notification %d: got %v after its time, want %v", i+1, got, blue)
			}
		}
	})
}

// TestNotifyOffersWhatIsConfigured: a notification cannot offer an action of a system that conf.yaml does not name, because its button
// would do nothing.
func TestNotifyOffersWhatIsConfigured(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	p := start(t, port, files{"conf.yaml": pushConf(port, "", ""), "widgets.yaml": pushWidgets})
	p.serves("/healthz", http.StatusOK)
	for action, status := range map[string]int{
		`"action": "lock.open", "entity": "lock.door"`: http.StatusBadRequest,
		`"mqtt": "hall/light/set"`:                     http.StatusBadRequest,
		`"url": "http://nas.lan/later"`:                http.StatusOK,
	} {
		got, text := p.post("/notify", `{"widget": "t", "text": "x", "actions": [{"label": "Open", "clear": true, `+action+`}]}`)
		if got != status || status != http.StatusOK && !strings.Contains(text, "but conf.yaml has no 'homeassistant' or 'mqtt' for this") {
			t.Errorf("%s: got %d %s, want %d", action, got, text, status)
		}
	}
}
