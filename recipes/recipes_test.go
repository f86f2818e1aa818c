package recipes

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"flag"
	"io"
	"io/fs"
	"os"
	"path"
	"testing"
)

var update = flag.Bool("update", false, "write recipes.zip again")

// TestZip checks that recipes.zip contains the current recipes of this folder.
func TestZip(t *testing.T) {
	want := pack(t)
	if *update {
		if err := os.WriteFile(Zip, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(packed, want) {
		t.Error("recipes.zip differs from the recipes: run make docs")
	}
}

// pack returns a zip file of the recipes without their pictures. The result is always the same for the same files.
func pack(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	files := os.DirFS(".")
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !included(name) {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		w, err := z.Create(name)
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
	return b.Bytes()
}

// included reports whether the program contains a file of a recipe. It contains all files except pictures and the texts that are drawn
// from pictures.
func included(name string) bool {
	drawn := path.Ext(name) == ".png" || path.Base(name) == "text.txt"
	return path.Dir(name) != "." && (!drawn || path.Base(path.Dir(name)) == "answers")
}
