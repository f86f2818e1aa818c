package calendar

import (
	"image"
	"time"

	"dashboard/provider/calendar"
	"dashboard/render"
	"dashboard/widgets/kit"
)

// Limits for the growth of rows into free room, as shares.
const (
	growBelow = 0.55 // rows get larger text if they fill less than this share of the height
	rangeMost = 0.3  // maximum width of the column of times if it includes the ends, as a share of the agenda's width
	headNear  = 3    // a heading moves towards its rows by 1/headNear of the room around a row
	growPitch = 0.5  // maximum room around a row, as a share of the row's height
)

// smallerBelow is the length of the picture's shorter side in px below which titles may be smaller than usual.
const smallerBelow = 640

// grows() prepares the looks for each step of growth, unless the file sets the style or the text size.
func (w *agenda) grows(s *kit.Spec, p *AgendaParams) {
	if p.Style != "" || p.TextSize > 0 {
		return
	}
	for step := range kit.MostSteps + 1 {
		w.looks = append(w.looks, *newAgendaLook(w.b, s, &p.Typed, step))
	}
	for step := 1; step <= leastSteps && w.b.Shorter() < smallerBelow; step++ {
		w.small = append(w.small, *newAgendaLook(w.b, s, &p.Typed, -step))
	}
}

// grow enlarges the text in steps while the rows fill too little of the height and no title would be cut. It distributes the remaining
// room between the rows.
func (w *agenda) grow(t render.Tick) {
	if len(w.looks) == 0 {
		return
	}
	step := 0
	for step < kit.MostSteps {
		if h, n := w.total(&w.looks[step]); n == 0 || float64(h) >= growBelow*float64(w.size.Y) || !w.fits(&w.looks[step+1]) {
			break
		}
		step++
	}
	w.dress(t, &w.looks[step])
	w.look.ranges = false
	if w.params.Headings {
		w.look.ranges = true
		w.look.ranges = w.fits(w.look) && float64(w.look.times) <= rangeMost*float64(w.size.X)
	}
	w.spread()
}

// dress() applies the look `k` to all rows.
func (w *agenda) dress(t render.Tick, k *agendaLook) {
	if k.step == w.look.step {
		return
	}
	*w.look = *k
	for _, r := range w.slots {
		r.time.Face, r.title.Face, r.second.Face, r.tail.Face, r.end.Face = k.time, k.body, k.body, k.note, k.note
		r.rect = r.rect.Sub(r.rect.Min).Inset(r.rect.Dx())
	}
	t.DamageAll()
}

// spread distributes the free height between the rows, if all entries fit.
func (w *agenda) spread() {
	w.look.more, w.start = 0, 0
	if h, n := w.total(w.look); n > 0 && h < w.size.Y && len(w.entries) <= w.limit {
		w.look.more = min((w.size.Y-h)/n, int(growPitch*float64(w.look.height)))
		w.start = (w.size.Y - h - n*w.look.more) / 2
	}
}

// nextDay shows the heading of the day after the shown days, if there is room for it but not for an event of this day. It returns the
// number of events of this day, or 0 if it shows no heading. The heading uses slot n.
func (w *agenda) nextDay(t render.Tick, shown, y, n int) (events int) {
	end := y + w.look.headHeight(false)
	if shown == 0 || shown == w.limit || w.left > 0 || shown == len(w.entries) || n == len(w.slots) || !w.headed(shown) || end > w.size.Y {
		return 0
	}
	ahead := w.entries[shown].ahead
	for _, e := range w.entries[shown:] {
		if e.ahead == ahead {
			events++
		}
	}
	w.slots[n].heading(t, w, ahead, image.Rect(0, y, w.size.X, end))
	return events
}

// fits() reports whether a look has room for all entries with complete titles.
func (w *agenda) fits(k *agendaLook) bool {
	h, n := w.total(k)
	if h > w.size.Y || 2*n+2 > len(w.slots)+2 {
		return false
	}
	was := w.look
	w.look = k
	k.measure(w.entries[:n], w)
	w.look = was
	for _, e := range w.entries[:n] {
		title, after := titleOf(w.b, e.event)
		wide := k.indent + k.times + k.gap + w.b.TextWidth(k.body, title)
		if after != "" {
			wide += w.b.TextWidth(k.note, after) + k.gap
		}
		if e.icon() != "" {
			wide += k.icon * 7 / 5
		}
		if w.owned(k) && iconOfEvent(e.event) == "" {
			wide += k.owners.side + k.gap
		}
		if k.wordless || wide > w.size.X {
			return false
		}
	}
	return true
}

// `urgent` is the time before the start of an event during which the event is urgent.
const urgent = 30 * time.Minute

// urgencyOf returns 1 if an event starts within the next half hour, otherwise 0.
func urgencyOf(e *calendar.Event, now time.Time) float64 {
	if e == nil || e.AllDay || e.Start.Before(now) || e.Start.Sub(now) > urgent {
		return 0
	}
	return 1
}

// Urgency implements kit.Urgent.
func (w *agenda) Urgency(now time.Time) (most float64) {
	for _, e := range w.entries {
		if !e.task {
			most = max(most, urgencyOf(e.event, now))
		}
	}
	return most
}

// Urgency implements kit.Urgent.
func (w *nextEvent) Urgency(now time.Time) float64 { return urgencyOf(w.state.Next, now) }
