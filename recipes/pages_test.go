package recipes

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	readState = regexp.MustCompile(`(?m)^# The author (read this page\.|did not read this page|read )`)
	pageRow   = regexp.MustCompile(`(?m)^\| (read in part|not read|read|no service)[^|]*\| ([^|]+) \|$`)
)

// rowOf maps the text after "The author" in a recipe's comment to the row of docs/recipes.md. The key "" is for recipes without this
// comment.
var rowOf = map[string]string{"read this page.": "read", "read ": "read in part", "did not read this page": "not read", "": "no service"}

// docs/recipes.md lists each recipe in the row that rowOf contains for the recipe's comment. No recipe claims that it was tried.
func TestPages(t *testing.T) {
	doc, err := os.ReadFile("../docs/recipes.md")
	if err != nil {
		t.Fatal(err)
	}
	want, got := map[string][]string{}, map[string][]string{}
	files, err := filepath.Glob("*/recipe.yaml")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d recipes, %v", len(files), err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		state := ""
		if m := readState.FindSubmatch(text); m != nil {
			state = string(m[1])
		}
		want[rowOf[state]] = append(want[rowOf[state]], filepath.Dir(name))
		if strings.Contains(string(text), "tried: true") {
			t.Errorf("%s was tried, so docs/recipes.md is wrong", name)
		}
	}
	for _, m := range pageRow.FindAllSubmatch(doc, -1) {
		got[string(m[1])] = strings.Split(string(m[2]), ", ")
	}
	for row, names := range want {
		if !slices.Equal(got[row], names) {
			t.Errorf("row %q of docs/recipes.md has %v, want %v", row, got[row], names)
		}
	}
}
