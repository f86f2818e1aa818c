package trial

import (
	"bytes"
	"cmp"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"dashboard/config"
	"dashboard/config/recipe"
	"dashboard/internal/testing/programtest"
	"dashboard/internal/testing/race"
	"dashboard/recipes"
	"dashboard/theme/sun"
	"dashboard/wall/scene"
)

// On a busy machine, the requests and programs of a recipe need more time than the default of scene.Settle.
func init() { scene.Settle = programtest.Patience }

// longestAnswers is the maximum total size of the answers of a built-in recipe, in bytes.
const longestAnswers = 64 << 10

// Every built-in recipe runs with its recorded answers without a problem. It sends requests only to
// its declared hosts, and draws something in each size by day and night.
func TestAll(t *testing.T) {
	l := &recipe.Library{BuiltIn: recipes.Files()}
	report := &config.Report{}
	for i, r := range l.All(report) {
		if race.Left(i, 8) {
			continue
		}
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			result, err := Run(t.Context(), r, "dev")
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range result.Problems {
				t.Error(p)
			}
			check(t, r, result)
			keep(t, r, result)
		})
	}
	if report.Failed() {
		t.Error(report.String())
	}
}

func check(t *testing.T, r *recipe.Recipe, result *Result) {
	t.Helper()
	for _, host := range result.Asked {
		if !slices.Contains(r.Hosts, host) && !slices.ContainsFunc(r.Parameters, func(p recipe.Parameter) bool { return strings.Contains(p.Example, host) }) {
			t.Errorf("%s was asked and is not among the hosts", host)
		}
	}
	if len(result.Pictures) != len(Sizes)*len(Modes) {
		t.Fatalf("got %d pictures", len(result.Pictures))
	}
	for _, p := range result.Pictures {
		if n := colors(p.Image, fewest); n < fewest {
			t.Errorf("%v, %s: only %d colors: nothing is drawn", p.Size, p.Mode, n)
		}
	}
	if len(result.Asked) > 0 && (result.Answered == 0 || result.Answered > longestAnswers) {
		t.Errorf("got %d bytes of answers, want 1 to %d", result.Answered, longestAnswers)
	}
	if r.Recorded == "" && len(result.Asked) > 0 {
		t.Error("recipe.yaml does not say when the answers were recorded")
	}
	if r.Category == "other" || r.API == "" && len(result.Asked) > 0 {
		t.Error("recipe.yaml needs a category, and the address of the documentation")
	}
}

var update = flag.Bool("update", false, "draw the pictures of the recipes again")

// maxPicture is the maximum size of a recipe's picture file, in bytes. maxText is the maximum size of its text file, in bytes. The files
// of all recipes together stay below 1.4 MB.
const maxPicture, maxText = 12 << 10, 4 << 10

// keep() checks that the pictures and the text of a recipe are small. If the flag -update is set, it writes them into the repository.
// Otherwise it checks that the files exist and that the text has not changed.
func keep(t *testing.T, r *recipe.Recipe, result *Result) {
	t.Helper()
	dir := filepath.Join("../../recipes", r.Name)
	drawn := map[string][]byte{"text.txt": []byte(result.Text)}
	for i, name := range []string{"picture-day.png", "picture-night.png"} {
		m := few(result.Pictures[i].Image)
		if drawn[name] = encoded(t, m, png.DefaultCompression); *update || len(drawn[name]) > maxPicture {
			drawn[name] = encoded(t, m, png.BestCompression) // best compression takes three times as long, so it is not the default
		}
	}
	for name, data := range drawn {
		most := maxPicture
		if name == "text.txt" {
			most = maxText
		}
		if len(data) == 0 || len(data) > most {
			t.Errorf("%s: %d bytes, want 1 to %d", name, len(data), most)
		}
		before, err := os.ReadFile(filepath.Join(dir, name))
		if *update {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
				t.Fatal(err)
			}
		} else if err != nil {
			t.Errorf("%v: run make docs", err)
		} else if name == "text.txt" && !bytes.Equal(before, data) {
			t.Errorf("text.txt: got %q, the file has %q: run make docs", data, before)
		}
	}
}

