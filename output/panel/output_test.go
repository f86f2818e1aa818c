package panel

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/golden"
	"dashboard/internal/testpic"
	"dashboard/render/ink"
)

// papers are the models that a sim plays.
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

// started is an output that runs on a sim.
type started struct {
	*Output
	t    *testing.T
	sim  *sim
	size image.Point
	kept [][]byte
	stop func()
}

// start begins an output in a bubble.
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

// show gives a frame with its photos and lets a time pass.
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

// sound checks that no rule was broken, and that the panel sleeps.
func (r *started) sound() {
	r.t.Helper()
	r.sim.asleep()
	if len(r.sim.broken) > 0 {
		r.t.Fatalf("rules are broken: %q", r.sim.broken[:min(5, len(r.sim.broken))])
	}
}

// pictured is what a frame is in inks, as the chip counts pixels: another way than the output's own.
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
			if m.Name == "inky-13in3" { // its maker's program turns to the right
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

// samples are four pictures of a size, with their photos.
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

// TestEveryPanelShowsTheFrame: E1. What the simulated glass shows after the commands is the quantized frame, byte for byte, upright
// and on its side, and looks as somebody saw that it should.
func TestEveryPanelShowsTheFrame(t *testing.T) {
	for _, m := range papers() {
		for _, size := range []image.Point{m.Upright(), image.Pt(m.Upright().Y, m.Upright().X)} {
			for name, sample := range samples(size) {
				if m.Name == "inky-13in3" && size != m.Upright() && name != "half" {
					continue // two million pixels take their time
				}
				t.Run(fmt.Sprintf("%s/%dx%d/%s", m.Name, size.X, size.Y, name), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						r := start(t, newSim(m), size, nil)
						frame, photos := sample()
						r.show(frame, photos, time.Minute)
						r.stop()
						r.sound()
						r.looks(frame, photos)
						if size == m.Upright() {
							part := r.frame.Rect
							if part.Dx() > 800 { // enough of the largest
								part = image.Rect(400, 0, 1200, 600)
							}
							looked := image.NewRGBA(image.Rectangle{Max: part.Size()})
							draw.Draw(looked, looked.Rect, r.frame, part.Min, draw.Src)
							golden.Compare(t, m.Name+"-"+name, looked)
						}
					})
				})
			}
		}
	}
}

// TestTextOnPanelsIsInk: E2. What is no photo has no dots: a pixel is the ink of its own color, whatever is beside it.
func TestTextOnPanelsIsInk(t *testing.T) {
	for _, m := range papers() {
		q := m.Quantizer(m.Upright())
		frame := testpic.Dashboard(m.Upright().X, m.Upright().Y)
		got := q.NewPicture()
		q.Quantize(got, frame, nil)
		seen := map[color.RGBA]uint8{}
		for i, v := range got.Pix {
			c := frame.RGBAAt(i%got.Stride, i/got.Stride)
			if was, ok := seen[c]; ok && was != v {
				t.Fatalf("%s: %v is ink %d here and ink %d there", m.Name, c, was, v)
			}
			seen[c] = v
		}
	}
}

// clock is a frame with a square that moves every minute.
func clock(size image.Point, minute int) (*image.RGBA, image.Rectangle) {
	m := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(m, m.Rect, image.White, image.Point{}, draw.Src)
	at := image.Rect(10, 20, 74, 36)
	x := at.Min.X + minute*3%56
	draw.Draw(m, image.Rect(x, at.Min.Y, x+7, at.Max.Y), image.Black, image.Point{}, draw.Src)
	return m, at
}

// TestTicksArePartial: E3. A tick refreshes no more than the clock; the eleventh is a full refresh.
func TestTicksArePartial(t *testing.T) {
	for _, m := range papers() {
		if !m.Partial {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(12 * time.Hour) // the bubble begins at midnight
				r := start(t, newSim(m), m.Size, nil)
				for i := range 13 {
					frame, _ := clock(m.Size, i)
					r.show(frame, nil, time.Minute)
					r.looks(frame, nil)
				}
				r.stop()
				r.sound()
				_, at := clock(m.Size, 0)
				for i, s := range r.sim.shown {
					if want := i != 0 && i != 11; s.partial != want {
						t.Errorf("refresh %d: partial %v, want %v", i, s.partial, want)
					}
					if s.partial && !s.drove.In(at) {
						t.Errorf("refresh %d drove %v, want no more than %v", i, s.drove, at)
					}
				}
				if len(r.sim.shown) != 13 {
					t.Errorf("%d refreshes, want 13", len(r.sim.shown))
				}
			})
		})
	}
}

// TestPowerCut: E4. After a cut in the middle of an update the next start refreshes everything; after one that ended, what the panel
// shows is known.
func TestPowerCut(t *testing.T) {
	for _, cut := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(12 * time.Hour)
			m := model(t, "waveshare-7in5-v2")
			panel := newSim(m)
			r := start(t, panel, m.Size, nil)
			one, _ := clock(m.Size, 1)
			r.show(one, nil, time.Minute)
			two, _ := clock(m.Size, 2)
			r.show(two, nil, time.Minute)
			r.stop()
			r.sound()
			last := r.kept[len(r.kept)-1]
			if cut {
				last = r.kept[len(r.kept)-2] // written before the refresh
			}
			before := len(panel.shown)
			r = start(t, panel, m.Size, func(o *Options) { o.Load = func() ([]byte, bool) { return last, true } })
			r.show(two, nil, 2*time.Minute)
			if same := len(panel.shown) == before; same == cut {
				t.Errorf("cut %v: refreshed %v after the start", cut, !same)
			}
			three, _ := clock(m.Size, 3)
			r.show(three, nil, 2*time.Minute)
			r.stop()
			r.sound()
			r.looks(three, nil)
			if got := panel.shown[before].partial; got == cut {
				t.Errorf("cut %v: the first refresh was partial: %v", cut, got)
			}
		})
	}
}

