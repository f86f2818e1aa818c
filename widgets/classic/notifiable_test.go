package classic

import (
	"errors"
	"image"
	"image/color"
	"strings"
	"testing"
	"time"

	"dashboard/control/notify"
	"dashboard/theme"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// nrgba() parses a color as the program parses colors in requests.
func nrgba(v any) (color.NRGBA, error) {
	c, err := theme.ColorOfJSON(v)
	return c.NRGBA, err
}

// TestNotificationsDoNoHarm sends requests that crash Grydgets, requests for which Grydgets shows nonsense, and unusual requests.
func TestNotificationsDoNoHarm(t *testing.T) {
	walltest.Bubble(t, "{widget: notifiabletext, name: n, children: [{widget: text, text: child}]}", image.Pt(200, 50), func(d *walltest.Data) {
		d.Step(0)
		quiet := append([]uint8(nil), d.R.Frame().Pix...)
		post := func(body string) error {
			r, err := notify.Parse([]byte(body), nrgba)
			if err != nil {
				return err
			}
			return d.Board.Post(r.Widget, &notify.Notification{Text: *r.Text, Color: r.Color, Background: r.Background, Duration: r.Duration})
		}
		for _, body := range []string{
			`{"widget":"n","text":7}`, `{"widget":"n","text":null}`, `{"widget":"n","text":["x"]}`,
			`{"widget":"n","text":"x","duration":"5"}`, `{"widget":"n","text":"x","duration":null}`, `{"widget":"n","text":"x","duration":-5}`,
			`null`, `[]`, `"n"`, `7`, `{"text":"x"}`, `{"widget":["n"],"text":"x"}`, `{"widget":{},"text":"x"}`,
		} {
			var k *notify.KeyError
			if err := post(body); !errors.As(err, &k) {
				t.Errorf("%s: got %v, want it refused", body, err)
			}
			if damage, _ := d.Step(0); len(damage) != 0 {
				t.Errorf("%s: it shows", body)
			}
		}
		at := time.Second
		for _, body := range []string{
			`{"widget":"n","text":"a\u0000b"}`, `{"widget":"n","text":"\ud800"}`, `{"widget":"n","text":""}`, `{"widget":"n","text":"\n\n\n"}`,
			`{"widget":"n","text":"x","color":"no color","background_color":[1,2]}`, `{"widget":"n","text":"x","color":{},"background_color":"#00000000"}`,
			`{"widget":"n","text":"` + strings.Repeat("wide ", 800) + `"}`, `{"widget":"n","text":"` + strings.Repeat(`\u202e\u0300`, 500) + `"}`,
			`{"widget":"n","text":"مرحبا 日本語 👩‍👩‍👧 e\u0301"}`, `{"widget":"n","text":"x","background_color":"red","color":"#fff"}`,
		} {
			if err := post(body); err != nil {
				t.Errorf("%.60s: got %v, want it accepted", body, err)
			}
			_, next := d.Step(at)
			if want := walltest.T0.Add(at + notify.DefaultDuration); !next.Equal(want) {
				t.Errorf("%.60s: next pass %v, want its end, %v", body, next, want)
			}
			at += notify.DefaultDuration
			if d.Step(at); string(d.R.Frame().Pix) != string(quiet) {
				t.Errorf("%.60s: it left something behind", body)
			}
		}
	})
}

func TestNotificationColors(t *testing.T) {
	walltest.Bubble(t, "{widget: notifiabletext, name: n, color: lime, background_color: navy, children: [{widget: empty, color: yellow}]}", image.Pt(60, 40), func(d *walltest.Data) {
		w := walltest.Only[*notifiableText](d)
		usual := w.usual
		for i, body := range []string{`{"widget":"n","text":"x","color":"red","background_color":[1,2,3]}`, `{"widget":"n","text":"x"}`} {
			r, _ := notify.Parse([]byte(body), nrgba)
			d.Post(&notify.Notification{Text: *r.Text, Color: r.Color, Background: r.Background, Duration: time.Second})
			d.Step(time.Duration(i) * time.Second)
			if changed := w.Color != usual.text && w.Plate.Color != usual.background; changed != (i == 0) {
				t.Errorf("notification %d: got colors %v on %v", i, w.Color, w.Plate.Color)
			}
			if got := d.R.Frame().RGBAAt(1, 1); got != w.Plate.Color {
				t.Errorf("notification %d: got ground %v, want %v", i, got, w.Plate.Color)
			}
		}
		d.Step(2 * time.Second)
		if got := d.R.Frame().RGBAAt(1, 1); got.R != 255 || got.G != 255 {
			t.Errorf("afterwards: got %v, want the yellow child", got)
		}
	})
}

// TestNestedNotifications shows a picture and a text in nested widgets. The picture covers the text, and the text is shown after the
// picture. While both widgets are hidden, the remaining time of the notifications does not change.
func TestNestedNotifications(t *testing.T) {
	walltest.Bubble(t, "{widget: flip, interval: 10, transition: 0, children: [{widget: empty}, {widget: notifiableimage, name: n, children: "+
		"[{widget: notifiabletext, name: m, children: [{widget: empty}]}]}]}", image.Pt(60, 40), func(d *walltest.Data) {
		outer := walltest.Only[*flip](d).Children[1].(*kit.Guard).Inner.(*notifiableImage)
		inner := outer.child.(*kit.Guard).Inner.(*notifiableText)
		d.Step(0)
		d.Post(&notify.Notification{Picture: walltest.ShownPicture(d, 0), Box: d.Size, Duration: 2 * time.Second})
		if err := d.Board.Post("m", &notify.Notification{Text: "x", Duration: 2 * time.Second}); err != nil {
			t.Fatal(err)
		}
		for _, tc := range []struct {
			after          time.Duration
			picture, words bool
		}{{5, false, false}, {10, true, false}, {11, true, false}, {12, false, true}, {14, false, false}} {
			d.Step(tc.after * time.Second)
			if (outer.shown != nil) != tc.picture || (inner.shown != nil) != tc.words {
				t.Errorf("after %d s: got picture %v, text %v, want %v, %v", tc.after, outer.shown != nil, inner.shown != nil, tc.picture, tc.words)
			}
		}
	})
}
