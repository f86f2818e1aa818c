package scene

import (
	"bytes"
	"image"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"dashboard/internal/testing/golden"
	"dashboard/internal/testing/race"
	"dashboard/render"
	fonts "dashboard/render/text"
	"dashboard/samples"
	"dashboard/theme/sun"
	"dashboard/widgets/kit/speech"
	"dashboard/widgets/screen"
)

// spokenSizes are the sizes in px of the samples that are not drawn in 1280x720.
var spokenSizes = map[string]image.Point{"hat": {X: 320, Y: 240}, "kiosk": {X: 720, Y: 1280}, "epaper": small}

// `unspoken` matches painted texts that the spoken text may leave out, such as labels of axes. The keys are kinds of widgets.
var unspoken = map[string]*regexp.Regexp{
	"chart":     regexp.MustCompile(`^[−\d.,]+[\pZ]?[\pL%/]*$|^\d\d?(:\d\d)?(\pZ[AP]M)?$|^[\d.,]+k?\pZ[\pL/]+$|^\pL{1,4}\.?( \d+)?$`),
	"heatmap":   regexp.MustCompile(`.`),
	"weather":   regexp.MustCompile(`^\d\d?(\pZ[AP]M)?$|^\pL{2,3}$`),
	"week":      regexp.MustCompile(`^\d\d?(\pZ[AP]M)?$|^\pL{2,3} \d+$|^\+\d+`),
	"month":     regexp.MustCompile(`^\d\d?$|^\pL{1,3}$|^\+\d+|^\d{4}$`),
	"agenda":    regexp.MustCompile(`^\+\d+|^\pL{2,3} \d+$`),
	"list":      regexp.MustCompile(`^\+\d+`),
	"table":     regexp.MustCompile(`^\+\d+`),
	"clock":     regexp.MustCompile(`^\d\d?$`),
	"qr":        regexp.MustCompile(`^put-wifi-here$`), // a password is on the screen only
	"nextevent": regexp.MustCompile(`^\d\d?(\pZ[AP]M)?$|^\d\d:\d\d$`),
}

// `parted` matches the separators between two values in a painted line.
var parted = regexp.MustCompile(` · | – |° |  `)

// speak returns the speech of a scene at the time of its last step.
func speak(sc *Scene, mode sun.Mode, all bool) *speech.Speech {
	s := &speech.Speech{}
	s.Begin(sc.Region.Locale, sc.Region.Zone, wallsMoment.Add(2*time.Second), all)
	sc.Trees[mode].Root.(*screen.Screen).Speak(s)
	return s
}

// spokenWalls returns the folders of the walls whose speech is tested.
func spokenWalls(t *testing.T) (dirs []string) {
	t.Helper()
	for _, name := range samples.Names() {
		dirs = append(dirs, filepath.Join("../../samples", name))
	}
	walls, err := os.ReadDir("testdata/walls")
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range walls {
		dirs = append(dirs, filepath.Join("testdata/walls", w.Name()))
	}
	return dirs
}

// TestSpokenWalls checks the spoken text of each sample and of each wall in the reference. The text must be equal to the golden file, and
// it must contain each text that is painted on the wall.
func TestSpokenWalls(t *testing.T) {
	t.Parallel()
	for i, dir := range spokenWalls(t) {
		if race.Left(i, 8) {
			continue
		}
		name := filepath.Base(dir)
		size := spokenSizes[name]
		if size == (image.Point{}) {
			size = image.Pt(1280, 720)
		}
		set := "sample"
		if strings.Contains(dir, "testdata") {
			set = "wall"
		}
		t.Run(set+"-"+name, func(t *testing.T) {
			mode := sun.Night
			if name == "epaper" {
				mode = sun.Day
			}
			standBuilt(t, dir, size, mode, true, "", func(b *Builder, sc *Scene, r *render.Renderer) {
				s := speak(sc, mode, false)
				if name != "demo" { // the values of the built-in wall depend on this machine
					golden.Text(t, "spoken/"+set+"-"+name, s.AppendText(nil))
				}
				for _, missing := range missing(b, sc, mode, r, s) {
					t.Errorf("painted, but not read: %s", missing)
				}
			})
		})
	}
}

// missing() returns the painted texts that the speech s does not contain. Before each text is the kind of its widget.
func missing(b *Builder, sc *Scene, mode sun.Mode, r *render.Renderer, s *speech.Speech) (list []string) {
	cache := b.Text
	areas := sc.Trees[mode].Survey.Take(r)
	cache.OnPaint(func(p fonts.Painted) {
		kind := ""
		for _, a := range areas {
			if p.At.In(a.Bounds.Inset(-4)) {
				kind = a.Kind
			}
		}
		text := strings.TrimSpace(string(p.Line))
		rule := unspoken[kind]
		left := func(part string) bool { return rule != nil && rule.MatchString(part) }
		if text == "—" || text == "--" || left(text) {
			return
		}
		if bytes.ContainsRune(p.Line, '…') {
			text = strings.TrimRight(text, "…. ")
		}
		for _, part := range parted.Split(text, -1) {
			if found := kind + ": " + text; !left(part) && !s.Contains([]byte(part)) && !slices.Contains(list, found) {
				list = append(list, found)
			}
		}
	})
	defer cache.OnPaint(nil)
	r.Trace()
	return list
}

// TestSpeakingAllocatesNothing checks that collecting the speech in the view's loop only copies words and allocates nothing.
func TestSpeakingAllocatesNothing(t *testing.T) {
	if race.Enabled {
		t.Skip("one goroutine, half a minute under the race detector")
	}
	for _, name := range []string{"family", "home", "office", "kitchen", "server", "energy", "month", "epaper", "classic-home"} {
		standWall(t, filepath.Join("../../samples", name), image.Pt(1280, 720), sun.Day, true, func(sc *Scene, _ *render.Renderer) {
			s := speak(sc, sun.Day, false)
			n := leastAllocs(20, func() {
				s.Begin(sc.Region.Locale, sc.Region.Zone, wallsMoment, false)
				sc.Trees[sun.Day].Root.(*screen.Screen).Speak(s)
			})
			if n > 0 {
				t.Errorf("%s: %v allocations for %d bytes of text", name, n, len(s.AppendText(nil)))
			}
		})
	}
}
