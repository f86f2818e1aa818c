//go:build linux

package appliance

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"dashboard/appliance/about"
	"dashboard/appliance/card"
)

// wallOn returns the folder of a wall with one file.
func wallOn(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "widgets.yaml"), []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	return dir
}

func changed(name, before, data string) about.CardFile {
	if before != "" {
		before = about.SumOf([]byte(before))
	}
	return about.CardFile{Name: name, Before: before, Data: []byte(data)}
}

// names() returns the names of all files below a folder.
func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			all = append(all, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Files from the wall's editor replace the files on the card. New files may be in new folders. No temporary file stays.
func TestSaveFiles(t *testing.T) {
	dir := wallOn(t)
	files := []about.CardFile{changed("widgets.yaml", "old", "new"), changed("themes/mine/theme.yml", "", "accent: red")}
	if err := errors.Join(allowed(files), writeWall(dir, files, plentyFree)); err != nil {
		t.Fatal(err)
	}
	if got := read(t, filepath.Join(dir, "widgets.yaml")); got != "new" {
		t.Errorf("got %q", got)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"themes/mine/theme.yml", "widgets.yaml"}) {
		t.Errorf("got the files %q", got)
	}
}

const plentyFree = 1 << 30

// If another program has changed, created or removed a file since the editor read it, the file is not overwritten. In this case no other
// file of the request is written either.
func TestSaveAfterAnotherChange(t *testing.T) {
	for name, f := range map[string]about.CardFile{
		"changed":            changed("widgets.yaml", "older", "new"),
		"made":               changed("widgets.yaml", "", "new"),
		"removed":            changed("providers.yaml", "old", "new"),
		"an unknown content": {Name: "widgets.yaml", Before: "x", Data: []byte("new")},
	} {
		dir := wallOn(t)
		err := writeWall(dir, []about.CardFile{changed("conf.yaml", "", "new"), f}, plentyFree)
		if !errors.Is(err, about.ErrChanged) || inWords(err).Error() != about.ErrChanged.Error() {
			t.Errorf("%s: got %v, want %v", name, err, about.ErrChanged)
		}
		if got := names(t, dir); !slices.Equal(got, []string{"widgets.yaml"}) || read(t, filepath.Join(dir, "widgets.yaml")) != "old" {
			t.Errorf("%s: got the files %q", name, got)
		}
	}
}

// A hostile program in the wall's place cannot write outside of the wall's folder, use other names, or exceed the limits.
func TestSaveRefuses(t *testing.T) {
	many := make([]about.CardFile, about.MaxSaved+1)
	for i := range many {
		many[i].Name = fmt.Sprintf("%d.yaml", i)
	}
	list := map[string][]about.CardFile{
		"many files":       many,
		"large files":      {{Name: "a.yaml", Data: make([]byte, maxSavedBytes)}, {Name: "b.yaml", Data: make([]byte, 1)}},
		"a name twice":     {{Name: "a.yaml"}, {Name: "A.yaml"}},
		"a name too long":  {{Name: strings.Repeat("a", maxSavedPath) + ".yaml"}},
		"a deep folder":    {{Name: "a/b/c/d/e.yaml"}},
		"a name of spaces": {{Name: "a /b.yaml"}},
	}
	for _, name := range []string{
		"", ".", "..", "../x.yaml", "a/../../x.yaml", "/etc/x.yaml", "a//x.yaml", "./x.yaml", "settings.txt", "run.sh", "conf.yaml.new", ".yaml",
		".hidden.yaml", ".git/x.yaml", "a:b.yaml", "a\\b.yaml", "con?.yaml", "a\x00.yaml", "a\n.yaml", "\xff.yaml", "x.yaml.", "x.yaml ", "x.YAML",
	} {
		list[fmt.Sprintf("%q", name)] = []about.CardFile{{Name: name, Data: []byte("x")}}
	}
	for name, files := range list {
		if err := allowed(files); err == nil {
			t.Errorf("%s is allowed", name)
		}
	}
	if err := allowed([]about.CardFile{{Name: "secrets.yaml"}, {Name: "Küche/wetter 2.yml", Data: make([]byte, maxSavedBytes)}}); err != nil {
		t.Errorf("files of a wall: %v", err)
	}
}

