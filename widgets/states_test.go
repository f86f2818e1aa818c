package widgets

import (
	"bytes"
	"crypto/tls"
	"errors"
	"image"
	"image/draw"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"dashboard/internal/fetch"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// stateWidgets are widgets whose values come from one program.
var stateWidgets = []struct {
	size   image.Point
	widget string
}{
	{image.Pt(300, 206), "{widget: card, title: Greenhouse, icon: mdi:sprout-outline, value: !data .p, unit: °}"},
	{image.Pt(300, 206), "{widget: chart, title: Power, icon: mdi:flash, series: !data .p}"},
	{image.Pt(300, 206), "{widget: list, title: Trains, icon: mdi:train, note: north, items: !data .p}"},
	{image.Pt(300, 206), "{widget: gauge, title: Wind, value: !data .p, min: 0, max: 50}"},
	{image.Pt(300, 48), "{widget: text, text: !data .p}"},
	{image.Pt(40, 40), "{widget: icon, icon: !data .p}"},
}

// stateScenes returns the widgets of stateWidgets in a language, all with the same values.
func stateScenes(lang string, after time.Duration, feed func(d *walltest.Data)) (all []walltest.Scene) {
	for _, w := range stateWidgets {
		all = append(all, walltest.Scene{Size: w.size, Widget: w.widget, Locale: lang, Feed: feed, After: after})
	}
	return all
}

// TestGoldenStates draws widgets before their first value, with an outdated value, and with a source that does not answer.
func TestGoldenStates(t *testing.T) {
	down := func(d *walltest.Data) {
		d.ByName["p"].Call("weather_berlin")
		d.ByName["p"].Fail(errors.New("no route to host"), walltest.T0.Add(-30*time.Minute))
	}
	old := func(d *walltest.Data) {
		p := d.ByName["p"]
		p.Promise(time.Minute)
		p.Publish([]any{3, 7, 5, 9}, walltest.T0.Add(-40*time.Minute))
	}
	walltest.ModernSheet(t, "states-waiting", stateScenes("en-GB", time.Second, nil))
	walltest.ModernSheet(t, "states-stale", stateScenes("en-GB", time.Second, old))
	walltest.ModernSheet(t, "states-failed", stateScenes("en-GB", time.Second, down))
	walltest.ModernSheet(t, "states-failed-rtl", stateScenes("he", time.Second, down))
	walltest.ModernSheet(t, "states-stale-rtl", stateScenes("he", time.Second, old))
	walltest.ModernSheet(t, "states-failed-de", stateScenes("de", time.Second, down))
	ink, _ := look.Named("eink", false)
	for _, s := range stateScenes("en-GB", time.Second, down)[:1] {
		s.DrawIn(t, ink, "states-failed-eink")
	}
	for _, s := range stateScenes("en-GB", time.Second, old)[:1] {
		s.DrawIn(t, ink, "states-stale-eink")
	}
}

// TestFailedSince checks a source that fails several times before its first value. The widget shows the time of the first failure. This
// text disappears with the first value.
func TestFailedSince(t *testing.T) {
	s := walltest.Scene{Size: image.Pt(300, 206), Widget: stateWidgets[0].widget, Locale: "en-GB"}
	walltest.ModernBubble(t, "widgets: ["+s.Widget+"]\n", s, look.Calm(true), func(d *walltest.Data) {
		p := d.ByName["p"]
		d.Step(0)
		f := d.Tree.Child.(*kit.Guard).Inner.(*kit.Frame)
		p.Fail(errors.New("x"), walltest.T0)
		d.Step(time.Second)
		p.Fail(errors.New("x"), walltest.T0.Add(10*time.Minute))
		d.Step(10 * time.Minute)
		if f.Failing == nil || f.Failing.Time.Raw != "since 12:34" || f.Failing.Words.Raw != "No answer" {
			t.Fatalf("got %+v", f.Failing)
		}
		p.Promise(time.Minute)
		p.Publish(7, walltest.T0.Add(11*time.Minute))
		d.Step(11 * time.Minute)
		if !f.Values.Failed.IsZero() || f.Head.Since != "" {
			t.Error("a value came, and it is still said that there is none")
		}
		d.Step(20 * time.Minute)
		if f.Head.Since != "since 12:45" {
			t.Errorf("a value that is old: got %q", f.Head.Since)
		}
		d.Step(26 * time.Hour)
		p.Promise(time.Hour)
		d.Step(26 * time.Hour)
	})
}

// TestFailureInATinyCard checks a card that has no room for the text of a failure. The title line shows the icon of the failure at its
// end. If the end has no room, the icon is before the title.
func TestFailureInATinyCard(t *testing.T) {
	for wide, room := range map[int]image.Rectangle{300: image.Rect(240, 0, 300, 60), 110: image.Rect(0, 0, 40, 60)} {
		s := walltest.Scene{Size: image.Pt(wide, 60), Widget: "{widget: card, title: Birthdays, value: !data .p}", Locale: "en-GB"}
		walltest.ModernBubble(t, "widgets: ["+s.Widget+"]\n", s, look.Calm(true), func(d *walltest.Data) {
			p := d.ByName["p"]
			d.Step(0)
			titled := part(d.R.Frame(), room)
			p.Fail(errors.New("x"), walltest.T0)
			d.Step(time.Second)
			if slices.Equal(part(d.R.Frame(), room).Pix, titled.Pix) {
				t.Errorf("%d px: the failure is not shown", wide)
			}
			p.Publish("", walltest.T0.Add(time.Minute))
			d.Step(time.Minute)
			if !slices.Equal(part(d.R.Frame(), room).Pix, titled.Pix) {
				t.Errorf("%d px: the icon stays after an answer", wide)
			}
		})
	}
}

// part() returns a copy of a part of a picture.
func part(m *image.RGBA, r image.Rectangle) *image.RGBA {
	p := image.NewRGBA(r)
	draw.Draw(p, r, m, r.Min, draw.Src)
	return p
}

// TestNextTryIsShown checks that a failure shows the time until the next attempt, rounded to steps such as 10 s. The line with the start
// of the failure keeps its place. A black-and-white screen does not show the time until the next attempt.
func TestNextTryIsShown(t *testing.T) {
	s := walltest.Scene{Size: image.Pt(300, 206), Widget: stateWidgets[0].widget, Locale: "en-GB"}
	file := "widgets: [" + s.Widget + "]\n"
	walltest.ModernBubble(t, file, s, look.Calm(true), func(d *walltest.Data) {
		p := d.ByName["p"]
		d.Step(0)
		p.RetryAt(walltest.T0.Add(41 * time.Second))
		p.Fail(errors.New("x"), walltest.T0)
		d.Step(time.Second)
		f := d.Tree.Child.(*kit.Guard).Inner.(*kit.Frame).Failing
		since := f.Time.Box
		if f.Again.Box.Max.Y != f.Time.Box.Max.Y+f.Again.Face.Line || f.Time.Box.Min.Y < f.Words.Box.Max.Y {
			t.Errorf("the lines are at %v, %v and %v", f.Words.Box, f.Time.Box, f.Again.Box)
		}
		for _, c := range []struct {
			at   time.Duration
			next time.Duration
			want string
		}{
			{1, 41, "next try in 40 s"}, {10, 41, "next try in 40 s"}, {11, 41, "next try in 30 s"}, {40, 41, "next try in 10 s"}, {41, 41, ""},
			{42, 42 + 270, "next try in 5 min"}, {43, 3 * 3600, "next try in 3 h"}, {44, 0, ""},
		} {
			next := walltest.T0.Add(c.next * time.Second)
			if c.next == 0 {
				next = time.Time{}
			}
			p.RetryAt(next)
			d.Step(c.at * time.Second)
			if f.Again.Raw != c.want || f.Time.Box != since {
				t.Errorf("after %d s: got %q, want %q, at %v", c.at, f.Again.Raw, c.want, f.Time.Box)
			}
		}
	})
	ink, _ := look.Named("eink", false)
	walltest.ModernBubble(t, file, s, ink, func(d *walltest.Data) {
		d.ByName["p"].RetryAt(walltest.T0.Add(41 * time.Second))
		d.ByName["p"].Fail(errors.New("x"), walltest.T0)
		d.Step(time.Second)
		if f := d.Tree.Child.(*kit.Guard).Inner.(*kit.Frame).Failing; f.Again.Raw != "" {
			t.Errorf("e-paper: got %q", f.Again.Raw)
		}
	})
}

// TestStoppedWidgetKeepsItsTitle checks that a widget that panicked on a modern wall keeps its title line. The description of the wall
// contains the reason and the widget's position in the file. If the title line also panics, the wall continues.
func TestStoppedWidgetKeepsItsTitle(t *testing.T) {
	s := walltest.Scene{Size: image.Pt(300, 206), Widget: stateWidgets[0].widget, Locale: "en-GB", Feed: func(d *walltest.Data) {
		d.ByName["p"].Publish(7, walltest.T0)
	}}
	walltest.ModernBubble(t, "widgets: ["+s.Widget+"]\n", s, look.Calm(true), func(d *walltest.Data) {
		d.Step(0)
		g := d.Tree.Child.(*kit.Guard)
		f := g.Inner.(*kit.Frame)
		head := f.Head.Box
		before := crop(d.R.Frame(), head)
		f.Inner = &bomb{update: true}
		d.Step(time.Second)
		if !bytes.Equal(before, crop(d.R.Frame(), head)) {
			t.Error("the title line changed")
		}
		if said := spokenOf(d); !said.Contains([]byte("This widget stopped")) || !said.Contains([]byte("widgets.yaml:1:")) {
			t.Error("the description does not have the reason and the place")
		}
		*f.Head = kit.Head{Box: head} // a title line that panics
		d.R.Repaint()
		d.Step(2 * time.Second)
	})
}

// crop() returns the pixels of a rectangle.
func crop(m *image.RGBA, r image.Rectangle) (pix []byte) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		pix = append(pix, m.Pix[m.PixOffset(r.Min.X, y):m.PixOffset(r.Max.X, y)]...)
	}
	return pix
}

