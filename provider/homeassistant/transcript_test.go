package homeassistant

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	fake "dashboard/internal/testing/homeassistanttest"
)

var record = flag.Bool("record", false, "write the transcript anew")

const transcriptFile = "testdata/transcript.txt"

// TestTranscript records the messages that a wall sends after the login, and the values that the wall receives. The test server behaves
// like Home Assistant: TestOfficialClient of package homeassistanttest tests this server with Home Assistant's own client.
func TestTranscript(t *testing.T) {
	s := &fake.Server{}
	s.Render = func(string) (any, error) { return 1, nil }
	var mu sync.Mutex
	var lines []string
	note := func(who string, m any) {
		data, _ := json.Marshal(m)
		mu.Lock()
		defer mu.Unlock()
		lines = append(lines, who+" "+string(data))
	}
	s.Before = func(_ *fake.Client, m map[string]any) bool { note("wall:", m); return false }
	inHouse(t, http.HandlerFunc(s.ServeHTTP), func(h *house) {
		s.Put("light.hall", "off", map[string]any{"friendly_name": "Hall"})
		s.Put("sensor.pv", "21.5", map[string]any{"unit_of_measurement": "W"})
		_, cells := h.parts(t, map[string]string{"lights_on": "{{ 1 }}"}, "light.hall", "sensor.pv", "lights_on")
		for _, c := range cells {
			note("shows:", c.Load().Value)
		}
		home, err := NewHome("http://ha.test:8123", false, fake.Token, h.deps)
		if err != nil {
			t.Fatal(err)
		}
		if err := home.Call(h.t.Context(), "light.turn_on", "light.hall", map[string]any{"brightness": 120}); err != nil {
			t.Error(err)
		}
		s.Put("light.hall", "on", map[string]any{"friendly_name": "Hall", "brightness": 120})
		h.pass(time.Minute)
		note("shows:", cells[0].Load().Value)
	})
	got := strings.Join(lines, "\n") + "\n"
	if *record {
		if err := os.WriteFile(transcriptFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(transcriptFile)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// FuzzAnswers reads any event of a template and any history. The results are within their limits.
func FuzzAnswers(f *testing.F) {
	for _, text := range []string{`{"result": 21.5}`, `{"error": "x", "level": "WARNING"}`, `{"error": "x", "level": "ERROR"}`, `{"list": [{"s": "1", "lu": 1.5e9}, {"s": "off", "lc": 1600000000}]}`, `{"result": {"a": [1]}}`} {
		f.Add([]byte(text), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, text bool) {
		m, err := message(t.Context(), data)
		if err != nil {
			return
		}
		checkRendering(t, m, text)
		list, _ := m["list"].([]any)
		from := time.Unix(1_500_000_000, 0)
		all := points(list, from, time.Hour)
		if len(all) > MaxPoints {
			t.Errorf("%d points", len(all))
		}
		for _, p := range all {
			if at := p.([]any)[0].(float64); !(at >= float64(from.Unix())) {
				t.Errorf("a point at %v, before the beginning", at)
			}
		}
		_ = fmt.Sprint(all)
	})
}
