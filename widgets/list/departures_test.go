package list

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// shownDepartures returns the rows in the form "U4 Zoo 2 min 3 late".
func shownDepartures(d *walltest.Data) []string {
	w := walltest.Only[*kit.Frame](d).Inner.(*departures)
	all := []string{}
	for i := range w.rows[:w.shown] {
		r := &w.rows[i]
		text := fmt.Sprintf("%s %s", r.line.Raw, r.to.Raw)
		for _, part := range [][]byte{r.time.Raw, r.unit.Raw, r.delay.Raw} {
			if len(part) > 0 {
				text += " " + string(part)
			}
		}
		all = append(all, text)
	}
	return all
}

// TestDepartures checks that the next departures are shown in the order of their expected times, and that the minutes are updated.
func TestDepartures(t *testing.T) {
	in := func(minutes int) int { return int(walltest.T0.Add(time.Duration(minutes) * time.Minute).Unix()) }
	list := []any{
		map[string]any{"line": "U4", "destination": "Zoo", "at": in(-1)},
		map[string]any{"line": "M10", "destination": "Airport", "at": in(2), "expected": in(9)},
		map[string]any{"line": 7, "destination": "Harbour", "at": walltest.T0.Add(5 * time.Minute).Format(time.RFC3339), "cancelled": true},
		map[string]any{"line": "U4", "destination": "Zoo", "at": in(8), "expected": in(8)},
		map[string]any{"line": "RE7", "destination": "North", "at": in(90)},
		map[string]any{"destination": "no time"},
	}
	for name, tt := range map[string]struct {
		keys string
		wait time.Duration
		want []string
	}{
		"as expected": {"", 0, []string{"7 Harbour cancelled", "U4 Zoo 8 min", "M10 Airport 9 min 7 late", "RE7 North 2:04\u202fPM"}},
		"later":       {"", 6 * time.Minute, []string{"U4 Zoo 2 min", "M10 Airport 3 min 7 late", "RE7 North 2:04\u202fPM"}},
		"now":         {"", 8 * time.Minute, []string{"U4 Zoo leaves now", "M10 Airport 1 min 7 late", "RE7 North 2:04\u202fPM"}},
		"a walk":      {", walk: 8m", 0, []string{"U4 Zoo 8 min", "M10 Airport 9 min 7 late", "RE7 North 2:04\u202fPM"}},
		"lines":       {", lines: [U4, '7']", 0, []string{"7 Harbour cancelled", "U4 Zoo 8 min"}},
		"clock":       {", times: clock, limit: 1", 0, []string{"7 Harbour cancelled"}},
		"minutes":     {", times: minutes, lines: [RE7]", 0, []string{"RE7 North 1 h 30 min"}},
	} {
		t.Run(name, func(t *testing.T) {
			file := "widgets: [{widget: departures, items: !data .p" + tt.keys + "}]"
			walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(500, 300)}, look.Calm(true), func(d *walltest.Data) {
				d.ByName["p"].Publish(list, walltest.T0)
				d.Step(tt.wait)
				if got := shownDepartures(d); !slices.Equal(got, tt.want) {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			})
		})
	}
}

// TestDepartureWords checks the words for a delay and for a leaving departure in German. A narrow
// row has short forms. The entries have the form in which a server of transport.rest sends them.
func TestDepartureWords(t *testing.T) {
	in := func(minutes int) string {
		return walltest.T0.Add(time.Duration(minutes) * time.Minute).Format(time.RFC3339)
	}
	list := []any{
		map[string]any{"line": map[string]any{"name": "12"}, "direction": "Hafen", "destination": map[string]any{"name": "?"}, "when": in(0), "plannedWhen": in(0)},
		map[string]any{"line": map[string]any{"name": "U4"}, "direction": "Altstadt", "when": in(7), "plannedWhen": in(5)},
		map[string]any{"line": map[string]any{"name": "31"}, "direction": "Flughafen", "when": nil, "plannedWhen": in(8), "cancelled": true},
		map[string]any{"line": map[string]any{"name": "N7"}, "direction": "Bergpark", "when": in(8), "plannedWhen": in(9)},
	}
	for width, want := range map[int][]string{
		500: {"12 Hafen fährt jetzt", "U4 Altstadt 7 Min. 2′ später", "31 Flughafen fällt aus", "N7 Bergpark 8 Min. −1"},
		280: {"12 Hafen 0′", "U4 Altstadt 7′ +2", "31 Flughafen", "N7 Bergpark 8′ −1"},
	} {
		walltest.ModernBubble(t, "widgets: [{widget: departures, items: !data .p.departures, card: false}]", walltest.Scene{Size: image.Pt(width, 300), Locale: "de"}, look.Calm(true), func(d *walltest.Data) {
			d.ByName["p"].Publish(map[string]any{"departures": list}, walltest.T0)
			d.Step(0)
			if got := shownDepartures(d); !slices.Equal(got, want) {
				t.Errorf("width %d: got %q, want %q", width, got, want)
			}
		})
	}
}

