package outputs

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"testing"

	"dashboard/appliance/startscreen"
	"dashboard/render/text"
)

// A shownWindow is a window that remembers its last frame.
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

// The note covers the content of the window, and leaves no trace in the frame, and none on the window when it is taken
// away.
func TestNoteOverAWindow(t *testing.T) {
	for _, turned := range []bool{false, true} {
		frame := image.NewRGBA(image.Rect(0, 0, 800, 480))
		draw.Draw(frame, frame.Rect, image.NewUniform(color.RGBA{0, 90, 0, 255}), image.Point{}, draw.Src)
		want := append([]uint8{}, frame.Pix...)
		w := &shownWindow{fail: errors.New("it is gone")} // also then the frame is given back
		n := &noted{FrameDrawer: w, note: &Note{Cache: text.NewCache(1 << 20), Night: func() bool { return true }}, turned: turned}
		small := []image.Rectangle{image.Rect(0, 0, 10, 10)}
		_ = n.DrawFrame(frame, small)
		if !bytes.Equal(w.got.Pix, want) || len(w.damage) != 1 {
			t.Fatal("without a note the frame is another one")
		}
		c := startscreen.Content{Name: "kitchen", Lines: []startscreen.Line{{Icon: "clock-check-outline", Role: "good", Text: "The time is set"}}}
		n.note.Now.Store(&c)
		_ = n.DrawFrame(frame, small)
		at := n.at
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

// A frame with a note allocates nothing.
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
