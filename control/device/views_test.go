package device

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// TestComponentsOfViews: each view has components for its screen, page, theme, notifications and picture, with their own topics. A
// command for a screen reaches only the screen of this view. Only the first view has the components that all views share.
func TestComponentsOfViews(t *testing.T) {
	asked := &fake{level: -1, heat: 40, more: make(chan struct{}, 1)}
	r := &run{Device: &Device{Config: Config{ID: "a1b2", Base: "dashboard/a1b2"}, doer: asked}, now: State{Temperature: 40}}
	seen := map[string]bool{}
	for _, first := range []bool{true, false} {
		w := &wall{run: r, first: first, id: "a1b2", base: "dashboard/a1b2", Wall: Wall{View: "main", Theme: "day", Pages: []string{"home"}, Screen: true, Notify: true}}
		if !first {
			w.id, w.base, w.View = "a1b2_hall", "dashboard/a1b2_hall", "hall"
		}
		has := w.components()
		for _, name := range []string{"display", "page", "theme", "notify", "picture"} {
			if has[name] == nil {
				t.Errorf("first %v: there is no %s", first, name)
			}
		}
		for _, name := range []string{"reload", "stale", "update", "temperature"} {
			if (has[name] != nil) != first {
				t.Errorf("first %v: %s is %v", first, name, has[name])
			}
		}
		for name, c := range has {
			for key, v := range c {
				if topic, ok := v.(string); ok && strings.HasSuffix(key, "_topic") && (!strings.HasPrefix(topic, w.base+"/") || seen[topic+" "+name]) {
					t.Errorf("first %v: %s has %s %s", first, name, key, topic)
				}
			}
			if id, _ := c["unique_id"].(string); id != w.id+"_"+name || seen[id] {
				t.Errorf("first %v: %s has the id %s", first, name, id)
			} else {
				seen[id] = true
			}
		}
		for verb, payload := range map[string]string{"display/set": "OFF", "brightness/set": "40"} {
			if err := w.do(t.Context(), verb, []byte(payload)); err != nil {
				t.Error(err)
			}
		}
	}
	slices.Sort(asked.asked)
	if got := strings.Join(asked.asked, "|"); got != "brightness 0.4|brightness hall0.4|power halloff0s|power off0s" {
		t.Errorf("asked %s", got)
	}
	if birthSpread != 5*time.Second {
		t.Errorf("walls come back to Home Assistant within %v", birthSpread)
	}
}

// TestPictureIsSeldom: a wall that paints all the time sends at most one picture in half a minute.
func TestPictureIsSeldom(t *testing.T) {
	began := time.Now()
	h := begin(t, true, nil)
	h.await("dashboard/a1b2/picture", 1)
	for n := range 20 {
		h.set(func(w *fake) { w.frames++ })
		h.asks("dismiss", "PRESS", n+1)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if n, most := len(h.seen["dashboard/a1b2/picture"]), 1+int(time.Since(began)/(30*time.Second)); n > most {
		t.Errorf("%d pictures in %v, want %d at most", n, time.Since(began), most)
	}
}

// With the card image, an update can be installed from Home Assistant, and the entity shows the progress. On other machines, the entity
// only shows the version.
func TestUpdateOnBroker(t *testing.T) {
	w := &wall{run: &run{Device: &Device{Config: Config{ID: "a1b2", Base: "dashboard/a1b2", Version: "1.5.2"}}}, first: true, id: "a1b2", base: "dashboard/a1b2"}
	if c := w.components()["update"]; c["command_topic"] != nil || w.update()["latest_version"] != "1.5.2" {
		t.Errorf("another machine: got %v, %v", c, w.update())
	}
	w.now.Update = &Update{Installed: "1.5.2", Latest: "1.6.0", Summary: strings.Repeat("ä", 300)}
	c := w.components()["update"]
	if c["command_topic"] != "dashboard/a1b2/update/set" || c["payload_install"] != "install" || c["p"] != "update" || c["state_topic"] != "dashboard/a1b2/update" {
		t.Errorf("a card: got %v", c)
	}
	state := w.update()
	if summary := state["release_summary"].(string); utf8.RuneCountInString(summary) != maxSummary || state["update_percentage"] != nil || state["in_progress"] != false {
		t.Errorf("waiting: got %v", state)
	}
	w.now.Update.Running, w.now.Update.Percent = true, 62
	if state := w.update(); state["update_percentage"] != 62 || state["in_progress"] != true {
		t.Errorf("running: got %v", state)
	}
	v, topic := command("update/set")
	args, err := v.Payload(topic, []byte("install"))
	if err != nil || args.Text("action") != "install" {
		t.Errorf("the command: got %v, %v", args, err)
	}
}
