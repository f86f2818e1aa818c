package kit

import (
	"errors"
	"fmt"
	"image"
	"io/fs"

	"dashboard/config/value"
	"dashboard/internal/folder"
	"dashboard/render"
	"dashboard/render/picture"
	"dashboard/render/text"
)

// Fault reports that a file of the widget cannot be used. The wall is still shown. A widget without children shows the message above its
// lower edge.
func (s *Spec) Fault(key, format string, args ...any) {
	s.fault = fmt.Sprintf(format, args...)
	s.Complain(key, "%s", s.fault)
}

// NoPicture reports that a picture file cannot be loaded. The wall is still shown.
func (b *Builder) NoPicture(s *Spec, key, path string, err error) {
	var long *folder.TooLong
	switch {
	case errors.As(err, &long):
		const mega = 1 << 20
		size := "more"
		if info, err := fs.Stat(b.Files, path); err == nil {
			size = fmt.Sprintf("%d MiB", (info.Size()+mega-1)/mega)
		}
		s.Fault(key, "%s: the file has %s, and the limit is %d MiB: save it smaller, or as a JPEG", path, size, long.Limit/mega)
	case errors.Is(err, picture.ErrTooLarge):
		s.Fault(key, "%v: save it with fewer pixels", err)
	default:
		s.Fault(key, "%v", err)
	}
}

// trialSize is the size in px at which an icon file is loaded to check whether it is readable.
const trialSize = 32

// checkDrawing reports an icon file that cannot be loaded.
func (b *Builder) checkDrawing(s *Spec, key string, i value.Icon) {
	if b.Running {
		return // no files may be read while the wall is painted
	}
	err, tried := b.tried[i.File]
	if !tried {
		_, err = b.Load(i.File, image.Pt(trialSize, trialSize), picture.Contain)
		b.tried[i.File] = err
	}
	if err != nil {
		b.NoPicture(s, key, i.File, err)
	}
}

const (
	// faultLines is the maximum number of lines of the message.
	faultLines = 3
	// faultInset is the padding around the message, in px on a screen whose shorter side has 720 px.
	faultInset = 6
)

// A faultBand shows the message about a file that cannot be used, above the lower edge of the widget.
type faultBand struct {
	box    image.Rectangle
	corner *render.Corner
	text   *text.Block
	at     image.Point // top left corner of the block of text
}

// newFaultBand creates the band for the fault of s. It returns nil if there is no fault. It also returns nil for a widget with children,
// because a child may be at the lower edge.
func newFaultBand(b *Builder, s *Spec, size image.Point) *faultBand {
	if s.fault == "" || len(s.Children) > 0 {
		return nil
	}
	face, inset := b.Face("caption"), b.Px(faultInset)
	inner := image.Rectangle{Max: size}.Inset(inset)
	if inner.Dy() < face.Line {
		inner = image.Rectangle{Max: size}
	}
	high := min(inner.Dy(), faultLines*face.Line+2*inset)
	f := &faultBand{at: image.Pt(inner.Min.X, inner.Max.Y-high), text: text.NewBlock(b.Text, text.Options{
		Font: face.Font, Size: face.Size, Box: image.Pt(inner.Dx(), high), Padding: inset, VAlign: text.Bottom, Wrap: true, Ellipsis: true, Lines: faultLines,
	})}
	f.text.Set(s.fault)
	f.box = inner
	f.box.Min.Y = max(f.at.Y, f.at.Y+f.text.Ink().Min.Y-inset)
	f.corner = render.NewCorner(inset, f.box.Size())
	return f
}

func (f *faultBand) paint(c render.Canvas) {
	if f == nil || !c.Sees(f.box) {
		return
	}
	c.FillRound(f.box, f.corner, PanelColor)
	f.text.Paint(c.Dst, c.Clip, c.Org.Add(f.at), PanelText)
}
