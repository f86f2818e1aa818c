package clock

import (
	"image"
	"image/color"
	"time"

	"dashboard/config"
	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// Zones are names of places and their time zones, in the order of the file.
type Zones []Zone

// Zone is a named place with its time zone.
type Zone struct {
	Name string
	Loc  *time.Location
}

// TypeName returns the name of this type for the reference.
func (*Zones) TypeName() string { return "mapping of name to zone" }

// JSONSchema implements config.Describer.
func (*Zones) JSONSchema() map[string]any {
	return map[string]any{"type": "object", "additionalProperties": map[string]any{"type": "string"}}
}

// maxZones is the maximum number of places of a world clock.
const maxZones = 24

// SetNode implements config.NodeSetter.
func (z *Zones) SetNode(n *config.Node, c *config.Context) error {
	if n.Kind() != config.Map {
		c.Errorf(n, "must be a mapping of names to time zones, not %s", n.Shown())
		return nil
	}
	if n.Len() > maxZones {
		c.Errorf(n, "has %d places; a world clock has at most %d", n.Len(), maxZones)
		return nil
	}
	for _, name := range n.Keys() {
		at := n.Get(name)
		loc, err := time.LoadLocation(at.Text())
		if err != nil || at.Text() == "" || at.Text() == "Local" {
			c.Errorf(at, "there is no time zone '%s'; a zone is written like Europe/London", at.Text())
			continue
		}
		*z = append(*z, Zone{name, loc})
	}
	return nil
}

// world shows places and their times in rows. If there is too little height for rows and enough width, it shows columns.
type world struct {
	b     *kit.Builder
	loc   *time.Location
	rows  []worldRow
	rules []image.Rectangle
	wide  bool
	more  *kit.Caption // number of places that do not fit, nil if all places fit
	buf   []byte
	time  string    // pattern of the time
	shown time.Time // minute for which the times are shown

	ink, muted, line color.RGBA
}

// worldRow is one place.
type worldRow struct {
	zone             Zone
	name, time, away *kit.Caption
}

// Sizes of world clocks, in px on a screen whose shorter side has 720 px.
const (
	worldRowHigh  = 44
	worldRowMost  = 72
	worldColWidth = 96
	worldApart    = 24
	worldLeast    = 13 // minimum size of the digits in a column, in tenths of the text size of the line below the digits
	worldName     = 84 // minimum width of a name next to its time
)

func newWorld(b *kit.Builder, s *kit.Spec, p *ClockParams, size image.Point, loc *time.Location) render.Widget {
	if len(p.Zones) == 0 {
		s.Errorf("zones", "a world clock needs zones, as {New York: America/New_York}")
		return nil
	}
	w := &world{
		b: b, loc: loc, ink: inputColor(b, s, p), muted: b.Role("muted"), line: b.Role("line"),
		time: pattern(p.Time, b.Locale.Pattern(locale.Time)),
	}
	for _, z := range p.Zones {
		w.rows = append(w.rows, worldRow{zone: z})
	}
	w.wide = size.Y < len(w.rows)*b.Px(worldRowHigh) && size.X >= len(w.rows)*b.Px(worldColWidth)
	if w.wide {
		w.columns(size)
	} else {
		w.stack(size)
	}
	return w
}

// stack() places the rows one below the other. It omits rows that do not fit.
func (w *world) stack(size image.Point) {
	b := w.b
	high := min(max(size.Y/len(w.rows), b.Px(worldRowHigh)), b.Px(worldRowMost))
	st := b.Look.Styles["body"]
	st.Weight = 500
	name, clock, away := b.FaceOf("body", st), b.Prose("title"), b.Face("caption")
	digits := b.TextWidth(clock, string(b.Locale.AppendPattern(nil, piece.LongDay, w.time)))
	// If there is no room for the time next to the name, the time is below the name.
	narrow := size.X-digits < max(b.Px(worldName), b.TextWidth(kit.Face{Font: name.Font, Size: max(b.Least(), name.Size*3/4)}, w.rows[0].zone.Name)+b.Px(12))
	if narrow {
		away, clock = w.squeezed(size.Y, away, clock)
		high = max(high, away.Line+clock.Line+b.Px(8))
	}
	all, n := len(w.rows), min(len(w.rows), max(1, size.Y/high))
	if all*high > size.Y && w.pack(size, n) {
		return
	}
	w.rows = w.rows[:n]
	defer w.count(all-n, away)
	for i := range w.rows {
		row := image.Rect(0, i*high, size.X, (i+1)*high)
		r := &w.rows[i]
		right := row
		right.Min.X = max(0, size.X-digits-2)
		if narrow && size.Y >= away.Line+clock.Line {
			top := row.Min.Y + (high-away.Line-clock.Line)/2
			w.rows[i].name = b.Caption(away, image.Rect(0, top, size.X, top+away.Line), kit.EdgeStart)
			w.rows[i].time = b.Caption(clock, image.Rect(0, top+away.Line, size.X, top+away.Line+clock.Line), kit.EdgeStart)
			w.rows[i].name.Set(r.zone.Name)
			continue
		}
		left := row
		left.Max.X = max(1, right.Min.X-b.Px(12))
		r.name, r.time = b.Caption(name, left, kit.EdgeStart), b.Caption(clock, right, kit.EdgeEnd)
		if extra := b.Px(110); left.Dx() > 2*extra {
			middle := left
			middle.Min.X = left.Max.X - extra
			r.name.Box.Max.X = middle.Min.X
			r.away = b.Caption(away, middle, kit.EdgeEnd)
		}
		r.name.Set(r.zone.Name)
		if i > 0 {
			w.rules = append(w.rules, image.Rect(0, row.Min.Y, size.X, row.Min.Y+piece.Hairline(b)))
		}
	}
}

// squeezed() returns the faces of a name and of the time below it. If the usual faces do not fit into the height `high` in px, it returns
// smaller faces.
func (w *world) squeezed(high int, name, clock kit.Face) (kit.Face, kit.Face) {
	b := w.b
	if high >= name.Line+clock.Line {
		return name, clock
	}
	px := min(name.Size, max(b.Least(), high*5/12))
	name, clock = b.FaceAt(b.Look.Styles["caption"], px), b.FaceAt(b.Look.Styles["title"], px)
	name.Line, clock.Line = px*6/5, px*6/5
	return name, clock
}

// columns() places the places side by side.
func (w *world) columns(size image.Point) {
	b := w.b
	caption, clock, each := b.Face("caption"), b.Prose("headline"), size.X/len(w.rows)
	widest := widestTime(b, clock, w.time)
	clock.Size = b.Text.FitWidth(clock.Font, widest, min(clock.Size, max(b.Least(), size.Y-2*caption.Line)), each-b.Px(worldApart))
	if less := (size.Y - 2*caption.Line) * 5 / 6; less >= caption.Size*worldLeast/10 {
		clock.Size = min(clock.Size, less) // smaller digits leave room for the time difference
	}
	clock.Line = clock.Size * 6 / 5
	used := caption.Line + clock.Line
	third := size.Y >= used+caption.Line
	if third {
		used += caption.Line
	}
	top := max(0, (size.Y-used)/2)
	if n := len(w.rows); n > 1 {
		each = max(each, (size.X-w.lastWide(caption, clock, widest, third))/(n-1))
	}
	for i := range w.rows {
		r, x := &w.rows[i], i*each
		box := func(y, h int) image.Rectangle { return image.Rect(x, y, min(size.X, x+each-b.Px(worldApart)+2), y+h) }
		r.name = b.Caption(caption, box(top, caption.Line), kit.EdgeStart)
		r.time = b.Caption(clock, box(top+caption.Line, clock.Line), kit.EdgeStart)
		if third {
			r.away = b.Caption(caption, box(top+caption.Line+clock.Line, caption.Line), kit.EdgeStart)
		}
		r.name.Set(r.zone.Name)
	}
}

// lastWide returns the greatest width of the last place's texts in px. The last column is only as wide as these texts, so that it ends at
// the edge of the widget. `widest` is the widest time, and `third` is true if the column shows the time difference.
func (w *world) lastWide(caption, clock kit.Face, widest string, third bool) int {
	b, last := w.b, &w.rows[len(w.rows)-1]
	wide := max(b.TextWidth(clock, widest), b.TextWidth(caption, last.zone.Name))
	if !third {
		return wide
	}
	here := time.Date(2025, 1, 1, 12, 0, 0, 0, w.loc)
	there := here.In(last.zone.Loc)
	w.buf = w.buf[:0]
	if there.Day() == here.Day() { // at another time of day, the difference can follow a weekday
		w.buf = append(append(w.buf, b.Locale.Day(time.Wednesday, true)...), ' ')
	}
	w.buf = w.appendAway(w.buf, here, there)
	return max(wide, b.TextWidth(caption, string(w.buf)))
}

// Natural implements kit.Sized.
func (w *world) Natural(width int) image.Point {
	return image.Pt(width, len(w.rows)*w.b.Px(worldRowHigh))
}

// Update implements render.Widget.
func (w *world) Update(t render.Tick) {
	t.Wake(t.Now().Truncate(time.Minute).Add(time.Minute))
	minute := t.Now().Truncate(time.Minute)
	if minute.Equal(w.shown) {
		return
	}
	w.shown = minute
	here := t.Now().In(w.loc)
	for i := range w.rows {
		r := &w.rows[i]
		there := here.In(r.zone.Loc)
		w.buf = w.b.Locale.AppendPattern(w.buf[:0], there, w.time)
		write(t, r.time, w.buf)
		if r.away != nil {
			w.buf = w.appendAway(w.buf[:0], here, there)
			write(t, r.away, w.buf)
		}
	}
}

// appendAway appends the time difference to another zone. If this zone has another date than the wall, appendAway first appends the name
// of the zone's day.
func (w *world) appendAway(dst []byte, here, there time.Time) []byte {
	_, a := here.Zone()
	_, b := there.Zone()
	hours := float64(b-a) / 3600
	if there.Day() != here.Day() {
		dst = append(append(dst, w.b.Locale.Day(there.Weekday(), true)...), ' ')
	}
	dst = w.b.Locale.AppendNumber(dst, hours, locale.Auto, hours != 0)
	return append(dst, piece.ThinSpace+"h"...)
}

// Paint implements render.Widget.
func (w *world) Paint(c render.Canvas) {
	for _, r := range w.rules {
		c.Fill(r, w.line)
	}
	for i := range w.rows {
		r := &w.rows[i]
		name := w.ink
		if w.wide {
			name = w.muted
		}
		r.name.Paint(c, name)
		r.time.Paint(c, w.ink)
		if r.away != nil {
			r.away.Paint(c, w.muted)
		}
	}
	if w.more != nil {
		w.more.Paint(c, w.muted)
	}
}
