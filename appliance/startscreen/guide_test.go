package startscreen

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/draw"

	"dashboard/appliance/about"
	"dashboard/render/text"
)

const (
	joinContent = "WIFI:T:WPA;S:wall-7k3f;P:maple-otter-42;;"
	pageContent = "HTTP://10.1.1.1/K7QM42XA"
)

var steps = []string{"Language", "Wi-Fi", "Place", "Wall", "Done"}

// guides() returns the screens of the set-up. The keys are names for the test.
func guides() map[string]about.Guide {
	point := []about.Pair{{Label: "Network", Value: "wall-7k3f"}, {Label: "Password", Value: "maple-otter-42"}}
	page := []about.Pair{{Label: "Address", Value: "10.1.1.1"}, {Label: "Code", Value: "K7QM 42XA"}}
	return map[string]about.Guide{
		"join": {Codes: []about.Code{
			{Content: joinContent, Sentence: "Scan this to join the wall’s Wi-Fi.", Pairs: point},
			{Content: pageContent, Sentence: "Then scan this to open its page.", Pairs: page},
		}},
		"connected": {
			Icon: "cellphone-check", Role: "good", Title: "Your phone is connected.",
			Text: []string{"The page opens by itself on most phones. If it does not, scan this code."}, Pairs: page,
			Hint: "The phone may say “no internet”. Stay connected.", Codes: []about.Code{{Content: pageContent}}, Steps: steps, Step: 1,
		},
		"wrong-password": {
			Icon: "wifi-alert", Role: "bad", Over: "Sonnenallee 12", Title: "The network refused the password.",
			Text: []string{
				"The wall’s own Wi-Fi is back. Your phone returns to it within a minute, and the page asks again.",
				"If the phone does not return, scan this code.",
			},
			Pairs: point, Codes: []about.Code{{Content: joinContent}}, Steps: steps, Step: 2,
		},
		"done": {
			Icon: "check-circle", Role: "good", Title: "Kitchen is ready.",
			Bold:  []string{"Sonnenallee 12"},
			Text:  []string{"Let your phone join Sonnenallee 12 again. Then scan this code to open its page."},
			Pairs: []about.Pair{{Label: "Address", Value: "kitchen.local:5000"}, {Label: "or", Value: "192.168.178.142:5000"}},
			Quiet: "The wall starts in 60 s, or when the page is open.", Codes: []about.Code{{Content: "HTTP://192.168.178.142/K7QM42XA"}},
			Steps: steps, Step: 5,
		},
		"mistake": {
			Icon: "file-alert-outline", Role: "bad", Title: "settings.txt, line 14 is not understood.",
			Rows: []about.Row{
				{Number: 13, Before: "wifi_name = Sonnenallee 12"}, {Number: 14, Word: "wifi_passwort", After: " = ••••••••", Wrong: true},
				{Number: 15, Before: "wifi_country = DE"},
			},
			Bold:  []string{"settings.txt", "DASHBOARD", "wifi_password"},
			Right: "Did you mean wifi_password?", Text: []string{"and 2 more"},
			List: []string{
				"With a laptop", "Switch the wall off. Put its card into the laptop.", "Open settings.txt on the drive DASHBOARD.",
				"Correct line 14, save, put the card back.",
			},
			Codes: []about.Code{{Content: joinContent, Sentence: "With a phone: scan, then tap “Fix”.", Pairs: point}},
		},
		"mistake-conf": {
			Icon: "file-alert-outline", Role: "bad", Title: "dashboard/conf.yaml, line 14 is not understood.",
			Rows: []about.Row{
				{Number: 13, Before: "  auth: {control_token: ••••••••"},
				{Number: 14, Before: "  trusted_proxies: [", Word: "192.168.178.300", After: ", 192.168.178.2, 192.168.178.3]", Wrong: true}, {Number: 15, Before: "outputs:"},
			},
			Right: "trusted_proxies[0]: must be an address range such as 192.168.1.0/24, or a single address", Text: []string{"and 2 more"},
			List: []string{
				"With a laptop", "Switch the wall off. Put its card into the laptop.", "Open dashboard/conf.yaml on the drive DASHBOARD.",
				"Correct line 14, save, put the card back.",
			},
			Codes: []about.Code{{Content: joinContent, Sentence: "With a phone: scan, then tap “Fix”.", Pairs: point}},
		},
		"trying": {
			Icon: "wifi-sync", Role: "accent", Title: "Trying Sonnenallee 12", Steps: steps, Step: 2,
			Text: []string{"Your phone may leave its Wi-Fi for up to 40 s. The screen of the wall shows the result."},
		},
	}
}

