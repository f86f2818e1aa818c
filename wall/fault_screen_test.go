package wall

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/internal/testing/thorough"
)

// A virtual screen disappears in every possible way while the wall is painted. Everything else
// continues. A new screen gets a complete frame.
func TestScreenVanishes(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	away := func(dir string) string { return filepath.Join(dir, "away") }
	for _, tc := range []struct {
		name string
		do   func(path string) error
		says string                  // error while there is no screen, or "" if the screen returns at once
		undo func(path string) error // restores the screen, or nil if nothing must be restored
	}{
		{name: "removed", do: os.Remove},
		{name: "replaced", do: func(path string) error {
			if err := os.WriteFile(path+".new", []byte("something else"), 0o600); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		}},
		{name: "cut short", do: func(path string) error { return os.Truncate(path, 10) }},
		{name: "empty", do: func(path string) error { return os.Truncate(path, 0) }},
		{name: "longer", do: func(path string) error { return os.Truncate(path, 3*4*testW*testH) }},
		{name: "a folder instead", do: func(path string) error {
			err := os.ErrExist
			for errors.Is(err, os.ErrExist) { // the program may create the file again before Mkdir is called
				_ = os.Remove(path)
				err = os.Mkdir(path, 0o755)
			}
			return err
		}, says: "is a directory", undo: os.Remove},
		{name: "its folder gone", do: func(path string) error { return os.Rename(filepath.Dir(path), away(filepath.Dir(filepath.Dir(path)))) },
			says: "no such file", undo: func(path string) error { return os.Rename(away(filepath.Dir(filepath.Dir(path))), filepath.Dir(path)) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			port := freePort(t)
			f := files{"conf.yaml": strings.Replace(wallConf(port, ""), "screen.raw", "dev/screen.raw", 1), "widgets.yaml": tickingWall, "dev/x": ""}
			b := launch(t, port, f)
			screen := b.site
			screen.dir = filepath.Join(b.dir, "dev")
			screen.shows(1, 1, red)
			b.serves("/frame", 200)
			path := filepath.Join(screen.dir, "screen.raw")
			if err := tc.do(path); err != nil {
				t.Fatal(err)
			}
			if tc.says != "" {
				eventually(t, "it says why there is no screen", func() bool {
					o := b.output("window")
					return !o.OK && !o.Device.Open && strings.Contains(o.Device.Error, tc.says)
				})
				b.goesOn()
				if err := tc.undo(path); err != nil {
					t.Fatal(err)
				}
			}
			screen.shows(1, 1, red)
			screen.shows(testW-1, testH-1, red)
			eventually(t, "the screen is well", func() bool { o := b.output("window"); return o.OK && o.Device.Open })
			b.goesOn()
			eventually(t, "the file has the screen's size", func() bool { // the program checks the file before each frame
				info, err := os.Stat(path)
				return err == nil && info.Size() == 4*testW*testH
			})
		})
	}
}
