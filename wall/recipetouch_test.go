package wall

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"dashboard/fb/evdev"
	"dashboard/internal/testing/homeassistanttest"
	"dashboard/internal/testing/programtest"
)

// The hostile recipe must not be able to read these texts. tapSecret is a secret of the wall. The
// widget `use` passes tapToken to the recipe as a secret.
const tapSecret, tapToken = "secret-of-the-wall", "secret-of-the-use"

// hostileRows are the widgets of a hostile recipe, from top to bottom. Each widget requests an action by touch.
var hostileRows = []string{
	`{widget: text, text: lock, on_tap: {action: lock.unlock, entity: !param lamp}, on_hold: {action: lock.unlock, entity: !param lamp}}`,
	`{widget: card, entity: !param lamp, on_tap: toggle, on_hold: toggle, on_double_tap: toggle}`,
	`{widget: nowplaying, card: false, entity: !param lamp}`,
	`{widget: text, text: task, on_tap: {todo: Stolen by a tap}, on_double_tap: {todo: Stolen by two taps}, on_hold: {todo: Stolen by hold, list: home}}`,
	`{widget: list, card: false, items: !data .tasks, item: {text: !data .item.title, on_tap: done}}`,
	`{widget: list, card: false, items: !data '[{title: "Pay", task: "Rent"}]', item: {text: !data .item.title, on_tap: done}}`,
	`{widget: text, text: notice, on_tap: {notify: {text: Stolen}}, on_hold: {dismiss: all}}`,
	`{widget: text, text: power, on_tap: {power: "off"}, on_hold: {brightness: 10%}}`,
	`{widget: text, text: theme, on_tap: {theme: night}, on_hold: {theme: toggle}}`,
	`{widget: text, text: timer, on_tap: {timer: eggs}, on_hold: {page: next}}`,
	`{widget: text, text: elsewhere, on_tap: {url: "http://OTHER/tap"}, on_hold: {url: "http://HOST/hold"}}`,
	`{widget: text, text: broker, on_tap: {mqtt: stolen/tap, payload: x}, on_hold: {mqtt: stolen/hold}}`,
	`{widget: text, text: swipe, on_swipe: {left: {todo: Stolen by a swipe}, right: {power: "off"}}}`,
}

// A tapServer records its requests. It has one task.
type tapServer struct {
	*httptest.Server
	task string

	mu      sync.Mutex
	reads   []string // requests for the task list, with their headers
	changes []string // other requests
}

func newTapServer(t *testing.T, task string) *tapServer {
	t.Helper()
	s := &tapServer{task: task}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *tapServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Method == http.MethodGet {
		s.reads = append(s.reads, fmt.Sprint(r.URL, " ", r.Header))
		fmt.Fprintf(w, `[{"id": "1", "title": %q, "done": false}]`, s.task)
		return
	}
	s.changes = append(s.changes, strings.TrimSpace(r.Method+" "+r.URL.Path+" "+string(body)))
	w.WriteHeader(http.StatusNoContent)
}

// changed() returns each different change once, sorted. It leaves out reopened tasks, because a tap reopens a task only if the wall already
// shows the effect of the previous tap.
func (s *tapServer) changed() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := slices.DeleteFunc(slices.Clone(s.changes), func(c string) bool { return strings.HasSuffix(c, `{"done":false}`) })
	slices.Sort(all)
	return slices.Compact(all)
}

// sent() returns all requests as one text.
func (s *tapServer) sent() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(append(slices.Clone(s.reads), s.changes...), "\n")
}

// A tappedWall is a whole wall with the servers that it uses. It has a hostile recipe and, below it, a widget of the wall.
type tappedWall struct {
	*glassWall
	home              *homeassistanttest.Server
	house, own, other *tapServer // server of the wall, server of the recipe, and an unrelated server
	ear               *brokerEar
	taps              int // taps on the widget of the wall
}

// tapProviders defines a provider for the tasks of a server. NAME, SERVER and KEY are placeholders,
// because the wall and the recipe have one such provider each.
const tapProviders = "providers:\n  NAME:\n    url: \"SERVER/tasks\"\n    headers: {X-Key: KEY}\n    write: true\n    on:\n" +
	"      request: {url: \"SERVER/{id}\", body: {done: \"{done}\"}}\n      add: {url: \"SERVER/add\", body: {title: \"{title}\"}}\n"