var guideSizes = []image.Point{
	{480, 320}, {800, 480}, {1024, 600}, {1280, 720}, {1366, 768}, {1920, 1080}, {3840, 2160}, {1080, 1920}, {480, 800},
}

// Letters that the card's font does not have appear as an ellipsis, not as boxes.
func TestMissingLetters(t *testing.T) {
	p := newPainter(image.Pt(1280, 720), text.NewCache(1<<20), true)
	p.cache.SystemFonts(t.TempDir()) // use no fonts of the test's machine, because the card has only the built-in fonts
	for s, want := range map[string]string{
		"Trying Sonnenallee 12": "Trying Sonnenallee 12", "Trying 我的网络 5G": "Trying … 5G", "Straße, Łódź, Ünal's Wi-Fi\nCafé": "Straße, Łódź, Ünal's Wi-Fi\nCafé",
		"هاتف": "…",
	} {
		if got := p.written(s, p.face("body")); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}

// Every screen leaves its margin free at every size, in the colors of the day and night themes.
func TestGuide(t *testing.T) {
	cache := text.NewCache(8 << 20)
	for name, g := range guides() {
		for i, size := range append(guideSizes, image.Pt(320, 240)) {
			if testing.Short() && (i+len(name))%2 != 0 {
				continue // guides with longer or shorter names have the other sizes
			}
			dst := image.NewRGBA(image.Rectangle{Max: size})
			night := size.X != 1366 // one size is drawn in the colors of the day theme
			Guide(dst, g, night, cache)
			save(t, fmt.Sprintf("guide-%s-%dx%d", name, size.X, size.Y), dst)
			inner := image.Rectangle{Max: size}.Inset(6)
			if n := differing(dst, dst.RGBAAt(0, 0), inner); n > 0 {
				t.Errorf("%s %v: %d pixels in the margin", name, size, n)
			}
		}
	}
}

// Words next to one code begin and end at the height of the code's tile, if they fit there.
func TestWordsBesideCode(t *testing.T) {
	for _, name := range []string{"connected", "done"} {
		dst := image.NewRGBA(image.Rect(0, 0, 1280, 720))
		Guide(dst, guides()[name], true, text.NewCache(8<<20))
		save(t, "beside-"+name, dst)
		tile, words := image.Rectangle{}, image.Rectangle{}
		for y := range 720 {
			for x := range 1280 {
				switch dot := image.Rect(x, y, x+1, y+1); {
				case dst.RGBAAt(x, y) == dst.RGBAAt(0, 0):
				case x > 620:
					tile = tile.Union(dot)
				default:
					words = words.Union(dot)
				}
			}
		}
		const most = 12 // space inside the icon and below the last line
		if words.Min.Y < tile.Min.Y || words.Min.Y > tile.Min.Y+most || words.Max.Y > tile.Max.Y || words.Max.Y < tile.Max.Y-most {
			t.Errorf("%s: got words in %v next to a tile in %v", name, words, tile)
		}
	}
}

// The lines have the heights of the design: 50 px for a title, 36 px for a paragraph, and 38 px for words to type.
func TestLineHeights(t *testing.T) {
	guide := about.Guide{
		Title: "H\nH", Text: []string{"H\nH"}, Pairs: []about.Pair{{Value: "H"}, {Value: "H"}}, Quiet: "H\nH", Codes: []about.Code{{Content: pageContent}},
	}
	dst := image.NewRGBA(image.Rect(0, 0, 1280, 720))
	Guide(dst, guide, true, text.NewCache(8<<20))
	save(t, "lines", dst)
	var feet []int // baselines
	inked := false
	for y := range 720 {
		was := inked
		inked = false
		for x := range 600 {
			inked = inked || dst.RGBAAt(x, y) != dst.RGBAAt(0, 0)
		}
		if was && !inked {
			feet = append(feet, y)
		}
	}
	// From the baseline of one line to the next one, in the drawings.
	want := []int{50, 52, 36, 64, 38, 66, 36}
	for i, w := range want {
		if len(feet) != len(want)+1 || feet[i+1]-feet[i] != w {
			t.Fatalf("got baselines at %v, want distances of %v", feet, want)
		}
	}
}

// The design size of a module is scaled to the picture, so that a phone can read the code from a distance.
func TestModules(t *testing.T) {
	cache := text.NewCache(8 << 20)
	for size, want := range map[image.Point]int{
		{1280, 720}: 14, {800, 480}: 9, {1024, 600}: 11, {1366, 768}: 14, {1920, 1080}: 21, {3840, 2160}: 42, {1080, 1920}: 18,
	} {
		p := &guidePainter{painter: newPainter(size, cache, true), size: size}
		p.scale = scaleOf(size)
		if l := p.layCodes(37); l.module != want {
			t.Errorf("%v: got %d px for a module, want %d", size, l.module, want)
		}
	}
}

// An independent decoder can read every code, also in a picture that was scaled to a third.
func TestCodesDecode(t *testing.T) {
	zbar, err := exec.LookPath("zbarimg")
	if err != nil {
		t.Skip("zbarimg is not installed (Debian: zbar-tools)")
	}
	cache := text.NewCache(8 << 20)
	for name, g := range guides() {
		for _, size := range guideSizes {
			if len(g.Codes) == 0 || max(size.X, size.Y) > 1366 { // larger pictures have larger codes, which are easier to decode
				continue
			}
			dst := image.NewRGBA(image.Rectangle{Max: size})
			Guide(dst, g, true, cache)
			want := []string{}
			for i, c := range g.Codes {
				if i == 0 || min(size.X, size.Y) >= oneCode {
					want = append(want, c.Content)
				}
			}
			for _, part := range []int{1, 3} {
				got := decode(t, zbar, dst, part)
				if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
					t.Errorf("%s %v at 1/%d: got %q, want %q", name, size, part, got, want)
				}
			}
		}
	}
}

