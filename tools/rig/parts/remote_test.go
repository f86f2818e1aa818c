//go:build linux

package parts

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A remote screen is off while the wall's screen is off. A touch switches the remote screen on, and it shows its picture again. The touch
// has no other effect on the wall.
func TestRemoteTouch(t *testing.T) {
	need(t)
	g := newGlass(t, glassSize)
	must(t, os.WriteFile(screen, make([]byte, 4*glassSize.X*glassSize.Y), 0)) // removes the earlier content
	wall := run(t, strings.Replace(strings.Replace(conf("", ""), fmt.Sprintf("  - {type: window, device: %s, tty: none, fullscreen: true}\n", screen), "", 1), "type: stream", "type: stream, image_format: png", 1), quarters)
	p := &program{t: t, folder: t.TempDir(), ended: make(chan struct{})}
	settings := fmt.Sprintf("server: {url: %q}\ngraphics: {resolution: [%d, %d]}\ndisplay: {backends: [fb]}\noutputs: [{type: window, device: %s, tty: none}]\n",
		server, glassSize.X, glassSize.Y, screen)
	must(t, os.WriteFile(filepath.Join(p.folder, "client.yaml"), []byte(settings), 0o644))
	p.start(client)
	eventually(t, "the touchscreen is heard", func() bool { return p.log.Count("A Great Glass") == 1 })
	red := glassSize.Div(4)
	eventually(t, "the wall on the remote screen", func() bool { return pixel(t, red) == "ff0000" })
	switched := func(on bool) func() bool {
		return func() bool { return p.log.Count(fmt.Sprintf("\"screen switched\" on=%v", on)) == 1 }
	}
	wall.post("/power", `{"state": "off"}`)
	eventually(t, "off with the wall", switched(false))
	g.tap(red)
	eventually(t, "on by a touch", switched(true))
	eventually(t, "the picture again", func() bool { return pixel(t, red) == "ff0000" })
	g.tap(red)
	if got := wall.page(); got != "home" {
		t.Errorf("touches on a remote screen turned to page %s", got)
	}
	if wall.state().On {
		t.Error("the wall's own screens are on, too")
	}
}
