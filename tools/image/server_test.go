package main

import (
	"context"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"dashboard/tools/qemu"
)

// serve starts a dashboard on this machine that streams the wall, and returns its port.
func (t *tester) serve(ctx context.Context) (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	port := l.Addr().(*net.TCPAddr).Port
	if err := l.Close(); err != nil { // frees the port for the dashboard
		return 0, err
	}
	dir := filepath.Join(t.kit.dir, "server")
	if err := copyTree("tools/image/wall", dir); err != nil {
		return 0, err
	}
	conf := fmt.Sprintf("graphics:\n  resolution: [%d, %d]\nserver:\n  host: 127.0.0.1\n  port: %d\noutputs:\n  - type: stream\n    image_format: jpeg\n",
		screenSize.X, screenSize.Y, port)
	if err := os.WriteFile(filepath.Join(dir, "conf.yaml"), []byte(conf), 0o644); err != nil {
		return 0, err
	}
	log, err := os.Create(filepath.Join(t.dir, "server.log"))
	if err != nil {
		return 0, err
	}
	defer log.Close()
	cmd := exec.CommandContext(ctx, t.kit.dashboard, "--config-dir", dir)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	go func() { _ = cmd.Wait() }() // the process is killed when ctx ends
	return port, nil
}

// serverTime is the maximum time until the dashboard has its first frame, on a busy machine.
const serverTime = 5 * time.Minute

// shown() returns the current frame of the dashboard that listens on the given port of this machine.
func (t *tester) shown(ctx context.Context, port int) (*image.RGBA, error) {
	for end := time.Now().Add(serverTime); ; time.Sleep(lookPause) {
		q, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/frame", port), nil)
		if err != nil {
			return nil, err
		}
		a, err := http.DefaultClient.Do(q)
		if err == nil {
			defer a.Body.Close()
			m, _, err := image.Decode(a.Body)
			if err != nil {
				return nil, err
			}
			return qemu.ToRGBA(m), nil
		}
		if time.Now().After(end) {
			return nil, err
		}
	}
}
