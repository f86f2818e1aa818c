package calendar

import (
	"cmp"
	"image"
	"slices"
	"time"

	"dashboard/internal/locale"
	"dashboard/internal/localtime"
	"dashboard/internal/stable"
	"dashboard/provider/calendar"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// AgendaParams are the parameters of the agenda widget.
type AgendaParams struct {
	kit.Framed
	kit.Typed
	kit.Picking
	// Kinds of calendars to show. Default: all kinds except tasks. tasks: open tasks with a due date. Overdue tasks are shown under today.
	// If the provider has write: true, a tap completes a task.
	Kinds []string `yaml:"kinds" enum:"event,birthday,holiday,tasks"`
	// Title of the events to show. * stands for any text.
	Match string `yaml:"match"`
	// Number of days, from today.
	Days int `yaml:"days" default:"7" min:"1" max:"400"`
	// Maximum number of events. Default: as many as fit.
	Limit int `yaml:"limit" min:"1" max:"50"`
	// Shows today's past events.
	Past bool `yaml:"past" default:"false"`
	// Shows the day above its events. If false, each row shows the day.
	Headings bool `yaml:"headings" default:"true"`
	// Shows the time until events that begin within an hour, and marks events in progress.
	Relative bool `yaml:"relative" default:"true"`
	// Shows each event's place.
	Location bool `yaml:"location" default:"false"`
}

// agenda is a list of the events of the next days.
type agenda struct {
	b      *kit.Builder
	size   image.Point
	params *AgendaParams
	events *kit.Events
	look   *agendaLook
	looks  []agendaLook // looks with larger text, the smallest first. Empty if the file sets the style or the text size
	small  []agendaLook // looks with smaller text for titles that would be cut, the largest first. Empty on large walls
	form   agendaForm
	formed []agendaEntry // entries for which choose() last chose the form
	tall   []bool        // for each entry with a row, whether its title may take a second line
	start  int           // height of the free room above the first row, in px
	empty  *piece.Empty
	limit  int

	entries []agendaEntry // entries of the shown days, sorted
	slots   []*agendaRow
	used    int // number of slots in use
	more    piece.Snippet
	left    int // number of events of the last shown day that are hidden because they do not fit
	next    time.Time
	day     time.Time // midnight of today
	buf     []byte
}

// agendaEntry is an event on a day.
type agendaEntry struct {
	event *calendar.Event
	ahead int  // number of days from today
	task  bool // true for a task. Its due time is the event's start
}

// maxAgenda is the maximum number of sorted entries, more than any wall can show.
const maxAgenda = 4096

func buildAgenda(b *kit.Builder, s *kit.Spec, p *AgendaParams, size image.Point) render.Widget {
	w := &agenda{
		b: b, size: size, params: p, events: b.Events(s, &p.Picking, kit.EventChoice{Kinds: p.Kinds, Match: kit.GlobOf(p.Match), Tasks: slices.Contains(p.Kinds, kindTasks)}, true),
		look: newAgendaLook(b, s, &p.Typed, 0), limit: piece.MaxListed,
	}
	w.events.Watched(b)
	if p.Limit > 0 {
		w.limit = p.Limit
	}
	for range 2*min(w.limit, max(1, size.Y/max(1, w.look.height))) + 2 {
		w.slots = append(w.slots, w.look.newRow())
	}
	w.more = piece.NewSnippet(b, w.look.note, b.EdgeOf("start"))
	w.empty = piece.NewEmpty(b, image.Rectangle{Max: size})
	w.grows(s, p)
	return w
}

// Update implements render.Widget.
func (w *agenda) Update(t render.Tick) {
	changed := w.events.Update(t)
	if now := t.Now(); changed || !now.Before(w.next) || now.Before(w.day) {
		now = now.In(zone(w.events))
		w.day = localtime.At(now.Year(), now.Month(), now.Day(), 0, now.Location())
		w.next = localtime.NextDay(now)
		w.collect(now)
		w.fill(t, now)
	}
	t.Wake(w.next)
	w.events.Due(t)
}

// collect lists the events of the shown days and computes the next time at which the list changes.
func (w *agenda) collect(now time.Time) {
	w.entries = w.entries[:0]
	end := w.midnight(w.params.Days)
	for _, e := range w.events.List {
		if !e.Start.Before(end) || len(w.entries) >= maxAgenda {
			break
		}
		w.change(now, e)
		if !kit.During(e, w.day, end) || w.over(e, now) {
			continue
		}
		first := max(0, w.daysTo(e.Start))
		w.entries = append(w.entries, agendaEntry{event: e, ahead: first})
		for d := first + 1; w.params.Headings && d < w.params.Days && len(w.entries) < maxAgenda && e.End.After(w.midnight(d)); d++ {
			w.entries = append(w.entries, agendaEntry{event: e, ahead: d})
		}
	}
	w.collectTasks(now)
	stable.Sort(w.entries, func(a, b agendaEntry) int {
		if n := cmp.Or(cmp.Compare(a.ahead, b.ahead), cmp.Compare(w.order(a), w.order(b))); n != 0 || w.order(a) == 0 {
			return n
		}
		return a.event.Start.Compare(b.event.Start) // tasks and events are sorted together, by their start
	})
}

// collectTasks adds each task to its due day. Overdue tasks are added to today.
func (w *agenda) collectTasks(now time.Time) {
	for _, e := range w.events.Tasks {
		if ahead := max(0, w.daysTo(e.Start)); ahead < w.params.Days && len(w.entries) < maxAgenda {
			w.change(now, e)
			w.entries = append(w.entries, agendaEntry{e, ahead, true})
		}
	}
}

// over() reports whether an event of today has ended and is no longer shown.
func (w *agenda) over(e *calendar.Event, now time.Time) bool {
	return !w.params.Past && !e.AllDay && !e.End.After(now) && (e.End.After(e.Start) || e.Start.Before(now.Add(-time.Minute)))
}

// change() moves w.next to the next time at which the row of e changes, unless w.next is already earlier. A row changes when the event
// starts or ends, when its countdown starts, and each minute of the countdown.
func (w *agenda) change(now time.Time, e *calendar.Event) {
	sooner := func(at time.Time) {
		if at.After(now) && at.Before(w.next) {
			w.next = at
		}
	}
	sooner(e.Start)
	sooner(e.End)
	if w.params.Relative && !e.AllDay {
		sooner(e.Start.Add(-soon))
		if away := e.Start.Sub(now); away > 0 && away <= soon {
			sooner(now.Add(away % time.Minute))
			sooner(now.Add(time.Minute))
		}
	}
}

// `soon` is the time before the start of an event during which its row shows a countdown.
const soon = time.Hour

// order() returns 0 for an entry that takes the whole day or starts before this day. For any other entry, it returns 1. Entries with
// order 0 are listed first.
func (w *agenda) order(e agendaEntry) int {
	if e.event.AllDay || e.event.Start.Before(w.midnight(e.ahead)) {
		return 0
	}
	return 1
}

// midnight() returns the start of a day. `ahead` is the number of days from today.
func (w *agenda) midnight(ahead int) time.Time {
	return localtime.At(w.day.Year(), w.day.Month(), w.day.Day()+ahead, 0, w.day.Location())
}

// daysTo returns the number of days from today to the day of a time.
func (w *agenda) daysTo(at time.Time) int {
	at = at.In(w.day.Location())
	a := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
	b := time.Date(w.day.Year(), w.day.Month(), w.day.Day(), 0, 0, 0, 0, time.UTC)
	return int(a.Sub(b) / (24 * time.Hour))
}

// fill shows the entries that fit and damages the rows that changed.
func (w *agenda) fill(t render.Tick, now time.Time) {
	before := w.used
	if !slices.Equal(w.formed, w.entries) {
		w.choose(t, now)
	}
	shown, y := w.show(t, now)
	n, counted := w.tell(shown, y, w.used)
	hidden := w.left
	if later := w.nextDay(t, shown, y, n); later > 0 {
		n, counted, hidden = n+1, n, later
	}
	for i, r := range w.slots[:n] {
		left := 0
		if i == counted {
			left = hidden
		}
		r.count(t, w, now, left)
	}
	for i := n; i < before; i++ {
		t.Damage(w.slots[i].rect)
	}
	w.used = n
	if w.sayMore(shown, y) || n == 0 {
		t.DamageAll()
	}
}

// show shows the entries that fit in the current form. It returns the number of shown entries, and the y coordinate at which the last row
// ends.
func (w *agenda) show(t render.Tick, now time.Time) (shown, y int) {
	w.look.measure(w.entries[:min(len(w.entries), len(w.slots))], w)
	w.chooseOwners(w.entries[:min(len(w.entries), len(w.slots))])
	n := 0
	y = w.start
	for i, e := range w.entries {
		heading := w.headed(i) && (i > 0 || w.size.Y >= w.look.headHeight(true)+w.look.height)
		high := w.high(w.look, i) + w.look.more
		need := high
		if heading {
			need += w.look.headHeight(i == 0)
		}
		if shown == w.limit || shown > 0 && shown == w.form.most || n+2 > len(w.slots) || y+need > w.size.Y && (shown > 0 || w.size.Y < w.look.body.Size*5/4) {
			break
		}
		if heading {
			top := y + w.look.more/headNear
			y += w.look.headHeight(i == 0)
			w.slots[n].heading(t, w, e.ahead, image.Rect(0, top, w.size.X, y+w.look.more/headNear))
			n++
		}
		w.slots[n].show(t, w, e, now, image.Rect(0, y, w.size.X, min(w.size.Y, y+high)), w.isTall(i))
		y += high
		n, shown = n+1, shown+1
	}
	w.used = n
	return shown, y
}

// headed() reports whether entry i is the first entry of its day. The heading with the day is above this entry.
func (w *agenda) headed(i int) bool {
	return w.params.Headings && (i == 0 || w.entries[i-1].ahead != w.entries[i].ahead)
}

// tell() counts the events of the last shown day that do not fit. The count needs a line below the last row. If there is no room for this
// line, tell() removes the last row, unless this row is the only row of its day. In that case, the count is in a line that is cut at the
// bottom, in the day's heading, or in the row. `heading` is the index of the slot (heading or row) that shows the count, or -1.
func (w *agenda) tell(shown, y, n int) (used, heading int) {
	w.left = 0
	if shown == 0 || shown == w.limit {
		return n, -1
	}
	for _, e := range w.entries[shown:] {
		if e.ahead == w.entries[shown-1].ahead {
			w.left++
		}
	}
	switch room := w.size.Y - y; {
	case w.left == 0 || room >= w.look.note.Line:
		return n, -1
	case n < 2 && room < w.look.note.Size:
		return n, n - 1 // the row itself shows the count
	case n < 2:
		return n, -1
	case w.slots[n-2].isHeading() && room < w.look.note.Size:
		return n, n - 2
	case w.slots[n-2].isHeading(): // there is room for a line that is cut at the bottom
		return n, -1
	}
	w.left++
	return n - 1, -1
}

// sayMore sets the line with the number of events that do not fit, or the text for an empty agenda. It reports whether the line
// changed.
func (w *agenda) sayMore(shown, y int) bool {
	w.buf = w.buf[:0]
	w.more.Face = w.look.note
	if w.used > 0 {
		y = w.slots[w.used-1].rect.Max.Y
	}
	box := image.Rect(w.look.indent, y, w.size.X, min(w.size.Y, y+w.look.note.Line*5/4))
	switch {
	case shown == 0 && len(w.entries) > 0:
	case shown == 0:
		w.more.Face = w.look.body
		box = image.Rect(0, 0, w.size.X, min(w.size.Y, w.look.height))
		w.buf = append(w.buf, w.nothing()...)
	case w.left > 0:
		w.buf = piece.AppendLeft(w.b, w.buf, w.left, w.more.Face, box.Dx())
	}
	if box.Dy() < w.more.Face.Size {
		w.buf = w.buf[:0] // the line does not fit
	}
	if w.b.Locale.RightToLeft && shown > 0 {
		box.Min.X, box.Max.X = 0, w.size.X-w.look.indent
	}
	changed := w.sayEmpty(shown)
	same := box == w.more.Box && string(w.buf) == string(w.more.Raw)
	w.more.Place(box)
	w.more.Set(w.buf)
	if len(w.buf) == 0 {
		w.more.Layout()
	}
	return !same || changed
}

// sayEmpty shows the text for an empty agenda in the middle. If there is room, an icon is above the text and the next event is below the
// text. It reports whether the text changed.
func (w *agenda) sayEmpty(shown int) bool {
	if shown > 0 || len(w.entries) > 0 || w.events.Agenda == nil || !w.empty.Roomy() {
		return w.empty.Say("", "", "")
	}
	w.buf = w.buf[:0]
	return w.empty.Say("mdi:calendar-check-outline", w.nothing(), w.following())
}

// following() returns the day and the title of the first event after the shown days, or "".
func (w *agenda) following() string {
	end := w.midnight(w.params.Days)
	for _, e := range w.events.List {
		if !e.Start.Before(end) {
			title, _ := titleOf(w.b, e)
			day := appendDay(w.b, nil, w.midnight(w.daysTo(e.Start)), w.daysTo(e.Start), false)
			return string(day) + ": " + title
		}
	}
	return ""
}

// nothing() returns the text for an empty agenda.
func (w *agenda) nothing() string {
	switch {
	case w.events.Agenda == nil:
		return "—"
	case w.params.Empty != "":
		return w.params.Empty
	}
	return w.b.Locale.Say(locale.NothingPlanned)
}

// Natural implements kit.Sized.
func (w *agenda) Natural(width int) image.Point {
	k := w.look
	if len(w.looks) > 0 {
		k = &w.looks[0]
	}
	h, _ := w.total(k)
	return image.Pt(width, max(h, k.height))
}

// total() returns the height in px of the entries in a look, and the number of entries. Entries beyond the limit do not count.
func (w *agenda) total(k *agendaLook) (h, n int) {
	n = min(len(w.entries), w.limit)
	for i := range w.entries[:n] {
		if h += w.high(k, i); w.headed(i) {
			h += k.headHeight(i == 0)
		}
	}
	return h, n
}

// Paint implements render.Widget.
func (w *agenda) Paint(c render.Canvas) {
	for _, s := range w.slots[:w.used] {
		s.paint(c, w.events.Stale)
	}
	w.more.Paint(c, w.look.muted)
	w.empty.Paint(c)
}
