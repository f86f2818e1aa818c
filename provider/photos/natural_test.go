package photos

import (
	"context"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/provider"
)

// TestNaturalOrder: numbers in names are sorted by their value.
func TestNaturalOrder(t *testing.T) {
	sorted := []string{"", "1.jpg", "2 b.jpg", "10.jpg", "IMG_1.jpg", "IMG_2.jpg", "IMG_010.jpg", "IMG_101.jpg", "IMG_1001.jpg", "a/2/1.jpg", "a/10/1.jpg", "x01", "x1", "x1a", "ä1"}
	for i, a := range sorted {
		for j, b := range sorted {
			if got := natural(a, b); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("%q and %q: got %d", a, b, got)
			}
		}
	}
	dir := t.TempDir()
	for _, name := range []string{"IMG_1.jpg", "IMG_1001.jpg", "IMG_101.jpg", "IMG_2.jpg"} {
		if err := os.WriteFile(filepath.Join(dir, name), taken(t, color.RGBA{1, 2, 3, 255}, image.Pt(8, 4), ""), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := names(t, New(config(dir)), 4); got != "IMG_1 IMG_2 IMG_101 IMG_1001" {
		t.Errorf("got %s", got)
	}
}

// TestFormatsThatAreNotRead: if a folder has readable and unsupported files, the readable files are shown, and the sample's error names
// the unsupported formats. If a folder contains no readable file, an error reports this.
func TestFormatsThatAreNotRead(t *testing.T) {
	dir := album(t)
	for _, name := range []string{"x.HEIC", "sea/y.heic", "z.avif"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("\x00\x00\x00\x18ftypheic"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	alone := t.TempDir()
	if err := os.WriteFile(filepath.Join(alone, "x.heic"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		dir, want string
		has       bool
	}{
		{dir, "files that cannot be read: 3 (AVIF, HEIC); convert them to JPEG", true},
		{alone, "has no pictures: files that cannot be read: 1 (HEIC)", false},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		changed := make(chan struct{}, 1)
		cell := provider.NewCell(nil)
		end := cell.Watch(changed)
		ended := make(chan error)
		go func() { ended <- New(config(tt.dir)).Run(ctx, cell) }()
		s := cell.Load()
		for ; !s.Has() && s.Err == nil; s = cell.Load() {
			<-changed
		}
		cancel()
		<-ended
		end()
		if s.Has() != tt.has || s.Err == nil || !strings.Contains(s.Err.Error(), tt.want) {
			t.Errorf("got %v, %v, want %s", s.Has(), s.Err, tt.want)
		}
	}
}