// decode returns the contents of the codes in a picture. Before it decodes the picture, it divides the width and the height by `part`.
func decode(t *testing.T, zbar string, pic *image.RGBA, part int) []string {
	t.Helper()
	small := image.NewRGBA(image.Rect(0, 0, pic.Rect.Dx()/part, pic.Rect.Dy()/part))
	draw.ApproxBiLinear.Scale(small, small.Rect, pic, pic.Rect, draw.Src, nil)
	path := filepath.Join(t.TempDir(), "code.png")
	var b bytes.Buffer
	if err := png.Encode(&b, small); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(zbar, "--raw", "-q", "-Sdisable", "-Sqrcode.enable", path).Output()
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// Bold words keep their lines: a line ends at a blank, and a sign after a bold word stays with the word.
func TestBold(t *testing.T) {
	p := &guidePainter{painter: newPainter(image.Pt(1280, 720), text.NewCache(1<<20), true), scale: 1}
	f := p.font(26, 17, 400, false)
	for _, tt := range []struct {
		s, want     string
		wide, lines int
	}{
		{"Let it join [Sonne 12] again.", "Let it join |[Sonne 12] |again.", 170, 3},
		{"Did you mean [wifi_password]?", "Did you mean [wifi_password]?", 400, 1},
		{"Did you mean [wifi_password]?", "Did you mean |[wifi_password]?", 260, 2},
		{"Did you mean [wifi_password]?", "", 260, 1}, // too many lines
		{"Did you mean [wifi_password]?", "", 100, 4}, // a word that is too wide
		{"no such word", "", 400, 1},
		{"انضم إلى [Sonne 12]", "", 400, 1},
	} {
		m := p.mix(strings.NewReplacer("[", "", "]", "").Replace(tt.s), []string{"", "Sonne 12", "wifi_password"}, f, tt.wide, tt.lines)
		got := ""
		for i := 0; m != nil && i < len(m.rows); i++ {
			if i > 0 {
				got += "|"
			}
			for _, one := range m.rows[i] {
				if one.bold {
					one.words = "[" + one.words + "]"
				}
				got += one.words
			}
		}
		if got = strings.ReplaceAll(strings.ReplaceAll(got, "][", ""), " ]", "] "); got != tt.want {
			t.Errorf("%q in %d px: got %q, want %q", tt.s, tt.wide, got, tt.want)
		}
	}
}

// A title has no bold words.
func TestTitleNotBold(t *testing.T) {
	p := &guidePainter{painter: newPainter(image.Pt(1280, 720), text.NewCache(1<<20), true), scale: 1}
	if p.mix("settings.txt, line 14", []string{"settings.txt"}, p.font(44, 24, 400, true), 900, 1) != nil {
		t.Error("got a title in two weights")
	}
}

// The words to type are emphasized in a badge, if its line has enough room and is written from left to right.
func TestBadgeEmphasis(t *testing.T) {
	p := newPainter(image.Pt(1280, 720), text.NewCache(1<<20), true)
	pairs := []about.Pair{{Value: "wall-7k3f"}, {Value: "maple-otter-42"}}
	for s, want := range map[string]int{
		"To fix it, join wall-7k3f, password maple-otter-42": 4, "join wall-7k3f!": 3, "wall-7k3f": 1, "nothing to type": 0,
		"للإصلاح انضم إلى wall-7k3f": 0, strings.Repeat("To fix it, join ", 9) + "wall-7k3f": 0,
	} {
		all, wide := p.emphasized(s, pairs, p.face("caption"), p.strong("caption"), 480)
		strong := 0
		for _, one := range all {
			if one.ink == p.color("text") {
				strong++
			}
			if one.block.Shortened() {
				t.Errorf("%q: a part is cut", s)
			}
		}
		if len(all) != want || wide > 480 || (strong > 0) != (want > 0) {
			t.Errorf("%q: got %d parts, %d of them emphasized, and %d px; want %d parts", s, len(all), strong, wide, want)
		}
	}
}

// The badge has its design size and is narrower than any wall.
func TestBadge(t *testing.T) {
	g := about.Guide{
		Badge: true, Icon: "wifi-off", Role: "warn", Title: "No network since 9:12",
		Text:  []string{"To fix it, join wall-7k3f, password maple-otter-42"},
		Pairs: []about.Pair{{Value: "wall-7k3f"}, {Value: "maple-otter-42"}},
	}
	for _, size := range append(guideSizes, image.Pt(320, 240)) {
		pic := Badge(size, g, true, text.NewCache(1<<20))
		save(t, fmt.Sprintf("badge-%dx%d", size.X, size.Y), pic)
		if pic.Rect.Dx() > size.X-20 {
			t.Errorf("%v: got a badge of %v", size, pic.Rect.Size())
		}
	}
	pic := Badge(image.Pt(1280, 720), g, true, text.NewCache(1<<20))
	if got := pic.Rect.Size(); got.Y != badgeHigh || got.X < 400 || got.X > badgeWide {
		t.Errorf("got %v, want a height of %d and a width of at most %d", got, badgeHigh, badgeWide)
	}
}
