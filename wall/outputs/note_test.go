package outputs

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"slices"
	"testing"

	"dashboard/appliance/about"
	"dashboard/appliance/startscreen"
	"dashboard/render/text"
)

// A shownWindow is a window that stores its last frame.
type shownWindow struct {
	got    *image.RGBA
	damage []image.Rectangle
	fail   error
}

func (w *shownWindow) String() string { return "window" }
func (w *shownWindow) Halt() error    { return nil }
func (w *shownWindow) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	w.got = image.NewRGBA(src.Rect)
	copy(w.got.Pix, src.Pix)
	w.damage = append([]image.Rectangle{}, damage...)
	return w.fail
}

// A note covers the content of the window. After the drawing, the frame is unchanged. When the note is removed, the window shows no part
// of it.
func TestNoteOverAWindow(t *testing.T) {
	for _, turned := range []bool{false, true} {
		frame := image.NewRGBA(image.Rect(0, 0, 800, 480))
		draw.Draw(frame, frame.Rect, image.NewUniform(color.RGBA{0, 90, 0, 255}), image.Point{}, draw.Src)
		want := append([]uint8{}, frame.Pix...)
		w := &shownWindow{fail: errors.New("it is gone")} // the frame must be restored even if drawing fails
		n := &noted{FrameDrawer: w, note: &Note{Cache: text.NewCache(1 << 20), Night: func() bool { return true }}, turned: turned}
		small := []image.Rectangle{image.Rect(0, 0, 10, 10)}
		_ = n.DrawFrame(frame, small)
		if !bytes.Equal(w.got.Pix, want) || len(w.damage) != 1 {
			t.Fatal("without a note the frame is another one")
		}
		c := startscreen.Content{Name: "kitchen", Lines: []startscreen.Line{{Icon: "clock-check-outline", Role: "good", Text: "The time is set"}}}
		n.note.Now.Store(&c)
		_ = n.DrawFrame(frame, small)
		at := n.over.At
		inside := at.Min.Add(at.Size().Div(2))
		corner := image.Pt(790, 470)
		if turned {
			corner = image.Pt(10, 10)
		}
		if w.got.RGBAAt(inside.X, inside.Y) == (color.RGBA{0, 90, 0, 255}) || !touched(w.damage, at) || corner.In(at) {
			t.Errorf("turned %v: the note is not shown at %v, damage %v", turned, at, w.damage)
		}
		if far := corner.Sub(inside); far.X*far.X > 400*400 {
			t.Errorf("turned %v: the note is at %v", turned, at)
		}
		if !bytes.Equal(frame.Pix, want) {
			t.Errorf("turned %v: the frame is not as it was", turned)
		}
		n.note.Now.Store(nil)
		_ = n.DrawFrame(frame, small)
		if !bytes.Equal(w.got.Pix, want) || !touched(w.damage, at) {
			t.Errorf("turned %v: the note was not taken away, damage %v", turned, w.damage)
		}
	}
}

// A frame with a note needs no allocation.
func TestNoteAllocatesNothing(t *testing.T) {
	frame := image.NewRGBA(image.Rect(0, 0, 800, 480))
	n := &noted{FrameDrawer: dropped{}, note: &Note{Cache: text.NewCache(1 << 20), Night: func() bool { return true }}}
	c := startscreen.Content{Name: "kitchen"}
	n.note.Now.Store(&c)
	all := []image.Rectangle{frame.Rect}
	_ = n.DrawFrame(frame, all)
	if got := testing.AllocsPerRun(50, func() { _ = n.DrawFrame(frame, all) }); got > 0 {
		t.Errorf("got %v allocations a frame", got)
	}
}

type dropped struct{}

func (dropped) String() string                                 { return "dropped" }
func (dropped) Halt() error                                    { return nil }
func (dropped) DrawFrame(*image.RGBA, []image.Rectangle) error { return nil }

