package wall

import (
	"bufio"
	"fmt"
	"math"
	"net/http"
	"os"
	"strings"
	"testing"
)

const (
	// demoMemory is the maximum resident memory, in bytes, of the built-in wall at 1920x1080 with a browser that shows the wall.
	demoMemory = 64_000_000
	// demoFrames is the size of two frames in bytes. On a busy machine, the stream keeps two more frames until they are encoded.
	demoFrames = 2 * 4 * 1920 * 1080
	// demoQuiet is the name of an environment variable. It is set if the machine is idle, so that
	// other programs do not disturb the measurement.
	demoQuiet = "DASHBOARD_QUIET"
)

// The built-in wall at 1920x1080 needs little memory. One client reads its stream, and the screen of its window is missing.
func TestDemoMemory(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it looks at the demo for many frames")
	}
	port, wall := freePort(t), files{}
	for _, name := range []string{"conf.yaml", "providers.yaml", "widgets.yaml"} {
		b, err := os.ReadFile("../cmd/dashboard/demo/" + name)
		if err != nil {
			t.Fatal(err)
		}
		wall[name] = string(b)
	}
	wall["conf.yaml"] = strings.Replace(wall["conf.yaml"], "  - type: window\n", fmt.Sprintf("  - {type: window, driver: fbdev, device: %s/none, tty: none}\n", t.TempDir()), 1)
	wall["conf.yaml"] += fmt.Sprintf("\nserver: {port: %d}\n", port)
	b := launch(t, port, wall, "--size", "1920x1080")
	eventually(t, "the stream has a frame", func() bool {
		status := b.ask("HEAD /frame", having("*"), "").status // 304 means that there is a frame
		return status != 0 && status != http.StatusServiceUnavailable
	})
	resp, err := http.Get(b.url("/stream.mjpg"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	in := bufio.NewReader(resp.Body)
	least, most := math.MaxInt, demoMemory
	if os.Getenv(demoQuiet) == "" {
		most += demoFrames
	}
	eventually(t, fmt.Sprintf("it takes at most %d MB", most/1_000_000), func() bool {
		for seen := 0; seen < 5; { // wait for five frames
			line, err := in.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(line, "Content-Type: image/") {
				seen++
			}
		}
		least = min(least, b.Memory("VmRSS"))
		t.Logf("%.1f MB, of which %.1f are the program's own pages", float64(b.Memory("VmRSS"))/1e6, float64(b.Memory("RssFile"))/1e6)
		return least <= most
	})
}
