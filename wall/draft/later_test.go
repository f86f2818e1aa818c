package draft

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// If another program saves a file after it was read and before it is replaced, the other program's file stays.
func TestSaveKeepsALaterFile(t *testing.T) {
	b := newBench(t, usual)
	path := filepath.Join(b.Folder().Open().Path("."), "widgets.yaml")
	b.write("widgets.yaml", testWall+"# later\n")
	save := []Replaced{{"widgets.yaml", []byte(testWall), []byte("widgets: []\n"), path}}
	if err := b.replace(save); !errors.Is(err, ErrChanged) {
		t.Errorf("got the error %v, want ErrChanged", err)
	}
	if got := b.read("widgets.yaml"); got != testWall+"# later\n" {
		t.Errorf("the file is now\n%s", got)
	}
	save[0].Before = []byte(testWall + "# later\n")
	if err := b.replace(save); err != nil || b.read("widgets.yaml") != "widgets: []\n" {
		t.Errorf("got the error %v", err)
	}
	if all, err := os.ReadDir(filepath.Dir(path)); err != nil || len(all) != len(usual) {
		t.Errorf("temporary files stay: %v, %v", all, err)
	}
}

// A save of several files writes all of them or none: if the last file has changed, the files before it stay too.
func TestSaveWritesAllFilesOrNone(t *testing.T) {
	b := newBench(t, usual)
	home := b.Folder().Open().Path(".")
	old := []byte(b.read("conf.yaml"))
	save := []Replaced{
		{"conf.yaml", old, []byte("# new\n"), filepath.Join(home, "conf.yaml")},
		{"themes/new.yaml", nil, []byte("# new\n"), filepath.Join(home, "themes", "new.yaml")},
		{"widgets.yaml", []byte("stale"), []byte("widgets: []\n"), filepath.Join(home, "widgets.yaml")},
	}
	if err := b.replace(save); !errors.Is(err, ErrChanged) {
		t.Errorf("got the error %v, want ErrChanged", err)
	}
	if got := b.read("conf.yaml"); got != string(old) {
		t.Errorf("conf.yaml was written:\n%s", got)
	}
	if _, err := os.Stat(save[1].path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the new file exists: %v", err)
	}
	save[2].Before = []byte(testWall)
	if err := b.replace(save); err != nil {
		t.Fatal(err)
	}
	for _, f := range save {
		if got := b.read(f.Name); got != string(f.After) {
			t.Errorf("%s is\n%s", f.Name, got)
		}
	}
}
