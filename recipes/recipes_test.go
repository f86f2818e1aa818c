package recipes

import (
	"bytes"
	"flag"
	"os"
	"path"
	"testing"
	"testing/fstest"

	"dashboard/internal/packed"
)

var update = flag.Bool("update", false, "write recipes.packed again")

// TestPacked checks that recipes.packed contains the current recipes of this folder.
func TestPacked(t *testing.T) {
	want, err := packed.Folder(os.DirFS("."), included)
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
		t.Error("recipes.packed differs from the recipes: run make docs")
	}
}

// TestFilesAreUnpackedOnUse checks that Files alone unpacks nothing, because a wall calls Files at each change of its files and few walls
// have a recipe.
func TestFilesAreUnpackedOnUse(t *testing.T) {
	if n := testing.AllocsPerRun(3, func() { Files() }); n > 5 {
		t.Errorf("got %v allocations, want 5 at most", n)
	}
	if err := fstest.TestFS(Files(), "moon/recipe.yaml"); err != nil {
		t.Error(err)
	}
}

// included reports whether the program contains a file of a recipe. The program contains all files in a recipe's folder except pictures and
// text.txt (the widget as text). In a folder with the name answers, the program contains pictures and text.txt too.
func included(name string) bool {
	drawn := path.Ext(name) == ".png" || path.Base(name) == "text.txt"
	return path.Dir(name) != "." && (!drawn || path.Base(path.Dir(name)) == "answers")
}
