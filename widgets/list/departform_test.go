package list

import (
	"image"
	"testing"

	"dashboard/theme/look"
	"dashboard/widgets/arrange"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// whole() returns the number of destinations that are completely visible. It reports destinations that extend beyond the board or overlap
// other parts of their row.
func (w *departures) whole(t *testing.T) (n int) {
	for i := range w.rows[:w.shown] {
		r := &w.rows[i]
		ink, want := r.to.Ink, r.to.Want()
		if r.at > 0 {
			first, second := &r.broken[0], &r.broken[1]
			if ink = first.Ink.Union(second.Ink); first.Ink.Overlaps(second.Ink) || string(first.Raw)+" "+string(second.Raw) != string(r.to.Raw) {
				t.Errorf("row %d: lines %q and %q at %v and %v", i, first.Raw, second.Raw, first.Ink, second.Ink)
			}
			want = max(first.Want(), second.Want())
		}
		if ink.Overlaps(r.plate) || ink.Overlaps(r.time.Ink) || !ink.In(r.rect) || !r.rect.In(image.Rectangle{Max: w.size}) {
			t.Errorf("row %d: destination at %v, line %v, time %v, row %v", i, ink, r.plate, r.time.Ink, r.rect)
		}
		if want <= r.to.Box.Dx() {
			n++
		}
	}
	return n
}

// TestDestinationsTakeFreeRoom checks destinations that would be cut. They take more lines if the rows leave free height. If the rows
// fill the board, the text becomes smaller before it is cut, unless the file sets its style. On narrow boards, the last rows are dropped
// if this more than halves the hidden width of the destinations.
func TestDestinationsTakeFreeRoom(t *testing.T) {
	for _, tt := range []struct {
		size             image.Point
		departures, rows int
		whole            int
		form             boardForm
		style            string
	}{
		{image.Pt(400, 240), 3, 3, 3, boardForm{lines: 2}, ""},
		{image.Pt(400, 120), 3, 3, 3, boardForm{lines: 2, style: 2}, ""},
		{image.Pt(400, 120), 3, 3, 2, boardForm{lines: 1}, ", style: body"},
		{image.Pt(300, 300), 3, 3, 3, boardForm{below: true, lines: 2}, ""},
		{image.Pt(240, 300), 9, 7, 6, boardForm{lines: 2, style: 2}, ""},
		{image.Pt(240, 300), 9, 7, 2, boardForm{lines: 1}, ", style: body"},
		{image.Pt(90, 84), 1, 1, 1, boardForm{below: true, lines: 2, style: 1}, ""},
	} {
		file := "widgets: [{widget: departures, items: !data .p, card: false, padding: 0, margin: 0" + tt.style + "}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: tt.size}, look.Calm(true), func(d *walltest.Data) {
			d.ByName["p"].Publish(walltest.Departures(tt.departures), walltest.T0)
			d.Step(0)
			w := walltest.Only[*kit.Frame](d).Inner.(*departures)
			if whole := w.whole(t); w.shown != tt.rows || whole != tt.whole || w.form != tt.form {
				t.Errorf("%v%s: %d complete destinations in %d rows of the form %+v", tt.size, tt.style, whole, w.shown, w.form)
			}
		})
	}
}

// TestBoardGrowsWithItsContent checks a board with the size of its content. The board becomes
// higher when departures arrive, and when their destinations need a second line.
func TestBoardGrowsWithItsContent(t *testing.T) {
	file := "widgets: [{widget: column, children: [{widget: departures, items: !data .p, size: fit, card: false, padding: 0}, {widget: space}]}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(180, 500)}, look.Calm(true), func(d *walltest.Data) {
		board := func() *departures {
			column := walltest.Only[*kit.Frame](d).Inner.(*arrange.Line)
			return column.Children[0].Widget.(*kit.Guard).Inner.(*kit.Frame).Inner.(*departures)
		}
		settle := func() *departures {
			for n := 0; ; n++ {
				before := board().Natural(0)
				_, next := d.Step(0)
				if board().Natural(0) != before && next.After(walltest.T0) {
					t.Errorf("the next pass is at %v, although the height of the content changed", next)
				}
				if w := board(); w.size.Y == max(w.look.height, w.Natural(w.size.X).Y) {
					return w
				} else if n == 10 {
					t.Fatalf("%d px after ten passes, content of %v", w.size.Y, w.Natural(w.size.X))
				}
			}
		}
		before := settle().size.Y
		all := walltest.Departures(3)
		d.ByName["p"].Publish([]any{all[1]}, walltest.T0)
		one := settle().size.Y
		d.ByName["p"].Publish(all, walltest.T0)
		w := settle()
		if whole := w.whole(t); w.shown != 3 || whole != 3 || one < before || w.size.Y <= 3*one {
			t.Errorf("%d rows with %d complete destinations in %d px, one row has %d px, no row %d px", w.shown, whole, w.size.Y, one, before)
		}
	})
}

// TestBadgesGiveWayToDestinations checks narrow boards. Before destinations are cut, badges become as narrow as their texts.
func TestBadgesGiveWayToDestinations(t *testing.T) {
	file := "widgets: [{widget: departures, items: !data .p, card: false, padding: 0, margin: 0}]"
	for _, tc := range []struct {
		wide   int
		narrow bool
	}{{180, false}, {122, true}} {
		walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(tc.wide, 120), Picture: image.Pt(480, 320)}, look.Calm(true), func(d *walltest.Data) {
			all := walltest.Departures(4)
			for i, to := range []string{"Hafen", "Altstadt", "Universität", "Flughafen"} {
				row := all[i].(map[string]any)
				row["destination"], row["line"], row["expected"] = to, []string{"12", "U4"}[i%2], row["at"]
				row["cancelled"] = false
			}
			d.ByName["p"].Publish(all, walltest.T0)
			d.Step(0)
			w := walltest.Only[*kit.Frame](d).Inner.(*departures)
			if whole := w.whole(t); whole != 4 || w.shown != 4 || (w.badge < w.look.badgeWidth) != tc.narrow {
				t.Errorf("%d px: %d complete destinations in %d rows, the badges have %d px of %d", tc.wide, whole, w.shown, w.badge, w.look.badgeWidth)
			}
		})
	}
}

// TestTwoSmallDepartures checks a narrow board. The board shows two departures with small destinations, if this cuts no destination.
// Otherwise, it shows one large departure.
func TestTwoSmallDepartures(t *testing.T) {
	for second, want := range map[string]int{"Altstadt": 2, "Altstadt, Bahnhof": 1} {
		file := "widgets: [{widget: departures, items: !data .p, " + walltest.BareCard + "limit: 9}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(66, 80), Picture: image.Pt(320, 240)}, look.Calm(true), func(d *walltest.Data) {
			at := walltest.T0.Unix() + 60
			d.ByName["p"].Publish([]any{
				map[string]any{"line": "12", "destination": "Hafen", "at": at},
				map[string]any{"line": "U4", "destination": second, "at": at + 180},
			}, walltest.T0)
			d.Step(0)
			w := walltest.Only[*kit.Frame](d).Inner.(*departures)
			if whole := w.whole(t); w.shown != want || whole != want {
				t.Errorf("%s: %d complete destinations in %d rows, want %d", second, whole, w.shown, want)
			}
		})
	}
}
