package draft

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"dashboard/server"
)

const narrowWall = `theme: calm
widgets:
  - widget: layout
    areas: ["month month", "clock free"]
    rows: [1, 40px]
    children:
      - {widget: month, area: month}
      - {widget: clock, area: clock}
      - {widget: space, area: free}
`

// places() returns the text of each offered place. If a place is refused, its text contains the reason.
func (b *bench) places(id, query string) string {
	b.t.Helper()
	q, err := url.ParseQuery(query)
	if err != nil {
		b.t.Fatal(err)
	}
	a, err := b.Edit(b.t.Context(), server.EditCall{Verb: "places", ID: id, Query: q})
	if err != nil {
		b.t.Fatal(err)
	}
	var all []string
	for _, p := range a.Fields["places"].([]Place) {
		all = append(all, strings.TrimSuffix(p.Words+": "+p.WhyNot, ": "))
	}
	return strings.Join(all, "\n")
}

// A place that is too small is refused, and the reason contains the sizes. This applies to a moved widget, to the widget with which it
// would change places, and to a new widget. A place that is large enough is offered.
func TestPlacesWithoutRoom(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"widgets.yaml": narrowWall, "conf.yaml": testConf})
	id, state := b.open()
	all := nodes(state)
	const refused = "needs 128 px of height, 40 are there. Make the row taller first."
	for query, want := range map[string]string{
		"move=" + all["month"].ID: "Change places with clock: month " + refused + "\nThe free area free: month " + refused,
		"move=" + all["clock"].ID: "Change places with month: month " + refused + "\nThe free area free",
		"add=month":               "A new row below all\nThe free area free: Month " + refused,
		"add=text":                "A new row below all\nThe free area free",
	} {
		if got := b.places(id, query); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", query, got, want)
		}
	}
}

// The room that a widget needs depends on the widgets inside of it.
func TestRoomFor(t *testing.T) {
	leaf := func(kind string) *Node { return &Node{Widget: kind} }
	for _, tt := range []struct {
		n    *Node
		w, h int
	}{
		{leaf("clock"), 32, 16},
		{leaf("agenda"), 128, 48},
		{&Node{Widget: "column", Children: []*Node{leaf("clock"), leaf("agenda")}}, 128, 64},
		{&Node{Widget: "row", Children: []*Node{leaf("clock"), leaf("agenda")}}, 160, 48},
		{&Node{Widget: "stack", Children: []*Node{leaf("clock"), leaf("agenda")}}, 128, 48},
	} {
		if w, h := roomFor(tt.n); w != tt.w || h != tt.h {
			t.Errorf("%s: got %d × %d, want %d × %d", tt.n.Widget, w, h, tt.w, tt.h)
		}
	}
	if why := refusal(leaf("month"), nil); why != "" {
		t.Errorf("an unknown place is refused: %s", why)
	}
}

// On an empty wall, the whole area is a place.
func TestPlacesOfAnEmptyWall(t *testing.T) {
	b := newBench(t, map[string]string{"widgets.yaml": "widgets: []\n"})
	id, _ := b.open()
	a, err := b.Edit(t.Context(), server.EditCall{Verb: "places", ID: id, Query: url.Values{"add": {"clock"}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := a.Fields["places"].([]Place); len(got) != 1 || !slices.Equal(got[0].Rect, []int{0, 0, 800, 480}) {
		t.Errorf("got %+v, want all of 800 x 480", got)
	}
}

// A wall in an empty folder has no widgets. This is not an error.
func TestEmptyFolder(t *testing.T) {
	b := newBench(t, map[string]string{"conf.yaml": testConf})
	if _, state := b.open(); state["tree"] != (*Node)(nil) || len(state["problems"].([]Problem)) > 0 {
		t.Errorf("got %v and %v", state["tree"], state["problems"])
	}
}
