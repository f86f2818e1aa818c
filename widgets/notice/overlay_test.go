package notice

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/control/notify"
	"dashboard/internal/testing/golden"
	"dashboard/provider"
	"dashboard/render/picture"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/screen"
	"dashboard/widgets/walltest"
)

// noticeWall is a wall with a clock and a list, which notifications can cover.
const noticeWall = `
widgets:
  - widget: layout
    areas: ["clock list", "clock list"]
    portrait: {areas: ["clock", "list"]}
    children:
      - {widget: clock, area: clock, date: "{EEEE}, {d MMMM}"}
      - {widget: list, area: list, title: Rooms, icon: mdi:home-outline, items: [{text: Living room, value: 21.4, unit: °}, {text: Bedroom, value: 18.9, unit: °}, {text: Front door, value: unlocked}]}
`

// noticed() runs f with a wall that shows notifications.
func noticed(t *testing.T, size image.Point, l *look.Look, lang string, p kit.Notices, reduced bool, f func(d *walltest.Data)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		e := walltest.TestEnv()
		e.Look, e.Locale, e.Picture, e.Reduced = l, walltest.TestLocale(t, lang), size, reduced
		if p.Limit == 0 {
			p.Limit = 3
		}
		if p.Kind == "" {
			p.Kind = "card"
		}
		e.Notices, e.Banner = &p, provider.NewCell(nil)
		f(walltest.NewDataIn(t, e, "background_color: "+walltest.Flow(walltest.HexOf(l.Colors["background"]))+noticeWall, size))
	})
}

// porch() returns a picture with a gradient and a figure.
func porch(box image.Point) *picture.Picture {
	m := image.NewRGBA(image.Rectangle{Max: box})
	for y := range box.Y {
		v := 120 - 90*y/box.Y
		draw.Draw(m, image.Rect(0, y, box.X, y+1), image.NewUniform(color.RGBA{uint8(v / 2), uint8(v * 2 / 3), uint8(v), 255}), image.Point{}, draw.Src)
	}
	draw.Draw(m, image.Rect(box.X*3/8, box.Y/3, box.X*5/8, box.Y), image.NewUniform(color.RGBA{13, 19, 27, 255}), image.Point{}, draw.Src)
	return &picture.Picture{Frames: []picture.Frame{{Img: m}}, Rect: m.Rect, Opaque: true}
}

// doorbell() returns a notification with a picture.
func doorbell(d *walltest.Data) notify.Notification {
	box := overlayOf(d.Tree).pictureBox(overlayOf(d.Tree).p.Kind)
	return notify.Notification{Title: "Front door", Text: "Somebody rang 6 seconds ago", Icon: "mdi:doorbell-video", Role: "warn", Picture: porch(box), Box: box}
}

var noticeSizes = []image.Point{{320, 240}, {800, 480}, {1920, 1080}, {1080, 1920}}

// TestGoldenNotices draws a notification with a picture, a notification with a text, a stack of notifications, and all kinds, by night
// and by day.
func TestGoldenNotices(t *testing.T) {
	half := 0.5
	laundry := notify.Notification{Title: "Laundry is done", Text: "2 h 5 min, 0.9 kWh. Please take it out.", Icon: "mdi:washing-machine"}
	update := notify.Notification{Title: "Update", Text: "The **third** of six parts, *nearly* there", Marked: true, Icon: "mdi:download", Progress: &half}
	long := notify.Notification{Title: "A title that is much longer than any card is wide, and so ends in an ellipsis somewhere", Text: "Text of **several lines**: it is broken between words, *as often as* there is room for another line, and what does not fit then ends in an ellipsis. " +
		"The bins are brown this week, the glass is collected on Thursday, and the lift is out of order until further notice. Please use the stairs at the back."}
	long.Marked = true
	for _, tc := range []struct {
		name string
		p    kit.Notices
		tell func(d *walltest.Data)
	}{
		{"door", kit.Notices{}, func(d *walltest.Data) { d.Tell(doorbell(d)) }},
		{"card", kit.Notices{}, func(d *walltest.Data) { d.Tell(update) }},
		{"stack", kit.Notices{}, func(d *walltest.Data) {
			n := laundry
			n.Hold = true
			d.Tell(n)
			d.Tell(notify.Notification{Title: "Window open", Text: "Bedroom, since 9:40", Icon: "mdi:window-open-variant", Role: "bad"})
			d.Tell(notify.Notification{Title: "Parcel", Icon: "mdi:package-variant-closed", Count: 3})
			d.Tell(update)
		}},
		{"long", kit.Notices{}, func(d *walltest.Data) { d.Tell(long) }},
		{"banner", kit.Notices{Kind: "banner"}, func(d *walltest.Data) { d.Tell(laundry); d.Tell(doorbell(d)) }},
		{"toast", kit.Notices{Kind: "toast"}, func(d *walltest.Data) {
			d.Tell(notify.Notification{Text: "Saved: 3 changes are on the wall", Icon: "mdi:check-circle", Role: "good"})
			d.Tell(laundry)
		}},
		{"badge", kit.Notices{}, func(d *walltest.Data) {
			d.Tell(notify.Notification{Title: "Backup done", Icon: "mdi:backup-restore", Role: "good", Priority: 1})
			d.Tell(notify.Notification{Title: "Dog barked", Text: "Garden", Priority: 1, Count: 12})
		}},
		{"fullscreen", kit.Notices{Kind: "fullscreen"}, func(d *walltest.Data) { d.Tell(laundry) }},
		{"fullscreen-door", kit.Notices{Kind: "fullscreen"}, func(d *walltest.Data) { d.Tell(doorbell(d)) }},
	} {
		for _, size := range noticeSizes {
			for _, night := range []bool{true, false} {
				name := fmt.Sprintf("notice-%s-%dx%d-%s", tc.name, size.X, size.Y, map[bool]string{true: "night", false: "day"}[night])
				if !night && tc.name != "door" && tc.name != "stack" && tc.name != "banner" && size != noticeSizes[1] {
					continue
				}
				t.Run(name, func(t *testing.T) {
					noticed(t, size, look.Calm(night), "en-GB", tc.p, false, func(d *walltest.Data) {
						d.Step(0)
						tc.tell(d)
						d.Step(0)
						d.Step(time.Second)
						d.Step(3 * time.Second)
						golden.Compare(t, name, d.R.Frame())
					})
				})
			}
		}
	}
}

