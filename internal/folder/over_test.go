package folder

import (
	"os"
	"path/filepath"
	"testing"
)

// Over finds the new contents of a file under every form of the file's name. All other files come from the folder.
func TestOver(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.yaml", "b.yaml"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("folder"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	base := Dir(dir)
	over := base.Over(map[string][]byte{"a.yaml": []byte("over"), "themes/c.yaml": []byte("over")})
	for name, want := range map[string]string{
		"a.yaml": "over", "./themes/../a.yaml": "over", filepath.Join(dir, "a.yaml"): "over", "themes/c.yaml": "over",
		"b.yaml": "folder", filepath.Join(dir, "b.yaml"): "folder",
	} {
		got, err := Read(over, name, 100)
		if err != nil || string(got) != want {
			t.Errorf("%s: got %q %v, want %s's", name, got, err, want)
		}
		info, err := over.Stat(name)
		if err != nil || info.Size() != int64(len(want)) {
			t.Errorf("%s: got %v %v", name, info, err)
		}
	}
	if _, err := Read(over, "a.yaml", 2); err == nil {
		t.Error("what lies over a folder is not bounded")
	}
	first, _ := base.MarshalText()
	if second, _ := over.MarshalText(); string(first) == string(second) {
		t.Error("the two roots are not told apart")
	}
}
