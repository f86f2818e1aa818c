package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type packed struct {
	name, text string
	mode       fs.FileMode
}

func pack(t *testing.T, entries ...packed) string {
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
	many := []packed{{name: "widgets.yaml"}}
	for i := range maxFiles {
		many = append(many, packed{name: "f" + string(rune('a'+i%26)) + strings.Repeat("x", i/26)})
	}
	for _, tt := range []struct {
		name    string
		entries []packed
		problem string
		want    string // name of a file that must exist afterwards
	}{
		{"a wall", []packed{{name: "widgets.yaml"}, {name: "pictures/a.png"}}, "", "pictures/a.png"},
		{"in a folder", []packed{{name: "my wall/widgets.yaml"}, {name: "my wall/pictures/a.png"}, {name: "__MACOSX/._x"}}, "", "pictures/a.png"},
		{"made by Windows", []packed{{name: `wall\widgets.yaml`}, {name: `wall\pictures\a.png`}}, "", "pictures/a.png"},
		{"out of the folder", []packed{{name: "widgets.yaml"}, {name: "../evil"}}, "not a file of a wall", ""},
		{"out of the folder, in one", []packed{{name: "a/widgets.yaml"}, {name: "a/../../evil"}}, "not a file of a wall", ""},
		{"an absolute path", []packed{{name: "widgets.yaml"}, {name: "/etc/passwd"}}, "not a file of a wall", ""},
		{"a link", []packed{{name: "widgets.yaml"}, {name: "x", text: "/etc/passwd", mode: fs.ModeSymlink}}, "not a file of a wall", ""},
		{"a bomb", []packed{{name: "widgets.yaml"}, {name: "x", text: strings.Repeat("\x00", maxBytes)}, {name: "y", text: "y"}}, "bytes in all", ""},
		{"many files", many, "the limit is", ""},
		{"another zip", []packed{{name: "letter.txt"}}, "widgets.yaml or client.yaml is missing", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "in", "wall")
			_, err := Unpack(pack(t, tt.entries...), dir, "")
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
	if _, err := Unpack(filepath.Join(t.TempDir(), "none.zip"), t.TempDir(), ""); err == nil {
		t.Error("no file: got no error")
	}
}

// `commit` is the text that git archive writes for a commit.
const commit = "8f3c2a1d0b7e4f5a6c9d8e7f0a1b2c3d4e5f6071"

// packTar writes a tar.gz as git servers do: the commit is in a global header, and one folder contains everything. It returns the path of
// the tar.gz.
func packTar(t *testing.T, headers ...tar.Header) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	headers = append([]tar.Header{
		{Typeflag: tar.TypeXGlobalHeader, Name: "pax_global_header", PAXRecords: map[string]string{"comment": commit}},
		{Typeflag: tar.TypeDir, Name: "walls-8f3c2a1/", Mode: 0o755},
	}, headers...)
	for _, h := range headers {
		if h.Typeflag == 0 {
			h.Typeflag = tar.TypeReg
		}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyN(w, zeros{}, h.Size); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []io.Closer{w, z} {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "main.tar.gz")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestUnpackGit checks that a folder of a repository becomes the wall. Files and links outside of the folder are left out.
func TestUnpackGit(t *testing.T) {
	crowd := make([]tar.Header, maxEntries)
	for i := range crowd {
		crowd[i] = tar.Header{Name: "walls-8f3c2a1/x/y" + strings.Repeat("y", i%90)}
	}
	for _, tt := range []struct {
		name, within string
		headers      []tar.Header
		problem      string
	}{
		{"a repository", "", []tar.Header{{Name: "walls-8f3c2a1/widgets.yaml"}, {Name: "walls-8f3c2a1/.gitignore"}, {Name: "walls-8f3c2a1/.github/workflows/x.yml"}}, ""},
		{"a folder in it", "kitchen", []tar.Header{{Name: "walls-8f3c2a1/kitchen/widgets.yaml"}, {Name: "walls-8f3c2a1/hall/evil"}}, ""},
		{"a folder in a folder", "/house/kitchen/", []tar.Header{{Name: "walls-8f3c2a1/house/kitchen/widgets.yaml"}}, ""},
		{"a link beside the folder", "kitchen", []tar.Header{{Name: "walls-8f3c2a1/kitchen/widgets.yaml"}, {Name: "walls-8f3c2a1/x", Typeflag: tar.TypeSymlink, Linkname: "/etc"}}, ""},
		{"a link in the folder", "kitchen", []tar.Header{{Name: "walls-8f3c2a1/kitchen/x", Typeflag: tar.TypeSymlink, Linkname: "/etc"}}, "not a file of a wall"},
		{"a hard link", "", []tar.Header{{Name: "walls-8f3c2a1/x", Typeflag: tar.TypeLink, Linkname: "/etc/passwd"}}, "not a file of a wall"},
		{"a device", "", []tar.Header{{Name: "walls-8f3c2a1/x", Typeflag: tar.TypeChar}}, "not a file of a wall"},
		{"out of the folder", "", []tar.Header{{Name: "walls-8f3c2a1/../../evil"}}, "not a file of a wall"},
		{"out of it by the setting", "../..", []tar.Header{{Name: "walls-8f3c2a1/widgets.yaml"}}, "is missing"},
		{"no such folder", "attic", []tar.Header{{Name: "walls-8f3c2a1/kitchen/widgets.yaml"}}, "attic/widgets.yaml or client.yaml is missing"},
		{"a bomb", "", []tar.Header{{Name: "walls-8f3c2a1/widgets.yaml"}, {Name: "walls-8f3c2a1/x", Size: maxBytes + 1}}, "bytes in all"},
		{"a bomb beside the folder", "kitchen", []tar.Header{{Name: "walls-8f3c2a1/x", Size: maxStream}, {Name: "walls-8f3c2a1/kitchen/widgets.yaml"}}, "unpacks to more than"},
		{"a crowd", "kitchen", crowd, "more than 4096 entries"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "in", "wall")
			got, err := Unpack(packTar(t, tt.headers...), dir, tt.within)
			if (err == nil) != (tt.problem == "") || err != nil && !strings.Contains(err.Error(), tt.problem) || err == nil && got != commit {
				t.Errorf("got commit %q, %v, want %q", got, err, tt.problem)
			}
			for _, name := range []string{"evil", "x", "../evil", "../../evil", ".gitignore", ".github"} {
				if _, err := os.Lstat(filepath.Join(dir, name)); err == nil && tt.name != "a bomb" {
					t.Errorf("there is %s", name)
				}
			}
		})
	}
}

// TestCommitOfZip checks that the comment of a zip file is used only if it is a commit.
func TestCommitOfZip(t *testing.T) {
	for _, comment := range []string{commit, commit + strings.Repeat("0", 24), "", "made by hand", strings.Repeat("g", 40), commit[:39]} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		_, err := z.Create("widgets.yaml")
		if err := errors.Join(err, z.SetComment(comment), z.Close()); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "main.zip")
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		want := comment
		if !strings.HasPrefix(comment, commit) {
			want = ""
		}
		if got, err := Unpack(path, t.TempDir(), ""); got != want || err != nil {
			t.Errorf("comment %q: got %q, %v", comment, got, err)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"))
	f.Add([]byte("PK\x05\x06\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		file := filepath.Join(dir, "z")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, _ = Unpack(file, filepath.Join(dir, "out"), "")
		all, err := os.ReadDir(dir)
		if err != nil || len(all) > 2 {
			t.Errorf("got %v, %v, want nothing outside", all, err)
		}
	})
}
