package clock

import (
	"image"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestSecondsAreNear checks the position of raised seconds. They start 0.12 em after the widest
// time of the current ten minutes, and do not move during these minutes.
func TestSecondsAreNear(t *testing.T) {
	walltest.ModernBubble(t, "widgets: [{widget: clock, seconds: raised}]", walltest.Scene{Size: image.Pt(800, 400)}, look.Calm(true), func(d *walltest.Data) {
		w := walltest.Only[*kit.Frame](d).Inner.(*digital)
		nearest, place := 1<<30, 0
		start := walltest.T0.Truncate(time.Hour)
		for minute := range 60 {
			d.R.Step(start.Add(time.Duration(minute) * time.Minute)) // a time with the seconds 00
			nearest = min(nearest, w.small.Ink.Min.X-w.time.Ink.Max.X)
			if minute%anchorMinutes > 0 && w.small.Ink.Min.X != place {
				t.Fatalf("minute %d: the seconds move from %d to %d", minute, place, w.small.Ink.Min.X)
			}
			place = w.small.Ink.Min.X
		}
		if want := gapAfter(w.time.Face.Size); nearest < want-1 || nearest > want+1 {
			t.Errorf("the seconds are %d px behind the widest time, want %d", nearest, want)
		}
	})
}

// TestSecondHand checks that the second hand of a dial sweeps only if the file sets `seconds: sweep`.
func TestSecondHand(t *testing.T) {
	for seconds, sweeps := range map[string]bool{"step": false, "sweep": true} {
		walltest.ModernBubble(t, "widgets: [{widget: clock, kind: analogue, seconds: "+seconds+"}]", walltest.Scene{Size: image.Pt(400, 400)}, look.Calm(true), func(d *walltest.Data) {
			w := walltest.Only[*kit.Frame](d).Inner.(*dial)
			if got := w.sweep < time.Second; got != sweeps {
				t.Errorf("%s: the hand moves every %v", seconds, w.sweep)
			}
		})
	}
}

// TestCountdownTextGrows checks that the text below the number has a larger style if there is room. If the text would be cut, it keeps
// the usual style. A date keeps its longest format.
func TestCountdownTextGrows(t *testing.T) {
	for title, grows := range map[string]bool{"Recycling": true, "Paper, cardboard, glasses and cans": false} {
		walltest.ModernBubble(t, "widgets: [{widget: countdown, to: '12-25'}]", walltest.Scene{Size: image.Pt(400, 300)}, look.Calm(true), func(d *walltest.Data) {
			w := walltest.Only[*kit.Frame](d).Inner.(*countdown)
			w.title = title
			w.say(walltest.T0)
			if got := w.foot.Face.Size > w.b.Face("caption").Size; got != grows || w.foot.Want() > w.size.X {
				t.Errorf("%s: text of %d px, %d px wide", title, w.foot.Face.Size, w.foot.Want())
			}
		})
	}
	for _, size := range []image.Point{{400, 300}, {250, 300}, {130, 260}} {
		text := map[int]string{400: "Friday, December 25, 2026", 250: "Friday, December 25", 130: "Dec 25"}[size.X]
		walltest.ModernBubble(t, "widgets: [{widget: countdown, to: '12-25'}]", walltest.Scene{Size: size}, look.Calm(true), func(d *walltest.Data) {
			d.R.Step(walltest.T0)
			w := walltest.Only[*kit.Frame](d).Inner.(*countdown)
			if got := string(w.foot.Raw); got != text || w.foot.Want() > w.size.X {
				t.Errorf("%v: got %q, %d px wide in %v", size, got, w.foot.Want(), w.foot.Box)
			}
		})
	}
}

// TestClockRepaints checks that each new time is painted completely: after every step, the frame equals the first frame of another wall at
// that time. Some times are wider than the time before.
func TestClockRepaints(t *testing.T) {
	for _, params := range []string{"", ", seconds: raised", ", seconds: full, align: end", ", time: 'H:mm', align: start"} {
		for _, language := range []string{"en-GB", "en-US"} {
			synctest.Test(t, func(t *testing.T) {
				wall := func() *walltest.Data {
					e := walltest.TestEnv()
					e.Look, e.Locale, e.Picture = look.Calm(true), walltest.TestLocale(t, language), image.Pt(1280, 720)
					return walltest.NewDataIn(t, e, "widgets: [{widget: clock"+params+"}]", image.Pt(400, 240))
				}
				d := wall()
				for _, after := range []time.Duration{0, time.Second, 26 * time.Minute, time.Hour, 8*time.Hour + 37*time.Minute, 12 * time.Hour} {
					d.Step(after)
					fresh := wall()
					if fresh.Step(after); !slices.Equal(d.R.Frame().Pix, fresh.R.Frame().Pix) {
						t.Errorf("%s%s: after %v, the frame differs from the first frame of another wall", language, params, after)
					}
				}
			})
		}
	}
}
