package writing

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"

	"dashboard/internal/qrcode"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/screen"
	"dashboard/widgets/walltest"
)

func TestCodesOfNetworksAndContacts(t *testing.T) {
	for _, tc := range []struct{ got, want string }{
		{(&Wifi{SSID: "Guests", Password: `a;b:c\d`}).code(), `WIFI:T:WPA;S:Guests;P:a\;b\:c\\d;;`},
		{(&Wifi{SSID: "Open, here", Hidden: true}).code(), `WIFI:T:nopass;S:Open\, here;H:true;;`},
		{(&Contact{Name: "Mira", Phone: "+43 1", Email: "m@example.org"}).code(), `MECARD:N:Mira;TEL:+43 1;EMAIL:m@example.org;;`},
	} {
		if tc.got != tc.want {
			t.Errorf("got %s, want %s", tc.got, tc.want)
		}
	}
}

// TestQRHasQuietZoneAndWholeModules checks that the finder pattern of a code (ISO/IEC 18004, section 6.3.3) starts at the end of the
// quiet zone. Modules are whole pixels, black on white.
func TestQRHasQuietZoneAndWholeModules(t *testing.T) {
	for _, night := range []bool{true, false} {
		walltest.ModernBubble(t, "widgets: [{widget: qr, card: false, padding: 0, margin: 0, text: hello}]", walltest.Scene{Size: image.Pt(150, 100)}, look.Calm(night), func(d *walltest.Data) {
			d.Step(0)
			w := walltest.Only[*kit.Frame](d).Inner.(*qrWidget)
			if w.code.Side != 21 || w.module != 3 {
				t.Fatalf("got %d modules of %d px, want 21 of 3", w.code.Side, w.module)
			}
			if quiet := w.at.Sub(w.plate.Min); min(quiet.X, quiet.Y) < qrcode.Quiet*3 || w.plate.Dy() != 100 {
				t.Errorf("the code begins %v inside its edge, which is %v", quiet, w.plate)
			}
			m := d.R.Frame()
			x, y := w.at.X, w.at.Y
			for _, p := range []struct {
				at   image.Point
				want uint8
			}{
				{image.Pt(x-1, y+4), 255}, {image.Pt(x, y), 0}, {image.Pt(x+20, y+20), 0}, {image.Pt(x+21, y+21), 255},
				{image.Pt(x+3, y+3), 255}, {image.Pt(x+2, y+2), 0}, {image.Pt(x+6, y+6), 0},
			} {
				if got := m.RGBAAt(p.at.X, p.at.Y); got != (color.RGBA{p.want, p.want, p.want, 255}) {
					t.Errorf("at %v: got %v, want %d", p.at, got, p.want)
				}
			}
		})
	}
}

func TestQRMistakes(t *testing.T) {
	walltest.WantErrors(t, "widgets: [{widget: qr, text: a, url: b}]", "shows one of text, url, wifi and contact, not 2")
	secret := strings.Repeat("hunter2", 600)
	s, r := walltest.Parse(t, "widgets: [{widget: qr, wifi: {ssid: a, password: "+secret+"}}]")
	screen.Build(walltest.Builder(walltest.TestEnv()), s, image.Pt(200, 200))
	if text := fmt.Sprint(r.Diagnostics()); !strings.Contains(text, "too long") || strings.Contains(text, "hunter2") {
		t.Errorf("got %.200s, want too long, without the password", text)
	}
}

func TestQRGoldens(t *testing.T) {
	walltest.ModernSheet(t, "qr", []walltest.Scene{
		{Size: image.Pt(260, 320), Widget: "{widget: qr, title: Guest Wi-Fi, icon: mdi:wifi, wifi: {ssid: linden, password: maple-river-42}, caption: linden}"},
		{Size: image.Pt(200, 200), Widget: "{widget: qr, card: false, url: 'https://example.org/'}"},
		{Size: image.Pt(200, 200), Widget: "{widget: qr, text: !data .p}"},
		{Size: image.Pt(100, 60), Picture: image.Pt(320, 240), Widget: "{widget: qr, text: small}"},
	})
}

