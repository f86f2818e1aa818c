package golden

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// Text compares a text with testdata/golden/NAME.txt.
func Text(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join(folder, name+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; make it with -update", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; got:\n%s\nwant:\n%s", path, got, want)
	}
}
