package samples

import (
	"bytes"
	"flag"
	"os"
	"path"
	"testing"

	"dashboard/internal/packed"
)

var update = flag.Bool("update", false, "write samples.packed again")

// TestPacked checks that samples.packed contains the current samples of this folder.
func TestPacked(t *testing.T) {
	want, err := packed.Folder(os.DirFS("."), func(name string) bool { return path.Dir(name) != "." })
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(Packed, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(content, want) {
		t.Error("samples.packed differs from the samples: run make docs")
	}
}
