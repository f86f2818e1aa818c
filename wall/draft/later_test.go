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
