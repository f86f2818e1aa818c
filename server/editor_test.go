package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A cannedEditor answers the requests of the editor's page with recorded bodies. It records the
// operations that the page sends. The operation "set" changes the draft.
type cannedEditor struct {
	removed []string // devices that the page has removed
	mu      sync.Mutex
	state   map[string]any
	ops     []map[string]any
	bad     bool   // true if the next operation is refused
	moved   bool   // true if another save changes the value of the key `days` before the next operation
	locks   string // "code" or "token", if the device needs it before it may edit
	text    string // text of each file
	// if not nil, the next operation gets no answer. A value is sent when the operation arrives, and another one when its request ends
	silent chan bool

	noTheme bool // true if the draft has an error, so that it has no theme
	themes  int  // requests of the theme

	undone []map[string]any  // choices of the last undo of a save
	bodies map[string]string // bodies that replace recorded bodies, by the end of their path

	walls map[string][]byte // pictures of the draft for the themes "night" and "day"; nil for a black picture
}

// cannedBodies contains the answers that are always the same. Each key is the end of a path.
var cannedBodies = map[string]string{
	"/edit":             `{"may":true,"name":"Hall","views":[{"name":"main","width":1280,"height":720}],"drafts":[],"revision":1}`,
	"/edit/icons":       `{"icons":[{"name":"home","path":"M10,20V14H14V20H19V12H22L12,3L2,12H5V20H10Z"}]}`,
	"/edit/versions":    `{"size":1258291,"most":8388608,"versions":[{"n":2,"words":"Photos: dwell 1m","time":"2026-05-15T10:24:00Z","caller":"Anna's phone","files":["widgets.yaml"],"added":1,"removed":1},{"n":1,"words":"Locale","time":"2026-05-14T21:02:00Z","caller":"vi","files":["conf.yaml"],"added":2,"removed":0}]}`,
	"/edit/allow":       `{"name":"Anna's phone","expires_in":86}`,
	"/edit/allow/code":  `{"state":"waiting"}`,
	"/edit/homes":       `{"homes":[{"name":"Home","url":"http://192.168.1.5:8123"}]}`,
	"/edit/secrets":     `{"secrets":[{"name":"anna_ics","set":true}]}`,
	"/edit/connections": `{"connections":[{"provider":"google","state":"revoked"},{"provider":"work","state":"none"}]}`,
	"/connections/work": `{"url":"https://service.example.org/allow","redirect":"http://localhost"}`,
	"/edit/devices":     `{"devices":[{"id":"1","name":"Anna's iPhone","own":true,"allowed_at":"2026-05-15T10:02:00Z"},{"id":"2","name":"Kitchen tablet","own":false,"browser":"Safari on iPad","seen_at":"2026-05-15T08:02:00Z"},{"id":"3","name":"Anna's laptop","own":false,"browser":"Firefox on Linux","seen_at":"2026-05-14T10:02:00Z"}],"codes":true,"digits":true}`,
	"/edit/gallery":     `{"categories":["Time","Home"],"items":[{"id":"clock","kind":"clock","title":"Clock","text":"the time","category":"Time","required":[],"yaml":"widget: clock\n","picture":"/edit/gallery/clock.png"},{"id":"qr","kind":"qr","title":"QR code","text":"a code to scan","category":"Home","required":[{"key":"text","type":"string","help":"Text of the code."}],"yaml":"widget: qr\n","picture":"/edit/gallery/qr.png"}]}`,
	"/versions/2":       `{"n":2,"diff":{"files":[{"name":"widgets.yaml","lines":[{"kind":"-","old":18,"text":"  - {widget: photos, dwell: 30s}"},{"kind":"+","new":18,"text":"  - {widget: photos, dwell: 1m}"}]},{"name":"providers.yaml","lines":[{"kind":"+","new":12,"text":"solar:"}]}]}}`,
	"/drafts/d1/diff":   `{"files":[{"name":"widgets.yaml","lines":[{"kind":"-","old":17,"text":"      - {days: 3}"},{"kind":"+","new":17,"text":"      - {days: 4}"}]}]}`,
	"/d1/places":        `{"places":[{"number":1,"parent":"w0","index":0,"area":"clock","rect":[5,5,528,211]},{"number":2,"parent":"w0","index":1,"area":"weather","rect":[543,5,732,433]},{"number":3,"parent":"w0","index":4,"area":"none","words":"Column","why_not":"Calendar needs 220 px of height, 120 are there. Make the row taller first."}]}`,
	"/d1/values":        `{"path":"","keys":[{"name":"family","kind":"mapping","type":"calendar","count":6,"value":null,"path":".family","age":70,"stale":false,"error":null,"events":{"Anna":6,"Ben":5,"Birthdays":2,"Bins":1},"next":"14:00"},{"name":"solar","kind":"mapping","type":"rest","count":2,"value":null,"path":".solar","age":70,"stale":false,"error":null}]}`,
	"/d1/solar":         `{"works":true,"words":"it works","status":200,"status_text":"OK","seconds":0.2,"size":1900,"headers":[{"name":"Content-Type","value":"application/json"}],"excerpt":"{\"inverter\": {}}"}`,
	"/d1/eval":          `{"result":1.24}`,
	"/d1/test":          `{"status":200,"status_text":"OK","seconds":0.3,"works":false,"headers":[{"name":"Content-Type","value":"text/html"}],"excerpt":"<!doctype html>","link":"high-street.ics","link_key":"calendars.3.url","link_to":"https://town.example.org/high-street.ics","words":"Bins: the answer is a web page","calendars":{"Anna":{"works":true,"words":"it works","status":200,"status_text":"OK","seconds":0.6,"size":48000,"count":212,"headers":[],"events":[{"title":"Dentist","start":"2026-05-15T10:00:00Z","end":"2026-05-15T11:00:00Z","now":true,"calendar":"Anna"},{"title":"Market","start":"2026-05-17T00:00:00Z","end":"2026-05-18T00:00:00Z","all_day":true,"calendar":"Anna"}]},"Ben":{"works":true,"words":"it works","status":200,"status_text":"OK","seconds":0.2,"size":900,"count":0,"headers":[],"events":[]},"Bins":{"works":false,"words":"the answer is a web page, not a calendar: look there for a link named Subscribe, iCal or .ics, and use its address","status":200,"status_text":"OK","seconds":0.3,"size":31000,"headers":[{"name":"Content-Type","value":"text/html"}],"excerpt":"<!doctype html>","events":[]}}}`,
	"/d1/resolve":       `{"errors":0,"words":""}`,
	"/d1/apply":         `{"conflicts":[{"id":"c","file":"widgets.yaml","line":17,"base":"        days: 3,\n","yours":"        days: 4,\n","theirs":"        days: 7,\n","around":{"line":17,"base":{"before":"      - {widget: agenda, area: agenda,\n        title: Calendar,\n","after":"        calendars: [Anna, Ben]}\n"},"yours":{"before":"      - {widget: agenda, area: agenda,\n        title: Calendar,\n","after":"        calendars: [Anna, Ben]}\n"},"theirs":{"before":"      - {widget: agenda, area: agenda,\n        title: Calendar,\n","after":"        calendars: [Anna, Ben, Birthdays]}\n"},"merged":{"before":"      - {widget: agenda, area: agenda,\n        title: Calendar,\n","after":"        calendars: [Anna, Ben, Birthdays]}\n"}},"caller":"Anna's laptop","at":"2026-05-15T10:21:00Z","own_at":"2026-05-15T10:24:00Z","base_at":"2026-05-15T10:02:00Z"}],"own":{"all":4,"fit":3},"merged":[{"file":"widgets.yaml","line":9,"text":"limit: 2","side":"theirs"}]}`,
}