// TestContainersHaveNoValues checks a container whose widgets use values in titles, conditions and contents. If the source of these
// values fails, the container itself must not be replaced by a message.
func TestContainersHaveNoValues(t *testing.T) {
	const wall = "widgets:\n  - widget: column\n    children:\n      - {widget: card, title: !data '.p[0]', value: !data '.p[1]'}\n" +
		"      - {widget: text, text: here, when: {value: !data '.p[2]', above: 3}}\n"
	walltest.ModernBubble(t, wall, walltest.Scene{Size: image.Pt(300, 300), Locale: "en"}, look.Calm(true), func(d *walltest.Data) {
		d.Step(0)
		d.ByName["p"].Fail(errors.New("x"), walltest.T0)
		d.Step(time.Second)
		f := d.Tree.Child.(*kit.Guard).Inner.(*kit.Frame)
		if len(f.Values.Cells) > 0 || f.Failing != nil {
			t.Errorf("the column asks for %d values", len(f.Values.Cells))
		}
	})
}

// TestReasonsOfFailures checks that the wall shows why a source does not answer.
func TestReasonsOfFailures(t *testing.T) {
	for _, c := range []struct {
		err  error
		tag  string
		want string
	}{
		{&fetch.StatusError{Code: 401}, "en-GB", "The server refuses the token"},
		{&fetch.StatusError{Code: 404}, "en-GB", "Address not found"},
		{&fetch.Error{Err: fetch.ErrPage}, "en-GB", "Web page instead of data"},
		{&fetch.StatusError{Code: 503}, "en-GB", "The server reports an error"},
		{&fetch.StatusError{Code: 429}, "de", "Zu viele Anfragen"},
		{fs.ErrNotExist, "en-GB", "File not found"},
		{syscall.ENETUNREACH, "en-GB", "No network"},
		{syscall.ECONNREFUSED, "de", "Keine Verbindung zum Server"},
		{&tls.CertificateVerificationError{Err: errors.New("x")}, "de", "Zertifikat nicht vertrauenswürdig"},
		{errors.New("x"), "en-GB", "No answer"},
	} {
		s := walltest.Scene{Size: image.Pt(400, 206), Widget: stateWidgets[0].widget, Locale: c.tag}
		walltest.ModernBubble(t, "widgets: ["+s.Widget+"]\n", s, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			d.ByName["p"].Fail(c.err, walltest.T0)
			d.Step(time.Second)
			if f := d.Tree.Child.(*kit.Guard).Inner.(*kit.Frame); f.Failing == nil || f.Failing.Words.Raw != c.want {
				t.Errorf("%v: got %+v, want %s", c.err, f.Failing, c.want)
			}
		})
	}
}