func startTapped(t *testing.T, allow string) *tappedWall {
	t.Helper()
	w := &tappedWall{home: walkedHouse(), house: newTapServer(t, "Rent"), own: newTapServer(t, "Bait"), other: newTapServer(t, "None")}
	w.home.Put("media_player.hall", "playing", map[string]any{"friendly_name": "Hall", "media_title": "Song", "supported_features": 48})
	hass := httptest.NewServer(w.home)
	t.Cleanup(hass.Close)
	at, serve := programtest.Mosquitto(t, brokerPassword)
	t.Cleanup(serve())
	w.ear = earOn(t, at)
	w.glassWall = startGlass(t, 40*(len(hostileRows)+1), w.files(allow, hostileRows),
		"homeassistant: {url: \""+hass.URL+"\", token: !secret hass}\nmqtt: {url: \"mqtt://"+at+"\", username: wall, password: !secret mqtt, id: a1b2}\nnotifications: card\n")
	w.ear.says("dashboard/a1b2/status", "online")
	eventually(t, "the recipe shows its answer", func() bool {
		return strings.Contains(w.text("/text"), "Bait") && strings.Contains(w.text("/text"), "Song")
	})
	return w
}

// files() returns the files of the wall. `rows` are the widgets of the recipe.
func (w *tappedWall) files(allow string, rows []string) files {
	in := strings.NewReplacer("OTHER", strings.TrimPrefix(w.other.URL, "http://"), "HOST", strings.TrimPrefix(w.own.URL, "http://"), "OWN", w.own.URL)
	return files{
		"secrets.yaml":   "hass: " + homeassistanttest.Token + "\nmqtt: " + brokerPassword + "\nuse: " + tapToken + "\nbank: " + tapSecret + "\n",
		"providers.yaml": strings.NewReplacer("NAME", "home", "SERVER", w.house.URL, "KEY", "!secret bank").Replace(tapProviders),
		"widgets.yaml": in.Replace("theme: calm\nwidgets:\n  - widget: column\n    margin: 0\n    padding: 0\n    children:\n" +
			"      - {widget: use, recipe: bait, server: OWN, token: !secret use, lamp: media_player.hall, grow: " + fmt.Sprint(len(hostileRows)) + allow + "}\n" +
			"      - {widget: text, text: mine, on_tap: {action: scene.turn_on, entity: scene.mine}}\n"),
		"recipes/bait/recipe.yaml": "name: bait\ntitle: Bait\nabout: Bait.\nversion: \"1\"\nlicense: CC0-1.0\nauthor: A\nhosts: [\"{server}\"]\nparameters:\n" +
			"  server: {type: address, help: Server.}\n  token: {type: secret, help: Token.}\n  lamp: {type: entity, help: Lamp.}\n",
		"recipes/bait/providers.yaml": strings.NewReplacer("NAME", "tasks", "SERVER", "{server}", "KEY", `"{token}"`).Replace(tapProviders),
		"recipes/bait/widgets.yaml": in.Replace(fmt.Sprintf("widgets:\n  - widget: grid\n    margin: 0\n    gap: 0\n    padding: 0\n    columns: 1\n    rows: %d\n    children:\n      - ",
			len(rows)) + strings.Join(rows, "\n      - ") + "\n"),
	}
}

// text returns the body of a GET.
func (w *tappedWall) text(path string) string {
	_, body := w.get(path)
	return body
}

// spoken() returns the spoken text of the wall without its heading, which contains the time of day.
func (w *tappedWall) spoken() string {
	w.t.Helper()
	_, widgets, found := strings.Cut(w.text("/text"), "\n## ")
	if !found {
		w.t.Fatal("the spoken wall has no widgets")
	}
	return widgets
}

// calls() returns the calls that Home Assistant has received. `own` is the number of calls of the wall's widget, and `others` contains
// all other calls.
func (w *tappedWall) calls() (own int, others []string) {
	for _, m := range w.home.Asked("call_service") {
		if call := fmt.Sprint(m["domain"], ".", m["service"], " ", m["target"], " ", m["service_data"]); strings.Contains(call, "scene.mine") {
			own++
		} else {
			others = append(others, call)
		}
	}
	return own, others
}

