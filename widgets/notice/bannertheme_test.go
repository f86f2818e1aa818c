package notice

import (
	"image"
	"image/color"
	"strings"
	"testing"
	"time"

	"dashboard/control/notify"
	"dashboard/internal/locale"
	"dashboard/provider"
	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// themed() returns the banner of a themed wall, and the renderer of this wall.
func themed(l *look.Look, size image.Point) (*themedBanner, *render.Renderer) {
	e := walltest.TestEnv()
	e.Look, e.Themed, e.Banner, e.Picture, e.Locale = l, true, provider.NewCell(nil), size, locale.English()
	b := newThemedBanner(walltest.Builder(e), size)
	return b, render.New(b, size)
}

// TestBannerIsInTheTheme checks the colors of an error and of a notice. The background is the tinted color of cards, the text is
// readable, and the icon is visible.
func TestBannerIsInTheTheme(t *testing.T) {
	for _, name := range look.Names() {
		for _, night := range []bool{false, true} {
			l, _ := look.Named(name, night)
			for i, notice := range []bool{false, true} {
				b, r := themed(l, image.Pt(800, 480))
				b.b.Banner.Publish(kit.Banner{Place: "widgets.yaml:4:10", Words: "unknown key", Notice: notice}, time.Now())
				r.Step(walltest.T0)
				got := r.Frame().RGBAAt(b.plate.Max.X-20, b.plate.Min.Y+4)
				if got != b.colors[i].ground || !l.Ink && got == render.Premultiply(l.Colors["surface"]) {
					t.Errorf("%s, night %v: the plate is %v, want %v", name, night, got, b.colors[i].ground)
				}
				if c := look.Contrast(color.NRGBA(b.colors[i].state), color.NRGBA(got)); c < 3 {
					t.Errorf("%s, night %v, notice %v: the icon has a contrast of %.1f, want 3", name, night, notice, c)
				}
				ink, ground := color.NRGBA(b.colors[i].ink), color.NRGBA(got)
				if c := look.Contrast(ink, ground); c < 4.5 {
					t.Errorf("%s, night %v, notice %v: the text has a contrast of %.1f, want 4.5", name, night, notice, c)
				}
			}
		}
	}
}

// TestBannerParts checks the banner at several sizes. Its parts stay inside the strip, a long message has its own lines, and at least
// half of the wall stays visible.
func TestBannerParts(t *testing.T) {
	long := strings.Repeat("unknown widget type 'txet'; is 'text' meant? ", 20)
	for _, size := range []image.Point{{160, 96}, {320, 240}, {480, 320}, {800, 480}, {1280, 720}, {1920, 1080}, {1080, 1920}, {3840, 2160}} {
		for _, words := range []string{"unknown key", long} {
			b, r := themed(look.Calm(true), size)
			b.b.Banner.Publish(kit.Banner{Place: "widgets.yaml:4:10", Words: words, Stays: walltest.T0.Add(-time.Hour)}, walltest.T0)
			r.Step(walltest.T0)
			if b.box.Min.Y < size.Y/2 || b.box.Max != size {
				t.Errorf("%v: the strip is %v", size, b.box)
			}
			in := image.Rectangle{Max: b.plate.Size()}
			if !b.plate.In(b.box) || b.plate.Min.X == 0 {
				t.Errorf("%v: the plate is at %v in %v", size, b.plate, b.box)
			}
			for _, c := range []*kit.Caption{b.place, b.words, b.stays} {
				if c.Raw != "" && !c.Ink.In(in) {
					t.Errorf("%v: %q is at %v, outside of %v", size, c.Raw, c.Ink, in)
				}
			}
			if b.words.Raw != "" && b.place.Ink.Overlaps(b.words.Ink) || b.words.Raw != "" && b.words.Ink.Overlaps(b.stays.Ink) {
				t.Errorf("%v: texts overlap", size)
			}
			if size.X >= 1280 && words != long && (b.stays.Raw != "the wall from 11:34\u202fAM stays" || b.plate.Dy() != b.b.Px(bannerHigh)) {
				t.Errorf("%v: got %q, %d px high", size, b.stays.Raw, b.box.Dy())
			}
			if words == long && (b.words.Raw != "" || b.block.Lines() == 0) {
				t.Errorf("%v: the long sentence has no lines of its own", size)
			}
		}
	}
}

// TestNoticeEnds checks that a notice with an end time disappears at this time. A classic wall does not show such a notice.
func TestNoticeEnds(t *testing.T) {
	note := kit.Banner{Words: "unknown key", Notice: true, Until: walltest.T0.Add(time.Hour)}
	b, r := themed(look.Calm(true), image.Pt(800, 480))
	b.b.Banner.Publish(note, walltest.T0)
	r.Step(walltest.T0)
	if _, next := r.Step(walltest.T0.Add(59 * time.Minute)); b.box.Empty() || next.After(note.Until) {
		t.Errorf("after 59 minutes: %v, next frame at %v", b.box, next)
	}
	if r.Step(note.Until); !b.box.Empty() {
		t.Error("after an hour it is still there")
	}
	classic := kit.Env{Drawing: walltest.TestEnv().Drawing, Wall: kit.Wall{Banner: provider.NewCell(nil)}}
	old := newBanner(&classic, image.Pt(800, 480))
	classic.Banner.Publish(note, walltest.T0)
	if render.New(old, image.Pt(800, 480)).Step(walltest.T0); !old.strip.Empty() {
		t.Error("a classic wall shows the notice")
	}
}

// TestBannerLeavesNotices checks that notifications at the lower edge are above the banner, and move down when the banner ends.
func TestBannerLeavesNotices(t *testing.T) {
	for _, size := range []image.Point{{480, 320}, {800, 480}, {1280, 720}, {1080, 1920}} {
		noticed(t, size, look.Calm(true), "en-GB", kit.Notices{Kind: "toast", Place: "bottom left"}, true, func(d *walltest.Data) {
			w := overlayOf(d.Tree)
			d.Step(0)
			d.Tell(notify.Notification{Title: "Laundry is done", Hold: true})
			d.Step(0)
			d.Step(time.Second)
			free := w.notices[0].rect
			w.b.Banner.Publish(kit.Banner{Words: "unknown key"}, time.Now())
			d.Step(0)
			d.Step(time.Second)
			if w.below.box.Empty() || w.notices[0].rect.Overlaps(w.below.box) || w.notices[0].rect.Max.Y < w.below.box.Min.Y-size.Y/20 {
				t.Errorf("%v: the notice is at %v, the banner at %v", size, w.notices[0].rect, w.below.box)
			}
			w.b.Banner.Publish(kit.Banner{}, time.Now())
			d.Step(0)
			d.Step(time.Second)
			if got := w.notices[0].rect; got != free {
				t.Errorf("%v: after the banner the notice is at %v, want %v", size, got, free)
			}
		})
	}
}
