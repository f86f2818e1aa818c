// Package golden compares the pictures of tests with golden pictures. The golden pictures are in testdata/golden, and a person has
// reviewed them.
package golden

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "draw the golden pictures again; look at every one that changed")

// Tolerance is the maximum difference of a channel, from 0 to 255. Compilers may fuse multiplications and additions. This changes the
// channels of some pixels by a few steps.
const Tolerance = 8

// `folder` is the folder of a package's golden pictures.
const folder = "testdata/golden"

func pathOf(name string) string { return filepath.Join(folder, name+".png") }

// Compare compares a picture with testdata/golden/NAME.png. If a channel differs by more than Tolerance, it stores the picture and a
// picture of the differences as artifacts of the test.
func Compare(t *testing.T, name string, got *image.RGBA) {
	t.Helper()
	if *update {
		renew(t, name, got)
		return
	}
	if known().has(name, got) {
		return
	}
	want := Read(t, pathOf(name))
	if want.Rect != got.Rect {
		t.Fatalf("%s: got a picture of %v, want %v", name, got.Rect.Size(), want.Rect.Size())
	}
	if bytes.Equal(got.Pix, want.Pix) {
		return
	}
	diff, wrong, most := image.NewGray(got.Rect), 0, 0
	for i := range got.Pix {
		d := max(int(got.Pix[i])-int(want.Pix[i]), int(want.Pix[i])-int(got.Pix[i]))
		most = max(most, d)
		if d > Tolerance {
			wrong++
			diff.Pix[i/4] = 255
		}
	}
	if wrong > 0 {
		dir := t.ArtifactDir()
		Write(t, filepath.Join(dir, name+"-got.png"), got)
		Write(t, filepath.Join(dir, name+"-diff.png"), diff)
		t.Errorf("%s: %d channels differ by more than %d, the worst by %d; see %s (with -artifacts to keep it)", name, wrong, Tolerance, most, dir)
	}
}

// renew writes a golden picture and its sums. Compare calls it if the flag -update is set.
func renew(t *testing.T, name string, m *image.RGBA) {
	t.Helper()
	path := pathOf(name)
	if _, err := os.Stat(path); err != nil || !equal(Read(t, path), m) {
		Write(t, path, m)
	}
	known().note(t, name, Read(t, path))
}

func equal(a, b *image.RGBA) bool { return a.Rect == b.Rect && bytes.Equal(a.Pix, b.Pix) }

// Read reads a PNG file.
func Read(t *testing.T, path string) *image.RGBA {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(fmt.Errorf("%w; make it with -update", err))
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if rgba, ok := m.(*image.RGBA); ok {
		return rgba
	}
	rgba := image.NewRGBA(m.Bounds())
	draw.Draw(rgba, rgba.Rect, m, m.Bounds().Min, draw.Src)
	return rgba
}

// Write writes a PNG file and makes its folder.
func Write(t *testing.T, path string, m image.Image) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
}
