package output

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestFileFailureIsLoggedRarely: while a file or the link cannot be written, the reason is logged once in repeatEvery, although the names of
// the files and of the temporary files are different each time.
func TestFileFailureIsLoggedRarely(t *testing.T) {
	for name, o := range map[string]FileOptions{
		"file name too long": {Pattern: strings.Repeat("long", 80) + "{timestamp}"},
		"file exists":        {Latest: true}, // a folder has the name of the link
	} {
		t.Run(name, func(t *testing.T) {
			o.Dir = t.TempDir()
			if err := os.MkdirAll(filepath.Join(o.Dir, "latest.png", "x"), 0o700); err != nil {
				t.Fatal(err)
			}
			synctest.Test(t, func(t *testing.T) {
				lines, log := newBook()
				o.Log = log
				f := newFile(t, o)
				defer start(t, f.Run)()
				fr := frame(6, 4, 1)
				_ = f.DrawFrame(fr, rects(fr.Rect))
				time.Sleep(time.Hour)
				synctest.Wait()
				told := lines.String()
				n, most := strings.Count(told, "output failed"), int(time.Hour/repeatEvery)+1
				if n == 0 || n > most || !strings.Contains(told, name) {
					t.Errorf("told %d times in an hour, want at most %d:\n%.900s", n, most, told)
				}
			})
		})
	}
}
