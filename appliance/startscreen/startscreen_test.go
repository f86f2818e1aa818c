package startscreen

import (
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"dashboard/appliance/about"
	"dashboard/internal/qrcode"
	"dashboard/render/text"
)

var pictures = flag.String("pictures", "", "`folder` for the pictures, to look at")

var sizes = []image.Point{{320, 240}, {800, 480}, {1280, 720}, {1920, 1080}, {1080, 1920}}

func content(t *testing.T, many bool) Content {
	code, err := qrcode.Encode("http://192.168.178.120:5000/#token=k3v9q2mx7tzw4h8n")
	if err != nil {
		t.Fatal(err)
	}
	c := Content{Name: "kitchen", Version: "Dashboard 0.9.2", Code: code, Lines: []Line{
		{"wifi", "good", "192.168.178.120"}, {"web", "muted", "kitchen.local:5000"}, {"clock-outline", "good", "The time is set"},
	}}
	if many {
		c.Lines = append(c.Lines, Line{"alert", "warn", `settings.txt:4: there is no setting "rolle"; is role meant?`},
			Line{"alert", "warn", "settings.txt:9: wifi_password must be 8 to 63 characters, or 64 hexadecimal digits: the network is not joined"},
			Line{"alert", "warn", `settings.txt: there is no time zone "Europe/Berln"`}, Line{"alert", "warn", "settings.txt:12: a line is written as name = value"})
	}
	return c
}

// drawing has the words of the design drawing of the start screen.
var drawing = Content{Name: "Kitchen wall", Version: "dashboard 1.4.0", Address: "kitchen-wall.local:5000", Doing: "Reading the wall’s sources, 5 of 8", Share: 5.0 / 8, Lines: []Line{
	{"wifi-strength-3", "good", "Wi-Fi, good signal: home-2g, 192.168.1.42"}, {"clock-alert-outline", "warn", "Clock not set: no time server has answered yet, asked 3 times"},
	{"file-alert-outline", "bad", "2 settings refused: wall.txt:14 brightnes: did you mean brightness?"}, {Text: ": wifi.txt:3 country: XX is no country"},
}}

// starting returns the start screen of an appliance with mistakes in its settings.
func starting() Content {
	return Starting(about.Facts{Name: "kitchen", Version: "1.4.0", Problems: []string{
		`settings.txt:4: there is no setting "rolle"; is role meant?`, `settings.txt: there is no time zone "Europe/Berln"`,
		"settings.txt:9: wifi_password must be 8 to 63 characters, or 64 hexadecimal digits: the network is not joined",
	}}, "kitchen.local:5000", false, nil)
}

