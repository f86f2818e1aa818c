package scene

import (
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/internal/testing/golden"
	"dashboard/internal/testing/race"
	"dashboard/samples"
	"dashboard/theme/sun"
)

// `small` is the size in px of the samples for small screens.
var small = image.Pt(800, 480)

// samplePictures are the pictures in docs/samples.md. They are drawn from recorded answers.
var samplePictures = []struct {
	sample, called string
	size           image.Point
	mode           sun.Mode
}{
	{"family", "night", image.Pt(1280, 720), sun.Night}, {"family", "day", image.Pt(1280, 720), sun.Day}, {"family", "upright", image.Pt(1080, 1920), sun.Night},
	{"hat", "night", image.Pt(320, 240), sun.Night}, {"hat", "day", image.Pt(320, 240), sun.Day},
	{"office", "day", image.Pt(1280, 720), sun.Day}, {"office", "night", image.Pt(1280, 720), sun.Night},
	{"kiosk", "night", image.Pt(720, 1280), sun.Night}, {"kiosk", "day", image.Pt(720, 1280), sun.Day},
	{"kitchen", "day", image.Pt(1280, 720), sun.Day}, {"kitchen", "night", image.Pt(1280, 720), sun.Night},
	{"home", "day", image.Pt(1280, 720), sun.Day}, {"home", "night", image.Pt(1280, 720), sun.Night}, {"home", "upright", image.Pt(1080, 1920), sun.Night},
	{"epaper", "day", image.Pt(800, 480), sun.Day},
	{"month", "day", small, sun.Day}, {"agenda", "night", small, sun.Night}, {"weather", "night", small, sun.Night}, {"news", "day", small, sun.Day},
	{"frame", "night", small, sun.Night}, {"transit", "night", small, sun.Night}, {"bins", "day", small, sun.Day}, {"builds", "night", small, sun.Night},
	{"server", "night", small, sun.Night}, {"energy", "day", small, sun.Day},
}

// TestSamplePictures draws the samples and compares them with the pictures of the documentation.
func TestSamplePictures(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, p := range samplePictures {
		if race.Enabled && seen[p.sample] {
			continue // under the race detector, one picture of a sample is enough, because the others have the same providers
		}
		seen[p.sample] = true
		t.Run(p.sample+"-"+p.called, func(t *testing.T) {
			showWall(t, filepath.Join("../../samples", p.sample), p.size, p.mode, func(m *image.RGBA) {
				golden.Compare(t, "../../../../docs/pictures/walls/"+p.sample+"-"+p.called, m)
				if p.sample == "epaper" {
					blackAndWhite(t, m)
				}
			})
		})
	}
}

// blackAndWhite fails the test if a picture contains other colors than black and white. Gray is
// allowed only at the edges of letters and lines.
func blackAndWhite(t *testing.T, m *image.RGBA) {
	t.Helper()
	between := 0
	for i := 0; i < len(m.Pix); i += 4 {
		r, g, b := m.Pix[i], m.Pix[i+1], m.Pix[i+2]
		if r != g || g != b {
			t.Fatalf("the pixel %v has a color: %d %d %d", image.Pt(i/4%m.Rect.Dx(), i/4/m.Rect.Dx()), r, g, b)
		}
		if r != 0 && r != 255 {
			between++
		}
	}
	if most := len(m.Pix) / 4 / 18; between > most {
		t.Errorf("%d pixels are grey, want at most %d", between, most)
	}
}

// written() returns the lines of a wall's widgets and providers, without empty lines and comments.
func written(t *testing.T, dir string) (lines []string) {
	t.Helper()
	for _, file := range []string{"widgets.yaml", "providers.yaml"} {
		data, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if text := strings.TrimSpace(line); text != "" && text[0] != '#' {
				lines = append(lines, text)
			}
		}
	}
	return lines
}

// mostLines is the maximum number of lines of a sample wall.
const mostLines = 40

// TestSamplesAreShort checks that the widgets and providers of a sample have at most forty lines together.
func TestSamplesAreShort(t *testing.T) {
	for _, sample := range samples.Names() {
		if sample == "classic-home" {
			continue
		}
		if n := len(written(t, filepath.Join("../../samples", sample))); n > mostLines {
			t.Errorf("%s: %d lines, want %d at most", sample, n, mostLines)
		}
	}
}

// TestSamplesHaveThemeControl checks that the theme of each sample for a screen that emits light can be changed by requests. It also
// checks that the sample named family has no settings that switch its screen off.
func TestSamplesHaveThemeControl(t *testing.T) {
	files, err := samples.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, sample := range samples.Names() {
		conf, err := fs.ReadFile(files, sample+"/conf.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if sample != "epaper" && !strings.Contains(string(conf), "http_control: true") {
			t.Errorf("%s has no theme control", sample)
		}
		if sample == "family" && strings.Contains(string(conf), "\ndisplay:") {
			t.Error("family switches its screen off")
		}
	}
}

// TestFamilyWallWithoutPrograms checks the wall of a family. It shows several calendars, birthdays, bins, the hourly and daily weather,
// and photos. Its files have at most forty lines and contain no programs.
func TestFamilyWallWithoutPrograms(t *testing.T) {
	t.Parallel()
	dir := "../../samples/family"
	lines := written(t, dir)
	if len(lines) > mostLines {
		t.Errorf("%d lines, want %d at most", len(lines), mostLines)
	}
	for _, line := range lines {
		if strings.Contains(line, "!data") || strings.Contains(line, "jq") {
			t.Errorf("there is a program in %q", line)
		}
	}
	all := strings.Join(lines, "\n")
	for _, part := range []string{"widget: clock", "widget: weather", "[current, hours, days]", "[Anna, Ben]", "[Birthdays]", "[Bins]", "widget: photos", "portrait:"} {
		if !strings.Contains(all, part) {
			t.Errorf("the wall has no %s", part)
		}
	}
	for _, size := range []image.Point{{X: 1280, Y: 720}, {X: 1080, Y: 1920}} {
		parts := [2]*image.RGBA{}
		for i, answered := range []bool{false, true} {
			showWallAfter(t, dir, size, sun.Night, answered, func(m *image.RGBA) { parts[i] = image.NewRGBA(m.Rect); copy(parts[i].Pix, m.Pix) })
		}
		if n := changed(parts[0], parts[1]); n < size.X*size.Y/12 {
			t.Errorf("%v: the answers changed %d pixels, want a twelfth of the picture", size, n)
		}
	}
}

// changed() returns the number of pixels that differ in two pictures of the same size.
func changed(a, b *image.RGBA) (n int) {
	for i := 0; i < len(a.Pix); i += 4 {
		if [4]byte(a.Pix[i:i+4]) != [4]byte(b.Pix[i:i+4]) {
			n++
		}
	}
	return n
}
