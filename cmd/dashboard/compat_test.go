package main

import (
	"fmt"
	"image"
	"image/color"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// compatCases returns the paths of archives with walls in the format of Grydgets. Most archives also contain a layout. It lists the
// smallest rectangle around all pixels of each color in the picture that Grydgets draws of the wall.
func compatCases(t *testing.T) []string {
	t.Helper()
	cases, err := filepath.Glob(filepath.Join(sourceDir, "testdata", "compat", "*.txtar"))
	if err != nil || len(cases) == 0 {
		t.Fatalf("got %d cases, %v", len(cases), err)
	}
	return cases
}

// A grydgetsWall is an unpacked archive: the folder of the wall, the expected warnings, and the expected layout.
type grydgetsWall struct{ dir, warnings, layout string }

// unpack writes the files of an archive into a folder. An HTTP server also serves these files. In the files, the address of this server
// replaces SERVER.
func unpack(t *testing.T, path string) (w grydgetsWall) {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	w.dir = t.TempDir()
	s := httptest.NewServer(http.FileServerFS(os.DirFS(w.dir)))
	t.Cleanup(s.Close)
	f := files{}
	for _, file := range archive.Files {
		switch text := strings.ReplaceAll(string(file.Data), "SERVER", s.URL); file.Name {
		case "layout":
			w.layout = text
		case "warnings":
			w.warnings = text
		default:
			f[file.Name] = text
		}
	}
	f.write(t, w.dir)
	return w
}

func TestGrydgetsWalls(t *testing.T) {
	t.Parallel()
	for _, path := range compatCases(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			w := unpack(t, path)
			status, said, errs := command(t, "check", "--config-dir", w.dir)
			if status != 0 || strings.Count(said, "warning:") != strings.Count(w.warnings, "\n") {
				t.Errorf("got status %d, want 0 and the warnings %q: %s%s", status, w.warnings, said, errs)
			}
			for warning := range strings.Lines(w.warnings) {
				if !strings.Contains(said, strings.TrimSpace(warning)) {
					t.Errorf("got %s, want %s", said, warning)
				}
			}
			picture := filepath.Join(w.dir, "wall.png")
			if status, _, errs := command(t, "render", "--config-dir", w.dir, "-o", picture); status != 0 {
				t.Fatalf("got status %d: %s", status, errs)
			}
			data, err := os.ReadFile(picture)
			if err != nil {
				t.Fatal(err)
			}
			checkLayout(t, decoded(t, string(data)), w.layout)
		})
	}
}

// checkLayout compares the rectangles of the colors in a picture with lines of the form "R G B: left top right bottom".
func checkLayout(t *testing.T, img *image.RGBA, layout string) {
	t.Helper()
	boxes := colorBoxes(img)
	for line := range strings.Lines(layout) {
		c, want := color.RGBA{A: 255}, image.Rectangle{}
		if _, err := fmt.Sscanf(line, "%d %d %d: %d %d %d %d", &c.R, &c.G, &c.B, &want.Min.X, &want.Min.Y, &want.Max.X, &want.Max.Y); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if got := boxes[c]; got != want {
			t.Errorf("%d, %d, %d: got %v, want %v", c.R, c.G, c.B, got, want)
		}
	}
}

// colorBoxes returns the smallest rectangle around all pixels of each color.
func colorBoxes(img *image.RGBA) map[color.RGBA]image.Rectangle {
	boxes := map[color.RGBA]image.Rectangle{}
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			c := img.RGBAAt(x, y)
			boxes[c] = boxes[c].Union(image.Rect(x, y, x+1, y+1))
		}
	}
	return boxes
}
