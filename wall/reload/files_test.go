package reload

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/config/recipe"
)

// TestManyRecipes checks a folder with 100 recipes and their answers. All their files are kept, and a change of the last recipe is noticed.
func TestManyRecipes(t *testing.T) {
	t.Parallel()
	const recipes = 100
	home, last := t.TempDir(), ""
	for i := range recipes {
		dir := filepath.Join(home, recipe.Dir, fmt.Sprintf("r%03d", i))
		last = filepath.Join(dir, recipe.File)
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, recipe.Answers), 0o750), os.WriteFile(last, []byte("name: r"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	before := Fingerprint(home)
	if kept := Collect(home); len(kept) != recipes {
		t.Errorf("%d files are kept, want %d", len(kept), recipes)
	}
	if err := os.WriteFile(last, []byte("name: other"), 0o600); err != nil {
		t.Fatal(err)
	}
	if Fingerprint(home) == before {
		t.Error("the change of the last recipe is not noticed")
	}
}

// TestManyPhotos: folders with hundreds of photo albums do not displace folders with configuration. Changes in the folders with
// configuration are noticed, and their files are kept.
func TestManyPhotos(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"recipes/clock/recipe.yaml", "recipes/z/widgets.yaml", "themes/own/day.yaml", "views/hall/widgets.yaml", "zoo.yaml"} {
		home := t.TempDir()
		file := filepath.Join(home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o750), os.WriteFile(file, []byte("a: 1"), 0o600)); err != nil {
			t.Fatal(err)
		}
		for i := range 3 * maxFolders {
			for _, album := range []string{fmt.Sprintf("photos/a%03d", i), fmt.Sprintf("pictures/%d/%02d", 1990+i/12, i%12)} {
				if err := os.MkdirAll(filepath.Join(home, album), 0o750); err != nil {
					t.Fatal(err)
				}
			}
		}
		before := Fingerprint(home)
		if kept := Collect(home); len(kept) != 1 {
			t.Errorf("%s: %d files are kept, want 1", name, len(kept))
		}
		if err := os.WriteFile(file, []byte("a: 2"), 0o600); err != nil {
			t.Fatal(err)
		}
		if Fingerprint(home) == before {
			t.Errorf("%s: the change is not noticed", name)
		}
		if n := len(folders(home)); n > 2*maxFolders {
			t.Errorf("got %d folders, want at most %d", n, 2*maxFolders)
		}
	}
}

// TestFolders checks which folders are watched, and their order. The wall's folder may be a link.
func TestFolders(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	for _, dir := range []string{".git/hooks", "a/b", "a/c", "d/e", "recipes/r/answers", "recipes/r/more", "schema/x"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o750); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(home, link); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{home, link} {
		var got []string
		for _, dir := range folders(root) {
			rel, err := filepath.Rel(root, dir)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, filepath.ToSlash(rel))
		}
		if s := strings.Join(got, " "); s != ". recipes recipes/r recipes/r/more a d a/b d/e a/c" {
			t.Errorf("got %s", s)
		}
	}
}
