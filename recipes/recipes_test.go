package recipes

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"flag"
	"io/fs"
	"os"
	"path"
	"testing"
)

var update = flag.Bool("update", false, "write recipes.packed again")

// TestPacked checks that recipes.packed contains the current recipes of this folder.
func TestPacked(t *testing.T) {
	want := pack(t)
	if *update {
		if err := os.WriteFile(Packed, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(packed, want) {
		t.Error("recipes.packed differs from the recipes: run make docs")
	}
}

// pack returns the recipes without their pictures, in the form of recipes.packed. The result is always the same for the same files.
func pack(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	files := os.DirFS(".")
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !included(name) {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	})
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	var small bytes.Buffer
	w, err := flate.NewWriter(&small, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = w.Write(b.Bytes()); err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return small.Bytes()
}

// included reports whether the program contains a file of a recipe. It contains all files in a recipe's folder except pictures and
// text.txt (the widget as text). In a folder with the name answers, it contains pictures and text.txt too.
func included(name string) bool {
	drawn := path.Ext(name) == ".png" || path.Base(name) == "text.txt"
	return path.Dir(name) != "." && (!drawn || path.Base(path.Dir(name)) == "answers")
}
