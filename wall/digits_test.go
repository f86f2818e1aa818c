package wall

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"dashboard/control/pairing"
	"dashboard/fb"
	"dashboard/output/trmnl"
	"dashboard/wall/outputs"
)

// The setting that no device can ask to edit is kept over a restart. A damaged file also means that no device can ask.
func TestDigitsAreKept(t *testing.T) {
	dir := t.TempDir()
	begin := func() *pairing.Registry {
		s := &Service{}
		s.log, s.devices = slog.New(slog.DiscardHandler), &outputs.Devices{Cards: fb.NewCards()}
		s.screens, s.editors, s.peers, s.readers = pairing.New(), pairing.New(), pairing.New(), trmnl.New(trmnl.Parts{})
		s.opts.StateDir = dir
		s.keep()
		return s.editors
	}
	set := func(closed bool) {
		t.Helper()
		if _, err := begin().Close(closed, time.Now()); err != nil {
			t.Fatal(err)
		}
		if got := begin().Closed(); got != closed {
			t.Errorf("after a restart: got closed %v, want %v", got, closed)
		}
	}
	if begin().Closed() {
		t.Error("devices cannot ask at the first start")
	}
	set(true)
	set(false)
	if err := os.WriteFile(filepath.Join(dir, devicesFolder, digitsFile), []byte("o"), 0o600); err != nil {
		t.Fatal(err)
	}
	if !begin().Closed() {
		t.Error("devices can ask although the file is damaged")
	}
}
