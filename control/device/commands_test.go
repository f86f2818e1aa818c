package device

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"dashboard/control/notify"
)

// The rate of commands is limited, and commands that are too large are ignored.
func TestStorm(t *testing.T) {
	h := begin(t, true, nil)
	h.await("dashboard/a1b2/theme", 1)
	began := time.Now()
	for range 2000 {
		_ = h.broker.Publish("dashboard/a1b2/reload", []byte("PRESS"), false, 0)
	}
	_ = h.broker.Publish("dashboard/a1b2/notify", []byte(strings.Repeat("x", maxCommand+1)), false, 1)
	asked := h.asks("reload", "PRESS", 1)
	if most := burst + perSecond*(1+int(time.Since(began)/time.Second)); len(asked) > most {
		t.Errorf("%d commands were done, want at most %d", len(asked), most)
	}
	for _, a := range asked {
		if a != "reload" {
			t.Errorf("done: %.40s", a)
		}
	}
}

func TestMessage(t *testing.T) {
	for payload, want := range map[string]string{"Dinner": `{"text":"Dinner"}`, `{"text": "a"}`: `{"text": "a"}`, "7": `{"text":"7"}`, "null": `{"text":"null"}`, "a\xff": "{\"text\":\"a\uFFFD\"}"} {
		got := notify.Message([]byte(payload))
		if string(got) != want || !json.Valid(got) {
			t.Errorf("%q: got %s, want %s", payload, got, want)
		}
	}
}

// TestTextIsRepeated: a text that Home Assistant sends becomes the state of its entity. The wall publishes this state again after
// reconnecting. An object, or a text longer than maxMessage, does not become the state.
func TestTextIsRepeated(t *testing.T) {
	t.Parallel()
	h := begin(t, true, nil)
	h.await("dashboard/a1b2/status", 1)
	h.asks("text/set", "Bath", 1)
	if got := h.await("dashboard/a1b2/text", 1); got != "Bath" {
		t.Errorf("got %s", got)
	}
	h.asks("text/set", `{"text": "x"}`, 2)
	h.asks("text/set", strings.Repeat("x", maxMessage+1), 3)
	h.asks("text/set", "a\xff", 4)
	h.asks("notify", "Dinner", 5)
	c, ok := h.broker.Clients.Get("wall")
	if !ok {
		t.Fatal("the broker does not know the wall")
	}
	c.Stop(errors.New("cut"))
	if got := h.await("dashboard/a1b2/text", 2); got != "Bath" {
		t.Errorf("after the connection was lost: got %.40s", got)
	}
	h.asks("text/set", strings.Repeat("é", maxMessage), 6)
	if got := h.await("dashboard/a1b2/text", 3); got != strings.Repeat("é", maxMessage) {
		t.Errorf("got %s", got)
	}
}

// FuzzCommand sends any message to a wall. The wall runs at most one verb, and rejects an invalid message with a reason.
func FuzzCommand(f *testing.F) {
	for _, c := range [][2]string{{"theme/set", "day"}, {"timer/set", `{"name": "x", "duration": 1e9}`}, {"brightness/set", "1e400"}, {"notify", `{"text": 1}`}, {"page/set", "\xff"}, {"display/set", "ON"}, {"", ""}, {"../reload", "x"}} {
		f.Add(c[0], []byte(c[1]))
	}
	f.Fuzz(func(t *testing.T, verb string, payload []byte) {
		asked := &fake{more: make(chan struct{}, 1)}
		w := &wall{run: &run{Device: &Device{doer: asked}}, first: true, base: "dashboard/a1b2"}
		got, ok := w.command(w.base + "/" + verb)
		if !ok || got != verb {
			t.Fatalf("%q is taken for %q", verb, got)
		}
		err := w.do(t.Context(), verb, payload)
		if len(asked.asked) > 1 || len(asked.asked) == 0 && (err == nil || len(err.Error()) > 200+4*len("command")) {
			t.Errorf("%q with %q: asked %q, and %v", verb, payload, asked.asked, err)
		}
		if _, ok := w.command("dashboard/a1b2_hall/" + verb); ok {
			t.Error("another wall's is taken for this one's")
		}
	})
}

// TestTimers: a payload that is the name of a timer toggles this timer. A JSON object as the payload can also name the action. Other
// payloads are rejected with a reason.
func TestTimers(t *testing.T) {
	for _, c := range []struct{ payload, asked, refused string }{
		{"tea", "timer tea toggle 0s", ""},
		{`{"name": "tea", "action": "start", "duration": 90.5}`, "timer tea start 1m30.5s", ""},
		{` {"name": "tea", "action": "stop"}`, "timer tea stop 0s", ""},
		{`{"name": 7}`, "", "JSON object"},
		{`{"name":`, "", "JSON object"},
		{`{"name": "tea", "action": "start", "duration": -1}`, "", "'duration' must be"},
		{`{"name": "tea", "action": "start", "duration": 1e-12}`, "", "'duration' must be"},
		{`{"name": "tea", "action": "start", "duration": 1e9}`, "", "'duration' must be"},
	} {
		asked := &fake{more: make(chan struct{}, 1)}
		w := &wall{run: &run{Device: &Device{doer: asked}}, first: true, base: "dashboard/a1b2"}
		err := w.do(t.Context(), "timer/set", []byte(c.payload))
		if got := strings.Join(asked.asked, "|"); got != c.asked || (err == nil) != (c.refused == "") || err != nil && !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s: got %q, %v", c.payload, got, err)
		}
	}
	h := begin(t, true, nil)
	h.await("dashboard/a1b2/theme", 1)
	if asked := h.asks("timer/set", "tea", 1); asked[0] != "timer tea toggle 0s" {
		t.Errorf("of a broker: got %q", asked)
	}
}
