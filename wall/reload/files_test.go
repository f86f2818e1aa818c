package reload

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
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
