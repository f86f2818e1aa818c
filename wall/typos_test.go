package wall

import (
	"io"
	"testing"

	"dashboard/wall/outputs"
	"dashboard/wall/scene"
)

// The banner about an unknown key disappears when the files are read again without unknown keys.
func TestTyposGo(t *testing.T) {
	t.Chdir(t.TempDir())
	s := newService(parts{opts: Options{Folder: scene.Folder{Widgets: "widgets.yaml"}}, stderr: io.Discard, devices: outputs.ThisMachine()})
	defer s.main().Close()
	defer s.builder.Providers.Close()
	for file, want := range map[string]bool{"servr: {port: 1}\n": true, "server: {port: 1}\n": false} {
		for _, text := range []string{"servr: {port: 1}\n", file} {
			files{"conf.yaml": text, "widgets.yaml": plainWall("red")}.write(t, ".")
			_, report := s.readAll()
			s.setTypos(report)
		}
		if got := s.typos.Load() != nil; got != want {
			t.Errorf("%q: got a banner %v, want %v", file, got, want)
		}
	}
}
