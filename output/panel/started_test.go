package panel

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/testing/testpic"
	"dashboard/render/ink"
)

// papers() lists the models that a sim can simulate.
func papers() []*Model {
	return slices.DeleteFunc(Models(), func(m *Model) bool { return m.Instant })
}

func model(t testing.TB, name string) *Model {
	t.Helper()
	m, ok := Named(name)
	if !ok {
		t.Fatalf("no model %s", name)
	}
	return m
}

// started is an output that runs with a simulated panel.
type started struct {
	*Output
	t    *testing.T
	sim  *sim
	size image.Point
	kept [][]byte
	stop func()
}

// start starts an output inside a synctest bubble.
func start(t *testing.T, s *sim, size image.Point, change func(*Options)) *started {
	t.Helper()
	r := &started{t: t, sim: s, size: size}
	o := Options{Model: s.model, Frame: size, Open: s.wires, Location: time.UTC, Save: func(b []byte) error {
		r.kept = append(r.kept, slices.Clone(b))
		return nil
	}}
	if change != nil {
		change(&o)
	}
	var err error
	if r.Output, err = New(o); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.Run(ctx)
	}()
	r.stop = func() { cancel(); <-done }
	return r
}

// show draws a frame with its photos, and then waits for the given time.
func (r *started) show(frame *image.RGBA, photos []image.Rectangle, wait time.Duration) {
	var regions ink.Regions
	for _, p := range photos {
		regions.Add(ink.Region{Rect: p, Photo: true})
	}
	r.Mark(&regions)
	_ = r.DrawFrame(frame, []image.Rectangle{frame.Rect})
	time.Sleep(wait)
	synctest.Wait()
}

// sound() checks that no rule was broken and that the panel sleeps now.
func (r *started) sound() {
	r.t.Helper()
	r.sim.asleep()
	if len(r.sim.broken) > 0 {
		r.t.Fatalf("rules are broken: %q", r.sim.broken[:min(5, len(r.sim.broken))])
	}
}

// pictured() converts a frame to inks, with the pixels in the chip's orientation. Its code for the rotation is independent of the output's
// code.
func pictured(m *Model, frame *image.RGBA, photos []image.Rectangle) *image.Paletted {
	q := m.Quantizer(frame.Rect.Size())
	inks := q.NewPicture()
	var regions []ink.Region
	for _, p := range photos {
		regions = append(regions, ink.Region{Rect: p, Photo: true})
	}
	q.Quantize(inks, frame, regions)
	if frame.Rect.Size() == m.Size {
		return inks
	}
	native := image.NewPaletted(image.Rectangle{Max: m.Size}, inks.Palette)
	for y := range frame.Rect.Dy() {
		for x := range frame.Rect.Dx() {
			at := image.Pt(y, frame.Rect.Dx()-1-x)
			if m.Name == "inky-13in3" { // the maker's program rotates to the right
				at = image.Pt(frame.Rect.Dy()-1-y, x)
			}
			native.SetColorIndex(at.X, at.Y, inks.ColorIndexAt(x, y))
		}
	}
	return native
}

func (r *started) looks(frame *image.RGBA, photos []image.Rectangle) {
	r.t.Helper()
	want := pictured(r.sim.model, frame, photos)
	for i := range want.Pix {
		if got := r.sim.glass.Pix[i]; got != want.Pix[i] {
			r.t.Fatalf("pixel %d,%d: the glass shows ink %d, want %d", i%want.Stride, i/want.Stride, got, want.Pix[i])
		}
	}
}

// samples() returns functions for four pictures of the given size. Each returns a picture and its photos.
func samples(size image.Point) map[string]func() (*image.RGBA, []image.Rectangle) {
	w, h := size.X, size.Y
	right := image.Rect(w/2, 0, w, h)
	return map[string]func() (*image.RGBA, []image.Rectangle){
		"dashboard": func() (*image.RGBA, []image.Rectangle) { return testpic.Dashboard(w, h), nil },
		"photo": func() (*image.RGBA, []image.Rectangle) {
			return testpic.Photo(w, h), []image.Rectangle{image.Rect(0, 0, w, h)}
		},
		"half": func() (*image.RGBA, []image.Rectangle) {
			m := testpic.Dashboard(w, h)
			draw.Draw(m, right, testpic.Photo(w, h), image.Point{}, draw.Src)
			return m, []image.Rectangle{right}
		},
		"colors": func() (*image.RGBA, []image.Rectangle) {
			m := image.NewRGBA(image.Rect(0, 0, w, h))
			bars := []color.RGBA{{0, 0, 0, 255}, {255, 255, 255, 255}, {220, 40, 40, 255}, {240, 200, 40, 255}, {40, 150, 70, 255}, {40, 90, 220, 255}, {128, 128, 128, 255}, {245, 140, 30, 255}}
			for i, c := range bars {
				draw.Draw(m, image.Rect(i*w/len(bars), 0, (i+1)*w/len(bars), h), image.NewUniform(c), image.Point{}, draw.Src)
			}
			return m, nil
		},
	}
}