func save(t *testing.T, name string, pic image.Image) {
	if *pictures == "" {
		return
	}
	f, err := os.Create(filepath.Join(*pictures, name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, pic); err != nil {
		t.Fatal(err)
	}
}

// The picture fills the screen and leaves its margin free at every size.
func TestScreen(t *testing.T) {
	cache := text.NewCache(4 << 20)
	for _, size := range sizes {
		for name, c := range map[string]Content{"start": {Name: "kitchen", Version: "Dashboard 0.9.2", Lines: content(t, true).Lines[2:]}, "whole": content(t, true), "drawing": drawing, "starting": starting()} {
			dst := image.NewRGBA(image.Rectangle{Max: size})
			Screen(dst, c, cache)
			save(t, name+size.String(), dst)
			ground := dst.RGBAAt(0, 0)
			if ground.A != 255 {
				t.Errorf("%s %v: got %v in the corner", name, size, ground)
			}
			edge := newPainter(size, cache, true).px(20)
			inner := image.Rectangle{Max: size}.Inset(edge)
			if n := differing(dst, ground, inner); n > 0 {
				t.Errorf("%s %v: %d pixels in the margin", name, size, n)
			}
			if differing(dst, ground, image.Rectangle{}) < size.X*size.Y/400 {
				t.Errorf("%s %v: the picture is all but empty", name, size)
			}
		}
	}
}

// differing counts the pixels whose color is not `ground`. It ignores the pixels inside the rectangle `but`.
func differing(pic *image.RGBA, ground color.RGBA, but image.Rectangle) (n int) {
	for y := range pic.Rect.Dy() {
		for x := range pic.Rect.Dx() {
			if !(image.Point{x, y}).In(but) && pic.RGBAAt(x, y) != ground {
				n++
			}
		}
	}
	return n
}

// The note is in the lower right corner, inside of the wall's margin, with any content.
func TestNote(t *testing.T) {
	cache := text.NewCache(4 << 20)
	for _, size := range sizes {
		for name, c := range map[string]Content{"few": content(t, false), "many": content(t, true), "bare": {Name: "kitchen", Lines: content(t, true).Lines[3:4]}} {
			pic, at := Note(size, c, true, cache)
			margin := newPainter(size, cache, true).px(20)
			if !at.In(image.Rectangle{Max: size}.Inset(margin)) || at.Size() != pic.Rect.Size() || at.Max != size.Sub(image.Pt(margin, margin)) {
				t.Errorf("%s %v: got a note at %v of %v", name, size, at, pic.Rect)
			}
			wall := image.NewRGBA(image.Rectangle{Max: size})
			for y := range at.Dy() {
				copy(wall.Pix[wall.PixOffset(at.Min.X, at.Min.Y+y):], pic.Pix[pic.PixOffset(0, y):pic.PixOffset(0, y)+4*at.Dx()])
			}
			save(t, "note-"+name+size.String(), wall)
		}
	}
}

// A note at the upper edge leaves the lower edge free for an error message, also on a small upright screen.
func TestNoteAtTheTop(t *testing.T) {
	for _, size := range append(sizes, image.Pt(480, 800)) {
		c := content(t, false)
		_, below := Note(size, c, false, text.NewCache(1<<20))
		c.Top = true
		_, at := Note(size, c, false, text.NewCache(1<<20))
		if at.Size() != below.Size() || at.Min.Y != size.Y-below.Max.Y || at.Min.X != below.Min.X {
			t.Errorf("%v: got %v at the top and %v below, want the same note at the other edge", size, at, below)
		}
	}
}

// The code on the start screen is large enough for a phone. The address is below it, and the progress is at the bottom. On a small screen
// the words have priority.
func TestScreenAddress(t *testing.T) {
	white := color.RGBA{255, 255, 255, 255}
	for _, size := range append(sizes, image.Pt(480, 320), image.Pt(480, 800)) {
		c := content(t, true)
		bare := image.NewRGBA(image.Rectangle{Max: size})
		Screen(bare, c, text.NewCache(1<<20))
		c.Address, c.Doing, c.Share = "kitchen.local:5000", "Starting", 0.4
		dst := image.NewRGBA(image.Rectangle{Max: size})
		Screen(dst, c, text.NewCache(1<<20))
		save(t, "address"+size.String(), dst)
		most := 0
		for y := range size.Y {
			run := 0
			for x := range size.X {
				if run++; dst.RGBAAt(x, y) != white {
					run = 0
				}
				most = max(most, run)
			}
		}
		if modules := c.Code.Side + 8; size.X > 320 && most < 3*modules {
			t.Errorf("%v: the code's edge is %d px wide, want 3 px for each of %d modules", size, most, modules)
		}
		if n := changed(bare, dst); n == 0 {
			t.Errorf("%v: neither the address nor the progress is shown", size)
		}
	}
}

func changed(a, b *image.RGBA) (n int) {
	for i := range a.Pix {
		if a.Pix[i] != b.Pix[i] {
			n++
		}
	}
	return n
}

// TestCardHasFullHeight checks that on a landscape screen the card with the address reaches from the upper to the lower margin. The facts
// next to the card have the same height.
func TestCardHasFullHeight(t *testing.T) {
	for _, size := range []image.Point{{800, 480}, {1280, 720}, {1920, 1080}} {
		dst := image.NewRGBA(image.Rectangle{Max: size})
		c := content(t, false)
		c.Address = "kitchen.local:5000"
		Screen(dst, c, text.NewCache(1<<20))
		p := newPainter(size, text.NewCache(1<<20), true)
		margin, card := p.px(p.look.Sizes.Margin), p.color("surface")
		x := size.X - 2*margin - p.px(p.look.Sizes.Radius)
		for _, y := range []int{margin + 2, size.Y - margin - 3} {
			if got := dst.RGBAAt(x, y); got != card {
				t.Errorf("%v: the pixel at %d,%d is %v, want the card's %v", size, x, y, got, card)
			}
		}
	}
}
