package ddc

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOpenBus: the errors for a missing bus and for a file that is not a bus contain the path.
func TestOpenBus(t *testing.T) {
	path := filepath.Join(t.TempDir(), "i2c-1")
	if bus, err := OpenBus(path); bus != nil || !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("a missing bus: got %v, %v", bus, err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if bus, err := OpenBus(path); bus != nil || err == nil || !strings.Contains(err.Error(), "no I2C bus") {
		t.Errorf("a plain file: got %v, %v", bus, err)
	}
}
