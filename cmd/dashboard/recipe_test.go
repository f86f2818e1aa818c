package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/internal/folder"
	"dashboard/wall/scene"
)

// TestShowRecipes checks that the command shows, for each built-in recipe, its hosts and whether it was tried with the real service.
func TestShowRecipes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range scene.Library(folder.Dir(dir), version).Names() {
		status, said, errs := command(t, "recipe", "show", name, "--config-dir", dir)
		want := "\ntried against the service: no: only with recorded answers\n"
		if !strings.Contains(said, "\nhosts: ") {
			want = "\ntried against the service: not needed: it sends no request\n"
		}
		if status != 0 || !strings.Contains(said, want) {
			t.Errorf("%s: got %d, %s%s, want %q", name, status, said, errs, want)
		}
	}
}

// TestRecipeCommands adds a recipe to a wall, shows it, updates it, and removes it after the wall no longer uses it.
func TestRecipeCommands(t *testing.T) {
	t.Parallel()
	const right = "widgets:\n- {widget: text, text: !data .seen}\n"
	wall := pond(t, right)
	from := filepath.Join(pond(t, strings.Replace(right, "text:", "title: Pond, text:", 1)), "recipes/pond")
	if err := os.Rename(filepath.Join(from, "recipe.yaml"), filepath.Join(from, "old")); err != nil {
		t.Fatal(err)
	}
	files{"recipe.yaml": pondRecipe + "tried: true\n"}.write(t, from)
	for _, tt := range []struct {
		words  string
		status int
		want   string
	}{
		{"recipe remove pond", 1, "the recipe 'pond' is used at widgets.yaml:2:3"},
		{"recipe add " + from, 1, "the recipe 'pond' is there already"},
		{"recipe show pond", 0, "tried against the service: no"},
		{"recipe update " + from, 0, "Nothing was changed."},
		{"recipe show pond", 0, "tried against the service: no"},
		{"recipe update --yes " + from, 0, "recipes/pond: Pond 1.0, asks pond.example, no other host"},
		{"recipe show pond", 0, "tried against the service: yes"},
		{"recipe list", 0, "this wall    Pond\n"},
		{"recipe remove tides", 1, "there is no recipe 'tides' in the folder recipes of the wall"},
	} {
		status, said, errs := command(t, append(strings.Fields(tt.words), "--config-dir", wall)...)
		if status != tt.status || !strings.Contains(said+errs, tt.want) {
			t.Errorf("%s: got %d, %s%s, want %q", tt.words, status, said, errs, tt.want)
		}
	}
	if err := os.Remove(filepath.Join(wall, "widgets.yaml")); err != nil {
		t.Fatal(err)
	}
	if status, said, errs := command(t, "recipe", "remove", "pond", "--config-dir", wall); status != 0 || said != "recipes/pond is removed\n" {
		t.Errorf("got %d, %s%s", status, said, errs)
	}
}