func encoded(t *testing.T, m image.Image, level png.CompressionLevel) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: level}).Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// few() returns a picture with only the 256 most frequent colors of m.
func few(m *image.RGBA) *image.Paletted {
	count := map[color.RGBA]int{}
	for i := 0; i+3 < len(m.Pix); i += 4 {
		count[color.RGBA{m.Pix[i], m.Pix[i+1], m.Pix[i+2], 255}]++
	}
	all := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	var palette color.Palette
	for _, c := range all[:min(len(all), 256)] {
		palette = append(palette, c)
	}
	p := image.NewPaletted(m.Rect, palette)
	draw.Draw(p, p.Rect, m, image.Point{}, draw.Src)
	return p
}

// `fewest` is the minimum number of colors in a picture on which something is drawn. Even one text has more colors, because the edges of
// letters are smooth.
const fewest = 20

// colors() returns the number of colors in a picture, up to `most`.
func colors(m *image.RGBA, most int) int {
	seen := map[[3]byte]bool{}
	for i := 0; i+3 < len(m.Pix) && len(seen) < most; i += 4 {
		seen[[3]byte(m.Pix[i:i+3])] = true
	}
	return len(seen)
}

// own() returns a recipe in the folder of a wall. `providers`, `widget` and `hosts` are parts of its files.
func own(t *testing.T, providers, widget, hosts string) *recipe.Recipe {
	t.Helper()
	files := fstest.MapFS{
		"recipes/own/recipe.yaml": {Data: []byte("name: own\ntitle: Own\nabout: Own.\nversion: \"1\"\nlicense: CC0-1.0\nauthor: A\nhosts: [" + hosts +
			"]\nrecorded: \"2026-03-12T18:00:00+01:00\"\n")},
		"recipes/own/providers.yaml":    {Data: []byte("providers:\n" + providers)},
		"recipes/own/widgets.yaml":      {Data: []byte("widgets:\n  - " + widget + "\n")},
		"recipes/own/answers/own.json":  {Data: []byte(`{"n": 1}`)},
		"recipes/own/answers/away.json": {Data: []byte(`{"n": 1}`)},
	}
	report := &config.Report{}
	r := (&recipe.Library{Wall: files}).Find("own", nil, report)
	if r == nil {
		t.Fatal(report.String())
	}
	return r
}

// A result has a problem if the recipe sends requests to another host or has no answer for a request. It also has a problem if the recipe
// reads a missing key or shows a cut number.
func TestProblems(t *testing.T) {
	for name, tt := range map[string]struct{ providers, widget, want string }{
		"good":         {"  own: {url: https://api.example.org/n}\n", "{widget: text, text: !data .own.n}", ""},
		"another host": {"  away: {url: https://evil.example.org/n}\n", "{widget: text, text: !data .away.n}", "evil.example.org is not among the hosts"},
		"no answer":    {"  none: {url: https://api.example.org/n}\n", "{widget: text, text: !data .none.n}", "there is no recorded answer answers/none"},
		"a key":        {"  own: {url: https://api.example.org/n}\n", "{widget: text, text: !data .own.m}", ".own has no key 'm': it has n"},
		"a cut number": {"  own: {url: https://api.example.org/n}\n", "{widget: list, items: [{text: \"" + strings.Repeat("123456789", 40) + "\"}, {text: !data .own.n}]}", "is cut"},
	} {
		result, err := Run(t.Context(), own(t, tt.providers, tt.widget, "api.example.org"), "dev")
		var got string
		if err != nil {
			got = err.Error() // Run has rejected the files
		} else {
			got = strings.Join(result.Problems, "\n")
		}
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}

// jq programs get the time of the recording, so each run draws the same picture.
func TestFrozen(t *testing.T) {
	r := own(t, "  own: {url: https://api.example.org/n}\n", "{widget: text, text: !data .now | tostring}", "api.example.org")
	a, err := Run(t.Context(), r, "dev")
	if err != nil {
		t.Fatal(err)
	}
	b, err := Run(t.Context(), r, "dev")
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Pictures {
		if !slices.Equal(a.Pictures[i].Image.Pix, b.Pictures[i].Image.Pix) {
			t.Errorf("picture %d differs", i)
		}
	}
	if a.Pictures[0].Mode != sun.Day || slices.Equal(a.Pictures[0].Image.Pix, a.Pictures[1].Image.Pix) {
		t.Error("day and night are the same")
	}
}
