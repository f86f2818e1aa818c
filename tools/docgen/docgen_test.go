package main

import (
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"dashboard/config"
	"dashboard/tools/fielddoc"
	"dashboard/widgets"
)

// repository is the path from this folder to the root of the repository.
const repository = "../.."

// pictureTolerance is the maximum difference of a color channel, which has values from 0 to 255. Compilers may fuse multiplications
// with additions, which changes coverage and scaled pictures by single levels.
const pictureTolerance = 8

func TestCommittedIsGenerated(t *testing.T) {
	root, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Generate(root)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range out.Pages {
		got, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		if line, a, b := firstDifference(string(got), want); line > 0 {
			t.Errorf("%s is not what the code says; run make docs\nline %d: got  %s\nwant %s", path, line, a, b)
		}
	}
	for path, want := range out.Pictures {
		comparePicture(t, filepath.Join(root, path), want)
	}
	for _, dir := range []string{pictureDir, sampleDir} {
		committed, err := filepath.Glob(filepath.Join(root, dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range committed {
			name := dir + "/" + filepath.Base(path)
			if out.Pictures[name] == nil {
				t.Errorf("%s is of nothing that is there", name)
			}
		}
	}
}

func firstDifference(got, want string) (line int, a, b string) {
	if got == want {
		return 0, "", ""
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return i + 1, g[i], w[i]
		}
	}
	return min(len(g), len(w)) + 1, "(end)", "(more, or less)"
}

func comparePicture(t *testing.T, path string, want *image.RGBA) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Errorf("%v; run make docs", err)
		return
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil || m.Bounds() != want.Rect {
		t.Errorf("%s: got %v (%v), want a picture of %v; run make docs", path, m, err, want.Rect)
		return
	}
	got := image.NewRGBA(want.Rect)
	draw.Draw(got, got.Rect, m, image.Point{}, draw.Src)
	most := 0
	for i := range got.Pix {
		most = max(most, int(got.Pix[i])-int(want.Pix[i]), int(want.Pix[i])-int(got.Pix[i]))
	}
	if most > pictureTolerance {
		t.Errorf("%s: a channel is off by %d, want at most %d; run make docs and look at it", path, most, pictureTolerance)
	}
}

// everyKey calls f with the path and the field of each key in all files, parts of files and widgets.
func everyKey(f func(path string, field config.Field)) {
	var walk func(string, []config.Field)
	walk = func(path string, fields []config.Field) {
		for _, field := range fields {
			f(path+field.Name, field)
			walk(path+field.Name+".", field.Fields)
		}
	}
	for _, k := range widgets.Kinds() {
		walk(k.Name+": ", fielddoc.Fields(reflect.TypeOf(k.Params())))
	}
	for _, all := range []map[string]reflect.Type{fileTypes, parts} {
		for name, typ := range all {
			walk(name+": ", fielddoc.Fields(typ))
		}
	}
}

// Every key has a description that consists of sentences.
func TestEveryKeyIsExplained(t *testing.T) {
	everyKey(func(path string, f config.Field) {
		if !strings.HasSuffix(f.Doc, ".") {
			t.Errorf("%s: got the doc tag %q, want a sentence", path, f.Doc)
		}
	})
}

// A number of seconds must have a maximum, because the program cannot represent more than 292 years.
func TestSecondsHaveAMost(t *testing.T) {
	everyKey(func(path string, f config.Field) {
		if f.Type == "number" && strings.HasPrefix(f.Unit, "s") && f.Max == "" {
			t.Errorf("%s: got %s without a greatest value", path, f.Unit)
		}
	})
}

// Every known type of output except framebuffer has an entry in `parts`, so that the page has a section about its keys.
func TestEveryTypeHasASection(t *testing.T) {
	for _, name := range config.OutputTypes() {
		if parts[name] == nil && name != config.OutputFramebuffer {
			t.Errorf("the output type %s is in no section", name)
		}
	}
}

// Each example belongs to an existing widget. An example of an unknown widget would never be shown.
func TestEveryExampleHasItsWidget(t *testing.T) {
	known := map[string]bool{}
	for _, k := range widgets.Kinds() {
		known[k.Name+".yaml"] = true
	}
	files, err := examples.ReadDir("examples")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !known[f.Name()] {
			t.Errorf("examples/%s is the example of no widget", f.Name())
		}
	}
}

// Two files have a section `display` with different keys. Each section is described separately.
func TestSectionsOfOneName(t *testing.T) {
	w := &settingsPageWriter{used: map[string]bool{}}
	for file, want := range map[string]string{"conf": "`presence`", "client": "`display.follow`"} {
		got, err := w.keys(file, "display")
		if err != nil || !strings.Contains(got, want) || file == "client" && strings.Contains(got, "`presence`") {
			t.Errorf("%s: got %v, %.300s, want the key %s", file, err, got, want)
		}
	}
}
