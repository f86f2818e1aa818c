package packed

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"path"
	"testing"
	"testing/fstest"
)

// TestFolder checks that a packed folder has the same files, except the excluded files, and that the same files give the same bytes.
func TestFolder(t *testing.T) {
	files := fstest.MapFS{"b/x.txt": {Data: bytes.Repeat([]byte("x"), 100_000)}, "a/y.txt": {Data: nil}, "a/c/z.png": {Data: []byte("z")}}
	text := func(name string) bool { return path.Ext(name) == ".txt" }
	one, err := Folder(files, text)
	if err != nil {
		t.Fatal(err)
	}
	if two, err := Folder(files, text); err != nil || !bytes.Equal(one, two) || len(one) > 2000 {
		t.Errorf("got %d bytes, then %d, %v", len(one), len(two), err)
	}
	all, err := OpenFolder(one)
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(all, "a/y.txt", "b/x.txt"); err != nil {
		t.Error(err)
	}
	if got, err := fs.ReadFile(all, "b/x.txt"); err != nil || !bytes.Equal(got, files["b/x.txt"].Data) {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
	if _, err := fs.Stat(all, "a/c/z.png"); err == nil {
		t.Error("the folder has an excluded file")
	}
	for _, broken := range [][]byte{nil, one[:len(one)/2], []byte("no folder")} {
		if _, err := OpenFolder(broken); err == nil {
			t.Errorf("%d broken bytes give no error", len(broken))
		}
	}
}

// TestFolderOfEqualFiles checks that a packed folder contains the bytes of equal files only once. The equal files are longer than the
// window of RFC 1951, so compression alone would store both.
func TestFolderOfEqualFiles(t *testing.T) {
	photo := make([]byte, 60_000)
	for r, i := rand.New(rand.NewPCG(1, 2)), 0; i < len(photo); i++ {
		photo[i] = byte(r.Uint32())
	}
	files := fstest.MapFS{
		"a.txt": {}, "b/photo.jpg": {Data: photo}, "c/other.jpg": {Data: photo[1:]}, "d/same.jpg": {Data: photo}, "e.txt": {}, "f.txt": {Data: []byte("f")},
	}
	small, err := Folder(files, func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	if len(small) > 5*len(photo)/2 {
		t.Errorf("got %d bytes, want two photos of %d", len(small), len(photo))
	}
	all, err := OpenFolder(small)
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(all, "a.txt", "b/photo.jpg", "c/other.jpg", "d/same.jpg", "e.txt", "f.txt"); err != nil {
		t.Error(err)
	}
	for name, file := range files {
		if got, err := fs.ReadFile(all, name); err != nil || !bytes.Equal(got, file.Data) {
			t.Errorf("%s: got %d bytes, %v, want %d", name, len(got), err, len(file.Data))
		}
	}
}