// TestGoldenNoticesElsewhere draws notifications on e-paper, in a right-to-left language, and while their picture is being fetched.
func TestGoldenNoticesElsewhere(t *testing.T) {
	draw := func(name, lang string, l *look.Look, n func(d *walltest.Data) notify.Notification) {
		noticed(t, image.Pt(800, 480), l, lang, kit.Notices{}, l.Ink, func(d *walltest.Data) {
			d.Step(0)
			d.Tell(n(d))
			d.Step(0)
			d.Step(3 * time.Second)
			golden.Compare(t, name, d.R.Frame())
		})
	}
	ink, _ := look.Named("eink", false)
	bins := notify.Notification{Title: "Bins", Text: "Brown ones, **before seven**.", Marked: true, Icon: "mdi:trash-can-outline"}
	draw("notice-eink", "de", ink, func(*walltest.Data) notify.Notification { return bins })
	half := 0.25
	draw("notice-rtl", "ar", look.Calm(true), func(*walltest.Data) notify.Notification {
		return notify.Notification{Title: "جرس الباب", Text: "شخص ما عند الباب", Icon: "mdi:doorbell-video", Progress: &half}
	})
	draw("notice-waiting", "en-GB", look.Calm(true), func(d *walltest.Data) notify.Notification {
		n := doorbell(d)
		n.Picture, n.Fetching = nil, true
		return n
	})
}

// TestGoldenNoticeIcons checks that a picture used as an icon has the place and the size of a glyph.
func TestGoldenNoticeIcons(t *testing.T) {
	for _, kind := range []string{"card", "banner", "toast", "fullscreen"} {
		noticed(t, image.Pt(800, 480), look.Calm(true), "en-GB", kit.Notices{Kind: kind}, false, func(d *walltest.Data) {
			n := notify.Notification{Title: "Front door", Text: "Somebody rang", Icon: "http://nas.lan/door.png"}
			d.Step(0)
			d.Tell(n)
			d.Tell(notify.Notification{Title: "Before it", Icon: "mdi:doorbell"})
			n.ID = "bell"
			for i, size := range iconSizes(overlayOf(d.Tree).b, kind) {
				if size.X > 0 {
					n.Icons[i] = porch(size)
				}
			}
			d.Tell(n)
			d.Step(0)
			d.Step(3 * time.Second)
			golden.Compare(t, "notice-icon-"+kind, d.R.Frame())
			shown := overlayOf(d.Tree).notices[0].icon
			if shown.Film.Pic == nil || shown.Film.Pic.Rect.Size() != shown.Box.Size() {
				t.Errorf("%s: the icon of %v is %+v", kind, shown.Box, shown.Film.Pic)
			}
		})
	}
}

