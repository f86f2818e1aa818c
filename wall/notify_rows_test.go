package wall

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

const (
	notifyDone    = `{"success":true}`
	notFound      = `{"error":"Widget not found","success":false,"widgets":["i","n","pulse","t"]}`
	noPushWidget  = `{"error":"no widget in the current theme's tree can be notified","success":false}`
	controlDenied = `{"error":"a valid control bearer token is required: send 'Authorization: Bearer TOKEN' with server.auth.control_token","success":false}`
)

// wrong() returns the body of an answer with the given error text.
func wrong(text string) string {
	b, _ := json.Marshal(map[string]any{"error": text, "success": false}) // a text can always be encoded
	return string(b)
}

// long() returns a text with n characters.
func long(n int, char string) string {
	return `{"widget":"t","text":"` + strings.Repeat(char, n) + `","duration":0.001}`
}

// notifyRows are bodies of POST /notify and their answers. The wall has the widgets t and n for texts, and i for pictures. The durations
// are short, because the notification of each row waits for the end of the previous notification.
var notifyRows = []struct {
	name   string
	body   string
	status int
	want   string
}{
	{"text", `{"widget":"t","text":"hello","duration":0.001}`, 200, notifyDone},
	{"empty text", `{"widget":"t","text":"","duration":0.001}`, 200, notifyDone},
	{"other keys", `{"widget":"t","text":"x","duration":0.001,"sound":"bell","text ":1}`, 200, notifyDone},
	{"a byte order mark", "\xef\xbb\xbf" + `{"widget":"t","text":"x","duration":0.001}`, 200, notifyDone},
	{"nested widget", `{"widget":"n","text":"x","duration":0.001}`, 200, notifyDone},
	{"blanks around", " \n{\"widget\":\"t\",\"text\":\"x\",\"duration\":1e-3}\r\n", 200, notifyDone},
	{"the last of repeated keys", `{"widget":1,"widget":"t","text":"x","duration":0.001}`, 200, notifyDone},
	{"any script", `{"widget":"t","text":"שלום 你好 Ñandú 🦆\nsecond line","duration":0.001}`, 200, notifyDone},

	{"body empty", ``, 400, wrong("the body must be a JSON object: it ends too soon")},
	{"body null", `null`, 400, wrong("the body must be a JSON object, not null")},
	{"body a list", `[{"widget":"t","text":"x"}]`, 400, wrong("the body must be a JSON object: this is another kind of value: array")},
	{"body a string", `"t"`, 400, wrong("the body must be a JSON object: this is another kind of value: string")},
	{"body a number", `7`, 400, wrong("the body must be a JSON object: this is another kind of value: number")},
	{"body cut off", `{"widget":"t","text":`, 400, wrong("the body must be a JSON object: it ends too soon")},
	{"body and more", `{"widget":"t","text":"x"}{}`, 400, wrong("the body must be a JSON object: line 1, column 26: invalid character '{' after top-level value")},
	{"body with a comment", `{"widget":"t" /* me */}`, 400, wrong("the body must be a JSON object: line 1, column 15: invalid character '/' after object key:value pair")},
	{"body a form", `widget=t&text=x`, 400, wrong("the body must be a JSON object: line 1, column 1: invalid character 'w' looking for beginning of value")},
	{"body too deep", strings.Repeat("[", 60000), 400, wrong("the body must be a JSON object: line 1, column 10001: invalid character '[' exceeded max depth")},
	{"body binary", "\x00\xff\xfe{}", 400, wrong("the body must be a JSON object: line 1, column 1: invalid character '\\x00' looking for beginning of value")},

	{"widget missing", `{"text":"x"}`, 400, wrong("'widget' is required")},
	{"widget null", `{"widget":null,"text":"x"}`, 400, wrong("'widget' must be a text")},
	{"widget a number", `{"widget":1,"text":"x"}`, 400, wrong("'widget' must be a text")},
	{"widget a list", `{"widget":["t"],"text":"x"}`, 400, wrong("'widget' must be a text")},
	{"widget an object", `{"widget":{"name":"t"},"text":"x"}`, 400, wrong("'widget' must be a text")},
	{"widget unknown", `{"widget":"nobody","text":"x"}`, 400, notFound},
	{"widget empty", `{"widget":"","text":"x"}`, 400, notFound},
	{"widget in other case", `{"widget":"T","text":"x"}`, 400, notFound},
	{"widget by its type", `{"widget":"notifiabletext","text":"x"}`, 400, notFound},

	{"text missing", `{"widget":"t"}`, 400, wrong("'text' is required: this widget shows texts")},
	{"text null", `{"widget":"t","text":null}`, 400, wrong("'text' must be a text")},
	{"text a number", `{"widget":"t","text":5}`, 400, wrong("'text' must be a text")},
	{"text a list", `{"widget":"t","text":["a"]}`, 400, wrong("'text' must be a text")},
	{"text an object", `{"widget":"t","text":{}}`, 400, wrong("'text' must be a text")},
	{"text a boolean", `{"widget":"t","text":true}`, 400, wrong("'text' must be a text")},
	{"text with U+0000", `{"widget":"t","text":"a\u0000b","duration":0.001}`, 200, notifyDone},
	{"text of U+0000 alone", `{"widget":"t","text":"\u0000","duration":0.001}`, 200, notifyDone},
	{"text with a lone surrogate", `{"widget":"t","text":"a\ud800b","duration":0.001}`, 200, notifyDone},
	{"text with surrogates turned round", `{"widget":"t","text":"\udc00\ud800","duration":0.001}`, 200, notifyDone},
	{"text that is not UTF-8", "{\"widget\":\"t\",\"text\":\"a\xffb\",\"duration\":0.001}", 200, notifyDone},
	{"text of control characters", `{"widget":"t","text":"\u0001\u001b[31m\u007f\u0085\b\t\r\n\f\u2028","duration":0.001}`, 200, notifyDone},
	{"text that turns direction", `{"widget":"t","text":"\u202eabc\u2067\u200f\u061c\ufeff","duration":0.001}`, 200, notifyDone},
	{"text of marks alone", `{"widget":"t","text":"` + strings.Repeat(`\u0301`, 400) + `","duration":0.001}`, 200, notifyDone},
	{"text of lines alone", `{"widget":"t","text":"` + strings.Repeat(`\n`, 2000) + `","duration":0.001}`, 200, notifyDone},
	{"longest text", long(4096, "m"), 200, notifyDone},
	{"longest text in another script", long(4096, "語"), 200, notifyDone},
	{"longest text, wrapped", strings.Replace(long(2048, "m "), `"t"`, `"n"`, 1), 200, notifyDone},
	{"text too long", long(4097, "m"), 400, wrong("'text' must have at most 4096 characters")},
	{"text for a widget of pictures", `{"widget":"i","text":"x"}`, 400, wrong("'url' is required: this widget shows pictures")},

	{"duration a string", `{"widget":"t","text":"x","duration":"5"}`, 400, wrong("'duration' must be a number of seconds")},
	{"duration null", `{"widget":"t","text":"x","duration":null}`, 400, wrong("'duration' must be a number of seconds")},
	{"duration a boolean", `{"widget":"t","text":"x","duration":true}`, 400, wrong("'duration' must be a number of seconds")},
	{"duration a list", `{"widget":"t","text":"x","duration":[5]}`, 400, wrong("'duration' must be a number of seconds")},
	{"duration 0", `{"widget":"t","text":"x","duration":0}`, 400, wrong("'duration' must be more than 0 and at most 86400 seconds")},
	{"duration -0", `{"widget":"t","text":"x","duration":-0.0}`, 400, wrong("'duration' must be more than 0 and at most 86400 seconds")},
	{"duration negative", `{"widget":"t","text":"x","duration":-1}`, 400, wrong("'duration' must be more than 0 and at most 86400 seconds")},
	{"duration above a day", `{"widget":"t","text":"x","duration":86400.001}`, 400, wrong("'duration' must be more than 0 and at most 86400 seconds")},
	{"duration enormous", `{"widget":"t","text":"x","duration":1e308}`, 400, wrong("'duration' must be more than 0 and at most 86400 seconds")},
	{"duration beyond any number", `{"widget":"t","text":"x","duration":1e999}`, 400, wrong("'duration' must be a number of seconds")},
	{"duration not a number", `{"widget":"t","text":"x","duration":NaN}`, 400, wrong("the body must be a JSON object: line 1, column 37: invalid character 'N' looking for beginning of value")},
	{"shortest duration", `{"widget":"t","text":"x","duration":1e-300}`, 200, notifyDone},

	{"color as text", `{"widget":"t","text":"x","duration":0.001,"color":"#ff8000"}`, 200, notifyDone},
	{"color in three digits", `{"widget":"t","text":"x","duration":0.001,"color":"#f80"}`, 200, notifyDone},
	{"color with alpha", `{"widget":"t","text":"x","duration":0.001,"background_color":"#ff800080"}`, 200, notifyDone},
	{"color by name", `{"widget":"t","text":"x","duration":0.001,"color":"orange"}`, 200, notifyDone},
	{"color as a list", `{"widget":"t","text":"x","duration":0.001,"background_color":[255,128,0]}`, 200, notifyDone},
	{"color null", `{"widget":"t","text":"x","duration":0.001,"color":null,"background_color":null}`, 200, notifyDone},
	{"color unknown", `{"widget":"t","text":"x","duration":0.001,"color":"ultraviolet"}`, 200, notifyDone},
	{"color broken", `{"widget":"t","text":"x","duration":0.001,"color":"#12345","background_color":"#xyzxyz"}`, 200, notifyDone},
	{"color a number", `{"widget":"t","text":"x","duration":0.001,"color":42}`, 200, notifyDone},
	{"color an object", `{"widget":"t","text":"x","duration":0.001,"color":{"r":1}}`, 200, notifyDone},
	{"color out of range", `{"widget":"t","text":"x","duration":0.001,"color":[256,-1,0.5]}`, 200, notifyDone},
	{"color of odd length", `{"widget":"t","text":"x","duration":0.001,"color":[1,2],"background_color":[]}`, 200, notifyDone},
	{"color beyond any number", `{"widget":"t","text":"x","duration":0.001,"color":[1e999,0,0]}`, 200, notifyDone},
	{"color of 60 kB", `{"widget":"t","text":"x","duration":0.001,"color":"` + strings.Repeat("z", 60000) + `"}`, 200, notifyDone},

	{"url missing", `{"widget":"i"}`, 400, wrong("'url' is required: this widget shows pictures")},
	{"url null", `{"widget":"i","url":null}`, 400, wrong("'url' must be a text")},
	{"url a number", `{"widget":"i","url":1}`, 400, wrong("'url' must be a text")},
	{"url empty", `{"widget":"i","url":""}`, 400, wrong("'url' must be an http or https URL")},
	{"url without a scheme", `{"widget":"i","url":"pics.lan/a.png"}`, 400, wrong("'url' must be an http or https URL")},
	{"url of a file", `{"widget":"i","url":"file:///etc/passwd"}`, 400, wrong("'url' must be an http or https URL")},
	{"url of another scheme", `{"widget":"i","url":"ftp://pics.lan/a.png"}`, 400, wrong("'url' must be an http or https URL")},
	{"url of data", `{"widget":"i","url":"data:image/png;base64,AAAA"}`, 400, wrong("'url' must be an http or https URL")},
	{"url without a host", `{"widget":"i","url":"http:///a.png"}`, 400, wrong("'url' must be an http or https URL")},
	{"url with a line break", `{"widget":"i","url":"http://pics.lan/\r\nHost: x"}`, 400, wrong("'url' must be an http or https URL")},
	{"url with a bad port", `{"widget":"i","url":"http://pics.lan:x/"}`, 400, wrong("'url' must be an http or https URL")},
	{"url too long", `{"widget":"i","url":"http://pics.lan/` + strings.Repeat("a", 8192) + `"}`, 400, wrong("'url' must have at most 8192 bytes")},
	{"url for a widget of texts", `{"widget":"t","url":"http://127.0.0.1:1/a.png"}`, 400, wrong("'text' is required: this widget shows texts")},
	{"text and url for texts", `{"widget":"t","text":"x","url":"http://127.0.0.1:1/a.png","duration":0.001}`, 200, notifyDone},
	{"picture of a dead address", `{"widget":"i","url":"http://127.0.0.1:1/a.png","duration":0.001}`, 200, notifyDone},

	{"body of 64 KiB", `{"widget":"t","text":"x","duration":0.001` + strings.Repeat(" ", 64<<10-42) + `}`, 200, notifyDone},
	{"body above 64 KiB", `{"widget":"t","text":"x","duration":0.001` + strings.Repeat(" ", 64<<10-41) + `}`, 413, wrong("the body must be at most 65536 bytes long")},
}

