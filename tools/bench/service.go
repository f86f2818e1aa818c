//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"dashboard/tools/command"
)

// A service is the real program, running as a process.
type service struct {
	cmd *exec.Cmd
	url string
	log bytes.Buffer // valid after the program has stopped
}

// fpsLimit is the value of fps-limit for row 12 of docs/benchmarks.md.
const fpsLimit = 60

// wallConf is a conf.yaml that renders 1080p only for streams. The port is filled in later.
const wallConf = `graphics: {resolution: [1920, 1080], fps-limit: 60}
server: {port: %d}
outputs: [{type: stream, image_format: jpeg, quality: 85}]
logging: {level: warning}
`

// wallWidgets is a wall with 12 cells. Notifications go to the first cell, which is about as large as a big clock.
const wallWidgets = `background_color: black
widgets:
  - widget: grid
    rows: 3
    columns: 4
    padding: 60
    children:
      - widget: notifiabletext
        name: clock
        background_color: black
        children: [{widget: text, text: "12:34:56"}]
` + elevenTexts

const elevenTexts = `      - {widget: text, text: Living 21.5}
      - {widget: text, text: Outside 4.2}
      - {widget: text, text: Power 312 W}
      - {widget: text, text: Departures}
      - {widget: text, text: 08:15 S1 platform 3}
      - {widget: text, text: 08:25 S2 platform 1}
      - {widget: text, text: Calendar}
      - {widget: text, text: Nothing today}
      - {widget: text, text: Network up}
      - {widget: text, text: 112 Mbit/s}
      - {widget: text, text: Good morning}
`

// launch starts the program with the given widgets, and waits until it serves frames.
func (l *lab) launch(widgets string, env ...string) (*service, error) {
	return l.launchFiles(map[string]string{"conf.yaml": wallConf, "widgets.yaml": widgets}, env...)
}

// launchFiles does the same as launch() for a wall with several files. Its conf.yaml must begin with wallConf.
func (l *lab) launchFiles(files map[string]string, env ...string) (*service, error) {
	if err := l.build(); err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(l.dir, "wall")
	if err != nil {
		return nil, err
	}
	for name, text := range files {
		text = strings.Replace(text, "port: %d", fmt.Sprint("port: ", port), 1)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	return l.begin(port, "/frame", env, l.path("service"), "--config-dir", dir)
}

// begin starts a server, and waits until it answers requests for a path.
func (l *lab) begin(port int, path string, env []string, name string, args ...string) (*service, error) {
	s := &service{cmd: exec.CommandContext(l.ctx, name, args...), url: fmt.Sprintf("http://127.0.0.1:%d", port)}
	s.cmd.Stderr, s.cmd.Env = &s.log, append(os.Environ(), env...)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	for end := time.Now().Add(startTime); ; time.Sleep(20 * time.Millisecond) {
		_, err := s.get(path)
		if err == nil {
			return s, nil
		}
		if time.Now().After(end) {
			s.stop()
			return nil, fmt.Errorf("%w: %.300s", err, s.log.String())
		}
	}
}

// build builds the program with the options of a release. A second call does nothing.
func (l *lab) build() error {
	if _, err := os.Stat(l.path("service")); err == nil {
		return nil
	}
	_, err := command.Run(l.ctx, []string{"CGO_ENABLED=0"}, "go", "build", "-trimpath", "-tags=nethttpomithttp2", "-ldflags", "-s -w", "-o", l.path("service"), "./cmd/dashboard")
	return err
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// startTime is the maximum time until a server's first answer. It allows for a busy machine.
const startTime = 10 * time.Second

// get requests a path and returns the body. Any status except 200 is an error.
func (s *service) get(path string) ([]byte, error) {
	r, err := http.Get(s.url + path)
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err == nil && r.StatusCode != http.StatusOK {
		err = fmt.Errorf("GET %s: %s", path, r.Status)
	}
	return body, err
}

// oneFrame is a duration so short that a notification disappears with the next frame.
const oneFrame = time.Millisecond

// note sends a notification to the first cell of the wall.
func (s *service) note(text string, stays time.Duration) error {
	body := fmt.Sprintf(`{"widget": "clock", "text": %q, "duration": %g}`, text, stays.Seconds())
	r, err := http.Post(s.url+"/notify", "application/json", strings.NewReader(body))
	if err != nil {
		return err
	}
	defer r.Body.Close()
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return err
	}
	if r.StatusCode != http.StatusOK {
		return fmt.Errorf("POST /notify: %s", r.Status)
	}
	return nil
}

func (s *service) stop() {
	_ = s.cmd.Process.Signal(os.Interrupt) // fails if the program has ended already
	_ = s.cmd.Wait()
}

// resident returns the memory of the process, in bytes.
func (s *service) resident() (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if kb, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(kb), " kB"))
			return float64(n) * 1024, err
		}
	}
	return 0, fmt.Errorf("no VmRSS of process %d", s.cmd.Process.Pid)
}