// TestColorsOfLines checks the colors of badges. The color of an entry is more important than the color of its line. A line without a color
// has the color of its kind of transport.
func TestColorsOfLines(t *testing.T) {
	for name, tt := range map[string]struct {
		entry map[string]any
		want  string // color of the badge
	}{
		"the entry's color":      {map[string]any{"color": "#112233", "line": map[string]any{"name": "1", "color": map[string]any{"bg": "#445566"}}}, "#112233"},
		"the line's color":       {map[string]any{"line": map[string]any{"name": "1", "product": "bus", "color": map[string]any{"fg": "#ffffff", "bg": "#445566"}}}, "#445566"},
		"the line's color, text": {map[string]any{"line": map[string]any{"name": "1", "color": "#445566"}}, "#445566"},
		"a bus":                  {map[string]any{"line": map[string]any{"name": "1", "product": "bus"}}, "series4"},
		"a subway":               {map[string]any{"line": map[string]any{"name": "1", "product": "subway"}}, "series1"},
		"a ferry":                {map[string]any{"line": map[string]any{"name": "1", "product": "ferry"}}, "line"},
		"no kind":                {map[string]any{"line": map[string]any{"name": "1"}}, "line"},
		"a text as line":         {map[string]any{"line": "1"}, "line"},
	} {
		t.Run(name, func(t *testing.T) {
			tt.entry["destination"], tt.entry["at"] = "Hafen", walltest.T0.Add(5*time.Minute).Format(time.RFC3339)
			file := "widgets: [{widget: departures, items: !data .p.departures, card: false}]"
			walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(500, 300)}, look.Calm(true), func(d *walltest.Data) {
				d.ByName["p"].Publish(map[string]any{"departures": []any{tt.entry}}, walltest.T0)
				d.Step(0)
				w := walltest.Only[*kit.Frame](d).Inner.(*departures)
				want := kit.Input{Plain: tt.want}
				if got := w.rows[0].plateInk; got != want.Color(w.b, color.RGBA{}) {
					t.Errorf("got %v, want %s", got, tt.want)
				}
			})
		})
	}
}

// TestDelaysLeaveFirst checks that a delay is hidden before all destinations of a narrow board move below their badges.
func TestDelaysLeaveFirst(t *testing.T) {
	var list []any
	for i, to := range []string{"Hafen", "Altstadt", "Universität", "Uferstraße"} {
		at := walltest.T0.Add(time.Duration(3*i+2) * time.Minute)
		list = append(list, map[string]any{"line": "12", "destination": to, "at": at.Format(time.RFC3339), "expected": at.Add(time.Duration(i) * time.Minute).Format(time.RFC3339)})
	}
	file := "widgets: [{widget: departures, items: !data .p.departures, card: false, padding: 0, margin: 0}]"
	scene := walltest.Scene{Size: image.Pt(111, 114), Picture: image.Pt(480, 320), Locale: "de"}
	walltest.ModernBubble(t, file, scene, look.Calm(true), func(d *walltest.Data) {
		d.ByName["p"].Publish(map[string]any{"departures": list}, walltest.T0)
		d.Step(0)
		if w := walltest.Only[*kit.Frame](d).Inner.(*departures); w.form.below || w.shown < 4 {
			t.Errorf("destinations below the badges: %v, %d rows", w.form.below, w.shown)
		}
	})
}

