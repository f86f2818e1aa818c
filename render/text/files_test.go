package text

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/image/font/gofont/goregular"

	"dashboard/internal/folder"
	"dashboard/internal/packed"
)

// put writes a font file, and sets its modification time to the argument `at`.
func put(t *testing.T, path string, font []byte, at time.Time) {
	t.Helper()
	if err := os.WriteFile(path, font, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

func mustOpen(t *testing.T, c *Cache, path string) *Font {
	t.Helper()
	f, err := c.Open(folder.Dir(""), path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestCacheKeepsFontFiles(t *testing.T) {
	c, path := newCache(), filepath.Join(t.TempDir(), "font.ttf")
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	packedBold, err := packed.New(boldPacked)
	if err != nil {
		t.Fatal(err)
	}
	bold, err := io.ReadAll(io.NewSectionReader(packedBold, 0, packedBold.Size()))
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, bold, at)
	first := mustOpen(t, c, path)
	var l Line
	c.Shape(&l, first, 20, "abc")
	l.Ink()
	if mustOpen(t, c, path) != first {
		t.Error("a file that did not change was read again")
	}
	if c.Bytes() == 0 {
		t.Error("nothing is cached")
	}
	put(t, path, goregular.TTF, at.Add(time.Second))
	if mustOpen(t, c, path) == first {
		t.Error("a file that changed was not read again")
	}
	if got := c.Bytes(); got != 0 {
		t.Errorf("got %d bytes of the font that is gone, want 0", got)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	_, got := c.Open(folder.Dir(""), path)
	if _, want := Open(folder.Dir(""), path); got == nil || got.Error() != want.Error() {
		t.Errorf("got the error %v, want %v", got, want)
	}
}

// The number of kept fonts is limited, even if walls use more and more font files.
func TestCacheBoundsFontFiles(t *testing.T) {
	c, dir := newCache(), t.TempDir()
	for i := range 3 * maxFiles {
		path := filepath.Join(dir, fmt.Sprint(i))
		put(t, path, goregular.TTF, time.Unix(int64(i), 0))
		mustOpen(t, c, path)
		if got := len(c.files); got > maxFiles {
			t.Fatalf("got %d files open, want at most %d", got, maxFiles)
		}
	}
}