// Links are refused, and so are folders in the place of files and files in the place of folders. The target of a link does not change.
func TestSaveFollowsNoLinks(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "out.yaml")
	dir := wallOn(t)
	err := errors.Join(os.WriteFile(outside, []byte("out"), 0o600), os.Symlink(outside, filepath.Join(dir, "link.yaml")),
		os.Symlink(filepath.Dir(outside), filepath.Join(dir, "away")), os.Symlink("widgets.yaml", filepath.Join(dir, "inside.yaml")),
		os.Mkdir(filepath.Join(dir, "folder.yaml"), 0o700), unix.Mkfifo(filepath.Join(dir, "pipe.yaml"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"link.yaml", "inside.yaml", "away/out.yaml", "folder.yaml", "pipe.yaml", "widgets.yaml/x.yaml"} {
		for _, before := range []string{"", "out", "old"} {
			if err := writeWall(dir, []about.CardFile{changed(name, before, "new")}, plentyFree); err == nil {
				t.Errorf("%s was written", name)
			}
		}
	}
	if got := read(t, outside) + read(t, filepath.Join(dir, "widgets.yaml")); got != "outold" {
		t.Errorf("got %q", got)
	}
}

// If the card is full or read-only, the error is a readable sentence. Nothing is changed, and no part of a file stays.
func TestSaveOnAFullCard(t *testing.T) {
	dir := wallOn(t)
	files := []about.CardFile{changed("a.yaml", "", "a"), changed("widgets.yaml", "old", "new")}
	if err := inWords(writeWall(dir, files, 100)); err == nil || !strings.HasPrefix(err.Error(), "the card is full") {
		t.Errorf("full: got %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "1.new"), 0o700); err != nil { // now the second file cannot be written
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "1.new", "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writeWall(dir, files, plentyFree); err == nil {
		t.Error("a file that cannot be written was saved")
	}
	if got := names(t, dir); !slices.Equal(got, []string{"1.new/x", "widgets.yaml"}) {
		t.Errorf("got the files %q", got)
	}
	for _, err := range []error{unix.EROFS, &os.PathError{Op: "open", Path: "x", Err: unix.EACCES}, errors.Join(fmt.Errorf("remount: %w", unix.EACCES))} {
		if got := inWords(err); !strings.HasPrefix(got.Error(), "the card is read-only") {
			t.Errorf("%v: got %v", err, got)
		}
	}
}

// A wall can be written only if it is shown from the folder of the card. The built-in wall, a zip
// file and a wall of config_url cannot be written.
func TestOwnWall(t *testing.T) {
	drive := t.TempDir()
	folder, other, address := filepath.Join(drive, card.ConfigFolder), t.TempDir(), filepath.Join(t.TempDir(), "address")
	check := func(name, shown, want string) {
		t.Helper()
		if err := ownWall(drive, shown, address); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
	check("no folder", other, "no folder dashboard")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	check("the folder", folder, "")
	if err := os.WriteFile(filepath.Join(drive, card.ConfigZip), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	check("a damaged zip file", folder, "")
	check("a zip file", other, "dashboard.zip")
	if err := os.WriteFile(address, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	check("an address", folder, "config_url")
}

// A request with files arrives completely. The caller receives each of the three results: success, ErrChanged and another error. A
// request that is too long or has no list is refused. After an incomplete request, the next request is answered.
func TestAskToSave(t *testing.T) {
	var got []about.CardFile
	answer := error(nil)
	socket := asksOf(t, func(about.Ask) error { return errors.New("not a save") }, func(files []about.CardFile) error { got = files; return answer })
	files := []about.CardFile{changed("widgets.yaml", "old", "a: \xff\x00\r\n"), changed("b.yaml", "", strings.Repeat("x", maxSavedBytes-100))}
	if err := about.Save(socket, files); err != nil || len(got) != 2 || string(got[0].Data) != string(files[0].Data) || got[0].Before != files[0].Before {
		t.Errorf("got %v, %d files", err, len(got))
	}
	if err := about.Save(socket, nil); err != nil || len(got) != 0 {
		t.Errorf("no files: got %v, %d files", err, len(got))
	}
	for _, answer = range []error{about.ErrChanged, errors.New("the card is full")} {
		if err := about.Save(socket, files[:1]); err == nil || err.Error() != answer.Error() || errors.Is(err, about.ErrChanged) != errors.Is(answer, about.ErrChanged) {
			t.Errorf("got %v, want %v", err, answer)
		}
	}
	answer = nil
	if err := about.Save(socket, []about.CardFile{{Data: make([]byte, about.MaxSave)}}); !errors.Is(err, about.ErrLarge) {
		t.Errorf("a large file: got %v", err)
	}
	for _, size := range []string{"-1", "x", "", "99999999999", fmt.Sprint(about.MaxSave + 1)} {
		if err := about.Send(socket, about.Ask{Do: about.DoSave, Value: size}); err == nil || err.Error() != about.ErrLarge.Error() {
			t.Errorf("a list of %q bytes: got %v", size, err)
		}
	}
	silent, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := silent.Write([]byte(`{"do":"save","value":"1000"}` + "\nhalf")); err != nil {
		t.Fatal(err)
	}
	silent.Close()
	if err := about.Save(socket, files); err != nil {
		t.Errorf("after a request without its list: got %v", err)
	}
}