// TestDeparturesWithoutRoom checks that the destination keeps its room in a narrow card, and that an alert is shown inside the card.
func TestDeparturesWithoutRoom(t *testing.T) {
	file := "widgets: [{widget: departures, items: !data .p, alert: Lift out of order, card: false, padding: 0, margin: 0}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(160, 120)}, look.Calm(true), func(d *walltest.Data) {
		d.ByName["p"].Publish(walltest.Departures(9), walltest.T0)
		d.Step(0)
		w := walltest.Only[*kit.Frame](d).Inner.(*departures)
		if string(w.notice.Raw) != "Lift out of order" || w.notice.Box.Max.Y > 120 || w.shown == 0 {
			t.Errorf("%d rows, the alert %q at %v", w.shown, w.notice.Raw, w.notice.Box)
		}
		for i := range w.rows[:w.shown] {
			r := &w.rows[i]
			if r.to.Box.Dx() < 2*w.look.body.Size || r.time.Box.Dx() < r.time.Want() || r.to.Box.Overlaps(r.time.Box) || r.plate.Overlaps(r.to.Box) {
				t.Errorf("row %d: line %v, destination %v, time %v", i, r.plate, r.to.Box, r.time.Box)
			}
		}
	})
}

// TestDestinationsBelowTheBadges checks that narrow cards show the destinations on a second line.
// There is no second line in a card that is high enough for a single line only, or in a wide card.
func TestDestinationsBelowTheBadges(t *testing.T) {
	for size, want := range map[image.Point]struct {
		tall bool
		rows int
	}{
		{100, 240}: {true, 4}, {100, 60}: {true, 1}, {100, 30}: {false, 1}, {300, 240}: {false, 6},
	} {
		file := "widgets: [{widget: departures, items: !data .p, card: false, padding: 0, margin: 0}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: size}, look.Calm(true), func(d *walltest.Data) {
			d.ByName["p"].Publish(walltest.Departures(9), walltest.T0)
			d.Step(0)
			w := walltest.Only[*kit.Frame](d).Inner.(*departures)
			if w.form.below != want.tall || w.shown != want.rows {
				t.Errorf("%v: second lines: %v, %d rows", size, w.form, w.shown)
			}
			for i := range w.rows[:w.shown] {
				r := &w.rows[i]
				if !want.tall && size.X < 200 {
					continue // no room for a destination
				}
				to := r.to.Ink.Union(r.broken[0].Ink).Union(r.broken[1].Ink)
				if to.Empty() || to.Overlaps(r.time.Ink) || to.Overlaps(r.plate) || !to.In(image.Rectangle{Max: size}) {
					t.Errorf("%v, row %d: line %v, destination %v, time %v", size, i, r.plate, to, r.time.Ink)
				}
			}
		})
	}
}

// TestDeparturesAllocateNothing checks that frames allocate no memory, also when a new minute starts.
func TestDeparturesAllocateNothing(t *testing.T) {
	file := "widgets: [{widget: departures, items: !data .p}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(500, 300)}, look.Calm(true), func(d *walltest.Data) {
		d.ByName["p"].Publish(walltest.Departures(30), walltest.T0)
		d.Step(0)
		at := walltest.T0
		for range 120 { // until every text has been shaped
			at = at.Add(time.Minute)
			d.R.Step(at)
		}
		at = walltest.T0
		if n := testing.AllocsPerRun(100, func() { at = at.Add(time.Minute); d.R.Step(at) }); n > 0 && !walltest.RaceEnabled {
			t.Errorf("%v allocations in a minute", n)
		}
	})
}