// pushConf returns a conf.yaml with a stream. `more` is added to its end.
func pushConf(port int, server, more string) string {
	return strings.Replace(wallConf(port, more), "server:\n", "server:\n"+server, 1)
}

// pushWidgets has three columns: the text widget t over blue, the picture widget i over the text
// widget n over green, and the widget pulse over black.
const pushWidgets = `widgets:
  - widget: grid
    columns: 3
    children:
      - {widget: notifiabletext, name: t, children: [{widget: empty, color: blue}]}
      - widget: notifiableimage
        name: i
        children:
          - {widget: notifiabletext, name: n, wrap: true, background_color: white, color: red, children: [{widget: empty, color: lime}]}
      - {widget: notifiabletext, name: pulse, background_color: white, children: [{widget: empty, color: black}]}
`

// launchPush starts the built program with the widgets pushWidgets. It waits until the wall accepts notifications.
func launchPush(t *testing.T, server string) *binary {
	t.Helper()
	port := freePort(t)
	b := launch(t, port, files{"conf.yaml": pushConf(port, server, ""), "widgets.yaml": pushWidgets})
	b.serves("/healthz", http.StatusOK)
	return b
}

// paints() checks that the wall still accepts a notification, shows it and ends it. This needs two frames.
func (p site) paints() {
	p.t.Helper()
	frames, _ := p.painted()
	if status, body := p.post("/notify", `{"widget":"pulse","text":"","duration":0.001}`); status != 200 {
		p.t.Fatalf("got %d %s, want the wall to be notified", status, body)
	}
	eventually(p.t, "frames go on", func() bool {
		now, crashes := p.painted()
		if crashes != 0 {
			p.t.Fatalf("painting failed %v times", crashes)
		}
		return now >= frames+2
	})
}

