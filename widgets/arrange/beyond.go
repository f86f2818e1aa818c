package arrange

import (
	"image"
	"time"

	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/history"
	"dashboard/widgets/kit/piece"
)

// beyond is a line of text that a card shows below a value outside a limit. It shows the limit and, if known, the time since which the
// value is outside.
type beyond struct {
	b      *kit.Builder
	text   *kit.Caption
	bound  *format.Range // threshold whose range contains the value, nil if there is none
	began  time.Time     // time at which the value entered the range of `bound`, zero if unknown
	seen   bool          // true after the first value
	minute time.Time
	buf    []byte
}

// newBeyond creates the line in a box.
func newBeyond(b *kit.Builder, box image.Rectangle) *beyond {
	return &beyond{b: b, text: b.Caption(b.Face("caption"), box, b.EdgeOf("start"))}
}

// update updates the line for the current value. `past` is the history of the value, or nil if there is no history.
func (w *beyond) update(t render.Tick, f *piece.Figure, past *history.Past) {
	now, bound := t.Now(), f.Said.Bound
	if f.Said.Color == nil || f.Stale || !f.Said.IsNum {
		bound = nil
	}
	minute := now.Truncate(time.Minute)
	changed := bound != w.bound
	if changed {
		w.bound, w.began = bound, time.Time{}
		if w.seen {
			w.began = now
		}
	}
	w.seen = w.seen || !f.Said.None
	if bound != nil {
		t.Wake(minute.Add(time.Minute))
	}
	if !changed && minute.Equal(w.minute) {
		return
	}
	w.minute = minute
	if bound != nil && w.began.IsZero() && past != nil {
		w.began = beganIn(past, bound)
	}
	t.Damage(w.text.Ink)
	w.say(now)
	t.Damage(w.text.Ink)
}

// beganIn returns the time at which the values of a history entered the range of a threshold. If all values of the history are in the
// range, this time is unknown and beganIn returns the zero time.
func beganIn(past *history.Past, bound *format.Range) time.Time {
	for i := len(past.Data) - 1; i > 0; i-- {
		if d := past.Data[i-1]; d.Gap() || !holds(bound, d.V) {
			return history.Moment(past.Data[i].At)
		}
	}
	return time.Time{}
}

// holds() reports whether a number is in the range of a threshold.
func holds(r *format.Range, v float64) bool {
	return (r.Above == nil || v >= *r.Above) && (r.Below == nil || v < *r.Below)
}

// say writes the text of the line, such as "above 65 since 9:40". If this text is too long, say leaves out the time. If the text is then
// still too long, the line is empty.
func (w *beyond) say(now time.Time) {
	w.text.Set("")
	if w.bound == nil {
		return
	}
	phrase, limit := locale.Above, w.bound.Above
	if limit == nil {
		phrase, limit = locale.Below, w.bound.Below
	}
	if limit == nil {
		return
	}
	l := w.b.Locale
	number := l.AppendNumber(nil, *limit, locale.Auto, false)
	w.buf = l.AppendPhrase(w.buf[:0], phrase, string(number))
	short := len(w.buf)
	if !w.began.IsZero() {
		w.buf = l.AppendPhrase(append(w.buf, ' '), locale.Since, w.b.Since(w.began, now))
	}
	if w.b.TextWidth(w.text.Face, string(w.buf)) > w.text.Box.Dx() {
		w.buf = w.buf[:short]
	}
	if w.b.TextWidth(w.text.Face, string(w.buf)) <= w.text.Box.Dx() {
		w.text.Set(string(w.buf))
	}
}