// TestStateWordKeepsDestination checks the word of a canceled departure. If the word would cut a destination, only the icon is shown. If
// the destination has no room even without the word, the word is shown.
func TestStateWordKeepsDestination(t *testing.T) {
	for to, want := range map[string]string{"Harbour": "cancelled", "Central Station": "", "The village behind the hills": "cancelled"} {
		row := map[string]any{"line": "31", "destination": to, "at": int(walltest.T0.Add(5 * time.Minute).Unix()), "cancelled": true}
		file := "widgets: [{widget: departures, items: !data .p, padding: 0, margin: 0, card: false}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(290, 40)}, look.Calm(true), func(d *walltest.Data) {
			d.ByName["p"].Publish([]any{row}, walltest.T0)
			d.Step(0)
			r := &walltest.Only[*kit.Frame](d).Inner.(*departures).rows[0]
			if string(r.unit.Raw) != want || r.mark.Name == "" || want == "" && r.to.Want() > r.to.Box.Dx() {
				t.Errorf("%s: got the word %q and the icon %q, destination at %v", to, r.unit.Raw, r.mark.Name, r.to.Box)
			}
		})
	}
}

// TestDepartureStates checks that a departure in the current minute is faded and has no number. A canceled departure has an icon and a
// word. The rows share the free height.
func TestDepartureStates(t *testing.T) {
	in := func(minutes int) int { return int(walltest.T0.Add(time.Duration(minutes) * time.Minute).Unix()) }
	rows := []any{
		map[string]any{"line": "12", "destination": "Harbour", "at": in(0)},
		map[string]any{"line": "31", "destination": "Airport", "at": in(5), "cancelled": true},
		map[string]any{"line": "U4", "destination": "Zoo", "at": in(8)},
	}
	walltest.ModernBubble(t, "widgets: [{widget: departures, items: !data .p, padding: 0, margin: 0, card: false}]", walltest.Scene{Size: image.Pt(500, 180)}, look.Calm(true), func(d *walltest.Data) {
		d.ByName["p"].Publish(rows, walltest.T0)
		d.Step(0)
		w := walltest.Only[*kit.Frame](d).Inner.(*departures)
		now, off, soon := &w.rows[0], &w.rows[1], &w.rows[2]
		if !now.leaves || len(now.time.Raw) > 0 || string(now.unit.Raw) != "leaves now" {
			t.Errorf("a departure of this minute shows %q %q", now.time.Raw, now.unit.Raw)
		}
		if off.mark.Name == "" || off.mark.Box.Overlaps(off.unit.Ink) || string(off.unit.Raw) != "cancelled" {
			t.Errorf("a cancelled departure shows the icon %q at %v and %q at %v", off.mark.Name, off.mark.Box, off.unit.Raw, off.unit.Ink)
		}
		if soon.mark.Name != "" || soon.leaves || string(soon.time.Raw) != "8" || string(soon.unit.Raw) != "min" {
			t.Errorf("another departure shows the icon %q, %q %q", soon.mark.Name, soon.time.Raw, soon.unit.Raw)
		}
		if w.pitch <= w.look.height || 3*w.pitch > 180 {
			t.Errorf("rows of %d px are %d px apart in 180 px", w.look.height, w.pitch)
		}
	})
}

// TestDepartureWalk checks that the title line shows the time to walk to the stop, unless the file sets a note or no walk.
func TestDepartureWalk(t *testing.T) {
	for name, c := range map[string]struct {
		keys, want string
	}{
		"a walk": {"walk: 4m, title: Zoo", "4 min"}, "rounded up": {"walk: 90s, title: Zoo", "2 min"},
		"a note": {"walk: 4m, title: Zoo, note: five", ""}, "no walk": {"title: Zoo", ""}, "no title line": {"walk: 4m", ""},
	} {
		file := "widgets: [{widget: departures, items: !data .p, " + c.keys + "}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(500, 300)}, look.Calm(true), func(d *walltest.Data) {
			d.ByName["p"].Publish([]any{map[string]any{"line": "U4", "destination": "Zoo", "at": int(walltest.T0.Unix()) + 600}}, walltest.T0)
			d.Step(0)
			f := walltest.Only[*kit.Frame](d)
			if got := f.Inner.(kit.Stated).State().Word; got != c.want {
				t.Errorf("%s: got %q, want %q", name, got, c.want)
			}
			if f.Head != nil && f.Head.State != f.Inner.(kit.Stated).State() {
				t.Errorf("%s: the title line has the state %v", name, f.Head.State)
			}
		})
	}
}
