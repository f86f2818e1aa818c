//go:build unix

package power

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"dashboard/internal/testing/programtest"
)

// A backlight is skipped if its file blocks. Requests are still answered, and the end of the program does not wait for the file.
func TestBacklightThatBlocks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "10-0045")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"max_brightness": "31", "brightness": "20", "bl_power": "0"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	panel := FindPanel(filepath.Dir(dir), "")
	if panel == nil {
		t.Fatal("no backlight")
	}
	pipe := filepath.Join(dir, "bl_power")
	if err := os.Remove(pipe); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	wire := &lamp{kind: DRM, on: true}
	o := NewOwner()
	o.Patience = 2 * time.Second // a backend that works must answer in this time, also on a busy machine
	o.Screens = func() []Screen { return []Screen{{"screen", []Backend{panel, wire}}} }
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); o.Run(ctx) }()
	o.Ask(Off, 0)
	programtest.Eventually(t, "off by the next one", func() bool {
		r := o.State().Screens
		return len(r) == 1 && r[0].Backend == DRM
	})
	if o.On() || !o.Touch() {
		t.Error("whoever asks meanwhile gets another answer")
	}
	cancel()
	<-done
	w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // this unblocks the reader
	if err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
}