// mine() taps the wall's widget and waits until Home Assistant receives its action. By then the wall has handled all earlier touches.
func (w *tappedWall) mine() {
	w.t.Helper()
	w.taps++
	w.touch(0.5, 1-0.5/float64(len(hostileRows)+1))
	eventually(w.t, "the wall's own action arrives", func() bool { own, _ := w.calls(); return own >= w.taps })
}

// buttons() returns the labels of the remote's buttons.
func (w *tappedWall) buttons() (all []string) {
	w.t.Helper()
	var got struct{ Taps []struct{ Label string } }
	if err := json.Unmarshal([]byte(w.text("/widgets")), &got); err != nil {
		w.t.Fatal(err)
	}
	for _, b := range got.Taps {
		all = append(all, b.Label)
	}
	return all
}

// arrived() checks that each server has received exactly the changes that the recipe may cause, and that no other server was reached.
func (w *tappedWall) arrived(house, own []string) {
	w.t.Helper()
	same := func() bool { return slices.Equal(w.house.changed(), house) && slices.Equal(w.own.changed(), own) }
	eventually(w.t, "the allowed changes arrive", func() bool { return same() || len(w.house.changed()) >= len(house) && len(w.own.changed()) >= len(own) })
	if !same() {
		w.t.Errorf("the wall's server got\n%q\nwant\n%q\nand the recipe's got\n%q\nwant\n%q", w.house.changed(), house, w.own.changed(), own)
	}
	if got := w.other.sent(); got != "" {
		w.t.Errorf("another server got %s", got)
	}
	if _, others := w.calls(); len(others) > 0 {
		w.t.Errorf("Home Assistant got %q", others)
	}
	w.ear.mu.Lock()
	for topic := range w.ear.all {
		if !strings.HasPrefix(topic, "dashboard/") && !strings.HasPrefix(topic, "homeassistant/") {
			w.t.Errorf("the broker got %s", topic)
		}
	}
	w.ear.mu.Unlock()
	if got := w.text("/notify") + w.text("/power") + w.text("/theme"); strings.Contains(got, "Stolen") || !strings.Contains(got, `"on":true`) {
		w.t.Errorf("notifications, power and theme: %s", got)
	}
	for where, text := range map[string]string{"the recipe's server": w.own.sent(), "the log": w.log.String(), "the wall": w.text("/text") + w.text("/widgets")} {
		if strings.Contains(text, tapSecret) || strings.Contains(text, tapToken) && where != "the recipe's server" {
			w.t.Errorf("%s has a secret: %s", where, text)
		}
	}
	if strings.Contains(w.log.String(), "panicked") || strings.Contains(w.log.String(), "msg=refused") {
		w.t.Error("a touch has failed")
	}
}

// storm touches every row of the recipe in several ways, with a finger and with the requests of the remote.
func (w *tappedWall) storm() {
	w.t.Helper()
	for row := range hostileRows {
		y := (float64(row) + 0.5) / float64(len(hostileRows)+1)
		for _, x := range []float64{0.08, 0.3, 0.5, 0.7, 0.92} {
			w.touch(x, y)
			for _, gesture := range []string{"tap", "double_tap", "hold"} {
				if status, answer := w.post("/touch", fmt.Sprintf(`{"x": %v, "y": %v, "gesture": %q}`, x, y, gesture)); status != http.StatusOK {
					w.t.Fatalf("%s at %v, %v: got %d %s", gesture, x, y, status, answer)
				}
			}
			w.mine()
		}
		w.swipe(0.8, 0.2, y)
		w.swipe(0.2, 0.8, y)
	}
	w.mine()
}

// swipe moves a finger over the wall.
func (w *glassWall) swipe(from, to, y float64) {
	for i := range 6 {
		p := &evdev.Packet{At: w.now}
		if i < 5 {
			p.Down, p.Fingers[0] = 1, evdev.Finger{Down: true, X: from + (to-from)*float64(i)/4, Y: y}
		}
		w.l.Packet(p)
		w.now += 20_000
	}
	w.now += 5_000_000
}

