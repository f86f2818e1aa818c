package weather

import (
	"image"
	"slices"
)

// Gaps between parts, in px on a screen whose shorter side has 720 px.
const (
	skyGap     = 18
	skyGapMost = 34
)

// lay assigns a rectangle to every part that fits. It first reserves the room for the credit. It adds the spare height to the curve, then
// to the rows of the days, and then to the gaps, each up to a limit. If there is no credit below the parts, the last part is at the
// bottom of the widget.
func (w *forecast) lay(v *view) {
	b := w.b
	w.boxes = [skyParts]image.Rectangle{}
	w.room = w.size.Y - w.credit.choose(v)
	shown, need := w.fitting(v)
	more, foot := b.Px(creditGap-creditLeast), w.now.lines[1].Face.Line+b.Px(8)
	if spare := w.room - need; w.room < w.size.Y && spare >= more && (spare < foot || spare-more >= foot) {
		w.room -= more
		shown, need = w.fitting(v)
	}
	spare := w.room - need
	extra := [skyParts]int{}
	for _, p := range shown {
		if p == partHours {
			extra[p] = min(spare, w.hours.grows())
			spare -= extra[p]
		}
	}
	if rows := w.days.rows(); rows > 1 && slices.Contains(shown, partDays) {
		extra[partDays] = min(spare, rows*b.Px(dayRowMore))
		spare -= extra[partDays]
	}
	gap := b.Px(skyGap)
	if n := len(shown) - 1; n > 0 {
		more := min(spare/n, b.Px(skyGapMost-skyGap))
		gap += more
		spare -= more * n
	}
	y := 0
	if len(shown) == 1 && shown[0] == partCurrent {
		extra[partCurrent] = spare
	}
	for i, p := range shown {
		if i == len(shown)-1 && i > 0 && w.room == w.size.Y {
			y += max(0, spare)
		}
		h := w.high(p, v) + extra[p]
		w.boxes[p] = image.Rect(0, y, w.size.X, min(w.room, y+h))
		y += h + gap
	}
}

// fitting() returns the parts that fit, and the height in px that they need with the gaps between them.
func (w *forecast) fitting(v *view) (shown []skyPart, need int) {
	gap := w.b.Px(skyGap)
	w.days.choose(v, w.room)
	for i, p := range w.parts {
		h := w.high(p, v)
		if h == 0 {
			continue
		}
		if len(shown) > 0 {
			h += gap
		}
		if p == partDays && len(shown) > 0 {
			w.days.choose(v, w.room-need-gap-w.after(i, v))
			h = w.high(p, v) + gap
		}
		if len(shown) > 0 && (h == gap || need+h > w.room) {
			break
		}
		shown, need = append(shown, p), need+h
	}
	return shown, need
}

// after() returns the height in px that the parts after part i need.
func (w *forecast) after(i int, v *view) (need int) {
	for _, p := range w.parts[i+1:] {
		if h := w.high(p, v); h > 0 {
			need += h + w.b.Px(skyGap)
		}
	}
	return need
}

// leastOf returns the minimum height in px at which the first part is useful. The current weather needs its icon and temperature, and the
// days need two lines.
func (w *forecast) leastOf(v *view) int {
	switch w.parts[0] {
	case partCurrent:
		return w.now.side()
	case partDays:
		return w.days.briefHigh()
	}
	return w.high(w.parts[0], v)
}

// high() returns the minimum height of a part in px. It returns 0 if the part has nothing to show.
func (w *forecast) high(p skyPart, v *view) int {
	switch p {
	case partCurrent:
		return min(w.now.high(), w.room)
	case partHours:
		if len(v.hours) > 1 {
			return w.hours.least()
		}
	case partDays:
		return w.days.high()
	case partAlerts:
		return w.alerts.high(v)
	}
	return 0
}

// Natural implements kit.Sized.
func (w *forecast) Natural(width int) image.Point {
	n := 0
	for i, p := range w.parts {
		if i > 0 {
			n += w.b.Px(skyGap)
		}
		switch p {
		case partCurrent:
			n += w.now.high()
		case partHours:
			n += w.hours.least() + w.hours.grows()/2
		case partDays:
			n += w.days.wideHigh()
		}
	}
	return image.Pt(width, n+w.credit.natural())
}