// TestFailuresNameTheirSource checks that a failure shows the configured name of its source. The texts have fixed positions. If there is
// not enough room, texts are omitted in a fixed order.
func TestFailuresNameTheirSource(t *testing.T) {
	for name, c := range map[string]struct {
		source, tag string
		err         error
		size        image.Point
		words, time string
	}{
		"usual":        {"weather_berlin", "en-GB", errors.New("x"), image.Pt(400, 206), "Weather berlin: no answer", "since 12:34"},
		"French colon": {"météo", "fr", errors.New("x"), image.Pt(400, 206), "Météo\u00a0: pas de réponse", "depuis 12:34"},
		"a long reason": {"weather_berlin", "en-GB", &fetch.StatusError{Code: 401}, image.Pt(360, 206),
			"Weather berlin:", "since 12:34"},
		"no room below": {"weather", "en-GB", &fetch.StatusError{Code: 401}, image.Pt(300, 112), "Weather: no answer", ""},
		"narrow":        {"weather_berlin", "en-GB", errors.New("x"), image.Pt(230, 206), "No answer", "since 12:34"},
		"home":          {"homeassistant", "en-GB", errors.New("x"), image.Pt(400, 206), "Home Assistant: no answer", "since 12:34"},
		"no name":       {"", "en-GB", errors.New("x"), image.Pt(400, 206), "No answer", "since 12:34"},
	} {
		s := walltest.Scene{Size: c.size, Widget: stateWidgets[0].widget, Locale: c.tag}
		walltest.ModernBubble(t, "widgets: ["+s.Widget+"]\n", s, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			if c.source != "" {
				d.ByName["p"].Call(c.source)
			}
			d.ByName["p"].Fail(c.err, walltest.T0)
			d.Step(time.Second)
			f := d.Tree.Child.(*kit.Guard).Inner.(*kit.Frame).Failing
			if f == nil || f.Words.Raw != c.words || f.Time.Raw != c.time {
				t.Errorf("%s: got %q, %q, want %q, %q", name, f.Words.Raw, f.Time.Raw, c.words, c.time)
			}
			if !f.Words.Ink.In(image.Rectangle{Max: c.size}) || f.Words.Shortened() {
				t.Errorf("%s: the words are cut: %v in %v", name, f.Words.Ink, f.Words.Box)
			}
		})
	}
}

// TestWaitingDashesHaveOnePlace checks widgets of four kinds before their first value. With the same title line, all of them must show
// the same picture.
func TestWaitingDashesHaveOnePlace(t *testing.T) {
	var first []byte
	for _, w := range stateWidgets[:4] {
		widget := strings.NewReplacer("note: north, ", "", "title: Power, icon: mdi:flash", "title: Greenhouse, icon: mdi:sprout-outline",
			"title: Trains, icon: mdi:train", "title: Greenhouse, icon: mdi:sprout-outline", "title: Wind", "title: Greenhouse, icon: mdi:sprout-outline").Replace(w.widget)
		s := walltest.Scene{Size: w.size, Widget: widget, Locale: "en-GB"}
		walltest.ModernBubble(t, "widgets: ["+widget+"]\n", s, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			d.Step(time.Second)
			got := d.R.Frame().Pix
			if first == nil {
				first = slices.Clone(got)
			}
			if !bytes.Equal(first, got) {
				t.Errorf("%s waits in another way", widget)
			}
		})
	}
}
