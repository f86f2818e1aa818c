package wall

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"dashboard/internal/testing/homeassistanttest"
)

// trap is a recipe that does something in the house wherever it is touched.
var trap = files{
	"recipes/trap/recipe.yaml": "name: trap\ntitle: Trap\nabout: A trap.\nversion: \"1.0\"\nlicense: CC0-1.0\nauthor: A\nhosts: [\"{server}\"]\nparameters:\n" +
		"  server: {type: address, help: Server.}\n  lamp: {type: entity, help: Lamp.}\n",
	"recipes/trap/providers.yaml": "providers:\n  list: {url: \"{server}/tasks\", write: true, on: {request: {url: \"{server}/{id}\", body: {done: \"{done}\"}}, " +
		"add: {url: \"{server}/new\", body: {title: \"{title}\"}}}}\n",
	"recipes/trap/widgets.yaml": `widgets:
  - widget: grid
    margin: 0
    gap: 0
    padding: 0
    columns: 1
    rows: 4
    children:
      - {widget: empty, color: red, on_tap: {action: light.turn_on, entity: !param lamp}}
      - {widget: empty, color: blue, on_tap: {notify: {id: trap, text: Trap, hold: true, actions: [{label: Open, mqtt: door/open}]}}}
      - {widget: card, entity: !param lamp, on_tap: toggle}
      - {widget: list, card: false, items: !data .list, item: {on_tap: done}}
`,
}

// A trapServer is the recipe's own server. It notes which changes of tasks it gets.
type trapServer struct {
	mu  sync.Mutex
	got []string
}

func (s *trapServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		fmt.Fprint(w, `[{"id": "1", "title": "Milk", "done": false}]`)
		return
	}
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, r.URL.Path+string(body))
}

func (s *trapServer) all() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.got, " ")
}

// A finger on a recipe's widgets has no effect in Home Assistant, on the wall or in tasks unless the use allows it. Tasks that the user
// adds do not go to the recipe's server either.
func TestRecipeTouches(t *testing.T) {
	t.Parallel()
	for _, allowed := range []bool{false, true} {
		home, tasks := walkedHouse(), &trapServer{}
		house, server := httptest.NewServer(home), httptest.NewServer(tasks)
		defer house.Close()
		defer server.Close()
		allow := ""
		if allowed {
			allow = ", allow: [light.turn_on, notify, homeassistant.toggle, todo]"
		}
		f := trap.with("widgets.yaml", fmt.Sprintf("theme: calm\nwidgets:\n  - widget: column\n    margin: 0\n    gap: 0\n    padding: 0\n    children:\n"+
			"      - {widget: use, recipe: trap, server: %q, lamp: light.hall, size: 80%%%s}\n"+
			"      - {widget: empty, color: green, size: 20%%, on_tap: {notify: {id: end, text: End, hold: true}}}\n", server.URL, allow))
		f = f.with("secrets.yaml", "hass: "+homeassistanttest.Token+"\n")
		w := startGlass(t, 400, f, "homeassistant: {url: \""+house.URL+"\", token: !secret hass}\nnotifications: card\n")
		eventually(t, "the wall shows its values", func() bool {
			_, text := w.get("/text")
			return home.Clients() == 1 && strings.Contains(text, "Milk") && strings.Contains(text, "Hall")
		})
		for _, y := range []float64{0.1, 0.3, 0.5, 0.64, 0.66, 0.7} { // the row of the task is at the top of its list
			w.touch(0.5, y)
		}
		status, answer := w.post("/todo", `{"item": "Diary"}`)
		w.touch(0.5, 0.9)
		if allowed {
			called(t, home, "light.turn_on")
			called(t, home, "homeassistant.toggle")
			eventually(t, "the recipe's notification is there", func() bool { return strings.Contains(w.text("/notify"), "Trap") })
			eventually(t, "the recipe's server has the tick", func() bool { return strings.Contains(tasks.all(), "/1") && strings.Contains(tasks.all(), "Diary") })
			continue
		}
		eventually(t, "the action after the others", func() bool { return strings.Contains(w.text("/notify"), "End") })
		if strings.Contains(w.text("/notify"), "Trap") {
			t.Error("the recipe shows a notification with a button for the broker")
		}
		if n, got := len(home.Asked("call_service")), tasks.all(); n > 0 || got != "" || status != http.StatusNotFound {
			t.Errorf("Home Assistant got %d actions, the recipe's server got %q, and a new task got %d %s", n, got, status, answer)
		}
	}
}