// cannedValues contains the values of a source by their path.
var cannedValues = map[string]string{
	".solar":                `{"keys":[{"name":"inverter","kind":"mapping","count":5,"value":null,"path":".solar.inverter"},{"name":"today","kind":"mapping","count":3,"value":null,"path":".solar.today"}]}`,
	".solar.inverter":       `{"keys":[{"name":"alarm","kind":"null","value":null,"path":".solar.inverter.alarm"},{"name":"power","kind":"mapping","count":3,"value":null,"path":".solar.inverter.power"},{"name":"serial","kind":"text","value":"HX-2201","path":".solar.inverter.serial"},{"name":"strings","kind":"list","count":2,"value":null,"path":".solar.inverter.strings"},{"name":"temperature","kind":"number","value":41.5,"path":".solar.inverter.temperature"}]}`,
	".solar.inverter.power": `{"keys":[{"name":"now","kind":"number","value":1240,"path":".solar.inverter.power.now"},{"name":"peak","kind":"number","value":4812,"path":".solar.inverter.power.peak"},{"name":"unit","kind":"text","value":"W","path":".solar.inverter.power.unit"}]}`,
}

func newCannedEditor(t *testing.T) *cannedEditor {
	t.Helper()
	e := &cannedEditor{text: "widgets:\n  - widget: clock # the hall\n"}
	data, err := os.ReadFile("testdata/editor/state.json")
	if err == nil {
		err = json.Unmarshal(data, &e.state)
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// serveEditor serves the pages of the server, and the recorded answers below /edit.
func serveEditor(t *testing.T, e *cannedEditor) string {
	t.Helper()
	f := newFixture(t)
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/frame" && e.walls != nil {
			w.Write(e.walls["night"])
			return
		}
		if r.URL.Path == "/edit/" || !strings.HasPrefix(r.URL.Path, "/edit") {
			f.Handler().ServeHTTP(w, r)
			return
		}
		e.answer(t, w, r)
	}))
	t.Cleanup(ts.Close)
	return ts.URL + "/edit/"
}

