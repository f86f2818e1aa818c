package packed

import (
	"bytes"
	"io/fs"
	"path"
	"testing"
	"testing/fstest"
)

// TestFolder checks that a packed folder has the same files, without the excluded ones, and that the same files give the same bytes.
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