// A guide covers the whole window, including the note. A badge is in the first corner that is empty.
func TestGuideOverAWindow(t *testing.T) {
	frame := image.NewRGBA(image.Rect(0, 0, 1280, 720))
	ground := color.RGBA{0, 90, 0, 255}
	draw.Draw(frame, frame.Rect, image.NewUniform(ground), image.Point{}, draw.Src)
	w := &shownWindow{}
	n := &noted{FrameDrawer: w, note: &Note{Cache: text.NewCache(1 << 20), Night: func() bool { return true }}}
	n.note.Now.Store(&startscreen.Content{Name: "kitchen"})
	n.note.Guide.Store(&Guide{Guide: about.Guide{Title: "Your phone is connected.", Steps: []string{"1", "2"}, Step: 1}})
	_ = n.DrawFrame(frame, nil)
	for _, at := range []image.Point{{1, 1}, {1278, 718}, {640, 700}} {
		if w.got.RGBAAt(at.X, at.Y) == ground {
			t.Errorf("the wall is seen at %v", at)
		}
	}
	n.note.Guide.Store(&Guide{Shown: image.NewRGBA(image.Rect(0, 0, 100, 50))})
	_ = n.DrawFrame(frame, nil)
	if got := w.got.RGBAAt(640, 10); got != (color.RGBA{0, 0, 0, 255}) {
		t.Errorf("got %v above a picture that is wider than the wall, want black", got)
	}
	n.note.Guide.Store(&Guide{Guide: about.Guide{Badge: true, Title: "No network since 9:12", Text: []string{"To fix it, join wall-7k3f"}}})
	_ = n.DrawFrame(frame, nil)
	if n.over.At.Min.X != quietMargin || n.over.At.Max.Y != 720-quietMargin {
		t.Errorf("got a badge at %v, want the lower left corner", n.over.At)
	}
	n.note.Guide.Store(nil)
	n.note.Now.Store(nil)
	_ = n.DrawFrame(frame, nil)
	if !bytes.Equal(w.got.Pix, frame.Pix) {
		t.Error("a trace is left on the wall")
	}
}

func TestQuietCorner(t *testing.T) {
	wall := image.NewRGBA(image.Rect(0, 0, 1280, 720))
	badge := image.Pt(400, 64)
	text := func(r image.Rectangle) { // draws stripes, which count as content like a text
		for x := r.Min.X; x < r.Max.X; x += 2 {
			draw.Draw(wall, image.Rect(x, r.Min.Y, x+1, r.Max.Y), image.White, image.Point{}, draw.Src)
		}
	}
	for _, c := range []struct {
		paint image.Rectangle
		want  image.Point
	}{
		{image.Rectangle{}, image.Pt(34, 622)},
		{image.Rect(0, 600, 300, 720), image.Pt(846, 622)},
		{image.Rect(900, 600, 1280, 720), image.Pt(34, 34)},
		{image.Rect(0, 0, 300, 100), image.Pt(846, 34)},
		{image.Rect(900, 0, 1280, 100), image.Pt(860, 636)},
	} {
		text(c.paint)
		if got := quietCorner(wall, badge, false); got.Min != c.want {
			t.Errorf("with %v painted: got %v, want %v", c.paint, got.Min, c.want)
		}
	}
}

// A note about an update does not move while it is shown, even if the content below it changes. A note in the form of a large card is at
// the lower left. When a note is removed, no part of it remains.
func TestUpdateOverAWindow(t *testing.T) {
	for _, turned := range []bool{false, true} {
		frame := image.NewRGBA(image.Rect(0, 0, 800, 480))
		green := image.NewUniform(color.RGBA{0, 90, 0, 255})
		draw.Draw(frame, frame.Rect, green, image.Point{}, draw.Src)
		w := &shownWindow{}
		n := &noted{FrameDrawer: w, note: &Note{Cache: text.NewCache(1 << 20), Night: func() bool { return true }}, turned: turned}
		show := func(u *startscreen.Update) image.Rectangle {
			n.note.Update.Store(u)
			if err := n.DrawFrame(frame, []image.Rectangle{image.Rect(0, 0, 10, 10)}); err != nil {
				t.Fatal(err)
			}
			return n.over.At
		}
		first := show(&startscreen.Update{Title: "Updating to 1.6.0", Percent: 1})
		for y := first.Min.Y; y < first.Max.Y; y += 2 { // draws content in the corner
			draw.Draw(frame, image.Rect(first.Min.X, y, first.Max.X, y+1), image.White, image.Point{}, draw.Src)
		}
		for percent := 2; percent < 5; percent++ {
			if at := show(&startscreen.Update{Title: "Updating to 1.6.0", Percent: percent}); at != first {
				t.Errorf("turned %v: it moved from %v to %v", turned, first, at)
			}
		}
		card := show(&startscreen.Update{Title: "Still on 1.5.2", Card: true, Percent: -1})
		corner := image.Pt(20, 460)
		if turned {
			corner = image.Pt(780, 20)
		}
		if !corner.In(card) {
			t.Errorf("turned %v: the card is at %v", turned, card)
		}
		before := bytes.Clone(frame.Pix)
		if show(nil); !bytes.Equal(w.got.Pix, before) {
			t.Errorf("turned %v: something is left", turned)
		}
	}
}

func touched(damage []image.Rectangle, at image.Rectangle) bool {
	return slices.ContainsFunc(damage, at.Overlaps)
}