// TestQRCaptionLeaves checks that the code takes the room of its caption if the modules would otherwise be too small.
func TestQRCaptionLeaves(t *testing.T) {
	for high, bare := range map[int]bool{100: true, 400: false} {
		s := walltest.Scene{Size: image.Pt(300, high)}
		widget := "{widget: qr, card: false, margin: 0, padding: 0, caption: Guests, wifi: {ssid: Guests, password: the-password-of-the-guest-network}}"
		walltest.ModernBubble(t, "widgets: ["+widget+"]\n", s, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			if w := walltest.Only[*kit.Frame](d).Inner.(*qrWidget); w.bare != bare || w.module < 2 || !w.plate.In(image.Rect(0, 0, 300, high)) {
				t.Errorf("%d px high: bare %v, modules of %d px at %v", high, w.bare, w.module, w.plate)
			}
		})
	}
}

// TestLongQRCaption checks that a very long caption ends in an ellipsis below the code. In a narrow widget, it is hidden.
func TestLongQRCaption(t *testing.T) {
	long := strings.Repeat("אורחים ゲスト Gastgeber ", 20)
	for wide, shown := range map[int]bool{60: false, 160: true, 300: true} {
		file := "widgets: [{widget: qr, card: false, margin: 0, padding: 0, text: hello, caption: " + long + "}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(wide, 300)}, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			w := walltest.Only[*kit.Frame](d).Inner.(*qrWidget)
			if (w.caption != nil) != shown {
				t.Fatalf("%d px wide: the caption is shown: %v", wide, !shown)
			}
			if c := w.caption; c != nil && (c.Ink.Empty() || c.Ink.Overlaps(w.plate) || !c.Ink.In(image.Rect(0, 0, wide, 300))) {
				t.Errorf("%d px wide: the caption is in %v, the code in %v", wide, c.Ink, w.plate)
			}
		})
	}
}

// TestQRYields checks that a code leaves room for the name and the password of its network. Its modules must still have at least
// fineModule px. The texts do not overlap the code.
func TestQRYields(t *testing.T) {
	for size, told := range map[image.Point]bool{{X: 220, Y: 240}: true, {X: 120, Y: 120}: false, {X: 500, Y: 240}: true, {X: 262, Y: 190}: true} {
		file := "widgets: [{widget: qr, card: false, padding: 0, margin: 0, wifi: {ssid: linden, password: maple-river-42}}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: size}, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			w := walltest.Only[*kit.Frame](d).Inner.(*qrWidget)
			if (w.words[1] != nil) != told || w.module < fineModule {
				t.Errorf("%v: the words are shown: %v, with modules of %d px", size, w.words[1] != nil, w.module)
			}
			if told && w.words[1] != nil && (w.words[0].Ink.Overlaps(w.plate) || w.words[1].Ink.Overlaps(w.plate)) {
				t.Errorf("%v: the words touch the code", size)
			}
		})
	}
}

// TestQRNamesItsNetwork checks the name and the password next to a code. A long password is smaller, and a password that does not fit is
// not shown. No text is cut or touches the code.
func TestQRNamesItsNetwork(t *testing.T) {
	for wide, want := range map[int]int{700: 2, 440: 2, 290: 1, 250: 0} {
		file := "widgets: [{widget: qr, card: false, padding: 0, margin: 0, wifi: {ssid: Guests, password: the-password-of-the-guest-network}}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(wide, 220)}, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			w := walltest.Only[*kit.Frame](d).Inner.(*qrWidget)
			shown := 0
			for _, c := range w.words {
				if c == nil {
					continue
				}
				if shown++; c.Shortened() || c.Ink.Overlaps(w.plate) || !c.Ink.In(image.Rect(0, 0, wide, 220)) {
					t.Errorf("%d px: %q at %v is cut or touches the code at %v", wide, c.Raw, c.Ink, w.plate)
				}
			}
			if shown != want {
				t.Errorf("%d px: %d texts, want %d; the code is at %v", wide, shown, want, w.plate)
			}
		})
	}
}
