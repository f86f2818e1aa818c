package startscreen

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"slices"
	"testing"
)

// A glass keeps the changed parts of the frames, as a screen does.
type glass struct {
	*image.RGBA
	err error
}

func (g *glass) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	if damage == nil {
		damage = []image.Rectangle{src.Rect}
	}
	for _, r := range damage {
		if g.err == nil {
			draw.Draw(g.RGBA, r, src, r.Min, draw.Src)
		}
	}
	return g.err
}

// TestOver draws the picture over a copy of the frame and compares the copy with the screen. It does this after changes of the picture,
// after small and large damage, and after errors of the screen. The original frame does not change.
func TestOver(t *testing.T) {
	size := image.Rect(0, 0, 60, 40)
	frame, g := image.NewRGBA(size), &glass{RGBA: image.NewRGBA(size)}
	draw.Draw(frame, size, image.NewUniform(color.RGBA{200, 0, 0, 255}), image.Point{}, draw.Src)
	before := bytes.Clone(frame.Pix)
	badge, card, full := picture(10, 6, 90), picture(30, 30, 255), picture(60, 40, 255)
	var o Over
	var pic *image.RGBA
	_ = o.DrawFrame(g, frame, nil)
	for i, s := range []struct {
		pic    *image.RGBA
		at     image.Point
		damage []image.Rectangle
		err    error
	}{
		{nil, image.Point{}, []image.Rectangle{}, nil},
		{badge, image.Pt(45, 30), []image.Rectangle{}, nil},
		{badge, image.Pt(45, 30), []image.Rectangle{image.Rect(0, 0, 3, 3)}, nil},
		{badge, image.Pt(45, 30), nil, nil},
		{card, image.Pt(2, 2), []image.Rectangle{}, errors.New("no screen")},
		{card, image.Pt(2, 2), []image.Rectangle{}, nil},
		{full, image.Point{}, []image.Rectangle{}, nil},
		{nil, image.Point{}, []image.Rectangle{}, errors.New("no screen")},
		{badge, image.Pt(0, 0), []image.Rectangle{}, nil},
		{nil, image.Point{}, []image.Rectangle{}, nil},
	} {
		if at := s.at; s.pic != pic {
			pic = s.pic
			if o.Put(nil, image.Rectangle{}); pic != nil {
				o.Put(pic, pic.Rect.Add(at))
			}
		}
		g.err = s.err
		if err := o.DrawFrame(g, frame, slices.Clone(s.damage)); err != s.err {
			t.Fatalf("step %d: got %v, want %v", i, err, s.err)
		}
		want := image.NewRGBA(size)
		copy(want.Pix, before)
		if pic != nil {
			draw.Draw(want, pic.Rect.Add(s.at), pic, image.Point{}, draw.Over)
		}
		if s.err == nil && !bytes.Equal(g.Pix, want.Pix) {
			t.Errorf("step %d: the screen does not show the frame with the picture", i)
		}
		if !bytes.Equal(frame.Pix, before) {
			t.Fatalf("step %d: the frame has changed", i)
		}
	}
}

// picture returns a picture of one color with the given alpha.
func picture(w, h int, alpha uint8) *image.RGBA {
	p := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(p, p.Rect, image.NewUniform(color.RGBA{0, alpha / 2, 0, alpha}), image.Point{}, draw.Src)
	return p
}

// Drawing a frame with a picture allocates no memory.
func TestOverAllocations(t *testing.T) {
	frame, g := image.NewRGBA(image.Rect(0, 0, 60, 40)), &glass{RGBA: image.NewRGBA(image.Rect(0, 0, 60, 40))}
	var o Over
	o.Put(picture(10, 6, 90), image.Rect(4, 4, 14, 10))
	all := []image.Rectangle{frame.Rect}
	if n := testing.AllocsPerRun(20, func() { _ = o.DrawFrame(g, frame, all) }); n != 0 {
		t.Errorf("got %v allocations, want none", n)
	}
}
