package golden

import (
	"errors"
	"flag"
	"image"
	"image/color"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

var inFull = flag.Bool("long", false, "unpack all golden pictures instead of one of sixteen")

// TestSumsAreRight decodes some golden pictures of every package, and checks that the sums of their pixels are the sums in SUMS.
func TestSumsAreRight(t *testing.T) {
	top, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	lists, _ := filepath.Glob(filepath.Join(top, "*/testdata/golden", sumsFile))
	more, _ := filepath.Glob(filepath.Join(top, "*/*/testdata/golden", sumsFile))
	if lists = append(lists, more...); len(lists) < 3 {
		t.Fatalf("got %q", lists)
	}
	for _, list := range lists {
		t.Chdir(filepath.Join(list, "../../.."))
		lines := read().lines
		for i, name := range slices.Sorted(maps.Keys(lines)) {
			b, err := os.ReadFile(pathOf(name))
			if i%16 != 0 && !*inFull || errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			p := lines[name]
			if p.file != sum(0, 0, b) {
				t.Logf("%s: %s was drawn again without -update: it is unpacked each time", list, name)
				continue
			}
			if got := (pair{sum(0, 0, b), pixelSum(Read(t, pathOf(name)))}); got != p {
				t.Errorf("%s: %s: got %x, it says %x; draw it with -update", list, name, got, p)
			}
		}
	}
}

// The sums match only if the file and all pixels of a picture are unchanged.
func TestSums(t *testing.T) {
	t.Chdir(t.TempDir())
	m := image.NewRGBA(image.Rect(0, 0, 30, 20))
	m.SetRGBA(7, 8, color.RGBA{1, 2, 3, 255})
	Write(t, pathOf("a"), m)
	read().note(t, "a", m)
	known := read()
	if !known.has("a", m) || known.has("b", m) {
		t.Errorf("got %v, %v", known.has("a", m), known.has("b", m))
	}
	for i := range m.Pix {
		m.Pix[i] ^= 1
		if known.has("a", m) {
			t.Fatalf("byte %d differs", i)
		}
		m.Pix[i] ^= 1
	}
	wide := &image.RGBA{Pix: m.Pix, Stride: 200, Rect: image.Rect(0, 0, 50, 12)}
	if known.has("a", wide) {
		t.Error("the same pixels in another size")
	}
	m.SetRGBA(1, 1, color.RGBA{9, 9, 9, 255})
	Write(t, pathOf("a"), m)
	if m.SetRGBA(1, 1, color.RGBA{}); known.has("a", m) {
		t.Error("the file has changed")
	}
}