// TestKeptNonsense: what is not whole, or another panel's, is as nothing.
func TestKeptNonsense(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := model(t, "waveshare-4in2-v2")
		r := start(t, newSim(m), m.Size, nil)
		frame, _ := clock(m.Size, 1)
		r.show(frame, nil, time.Minute)
		r.stop()
		whole := r.kept[len(r.kept)-1]
		other := slices.Clone(whole)
		copy(other[len(other)/2:], "????")
		for _, data := range [][]byte{nil, {0, 0}, {255, 255, 255, 255}, whole[:len(whole)-20], whole[:40], other, []byte(strings.Replace(string(whole), "4in2-v2", "4in2-v3", 1))} {
			o, err := New(Options{Model: m, Frame: m.Size, Load: func() ([]byte, bool) { return data, true }})
			if err != nil || o.state.Known {
				t.Errorf("%q: known %v, %v", data[:min(len(data), 9)], o.state.Known, err)
			}
		}
		if o, _ := New(Options{Model: m, Frame: m.Size, Load: func() ([]byte, bool) { return whole, true }}); !o.state.Known {
			t.Error("what is whole is not known")
		}
	})
}

// TestStuckPanel: E5. A panel that stays busy is reset and tried once more, then told; nobody waits for it, and when it is well again it
// shows the newest frame.
func TestStuckPanel(t *testing.T) {
	for _, mute := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(12 * time.Hour)
			m := model(t, "waveshare-7in5-v2")
			panel := newSim(m)
			r := start(t, panel, m.Size, nil)
			panel.stuck, panel.mute = !mute, mute
			frame, _ := clock(m.Size, 1)
			began := time.Now()
			r.show(frame, nil, 0)
			if d := time.Since(began); d != 0 {
				t.Errorf("handing a frame over took %v", d)
			}
			time.Sleep(2*busyLimit + 5*time.Second)
			st := r.Stats()
			want := errStuck
			if mute {
				want = errSilent
			}
			if st.Errors == 0 || !strings.Contains(st.LastError, want.Error()) || r.Status().Known {
				t.Errorf("got %+v, %+v, want it told: %v", st, r.Status(), want)
			}
			time.Sleep(10 * time.Minute) // until it is not under way
			panel.mu.Lock()
			panel.stuck, panel.mute = false, false
			panel.mu.Unlock()
			frame, _ = clock(m.Size, 2)
			r.show(frame, nil, 5*time.Minute)
			r.stop()
			r.looks(frame, nil)
			panel.asleep()
			if !r.Stats().OK() {
				t.Errorf("got %+v, want all well", r.Stats())
			}
		})
	}
}

// TestPinsThatAreMissing: without its lines an output tells so, and tries again.
func TestPinsThatAreMissing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := model(t, "waveshare-4in2-v2")
		panel := newSim(m)
		var there atomic.Bool
		r := start(t, panel, m.Size, func(o *Options) {
			o.Open = func(m *Model) (*Wires, error) {
				if !there.Load() {
					return nil, errors.New("no bus")
				}
				return panel.wires(m)
			}
		})
		frame, _ := clock(m.Size, 1)
		r.show(frame, nil, time.Second)
		if st := r.Stats(); st.LastError != "no bus" {
			t.Errorf("got %+v", st)
		}
		there.Store(true)
		time.Sleep(5 * time.Minute)
		r.stop()
		r.sound()
		r.looks(frame, nil)
	})
}

// TestWeekOfPanels: E6. Seven days of a wall that changes all the time break no rule, refresh no more often than they may, and clean
// the panel every night.
func TestWeekOfPanels(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("thousands of frames, of one goroutine")
	}
	for _, m := range papers() {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := start(t, newSim(m), m.Size, func(o *Options) { o.Save = nil })
				began := time.Now()
				step := 2 * time.Hour // the larger ones take longer to look at
				if m.Partial {
					step = 30 * time.Minute
				}
				switch m.Name {
				case "waveshare-2in13-v4":
					step = 10 * time.Minute
				case "inky-13in3":
					step = 4 * time.Hour
				}
				for i := range int(7 * 24 * time.Hour / step) {
					frame, _ := clock(m.Size, i)
					r.show(frame, nil, step)
				}
				time.Sleep(time.Hour)
				r.stop()
				r.sound()
				updates, full, last := 0, 0, time.Time{}
				for _, s := range r.sim.shown {
					if s.at.Sub(last) < 30*time.Second && full > 0 && !s.partial {
						continue // of the same clean
					}
					if d := s.at.Sub(last); !last.IsZero() && d < m.MinInterval-10*time.Second {
						t.Fatalf("updates %v apart at %v", d, s.at.Sub(began))
					}
					if !s.partial {
						full++
					}
					updates, last = updates+1, s.at
				}
				t.Logf("%d refreshes, %d updates, %d of them full", len(r.sim.shown), updates, full)
				if cleans := 7; m.Partial && len(r.sim.shown) != updates+3*cleans {
					t.Errorf("%d refreshes in %d updates, want three more for each of %d nights", len(r.sim.shown), updates, cleans)
				}
				if want := int(7 * 24 * time.Hour / max(step, m.MinInterval)); updates < want*8/10 || updates > want+8 {
					t.Errorf("%d updates, want about %d", updates, want)
				}
			})
		})
	}
}
