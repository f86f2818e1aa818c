package classic

import (
	"image"
	"time"

	"dashboard/render"
	"dashboard/widgets/arrange"
	"dashboard/widgets/kit"
)

// FlipParams are the parameters of the flip widget.
type FlipParams struct {
	// Time until the next child slides in.
	Interval float64 `yaml:"interval" default:"5" min:"0" max:"31536000" unit:"s"`
	arrange.Sliding
}

// flip shows its children in turn.
type flip struct {
	arrange.Slider
	interval time.Duration
	last     time.Time // time at which the last slide was due
}

func buildFlip(b *kit.Builder, s *kit.Spec, p *FlipParams, size image.Point) render.Widget {
	return &flip{Slider: arrange.NewSlider(b, s, p.Sliding, size), interval: time.Duration(p.Interval * float64(time.Second))}
}

// Update implements render.Widget.
func (f *flip) Update(t render.Tick) {
	f.Move(t)
	if f.last.IsZero() || t.Now().Before(f.last) {
		f.last = f.even(t.Now())
	}
	if len(f.Children) > 1 && !f.Sliding {
		f.turn(t)
	}
	f.Advance(t)
}

// turn starts the next slide when it is due.
func (f *flip) turn(t render.Tick) {
	if late := t.Now().Sub(f.last) - f.interval; late >= 0 {
		f.last = f.last.Add(f.interval)
		if late >= min(f.interval, time.Second) { // the slide is late, so the next interval starts now
			f.last = f.even(t.Now())
		}
		f.Slide(t, (f.Shown+1)%len(f.Children))
		f.Move(t)
	}
	if !f.Sliding {
		t.Wake(f.last.Add(f.interval))
	}
}

// even() rounds a time down to a whole second, so that slides start when the seconds of clocks change. For an interval below a second, it
// rounds down to a multiple of the interval.
func (f *flip) even(now time.Time) time.Time { return now.Truncate(min(f.interval, time.Second)) }