// painted() returns the number of frames, and the number of times that painting has failed.
func (p site) painted() (frames, crashes float64) {
	p.t.Helper()
	_, body := p.get("/metrics")
	return p.figure(body, "dashboard_frames_total"), p.figure(body, "dashboard_paint_crashes_total")
}

// TestNotifyRows sends every body and waits for a frame after each body. No body can stop the wall.
func TestNotifyRows(t *testing.T) {
	t.Parallel()
	b := launchPush(t, "")
	for _, tt := range notifyRows {
		t.Run(tt.name, func(t *testing.T) {
			p := b.site
			p.t = t
			a := p.ask("POST /notify", []string{"Content-Type", "application/json"}, tt.body)
			if a.status != tt.status || strings.TrimSuffix(a.body, "\n") != tt.want {
				t.Errorf("got %d %s, want %d %s", a.status, a.body, tt.status, tt.want)
			}
			if got := a.header.Get("Content-Type"); got != "application/json" {
				t.Errorf("got content type %q", got)
			}
			if tt.status == 200 || *inFull { // a refused notification cannot change a frame
				p.paints()
			}
		})
	}
	b.paints()
	if log := b.Log.String(); strings.Contains(log, "panic") || strings.Contains(log, "failed and says so") {
		t.Error("something failed on the way")
	}
}

// An invalid color is logged once, with a short text. The notification is shown anyway.
func TestNotifyColorsThatAreNone(t *testing.T) {
	b := launchPush(t, "")
	status, body := b.post("/notify", fmt.Sprintf(`{"widget":"n","text":"","duration":86400,"color":"%s","background_color":[300,0,0]}`, strings.Repeat("z", 50000)))
	if status != 200 {
		t.Fatalf("got %d %s", status, body)
	}
	b.shows(testW/2, testH/2, white) // the default color of the widget
	b.Says("background_color: part 1 of a color")
	if n := len(b.Log.String()); n > 8000 {
		t.Errorf("got %d bytes of log", n)
	}
}
