package wallzip

import (
	"archive/zip"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type entry struct {
	name, text string
	mode       fs.FileMode
}

func pack(t *testing.T, entries ...entry) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "dashboard.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		h.SetMode(e.mode | 0o644)
		w, err := z.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(e.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestUnpack(t *testing.T) {
	many := []entry{{name: "widgets.yaml"}}
	for i := range maxFiles {
		many = append(many, entry{name: "f" + string(rune('a'+i%26)) + strings.Repeat("x", i/26)})
	}
	for _, tt := range []struct {
		name    string
		entries []entry
		problem string
		want    string // a file that is there then
	}{
		{"a wall", []entry{{name: "widgets.yaml"}, {name: "pictures/a.png"}}, "", "pictures/a.png"},
		{"in a folder", []entry{{name: "my wall/widgets.yaml"}, {name: "my wall/pictures/a.png"}, {name: "__MACOSX/._x"}}, "", "pictures/a.png"},
		{"made by Windows", []entry{{name: `wall\widgets.yaml`}, {name: `wall\pictures\a.png`}}, "", "pictures/a.png"},
		{"out of the folder", []entry{{name: "widgets.yaml"}, {name: "../evil"}}, "not a file of a wall", ""},
		{"out of the folder, in one", []entry{{name: "a/widgets.yaml"}, {name: "a/../../evil"}}, "not a file of a wall", ""},
		{"an absolute path", []entry{{name: "widgets.yaml"}, {name: "/etc/passwd"}}, "not a file of a wall", ""},
		{"a link", []entry{{name: "widgets.yaml"}, {name: "x", text: "/etc/passwd", mode: fs.ModeSymlink}}, "not a file of a wall", ""},
		{"a bomb", []entry{{name: "widgets.yaml"}, {name: "x", text: strings.Repeat("\x00", maxBytes)}, {name: "y", text: "y"}}, "bytes in all", ""},
		{"many files", many, "the limit is", ""},
		{"another zip", []entry{{name: "letter.txt"}}, "widgets.yaml or client.yaml is missing", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "in", "wall")
			err := Unpack(pack(t, tt.entries...), dir)
			if (err == nil) != (tt.problem == "") || err != nil && !strings.Contains(err.Error(), tt.problem) {
				t.Errorf("got %v, want %q", err, tt.problem)
			}
			if _, err := os.Stat(filepath.Join(dir, tt.want)); tt.want != "" && err != nil {
				t.Error(err)
			}
			for _, up := range []string{"..", "../.."} {
				if _, err := os.Lstat(filepath.Join(dir, up, "evil")); err == nil {
					t.Error("a file was written outside of the folder")
				}
			}
		})
	}
	if err := Unpack(filepath.Join(t.TempDir(), "none.zip"), t.TempDir()); err == nil {
		t.Error("no file: got no error")
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte("PK\x05\x06\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		file := filepath.Join(dir, "z")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		_ = Unpack(file, filepath.Join(dir, "out"))
		all, err := os.ReadDir(dir)
		if err != nil || len(all) > 2 {
			t.Errorf("got %v, %v, want nothing outside", all, err)
		}
	})
}