// The expected changes at the servers of the wall and of the recipe after all touches, if the
// widget `use` allows todo. If a new task names no list, it goes to the recipe's list.
var (
	tickedHouse = []string{`POST /1 {"done":true}`, `POST /add {"title":"Stolen by hold"}`}
	tickedOwn   = []string{
		`POST /1 {"done":true}`, `POST /add {"title":"Stolen by a tap"}`, `POST /add {"title":"Stolen by two taps"}`,
	}
)

// The widgets of a hostile recipe request every action by touch. A finger and the remote touch each widget. Without a grant, no action
// runs, and the remote has no button for any action. The grant todo allows changes of tasks and nothing else.
func TestRecipeTouch(t *testing.T) {
	for name, tt := range map[string]struct {
		allow      string
		house, own []string // changes
		buttons    int
	}{
		"nothing is allowed":    {"", nil, nil, 1},
		"todo is allowed":       {", allow: [todo]", tickedHouse, tickedOwn, 4},
		"todo in the last list": {", allow: [todo], name: zz", tickedHouse, tickedOwn, 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := startTapped(t, tt.allow)
			before, taps := w.spoken(), len(w.buttons())
			w.storm()
			w.arrived(tt.house, tt.own)
			if taps != tt.buttons {
				t.Errorf("the remote has %d buttons, want %d: %q", taps, tt.buttons, w.buttons())
			}
			if after := w.spoken(); after != before && tt.allow == "" {
				t.Errorf("the wall shows\n%s\nbefore the touches, and then\n%s", before, after)
			}
			if tt.allow != "" {
				w.post("/todo", `{"item": "Own"}`) // without a list, the task goes to the wall's list
				w.arrived(slices.Sorted(slices.Values(append(tt.house, `POST /add {"title":"Own"}`))), tt.own)
			}
			w.refused()
		})
	}
}

// refused() replaces the recipe of the running wall by recipes that need more than the wall can grant. The wall keeps the old recipe and
// shows the reason.
func (w *tappedWall) refused() {
	w.t.Helper()
	const grant = ", allow: [todo, notify, light.turn_on]"
	for row, want := range map[string]string{
		`{widget: text, text: x, on_tap: {todo: "{token}"}}`:                                                             "the secret 'token' is for the addresses",
		`{widget: text, text: x, on_hold: {todo: !secret bank}}`:                                                         "cannot be used in this file",
		`{widget: text, text: x, on_hold: {action: light.turn_on, entity: lock.door}}`:                                   "takes its entities from parameters",
		`{widget: text, text: x, on_tap: {action: light.turn_on, entity: !param lamp, data: {area_id: home}}}`:           "not 'area_id'",
		`{widget: text, text: x, on_tap: {action: light.turn_on, entity: !param lamp, data: !data '{area_id: "home"}'}}`: "must be a mapping such as",
		`{widget: text, text: x, on_tap: {action: light.turn_on, entity: !param lamp, data: {x: [!data .tasks]}}}`:       "must have plain values",
		`{widget: list, items: [{text: x, on_tap: {notify: {text: x, image: "http://OTHER/i.png"}}}]}`:                   "not this 'image'",
		`{widget: text, text: x, on_swipe: {up: {notify: {text: x, actions: [{label: x, mqtt: stolen/button}]}}}}`:       "not this 'actions'",
		`{widget: text, text: x, on_tap: {notify: {text: x, icon: "http://OTHER/i.svg"}}}`:                               "not this 'icon'",
		`{widget: text, text: x, on_tap: {todo: "file:///etc/passwd"}}`:                                                  "may not read files",
	} {
		w.files(grant, []string{row}).write(w.t, w.dir)
		if status, answer := w.post("/reload", ""); !strings.Contains(answer, want) {
			w.t.Errorf("%s: got %d %s, want %q", row, status, answer, want)
		}
		eventually(w.t, "the wall shows the reason", func() bool { return strings.Contains(w.text("/text"), "recipes/bait/widgets.yaml") })
		if got := w.text("/text"); !strings.Contains(got, "Bait") || strings.Contains(got, tapSecret) || strings.Contains(got, tapToken) {
			w.t.Errorf("%s: the wall shows\n%s", row, got)
		}
		w.mine()
	}
}
