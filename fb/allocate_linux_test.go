package fb

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// If the file system has no fallocate(2), zeros are written after the present contents.
func TestWriteZeros(t *testing.T) {
	path, picture := filepath.Join(t.TempDir(), "screen.raw"), []byte("picture")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(picture); err != nil {
		t.Fatal(err)
	}
	const size = 100_000
	if err := writeZeros(int(f.Fd()), int64(len(picture)), size); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, append(picture, make([]byte, size-len(picture))...)) {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
}
