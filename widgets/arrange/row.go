package arrange

import (
	"image"
	"image/color"

	"dashboard/config/value"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/geometry"
)

// RowParams are the parameters of the row and column widgets.
type RowParams struct {
	kit.Framed
	// Gap between the children.
	Gap *value.Length `yaml:"gap"`
	// Line between the children.
	Divider bool `yaml:"divider" default:"false"`
	// Alignment of the children across the row or column.
	Across string `yaml:"align" default:"stretch" enum:"start,center,end,stretch"`
	// Alignment of the children along the row or column, if they do not fill it.
	Justify string `yaml:"justify" default:"start" enum:"start,center,end,between"`
}

var justifies = map[string]geometry.Justify{"start": geometry.Start, "center": geometry.Center, "end": geometry.End, "between": geometry.Between}

// Line is a row or a column. It arranges its children along one axis.
type Line struct {
	b        *kit.Builder
	size     image.Point
	upright  bool // true for a column
	gap      int
	divider  bool
	across   string
	justify  geometry.Justify
	Children []*kit.Child
	rules    []image.Rectangle
	rule     color.RGBA
	fits     []image.Point // natural sizes of the children at the last arrangement
}

func buildRow(b *kit.Builder, s *kit.Spec, p *RowParams, size image.Point) render.Widget {
	return newLine(b, s, p, size, false)
}

func buildColumn(b *kit.Builder, s *kit.Spec, p *RowParams, size image.Point) render.Widget {
	return newLine(b, s, p, size, true)
}

func newLine(b *kit.Builder, s *kit.Spec, p *RowParams, size image.Point, upright bool) *Line {
	w := &Line{
		b: b, size: size, upright: upright, gap: b.Chosen(p.Gap, b.Look.Sizes.Gap), divider: p.Divider,
		across: p.Across, justify: justifies[p.Justify], rule: b.Role("line"),
	}
	w.Children = b.Kids(s, size)
	w.arrange()
	return w
}

// along() returns the coordinate of a point along the axis. over() returns the coordinate across the axis.
func (w *Line) along(p image.Point) int {
	if w.upright {
		return p.Y
	}
	return p.X
}

func (w *Line) over(p image.Point) int {
	if w.upright {
		return p.X
	}
	return p.Y
}

// point() returns the point with the given coordinates along and across the axis.
func (w *Line) point(along, over int) image.Point {
	if w.upright {
		return image.Pt(over, along)
	}
	return image.Pt(along, over)
}

// track() returns the configured length of a child.
func (w *Line) track(k *kit.Child) geometry.Track {
	size := k.Common.Size
	switch {
	case size == nil && k.Common.Grow != nil:
		return geometry.Track{Share: *k.Common.Grow}
	case size == nil:
		return geometry.Track{Share: 1}
	}
	return Track(w.b, size.Width)
}

// Track converts a size from the file to a track. Lengths are in px.
func Track(b *kit.Builder, v value.Size) geometry.Track {
	if v.Fit {
		return geometry.Track{Fit: true}
	}
	if v.Share > 0 {
		return geometry.Track{Percent: v.Share * 100}
	}
	return geometry.Track{Length: kit.Whole(v.Length * b.Scale)}
}

// arrange computes the rectangles of the children that are shown.
func (w *Line) arrange() {
	var shown []*kit.Child
	var tracks []geometry.Track
	for _, k := range w.Children {
		k.Rect = image.Rectangle{}
		if k.Shown {
			shown, tracks = append(shown, k), append(tracks, w.track(k))
		}
	}
	spans := geometry.Divide(w.along(w.size), w.gap, tracks, func(i int) int { return w.along(shown[i].Natural(w.room())) })
	geometry.Move(spans, w.along(w.size), w.justify)
	w.rules = w.rules[:0]
	for i, k := range shown {
		w.b.Move(k, w.mirrored(w.cell(k, spans[i])))
		if w.divider && i > 0 {
			w.rules = append(w.rules, w.mirrored(w.between(spans[i-1], spans[i])))
		}
	}
	w.fits = w.naturals(w.fits[:0])
}

// room() returns the maximum width of a child's content, in px.
func (w *Line) room() int { return w.size.X }

// cell() returns the rectangle of a child whose position along the axis is s.
func (w *Line) cell(k *kit.Child, s geometry.Span) image.Rectangle {
	from, to := 0, w.over(w.size)
	if w.across != "stretch" {
		n := min(to, w.over(k.Natural(w.size.X)))
		if n > 0 {
			switch w.across {
			case "center":
				from = (to - n) / 2
			case "end":
				from = to - n
			}
			to = from + n
		}
	}
	return image.Rectangle{Min: w.point(s.At, from), Max: w.point(s.End(), to)}
}

// between() returns the rectangle of the divider in the middle of the gap between the spans `a` and `b`.
func (w *Line) between(a, b geometry.Span) image.Rectangle {
	thick := w.b.Px(w.b.Look.Sizes.Line)
	at := (a.End()+b.At)/2 - thick/2
	return image.Rectangle{Min: w.point(at, 0), Max: w.point(at+thick, w.over(w.size))}
}

// mirrored() mirrors a rectangle if the wall's language is written from right to left.
func (w *Line) mirrored(r image.Rectangle) image.Rectangle {
	if w.b.Locale.RightToLeft {
		r.Min.X, r.Max.X = w.size.X-r.Max.X, w.size.X-r.Min.X
	}
	return r
}

// naturals() appends the natural sizes of the children whose size depends on their content.
func (w *Line) naturals(dst []image.Point) []image.Point {
	for _, k := range w.Children {
		if size := k.Common.Size; k.Shown && (size != nil && size.Width.Fit || w.across != "stretch") {
			dst = append(dst, k.Natural(w.room()))
		}
	}
	return dst
}

// changed() reports whether the natural size of a child has changed since the last arrangement.
func (w *Line) changed() bool {
	i := 0
	for _, k := range w.Children {
		if size := k.Common.Size; k.Shown && (size != nil && size.Width.Fit || w.across != "stretch") {
			if i >= len(w.fits) || k.Natural(w.room()) != w.fits[i] {
				return true
			}
			i++
		}
	}
	return false
}

// Natural implements kit.Sized. Along the axis, it returns the sum of the children's lengths and gaps. Across the axis, it returns the
// largest size of a child.
func (w *Line) Natural(width int) image.Point {
	along, over, n := 0, 0, 0
	for _, k := range w.Children {
		if !k.Shown {
			continue
		}
		p := k.Natural(width)
		if size := k.Common.Size; size != nil && !size.Width.Fit && size.Width.Length > 0 {
			t := Track(w.b, size.Width)
			if w.upright {
				p.Y = t.Length
			} else {
				p.X = t.Length
			}
		}
		along, over, n = along+w.along(p), max(over, w.over(p)), n+1
	}
	return w.point(along+w.gap*max(0, n-1), over)
}

// Update implements render.Widget.
func (w *Line) Update(t render.Tick) {
	if kit.RefreshAll(t, w.Children) || w.changed() {
		w.arrange()
		t.DamageAll()
	}
	kit.UpdateAll(t, w.Children)
}

// Paint implements render.Widget.
func (w *Line) Paint(c render.Canvas) {
	for _, r := range w.rules {
		c.Fill(r, w.rule)
	}
	kit.PaintAll(c, w.Children)
}

// Reach implements kit.Holder.
func (w *Line) Reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return kit.ReachAll(p, w.Children, each)
}
