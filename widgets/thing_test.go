package widgets

import (
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/provider"
	"dashboard/render"
	"dashboard/render/icon"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/history"
	"dashboard/widgets/walltest"
)

// home() returns values as Home Assistant sends them.
func home() map[string]any {
	thing := func(state any, attributes map[string]any) map[string]any {
		return map[string]any{"state": state, "attributes": attributes, "last_changed": 1.0e9}
	}
	return map[string]any{
		"sensor.pv_power":  thing(1840, map[string]any{"friendly_name": "Solar roof", "unit_of_measurement": "W", "device_class": "power"}),
		"sensor.living":    thing(21.5, map[string]any{"friendly_name": "Living room", "unit_of_measurement": "°C", "device_class": "temperature"}),
		"lock.front_door":  thing("unlocked", map[string]any{"friendly_name": "Front door"}),
		"light.hall":       thing("off", map[string]any{"friendly_name": "Hall", "icon": "mdi:ceiling-light"}),
		"sensor.nameless":  thing("ready", map[string]any{}),
		"binary_sensor.in": thing("on", map[string]any{"device_class": "door"}),
	}
}

// TestEntitySheet checks widgets with the key `entity`. The entity sets the parameters that the file does not set.
func TestEntitySheet(t *testing.T) {
	feed := func(d *walltest.Data) { d.ByName["homeassistant"].Publish(home(), walltest.T0); d.Settle(d.T) }
	cell := image.Pt(300, 190)
	walltest.ModernSheet(t, "entities", []walltest.Scene{
		{Size: cell, Widget: "{widget: card, entity: sensor.pv_power, margin: 0}", Feed: feed, After: time.Second},
		{Size: cell, Widget: "{widget: card, entity: light.hall, title: Landing, margin: 0, map: {'off': {text: dark, color: teal}}}", Feed: feed, After: time.Second},
		{Size: cell, Widget: "{widget: gauge, entity: sensor.living, max: 40, margin: 0}", Feed: feed, After: time.Second},
		{Size: cell, Widget: "{widget: progress, entity: sensor.pv_power, max: 4000, card: true, margin: 0}", Feed: feed, After: time.Second},
		{Size: image.Pt(420, 250), Widget: "{widget: list, title: Rooms, margin: 0, items: [{entity: sensor.living}, {entity: lock.front_door, map: {unlocked: {color: orange, text: open}}}," +
			" {entity: light.hall, text: Landing}, {entity: binary_sensor.in, text: Back door, when: {entity: binary_sensor.in, is: 'on'}}, {entity: sensor.living, when: {entity: light.hall, is: 'on'}}]}", Feed: feed, After: time.Second},
	})
}

func TestEntityIcons(t *testing.T) {
	for _, code := range kit.DomainIcons {
		checkIcons(t, code[1])
	}
	for _, classes := range kit.ClassIcons {
		for _, code := range classes {
			checkIcons(t, code[1])
		}
	}
}

func checkIcons(t *testing.T, names string) {
	t.Helper()
	for name := range strings.SplitSeq(names, "|") {
		if _, ok := icon.Lookup(strings.TrimPrefix(name, "mdi:")); !ok {
			t.Errorf("there is no icon %s", name)
		}
	}
}

func TestEntityIcon(t *testing.T) {
	for id, want := range map[string]string{
		"sensor.pv_power": "mdi:flash", "sensor.living": "mdi:thermometer", "lock.front_door": "mdi:lock-open-variant", "light.hall": "mdi:ceiling-light",
		"sensor.nameless": "mdi:eye", "binary_sensor.in": "mdi:door-open",
	} {
		walltest.ModernBubble(t, "widgets: [{widget: card, entity: "+id+", margin: 0}]\n", walltest.Scene{Size: image.Pt(300, 200)}, walltest.TestEnv().Look, func(d *walltest.Data) {
			d.ByName["homeassistant"].Publish(home(), walltest.T0)
			d.Settle(d.T)
			d.Step(0)
			if got := walltest.Only[*kit.Frame](d).Head.IconIn.Text(); got != want {
				t.Errorf("%s: got %s, want %s", id, got, want)
			}
		})
	}
}

func TestEntityMistakes(t *testing.T) {
	for widget, want := range map[string]string{
		"{widget: card, entity: hall}":                    "must be an entity of Home Assistant such as light.hall",
		"{widget: card, entity: 'light.a\"b'}":            "must be an entity",
		"{widget: list, items: [{entity: 7}]}":            "must be an entity",
		"{widget: space, when: {entity: hall, is: 'on'}}": "must be an entity",
		"{widget: chart, series: [{entity: sensor}]}":     "must be an entity",
		"{widget: gauge, entity: sensor.a, values: 1}":    "values",
	} {
		if _, told := modernWall(t, "theme: calm\nwidgets: ["+widget+"]\n", image.Pt(200, 200)); !strings.Contains(told, want) {
			t.Errorf("%s: got %q, want %q", widget, told, want)
		}
	}
}

// TestRecall checks that the history from Home Assistant replaces the values that the wall recorded before the end of this history. The
// values that the wall recorded later follow. No time occurs twice.
func TestRecall(t *testing.T) {
	p := history.New(time.Hour)
	p.Earlier = provider.NewCell(nil)
	p.Add(1000, 5)
	p.Add(1100, 6)
	p.Earlier.Publish([]any{[]any{100.0, 1}, []any{200.0, nil}, []any{"x", 1}, 7, []any{1050.0, 2.5}}, walltest.T0)
	w := &recalling{p: p}
	r := render.New(w, image.Pt(10, 10))
	r.Step(walltest.T0)
	r.Step(walltest.T0)
	if len(p.Data) != 4 || p.Data[0] != (history.Datum{At: 100, V: 1}) || !p.Data[1].Gap() || p.Data[2].V != 2.5 || p.Data[3] != (history.Datum{At: 1100, V: 6}) || p.Recalls != 1 {
		t.Errorf("got %v after %d", p.Data, p.Recalls)
	}
}

type recalling struct{ p *history.Past }

func (w *recalling) Update(t render.Tick) { w.p.Recall(t) }
func (*recalling) Paint(render.Canvas)    {}
