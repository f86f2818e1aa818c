package draft

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"dashboard/config/edit"
	"dashboard/internal/fetch"
	"dashboard/internal/testing/homeassistanttest"
	"dashboard/internal/testing/thorough"
)

// A draft shows the value of a successful test if the wall has no value of this provider. A later test replaces the value. A change of the
// provider's definition drops the value, and so does a newer value that needs the room.
func TestValueOfTheTest(t *testing.T) {
	power, long := 1240, ""
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/gone" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		fmt.Fprintf(w, `{"power": %d, "long": %q}`, power, long)
	}))
	defer web.Close()
	b := newBench(t, map[string]string{
		"conf.yaml": testConf, "providers.yaml": "providers:\n  solar: {url: " + web.URL + "/a}\n  wind: {url: " + web.URL + "/b}\n  gone: {url: " + web.URL + "/gone}\n",
		"widgets.yaml": "widgets:\n  - {widget: text, text: !data .solar.power}\n",
	})
	id, _ := b.open()
	d, err := b.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	powerOf := func(name string) string {
		t.Helper()
		got, err := d.Values("."+name, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range got["keys"].([]map[string]any) {
			if k["name"] == "power" {
				return fmt.Sprintf("%s", k["value"])
			}
		}
		return ""
	}
	test := func(name, want string) {
		t.Helper()
		b.call(200, "test", id, map[string]any{"provider": name})
		if got := powerOf(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	if got := powerOf("solar"); got != "" {
		t.Fatalf("before the test: got %v", got)
	}
	test("solar", "1240")
	if got, err := d.Eval(".solar.power / 1000"); err != nil || fmt.Sprintf("%s", got["result"]) != "1.24" {
		t.Errorf("a formula: got %v, %v", got, err)
	}
	power = 1300
	test("solar", "1300")
	test("wind", "1300")
	test("gone", "")
	power, long = 1400, strings.Repeat("x", maxTried-leastTried*3/2)
	test("wind", "1400")
	if got := powerOf("solar"); got != "1300" {
		t.Errorf("there is room for both: got %v", got)
	}
	long += strings.Repeat("x", leastTried)
	test("wind", "1400")
	if got := powerOf("solar"); got != "" {
		t.Errorf("solar has no room any more: got %v", got)
	}
	long += strings.Repeat("x", leastTried)
	test("wind", "1400") // the new answer is too large, so the old value stays
	file := b.read("providers.yaml")
	if err := d.SetFile("providers.yaml", strings.ReplaceAll(file, "/b", "/c"), edit.Hash([]byte(file))); err != nil {
		t.Fatal(err)
	}
	if got := powerOf("wind"); got != "" {
		t.Errorf("another address: got %v", got)
	}
}

// After a test of a Home Assistant, the draft has the values of all its entities, also of those that no widget uses yet. A widget that is
// added then shows the value.
func TestEntitiesOfTheTest(t *testing.T) {
	home := &homeassistanttest.Server{}
	home.Put("sensor.porch", "18.5", map[string]any{"unit_of_measurement": "°C"})
	home.Put("light.hall", "on", nil)
	web := httptest.NewServer(home)
	defer web.Close()
	b := newBench(t, map[string]string{
		"conf.yaml": testConf, "widgets.yaml": "widgets:\n  - widget: row\n    children:\n      - {widget: text, text: Hello}\n",
		"providers.yaml": "providers:\n  home: {type: homeassistant, url: " + web.URL + ", token: " + homeassistanttest.Token + ", entities: [light.hall]}\n",
	})
	id, state := b.open()
	b.ops(200, id, Op{Op: "set", Node: nodes(state)["Hello"].ID, Key: "text", Value: `!data '.home["sensor.porch"].state | tostring'`})
	before := b.shot(id)
	if got := b.call(200, "test", id, map[string]any{"provider": "home"}); got["works"] != true {
		t.Fatalf("the test: %v", got)
	}
	d, err := b.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.Values(".home", 0)
	if err != nil || len(got["keys"].([]map[string]any)) != 2 {
		t.Fatalf("got %v, %v", got, err)
	}
	if got, err := d.Eval(`.home["sensor.porch"].state`); err != nil || fmt.Sprintf("%s", got["result"]) != "18.5" {
		t.Errorf("a formula: got %v, %v", got, err)
	}
	if bytes.Equal(before, b.shot(id)) {
		t.Error("the picture does not show the value of the entity")
	}
}

// If one of several calendars does not answer, the test shows the other calendars and the reason for this calendar.
func TestCalendarThatHangs(t *testing.T) {
	thorough.Only(t) // the test waits for answerTime
	end := make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			<-end
		}
		fmt.Fprint(w, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n")
	}))
	defer web.Close()
	defer close(end)
	b := newBench(t, map[string]string{
		"conf.yaml": testConf, "widgets.yaml": testWall,
		"providers.yaml": "providers:\n  family:\n    type: calendar\n    calendars:\n      - {name: Slow, url: " + web.URL + "/slow}\n      - {name: Anna, url: " + web.URL + "/anna}\n",
	})
	id, _ := b.open()
	all := b.call(200, "test", id, map[string]any{"provider": "family"})["calendars"].(map[string]any)
	anna, _ := all["Anna"].(map[string]any)
	slow, _ := all["Slow"].(map[string]any)
	if anna["works"] != true || slow["works"] != false || slow["words"] != reasons[fetch.TimedOut] {
		t.Errorf("got %v", all)
	}
}
