package widgets

import (
	"image"
	"strings"
	"testing"

	"dashboard/widgets/screen"
	"dashboard/widgets/walltest"
)

// TestActions checks that the actions of classic and newer widgets are read, and that each mistake is reported at its position.
func TestActions(t *testing.T) {
	for _, tt := range []struct{ yaml, want string }{ // want is a part of the expected message. An empty want expects no message
		{"on_tap: {page: home}", ""},
		{"on_tap: {page: next}", ""},
		{"on_tap: {page: \"2\"}", ""},
		{"on_hold: {theme: night}", ""},
		{"on_double_tap: {theme: toggle}", ""},
		{"on_double_tap: {page: hme}", "is 'home' meant?"},
		{"on_double_tap: toggle", "the widget's own entity"},
		{"on_double_tab: {page: next}", "near: on_double_tap"},
		{"on_tap: {dismiss: all}", ""},
		{"on_tap: {timer: tea}", ""},
		{"on_tap: {notify: {text: Dinner}}", ""},
		{"on_tap: {power: toggle}", ""},
		{"on_tap: {power: on}", ""},
		{"on_tap: {brightness: 40%}", ""},
		{"on_tap: {action: light.turn_on, entity: light.hall, data: {brightness: 20}}", ""},
		{"on_tap: {action: scene.reload}", ""},
		{"on_swipe: {left: {page: next}, right: {page: previous}, up: {theme: toggle}}", ""},
		{"entity: light.hall, on_tap: toggle", ""},
		{"on_tap: toggle", "the widget's own entity"},
		{"on_tap: tggle", "must be toggle, done, or a mapping"},
		{"on_tap: 7", "must be toggle, done, or a mapping"},
		{"on_tap: [toggle]", "must be toggle, done, or a mapping"},
		{"on_tap: {}", "needs one of the keys page, theme"},
		{"on_tap: {page: next, theme: day}", "not 2 of them"},
		{"on_tap: {pages: next}", "unknown key 'pages'"},
		{"on_tap: {page: hme}", "is 'home' meant?"},
		{"on_swipe: {left: {page: attic}}", "no page named 'attic'"},
		{"on_swipe: {north: {page: next}}", "unknown key 'north'"},
		{"on_swipe: {page: next}", "unknown key 'page'"},
		{"on_tap: {page: }", "nothing in 'page'"},
		{"on_tap: {timer: \"\"}", "nothing in 'timer'"},
		{"on_tap: {theme: pink}", "day, night, auto, toggle"},
		{"on_tap: {power: maybe}", "on, off, toggle"},
		{"on_tap: {brightness: 140%}", "brightness"},
		{"on_tap: {notify: Dinner}", "'notify' must be a mapping"},
		{"on_tap: {action: turn_on}", "'action' must be one of Home Assistant's"},
		{"on_tap: {action: light.turn_on, entity: hall}", "must be an entity"},
		{"on_tap: {action: light.turn_on, data: 5}", "'data' must be a mapping"},
		{"on_tap: {page: next, entity: light.hall}", "without 'action'"},
		{"on_tap: {theme: day, list: Shopping}", "has 'list', which is no key of 'theme'"},
		{"on_tap: {timer: " + strings.Repeat("x", 300) + "}", "more than 255 bytes"},
	} {
		for _, kind := range []string{"card", "empty"} {
			if kind == "empty" && strings.Contains(tt.yaml, "entity: light.hall, on_tap") {
				continue // a classic widget has no entity
			}
			s, r := walltest.Parse(t, "widgets: [{widget: pages, children: [{widget: "+kind+", name: home, "+tt.yaml+"}, {widget: text, text: y}]}]")
			e := walltest.TestEnv()
			screen.Build(walltest.Builder(e), s, image.Pt(100, 100))
			got := r.String()
			if !r.Failed() && tt.want == "" {
				continue
			}
			if tt.want == "" || !strings.Contains(got, tt.want) || !strings.Contains(got, "widgets.yaml:1:") || !strings.Contains(got, "children[0]") {
				t.Errorf("%s: %s: got %q, want %q", kind, tt.yaml, got, tt.want)
			}
		}
	}
}

// TestActionsKept checks that the parsed actions are stored with all their arguments.
func TestActionsKept(t *testing.T) {
	s, r := walltest.Parse(t, "widgets: [{widget: text, text: x, on_tap: {action: light.turn_on, entity: light.hall}, on_hold: {brightness: 40%}, on_swipe: {left: {theme: night}}}]")
	b := walltest.Builder(walltest.TestEnv())
	screen.Build(b, s, image.Pt(100, 100))
	c := b.Common(s.Children[0])
	if r.Failed() || c.OnTap.Args.Text("action") != "light.turn_on" || c.OnTap.Args.Text("entity") != "light.hall" || c.OnHold.Args.Float("brightness") != 0.4 ||
		c.OnSwipe.Left.Args.Text("mode") != "night" || c.OnSwipe.Right != nil {
		t.Errorf("got %+v, %+v, %+v: %v", c.OnTap, c.OnHold, c.OnSwipe, r)
	}
}