// TestNoticesAllocateNothing checks that notifications allocate no memory while they move or rest.
func TestNoticesAllocateNothing(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	noticed(t, image.Pt(800, 480), look.Calm(true), "en-GB", kit.Notices{}, false, func(d *walltest.Data) {
		d.Step(0)
		n := doorbell(d)
		n.Duration = time.Hour
		d.Tell(n)
		d.Step(0)
		at := time.Duration(0)
		moves := testing.AllocsPerRun(20, func() {
			at += 10 * time.Millisecond
			d.R.Step(walltest.T0.Add(at))
		})
		if moving := overlayOf(d.Tree).notices[0].moving; moves != 0 || !moving {
			t.Errorf("moving (%v): got %v allocations", moving, moves)
		}
		d.Step(time.Second)
		at = time.Second
		rests := testing.AllocsPerRun(20, func() {
			at += time.Second
			d.R.Step(walltest.T0.Add(at))
		})
		if rests != 0 {
			t.Errorf("at rest: got %v allocations", rests)
		}
	})
}

// TestNoticeComesAndGoes checks that a notification appears, stays, changes in place, and disappears. Afterwards, the wall looks the same
// as before.
func TestNoticeComesAndGoes(t *testing.T) {
	noticed(t, image.Pt(800, 480), look.Calm(true), "en-GB", kit.Notices{}, false, func(d *walltest.Data) {
		d.Step(0)
		quiet := append([]uint8(nil), d.R.Frame().Pix...)
		d.Tell(notify.Notification{Title: "Washing", Text: "1 h left", ID: "w", Icon: "mdi:washing-machine"})
		d.Step(0)
		n := overlayOf(d.Tree).notices[0]
		if n.off == (image.Point{}) || n.rect.Add(n.off).Overlaps(image.Rectangle{Max: d.Size}) {
			t.Errorf("it begins at %v, in view", n.rect.Add(n.off))
		}
		d.Step(200 * time.Millisecond)
		d.Step(time.Second)
		if n.off != (image.Point{}) || overlayOf(d.Tree).dim.step != dimSteps {
			t.Errorf("after a second it is %v away, and the wall dark by %d", n.off, overlayOf(d.Tree).dim.step)
		}
		d.Tell(notify.Notification{Title: "Washing", Text: "5 min left", ID: "w", Icon: "mdi:washing-machine"})
		damage, _ := d.Step(time.Second)
		for _, r := range damage {
			if r.Dy() > n.words.Dy()+4 {
				t.Errorf("another text damages %v", r)
			}
		}
		d.Step(10 * time.Second)
		d.Step(10*time.Second + 200*time.Millisecond)
		if !n.going {
			t.Error("it does not go at its end")
		}
		_, next := d.Step(11 * time.Second)
		if len(overlayOf(d.Tree).notices) != 0 || string(d.R.Frame().Pix) != string(quiet) {
			t.Error("it left something behind")
		}
		if !next.IsZero() && next.Before(walltest.T0.Add(12*time.Second)) {
			t.Errorf("a wall without notifications passes again at %v", next.Sub(walltest.T0))
		}
	})
}

// TestNoticeReduced checks notifications with reduced motion. They appear immediately and have no line for the remaining time. They
// request the next update for the time at which they end.
func TestNoticeReduced(t *testing.T) {
	noticed(t, image.Pt(800, 480), look.Calm(true), "en-GB", kit.Notices{}, true, func(d *walltest.Data) {
		d.Step(0)
		d.Tell(notify.Notification{Title: "Washing", Duration: 7 * time.Second})
		_, next := d.Step(0)
		n := overlayOf(d.Tree).notices[0]
		if n.off != (image.Point{}) || n.moving || !n.line.Empty() || !next.Equal(walltest.T0.Add(7*time.Second)) {
			t.Errorf("off %v, moving %v, line %v, next %v", n.off, n.moving, n.line, next.Sub(walltest.T0))
		}
	})
}

// TestNoticePanics checks a notification that causes a panic. All notifications are then removed, and the wall continues.
func TestNoticePanics(t *testing.T) {
	noticed(t, image.Pt(800, 480), look.Calm(true), "en-GB", kit.Notices{}, false, func(d *walltest.Data) {
		crashes := 0
		overlayOf(d.Tree).b.Crashed = func(string, string, any) { crashes++ }
		d.Step(0)
		d.Tell(notify.Notification{Title: "x", Picture: &picture.Picture{}, Box: image.Pt(40, 40)})
		d.Step(0)
		d.Step(time.Second)
		d.Step(2 * time.Second)
		if crashes == 0 || len(overlayOf(d.Tree).notices) != 0 {
			t.Errorf("%d crashes, %d notices", crashes, len(overlayOf(d.Tree).notices))
		}
	})
}

// overlayOf returns the layer with the notifications of a wall.
func overlayOf(w *screen.Screen) *overlay {
	for _, l := range w.Layers {
		if o, ok := l.(*overlay); ok {
			return o
		}
	}
	return nil
}
