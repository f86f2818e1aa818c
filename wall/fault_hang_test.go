//go:build unix

package wall

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"dashboard/fb"
	"dashboard/internal/testing/thorough"
	"dashboard/wall/outputs"
	"dashboard/wall/scene"
)

// pipeIn makes a named pipe at dir/name, so that reading this file blocks. It also writes the files in the map `others` next to the pipe.
func pipeIn(t *testing.T, dir, name string, others map[string]string) (path string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for other, text := range others {
		if err := os.WriteFile(filepath.Join(dir, other), []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	path = filepath.Join(dir, name)
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// letGo releases a program that waits for the pipe at `path`.
func letGo(t *testing.T, path string) {
	t.Helper()
	w, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0) // fails if no program reads the pipe
	if err == nil {
		_ = w.Close()
	}
}

// A backlight and a light sensor block their callers. The wall is still painted, the next backend switches the wall's screen, every
// request gets an answer, and the program ends.
func TestHardwareThatBlocks(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	port, home := freePort(t), t.TempDir()
	files{
		"conf.yaml": fmt.Sprintf("graphics: {resolution: [160, 96]}\nserver: {port: %d}\noutputs: [{type: window, tty: none}, {type: stream}]\n"+
			"display: {backends: [backlight, fb], brightness: {sensor: auto}, pixel_shift: false}\n", port),
		"widgets.yaml": tickingWall,
	}.write(t, home)
	lights, sensors := t.TempDir(), t.TempDir()
	blocked := []string{
		pipeIn(t, filepath.Join(lights, "10-0045"), "bl_power", map[string]string{"max_brightness": "31", "brightness": "20"}),
		pipeIn(t, filepath.Join(sensors, "iio:device0"), "in_illuminance_input", nil),
	}
	socket := &socket{}
	socket.plug(160, 96)
	log := &logbook{}
	s := newService(parts{opts: Options{Folder: scene.Folder{Widgets: "widgets.yaml", Home: home}}, stderr: log, devices: outputs.ThisMachine()})
	s.light.Dir = sensors
	s.devices.Hardware.Lights = lights
	s.devices.Keeper = func(o fb.Options) (*fb.Keeper, error) { return fb.NewKeeperOf(o, socket.open) }
	s.main().Power.Patience = time.Second // the next backend answers within this time even on a busy machine
	g, report := s.load()
	if g == nil {
		t.Fatal(report.Errors())
	}
	s.begin(g)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = s.run(ctx, nil) }()
	defer s.builder.Providers.Close()
	url := fmt.Sprintf("http://127.0.0.1:%d", port)
	answers := func(path string, into any) bool {
		r, err := http.Get(url + path)
		if err != nil {
			return false
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		return err == nil && r.StatusCode == http.StatusOK && (into == nil || json.Unmarshal(body, into) == nil)
	}
	by := func(on bool, problem string) func() bool {
		return func() bool {
			var st screenState
			return answers("/power", &st) && st.On == on && len(st.Screens) == 1 && st.Screens[0].Backend != nil && *st.Screens[0].Backend == "fb" &&
				(problem == "" || st.Screens[0].Problem != nil && strings.Contains(*st.Screens[0].Problem, problem))
		}
	}
	eventually(t, "on, and what hangs is told", by(true, "backlight: it does not answer"))
	r, err := http.Post(url+"/power", "application/json", strings.NewReader(`{"state": "off"}`))
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatal(err, r)
	}
	r.Body.Close()
	eventually(t, "off by the next one", by(false, ""))
	if !answers("/healthz", nil) || !answers("/metrics", nil) {
		t.Error("no answer")
	}
	before := s.main().Loop.Stats().Passes
	eventually(t, "the wall goes on", func() bool { return s.main().Loop.Stats().Passes > before })
	cancel()
	select {
	case <-ended:
	case <-time.After(patience):
		t.Error("it does not end")
	}
	if log.Count("dashboard ended") != 1 || log.Count("panic") != 0 {
		t.Errorf("the log:\n%s", log)
	}
	for _, path := range blocked {
		letGo(t, path)
	}
}