func (e *cannedEditor) answer(t *testing.T, w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	path := r.URL.Path
	w.Header().Set("Content-Type", "application/json")
	switch name := filepath.Base(path); {
	case name == "edit" && e.locks != "":
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"may":false,"why":%q,"error":"this device needs the code that the wall shows"}`, e.locks)
	case name == "values" && r.URL.Query().Get("path") != "":
		fmt.Fprint(w, cannedValues[r.URL.Query().Get("path")])
	case r.Method == http.MethodDelete && strings.HasPrefix(path, "/edit/devices/"):
		e.removed = append(e.removed, name)
		fmt.Fprint(w, `{"success":true}`)
	case name == "undo" && strings.HasPrefix(path, "/edit/devices/"):
		e.removed = slices.DeleteFunc(e.removed, func(id string) bool { return path == "/edit/devices/"+id+"/undo" })
		fmt.Fprint(w, `{"success":true}`)
	case name == "undo" && strings.Contains(path, "/versions/"):
		e.undo(w, r)
	case name == "test":
		body, _ := io.ReadAll(r.Body)
		e.canned(t, w, map[bool]string{true: "/d1/solar", false: "/d1/test"}[bytes.Contains(body, []byte("solar"))])
	case name == "picture" && r.URL.Query().Get("widget") != "":
		http.ServeFile(w, r, "testdata/editor/card.png")
	case name == "picture" && e.walls != nil:
		w.Write(e.walls[cmp.Or(r.URL.Query().Get("theme"), "night")])
	case name == "picture" || strings.HasSuffix(name, ".png"):
		_ = png.Encode(w, image.NewGray(image.Rect(0, 0, 320, 180)))
	case strings.HasPrefix(path, "/edit/schema/"):
		http.ServeFile(w, r, filepath.Join("..", "schema", name+".json"))
	case name == "file" && r.Method == http.MethodPut:
		_ = json.NewEncoder(w).Encode(e.state)
	case name == "file":
		_ = json.NewEncoder(w).Encode(map[string]any{"name": "widgets.yaml", "text": e.text, "hash": "h"})
	case name == "theme":
		e.theme(t, w)
	case name == "ops" && e.silent != nil:
		silent := e.silent
		e.silent = nil
		e.mu.Unlock()
		_, _ = io.Copy(io.Discard, r.Body) // only then the server notices the end of the connection
		silent <- true
		<-r.Context().Done()
		silent <- true
		e.mu.Lock()
	case name == "ops":
		e.operate(w, r)
	case name == "drafts" || name == "d1" || name == "undo":
		_ = json.NewEncoder(w).Encode(e.state)
	case name == "apply":
		w.WriteHeader(http.StatusConflict)
		fallthrough
	default:
		e.canned(t, w, path)
	}
}

// editorSteps lists steps from the start page to every screen of the editor. Each step is an
// expression, and the steps are run one after another.
var editorSteps = map[string][]string{
	"token":    {`(await soon(() => document.querySelector("#token"))).value = "wrong"`, `press("Show the token")`, `press("Open the editor")`, `await soon(() => !document.querySelector("#wrong").hidden && document.querySelector("#token[type=password]").value === "wrong")`, `press("Show the token")`, `await soon(() => document.querySelector("#token[type=text]"))`},
	"code":     {`document.querySelector("#device").value = "Anna’s phone"`, `document.querySelector("#device").dispatchEvent(new Event("input"))`, `press("Show the code")`, `(await soon(() => document.querySelector("#digits"))).value = "4829"`, `document.querySelector("#digits").dispatchEvent(new Event("input"))`, `await soon(() => document.querySelectorAll(".digit")[3].textContent === "9")`},
	"wall":     {`choose()`, `await soon(() => innerWidth >= 720 || document.querySelector("header p").textContent === "no changes")`},
	"form":     {`choose()`, `go("form")`},
	"gallery":  {`go("gallery")`},
	"need":     {`go("gallery")`, `press("QR code")`},
	"places":   {`choose()`, `press("Move")`},
	"layout":   {`choose()`, `press("Layout", "Size")`, `await soon(() => innerWidth >= 720 || [...document.querySelectorAll(".plan-numbers h2")].every((h) => h.clientHeight < 40))`, `innerWidth < 720 || await soon(() => document.querySelector("[aria-label=Landscape] h2").textContent.includes("the wall, 1280 × 720") && document.querySelector("[aria-label=Portrait] h2").textContent.includes("1080 × 1920"))`},
	"data":     {`press("Data")`},
	"connect":  {`press("Data")`, `press("Connect: work")`, `await soon(() => document.querySelector("main a[target]"))`},
	"provider": {`press("Data")`, `press("family")`, `press("Test")`, `await soon(() => document.querySelector("[aria-label=Bins] .buttons button")?.textContent === "Use the link found: high-street.ics")`, `await soon(() => { const words = (of) => document.querySelector(".calendar[aria-label=" + of + "]").textContent.replace(/\s+/g, " "); return /works.*200 OK, 0.6 s, 48 KB, 212 coming events.*Next two events.*Dentist now.*, \d\d:00 – \d\d:00/.test(words("Anna")) && /failed.*look there for a link.*What came back.*text.html expected text.calendar.*31 KB, first 4 KiB below/i.test(words("Bins")) && /works/.test(words("Ben")) && !/What came back/.test(words("Ben")) && document.querySelector("[aria-label=Test]").textContent.includes("2 of 3 calendars work."); })`},
	"pick":     {`press("Data")`, `press("solar")`, `press("Pick a value")`, `await soon(() => document.querySelector(innerWidth < 720 ? "header p" : ".answer p")?.textContent === "1 min old")`, `press("Test")`, `await soon(() => /^200 OK, 0.2 s, 1.9 KB, \d+ s ago$/.test(document.querySelector(innerWidth < 720 ? "header p" : ".answer p").textContent))`, `await soon(() => innerWidth < 720 || document.querySelector(".answer .good") && document.querySelector(".answer h2").textContent === "192.168.1.40/api/v1/status")`, `leaf("inverter")`, `leaf("power")`, `leaf("now")`, `press("/ 1000")`, `await soon(() => document.querySelector(".figure").textContent.startsWith("1.24"))`, `await soon(() => document.querySelector("[aria-label='On the wall'] img") && document.querySelector("[aria-label='New lines of widgets.yaml']")?.textContent.includes("value: !data .solar.inverter.power.now | . / 1000"))`},
	"template": {`press("Data")`, `press("Add")`, `press("Home Assistant")`, `await soon(() => button(["Home"]))`},
	"theme":    {`press("Theme")`, `(await soon(() => document.querySelector("[aria-label='Text size, more']"))).click()`, `await soon(() => document.querySelector("#th-scale")?.value === "110")`, `await soon(() => { const left = (q) => [...new Set([...document.querySelectorAll(q)].map((e) => Math.round(e.getBoundingClientRect().left)))], notes = left(".role-name .muted"), cells = left(".swatch-large"), shots = left(".mode-shot"); return innerWidth < 720 || notes.length === 1 && cells.length === 2 && cells.every((x, k) => Math.abs(x - shots[k]) <= 1); })`},
	"files":    {`press("Files", "More")`, `innerWidth < 720 && press("Files")`},
	"words":    {`press("Files", "More")`, `innerWidth < 720 && press("Files")`, `(await soon(() => document.querySelector(".text-host")?.shadowRoot?.querySelector(".cm-content"))).focus()`},
	"versions": {`press("Versions", "More")`, `innerWidth < 720 && press("Versions")`, `await soon(() => document.querySelector("header [aria-label='All as zip']"))`, `(await soon(() => document.querySelector(".version"))).click()`, `await soon(() => document.querySelector(".version-lines"))`, `await soon(() => { const box = (q) => document.querySelector(q).getBoundingClientRect(), beside = Math.abs(box("header .name p").left - box("header h1").right - 16) < 2; return beside === innerWidth >= 720 && box(".version-lines h2").width >= 190 && [...document.querySelectorAll(".version-lines h3 small")].map((e) => e.textContent).join() === "+ 1 − 1,+ 1" && getComputedStyle(document.querySelector(".group-name")).paddingLeft === "16px"; })`, `await soon(() => document.querySelector("header").textContent.includes("the last 50 saves, 1.2 of 8 MiB") && document.querySelector(".version .whole").textContent === "Anna's phone: Photos: dwell 1m")`},
	"devices":  {`press("More")`, `press("Devices")`, `await soon(() => document.querySelector("main h1")?.textContent === "Who may edit" && document.querySelector(".devices .row"))`},
	"apply":    {`choose()`, `go("form")`, `press("Days, more")`, `document.querySelector("header .main").textContent === "Done" && press("Done")`, `press("Apply")`, `press("Show diff")`},
	"conflict": {`choose()`, `go("form")`, `press("Days, more")`, `document.querySelector("header .main").textContent === "Done" && press("Done")`, `press("Apply")`, `press("Apply to Hall")`, `await soon(() => document.querySelector("[aria-label=Result] mark.yours")?.textContent === "4")`, `press("Use theirs")`, `await soon(() => document.querySelector("[aria-label=Result] mark.theirs")?.textContent === "7" && !document.querySelector("mark.yours") && document.querySelectorAll(".hit-line").length === 3)`, `await soon(() => [...document.querySelectorAll(".theirs pre .wrap")].map((l) => l.textContent).join("|") === "- {widget: agenda, area: agenda,|  title: Calendar,|  days: 7,|  calendars: [Anna, Ben, Birthdays]}" && document.querySelector(".theirs .hit-line").textContent === "  days: 7,")`, `await soon(() => { const box = document.querySelector(".result-box"), field = box.querySelector("textarea"); return box.textContent.includes("title: Calendar,") && box.textContent.includes("Birthdays") && field.value === "        days: 7," && field.clientHeight < 60; })`, `await soon(() => document.querySelector("[aria-label='Merged without asking'] code")?.textContent === "limit: 2")`, `await soon(() => document.querySelector("[aria-label=Result] .mark-good")?.textContent === "check is clean")`, `await soon(() => (getComputedStyle(document.querySelector("[aria-label=Result] small")).display === "block") === innerWidth < 720)`, `await soon(() => /Anna's laptop saved widgets.yaml at .*:21.*3 of 4 of your changes fit. One place needs you/s.test(document.querySelector(".conflict .warn").textContent) && /Anna's laptop, .*:21$/.test(document.querySelector(".theirs .when").textContent) && /^this .*, .*:24$/.test(document.querySelector(".yours .when").textContent))`},
}

// editorHelp contains functions for editorSteps. They find controls by their visible names.
const editorHelp = `
const soon = (what) => new Promise((go, stop) => { const end = Date.now() + 300000, look = () => { const got = what(); got ? go(got) : Date.now() > end ? stop(new Error("not there: " + what)) : setTimeout(look, 40); }; look(); });
const shown = (e) => e.getClientRects().length > 0;
const named = (e) => (e.getAttribute("aria-label") || e.textContent).trim().replace(/\s+/g, " ");
const button = (words) => { for (const w of words) for (const e of document.querySelectorAll("button, .segment [role=radio]")) if (shown(e) && named(e).startsWith(w) && e.getAttribute("aria-disabled") !== "true") return e; };
const press = async (...words) => { (await soon(() => button(words))).click(); await new Promise((go) => setTimeout(go, 450)); };
const choose = async () => { (await soon(() => document.querySelector('[data-node="w0.2"]'))).click(); await soon(() => document.querySelector('[aria-selected=true]')); };
const leaf = async (name) => (await soon(() => [...document.querySelectorAll("[role=treeitem]")].find((e) => e.querySelector(".name").textContent === name))).click();
const go = async (screen) => screen === "gallery" ? press("Add") : innerWidth < 720 ? press("Edit") : soon(() => document.querySelector(".fields input"));
`

func emulateScheme(t *testing.T, ctx context.Context, scheme string) {
	t.Helper()
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	if err != nil {
		t.Fatal(err)
	}
}

// perform runs steps in the page.
func perform(t *testing.T, ctx context.Context, steps []string) {
	t.Helper()
	script := "(async () => {" + editorHelp + "await soon(() => document.querySelector('header')); for (const step of [" + "async () => " + strings.Join(steps, ", async () => ") + "]) await step(); return true; })()"
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](script, chromedp.EvalAwaitPromise)); err != nil {
		t.Fatalf("%v: %v", steps, err)
	}
}

// On every screen of the editor, axe-core finds no problems, touch targets are large, and nothing is wider than the window. This is
// checked at three widths and in both color schemes. With text of 200 % from right to left, nothing is wider than the window either.
func TestEditorScreens(t *testing.T) {
	t.Parallel()
	needsLong(t)
	axe := axeCore(t)
	for _, width := range []int{360, 768, 1280} {
		for screen, steps := range editorSteps {
			t.Run(fmt.Sprintf("%s %d", screen, width), func(t *testing.T) {
				e := newCannedEditor(t)
				if screen == "code" || screen == "token" {
					e.locks = screen
				}
				address := serveEditor(t, e)
				ctx := browser(t, width, 800, 1)
				see(t, ctx, chromedp.Navigate(address))
				perform(t, ctx, steps)
				for _, scheme := range []string{"dark", "light"} {
					emulateScheme(t, ctx, scheme)
					keep(t, ctx, fmt.Sprintf("editor-%s-%d-%s", screen, width, scheme))
					checkAxe(t, ctx, axe, width)
				}
				checkTargets(t, ctx, width)
				until(t, ctx, "document.documentElement.scrollWidth <= innerWidth")
				until(t, ctx, "(document.documentElement.dir = 'rtl', document.documentElement.style.fontSize = '200%', document.documentElement.scrollWidth <= innerWidth)")
				keep(t, ctx, fmt.Sprintf("editor-%s-%d-large", screen, width))
			})
		}
	}
}

// A tap on the picture selects a widget. A second tap selects the layout around the widget. A
// number can be changed in the form. An error message appears next to its field, not in a dialog.
func TestEditorByTouch(t *testing.T) {
	t.Parallel()
	needsLong(t)
	e := newCannedEditor(t)
	address := serveEditor(t, e)
	ctx := browser(t, 390, 844, 1)
	see(t, ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch), chromedp.Navigate(address))
	until(t, ctx, "document.querySelector('.canvas img')?.complete")
	for _, title := range []string{"Calendar", "Layout", "Calendar"} {
		strike(t, ctx, ".canvas", .2, .7, chromedp.TapXY)
		until(t, ctx, "document.querySelector('.row.selected h2')?.textContent === '"+title+"'")
	}
	// The widget shows the calendars of Anna and Ben, which have 11 events.
	until(t, ctx, "document.querySelector('[aria-label=Selection] dl').textContent.includes('now11 events, 1 min old')")
	tap(t, ctx, ".foot .chosen")
	until(t, ctx, "/^drawn [0-9.]+ s ago$/.test(document.querySelector('.drawn').textContent)")
	until(t, ctx, "document.querySelector('[aria-label=From]').textContent.includes('14 events, next 14:00, 1 min old')")
	until(t, ctx, "document.querySelector('.checks').textContent.replace(/\\s/g, '') === 'Anna6eventsBen5eventsBirthdays2eventsBins1event'")
	tap(t, ctx, `[aria-label="Days, more"]`)
	until(t, ctx, "document.querySelector('#f-days').value === '4' && !document.querySelector('[aria-label=Undo]').matches('[aria-disabled=true]')")
	if got := e.lastOp(); got != "set days 4" {
		t.Errorf("got %q, want set days 4", got)
	}
	e.mu.Lock()
	e.moved = true
	e.mu.Unlock()
	tap(t, ctx, `[aria-label="Days, more"]`)
	until(t, ctx, "document.querySelector('.wrong')?.textContent.includes('changed this to 30')")
	if got := e.lastOp(); got != "set days 4" {
		t.Errorf("the value of another save was overwritten: %s", got)
	}
	e.mu.Lock()
	e.bad = true
	e.mu.Unlock()
	tap(t, ctx, `[aria-label="Days, more"]`)
	until(t, ctx, "document.querySelector('.wrong')?.textContent.includes('1 to 400') && document.querySelector('#f-days').value === '6'")
	if dialogs, _ := chromedp.Run(ctx, chromedp.Evaluate[int]("document.querySelectorAll('dialog').length")); dialogs != 0 {
		t.Error("an error is a dialog")
	}
}

// With only the keyboard, a person can select in the tree, open the form, go back, and move a widget. The focus is never lost.
func TestEditorByKeys(t *testing.T) {
	t.Parallel()
	needsLong(t)
	e := newCannedEditor(t)
	address := serveEditor(t, e)
	ctx := browser(t, 1280, 800, 1)
	see(t, ctx, chromedp.Navigate(address))
	until(t, ctx, "document.querySelector('[role=tree]')")
	for range 20 { // press Tab until the focus is in the tree
		see(t, ctx, chromedp.KeyEvent(kb.Tab))
		if in, _ := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!document.activeElement.closest('[role=tree]')")); in {
			break
		}
	}
	focused := func(node string) string { return fmt.Sprintf("document.activeElement.dataset.node === %q", node) }
	see(t, ctx, chromedp.KeyEvent(kb.ArrowDown))
	until(t, ctx, focused("w0"))
	for _, node := range []string{"w0.0", "w0.1", "w0.2"} {
		see(t, ctx, chromedp.KeyEvent(kb.ArrowDown))
		until(t, ctx, focused(node))
	}
	until(t, ctx, "document.getElementById('said').textContent.startsWith('Calendar')")
	see(t, ctx, chromedp.KeyEvent(kb.Enter))
	until(t, ctx, "document.activeElement.closest('.fields')")
	see(t, ctx, chromedp.KeyEvent(kb.Escape))
	until(t, ctx, focused("w0.2"))
	see(t, ctx, chromedp.KeyEvent(kb.ArrowDown, chromedp.KeyModifiers(chromedp.ModifierAlt)))
	until(t, ctx, "document.querySelector('.toast')?.textContent.includes('changed places with Photos')")
	until(t, ctx, focused("w0.2"))
	see(t, ctx, chromedp.KeyEvent("m"))
	until(t, ctx, "document.querySelectorAll('.places .row').length === 3 && document.querySelectorAll('.lit').length === 2")
	see(t, ctx, chromedp.KeyEvent(kb.Escape))
	until(t, ctx, focused("w0.2"))
	see(t, ctx, chromedp.KeyEvent("m"))
	until(t, ctx, "document.querySelector('.places .row')")
	see(t, ctx, chromedp.KeyEvent("2"))
	until(t, ctx, "document.querySelector('[role=tree]') && document.querySelector('.toast')?.textContent.includes('Weather')")
	until(t, ctx, focused("w0.2"))
	if got := e.lastOp(); got != "set area agenda" { // this operation exchanges the areas of the calendar and the weather widget
		t.Errorf("got %q, want set area agenda", got)
	}
}
