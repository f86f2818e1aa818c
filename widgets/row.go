package widgets

import (
	"image"
	"image/color"

	"dashboard/config/value"
	"dashboard/render"
	"dashboard/widgets/kit/geometry"
)

// RowParams are the parameters of the row and column widgets.
type RowParams struct {
	Framed
	Gap     *value.Length `yaml:"gap" doc:"Room between the children; the theme's without it."`
	Divider bool          `yaml:"divider" default:"false" doc:"A line between the children."`
	Across  string        `yaml:"align" default:"stretch" enum:"start,center,end,stretch" doc:"Where children are across the row or column."`
	Justify string        `yaml:"justify" default:"start" enum:"start,center,end,between" doc:"Where children are along it that do not fill it."`
}

var justifies = map[string]geometry.Justify{"start": geometry.Start, "center": geometry.Center, "end": geometry.End, "between": geometry.Between}

// line lays its children out along one axis.
type line struct {
	b        *Builder
	size     image.Point
	upright  bool // a column
	gap      int
	divider  bool
	across   string
	justify  geometry.Justify
	children []*child
	rules    []image.Rectangle
	rule     color.RGBA
	fits     []image.Point // natural sizes at the last arrangement
}

func buildRow(b *Builder, s *Spec, p *RowParams, size image.Point) render.Widget {
	return b.newLine(s, p, size, false)
}

func buildColumn(b *Builder, s *Spec, p *RowParams, size image.Point) render.Widget {
	return b.newLine(s, p, size, true)
}

func (b *Builder) newLine(s *Spec, p *RowParams, size image.Point, upright bool) *line {
	w := &line{
		b: b, size: size, upright: upright, gap: b.chosen(p.Gap, b.Look.Sizes.Gap), divider: p.Divider,
		across: p.Across, justify: justifies[p.Justify], rule: b.role("line"),
	}
	w.children = b.kids(s, size)
	w.arrange()
	return w
}

// along and over are the parts of a point along the axis and across it.
func (w *line) along(p image.Point) int {
	if w.upright {
		return p.Y
	}
	return p.X
}

func (w *line) over(p image.Point) int {
	if w.upright {
		return p.X
	}
	return p.Y
}

// point makes a point of its parts along and across the axis.
func (w *line) point(along, over int) image.Point {
	if w.upright {
		return image.Pt(over, along)
	}
	return image.Pt(along, over)
}

// track is how long a child wants to be.
func (w *line) track(k *child) geometry.Track {
	size := k.common.Size
	switch {
	case size == nil && k.common.Grow != nil:
		return geometry.Track{Share: *k.common.Grow}
	case size == nil && k.spec.Kind == "space":
		return geometry.Track{Share: 1}
	case size == nil:
		return geometry.Track{Share: 1}
	}
	return w.b.track(size.Width)
}

// track turns a size of the file into one of the picture.
func (b *Builder) track(v value.Size) geometry.Track {
	if v.Fit {
		return geometry.Track{Fit: true}
	}
	if v.Share > 0 {
		return geometry.Track{Percent: v.Share * 100}
	}
	return geometry.Track{Length: whole(v.Length * b.Scale)}
}

// arrange lays out the children that are shown.
func (w *line) arrange() {
	var shown []*child
	var tracks []geometry.Track
	for _, k := range w.children {
		k.rect = image.Rectangle{}
		if k.shown {
			shown, tracks = append(shown, k), append(tracks, w.track(k))
		}
	}
	spans := geometry.Divide(w.along(w.size), w.gap, tracks, func(i int) int { return w.along(shown[i].natural(w.room())) })
	geometry.Move(spans, w.along(w.size), w.justify)
	w.rules = w.rules[:0]
	for i, k := range shown {
		w.b.move(k, w.mirrored(w.cell(k, spans[i])))
		if w.divider && i > 0 {
			w.rules = append(w.rules, w.mirrored(w.between(spans[i-1], spans[i])))
		}
	}
	w.fits = w.naturals(w.fits[:0])
}

// room is the width that a child may take for its content.
func (w *line) room() int { return w.size.X }

// cell is the rectangle of a child.
func (w *line) cell(k *child, s geometry.Span) image.Rectangle {
	from, to := 0, w.over(w.size)
	if w.across != "stretch" {
		n := min(to, w.over(k.natural(w.size.X)))
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

// between is the rule in the middle of a gap.
func (w *line) between(a, b geometry.Span) image.Rectangle {
	thick := w.b.px(w.b.Look.Sizes.Line)
	at := (a.End()+b.At)/2 - thick/2
	return image.Rectangle{Min: w.point(at, 0), Max: w.point(at+thick, w.over(w.size))}
}

// mirrored is where a box lies on a wall whose language runs from right to left.
func (w *line) mirrored(r image.Rectangle) image.Rectangle {
	if w.b.Locale.RightToLeft {
		r.Min.X, r.Max.X = w.size.X-r.Max.X, w.size.X-r.Min.X
	}
	return r
}

// naturals are the content's sizes of the children that are as long as it.
func (w *line) naturals(dst []image.Point) []image.Point {
	for _, k := range w.children {
		if size := k.common.Size; k.shown && (size != nil && size.Width.Fit || w.across != "stretch") {
			dst = append(dst, k.natural(w.room()))
		}
	}
	return dst
}

// changed reports whether a child's content has another size now.
func (w *line) changed() bool {
	i := 0
	for _, k := range w.children {
		if size := k.common.Size; k.shown && (size != nil && size.Width.Fit || w.across != "stretch") {
			if i >= len(w.fits) || k.natural(w.room()) != w.fits[i] {
				return true
			}
			i++
		}
	}
	return false
}

// natural implements sized: the children's, one behind the other.
func (w *line) natural(width int) image.Point {
	along, over, n := 0, 0, 0
	for _, k := range w.children {
		if !k.shown {
			continue
		}
		p := k.natural(width)
		if size := k.common.Size; size != nil && !size.Width.Fit && size.Width.Length > 0 {
			t := w.b.track(size.Width)
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
func (w *line) Update(t render.Tick) {
	if refreshAll(t, w.children) || w.changed() {
		w.arrange()
		t.DamageAll()
	}
	updateAll(t, w.children)
}

// Paint implements render.Widget.
func (w *line) Paint(c render.Canvas) {
	for _, r := range w.rules {
		c.Fill(r, w.rule)
	}
	paintAll(c, w.children)
}

func (w *line) reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return reachAll(p, w.children, each)
}
