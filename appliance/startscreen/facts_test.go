package startscreen

import (
	"image"
	"image/color"
	"slices"
	"testing"

	"dashboard/appliance/about"
	"dashboard/render"
	"dashboard/render/text"
)

// The start screen lists the refused lines of a file below one title. Other problems are facts of their own.
func TestProblemLines(t *testing.T) {
	zone := `settings.txt: there is no time zone "Europe/Berln"`
	quoted := "settings.txt:2: hostname: the quotation marks around the value are left out"
	other := Line{Icon: "alert", Role: "warn", Text: zone}
	for name, c := range map[string]struct {
		problems []string
		want     []Line
		used     []string
	}{
		"none": {},
		"one":  {problems: []string{"settings.txt:4: no setting"}, want: []Line{{"file-alert-outline", "bad", "1 setting refused: settings.txt:4: no setting"}}},
		"one and a used line": {
			[]string{quoted, "settings.txt:4: no setting"},
			[]Line{{"file-alert-outline", "bad", "1 setting refused: settings.txt:4: no setting"}, {"alert", "warn", quoted}}, []string{quoted},
		},
		"used lines": {[]string{quoted}, []Line{{"alert", "warn", quoted}}, []string{quoted}},
		"two and another": {problems: []string{"settings.txt:4: no setting", zone, "wifi.txt:3: XX: is no country"}, want: []Line{
			{"file-alert-outline", "bad", "2 settings refused: settings.txt:4: no setting"}, {Text: ": wifi.txt:3: XX: is no country"}, other,
		}},
		"another": {problems: []string{zone}, want: []Line{other}},
	} {
		got := Starting(about.Facts{Problems: c.problems, Used: c.used}, "", true, nil).Lines[1:] // the first line is about the time
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// The place of a mistake has the color of a title, unless the screen is narrow. A detail without a place is muted.
func TestPlace(t *testing.T) {
	for name, c := range map[string]struct {
		detail string
		size   image.Point
		want   bool
	}{
		"place":        {"settings.txt:4: no setting", image.Pt(800, 480), true},
		"without":      {"settings.txt is damaged", image.Pt(800, 480), false},
		"address":      {"192.168.1.4:5000", image.Pt(800, 480), false},
		"narrow place": {"settings.txt:4: no setting", image.Pt(240, 320), false},
	} {
		s := screen{painter: newPainter(c.size, text.NewCache(1<<20), true)}
		high, all := paintedDetail(&s, c.detail, c.size)
		if got := all[s.color("text")] > 0; got != c.want || high == 0 || all[s.color("muted")] == 0 {
			t.Errorf("%s: got a place %v, want %v (height %d)", name, got, c.want, high)
		}
	}
}

// paintedDetail paints a detail, and returns its height and the number of pixels of each color.
func paintedDetail(s *screen, detail string, size image.Point) (high int, all map[color.RGBA]int) {
	dst := image.NewRGBA(image.Rectangle{Max: size})
	s.canvas = render.NewCanvas(dst)
	high = s.fact(fact{detail: detail}, dst.Rect, true)
	all = map[color.RGBA]int{}
	for y := range size.Y {
		for x := range size.X {
			all[dst.RGBAAt(x, y)]++
		}
	}
	return high, all
}

// If there is room, the facts have a larger style.
func TestLargeFacts(t *testing.T) {
	for size, want := range map[image.Point]bool{{1280, 720}: true, {320, 240}: false} {
		s := screen{painter: newPainter(size, text.NewCache(1<<20), true), canvas: render.NewCanvas(image.NewRGBA(image.Rectangle{Max: size}))}
		s.facts(drawing.Lines, image.Rectangle{Max: size}.Inset(40))
		if s.large != want {
			t.Errorf("%v: got large facts %v, want %v", size, s.large, want)
		}
	}
}
