package widgets

import (
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/provider"
	"dashboard/render"
	"dashboard/render/icon"
)

// home is what Home Assistant says.
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

// TestEntitySheet: what is not written beside an entity is the entity's.
func TestEntitySheet(t *testing.T) {
	feed := func(d *data) { d.named["homeassistant"].Publish(home(), t0); d.settle(d.t) }
	cell := image.Pt(300, 190)
	modernSheet(t, "entities", []scene{
		{size: cell, widget: "{widget: card, entity: sensor.pv_power, margin: 0}", feed: feed, after: time.Second},
		{size: cell, widget: "{widget: card, entity: light.hall, title: Landing, margin: 0, map: {'off': {text: dark, color: teal}}}", feed: feed, after: time.Second},
		{size: cell, widget: "{widget: gauge, entity: sensor.living, max: 40, margin: 0}", feed: feed, after: time.Second},
		{size: cell, widget: "{widget: progress, entity: sensor.pv_power, max: 4000, card: true, margin: 0}", feed: feed, after: time.Second},
		{size: image.Pt(420, 250), widget: "{widget: list, title: Rooms, margin: 0, items: [{entity: sensor.living}, {entity: lock.front_door, map: {unlocked: {color: orange, text: open}}}," +
			" {entity: light.hall, text: Landing}, {entity: binary_sensor.in, text: Back door, when: {entity: binary_sensor.in, is: 'on'}}, {entity: sensor.living, when: {entity: light.hall, is: 'on'}}]}", feed: feed, after: time.Second},
	})
}

func TestEntityIcons(t *testing.T) {
	for _, code := range domainIcons {
		checkIcons(t, code[1])
	}
	for _, classes := range classIcons {
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
		modernBubble(t, "widgets: [{widget: card, entity: "+id+", margin: 0}]\n", scene{size: image.Pt(300, 200)}, testEnv().Look, func(d *data) {
			d.named["homeassistant"].Publish(home(), t0)
			d.settle(d.t)
			d.step(0)
			if got := only[*frame](d).head.iconIn.text(); got != want {
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

// The past of an entity that Home Assistant knows stands before what the wall has seen, once.
func TestRecall(t *testing.T) {
	p := newPast(time.Hour)
	p.history = input{cell: provider.NewCell(nil)}
	p.add(1000, 5)
	p.add(1100, 6)
	p.history.cell.Publish([]any{[]any{100.0, 1}, []any{200.0, nil}, []any{"x", 1}, 7, []any{1050.0, 2.5}}, t0)
	w := &recalling{p: p}
	r := render.New(w, image.Pt(10, 10))
	r.Step(t0)
	r.Step(t0)
	if len(p.data) != 4 || p.data[0] != (datum{100, 1}) || !p.data[1].gap() || p.data[2].v != 2.5 || p.data[3] != (datum{1100, 6}) || p.recalls != 1 {
		t.Errorf("got %v after %d", p.data, p.recalls)
	}
}

type recalling struct{ p *past }

func (w *recalling) Update(t render.Tick) { w.p.recall(t) }
func (*recalling) Paint(render.Canvas)    {}
