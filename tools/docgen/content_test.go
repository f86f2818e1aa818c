package main

import (
	"path/filepath"
	"regexp"
	"testing"
)

// Every test that docs/dev/content.md names is there.
func TestContentIsHeld(t *testing.T) {
	names := regexp.MustCompile(`\bTest[A-Z]\w+`).FindAllString(readPage(t, filepath.Join(repository, "docs", "dev", "content.md")), -1)
	if least := 100; len(names) < least {
		t.Fatalf("got %d tests, want %d at least: is the table still a table?", len(names), least)
	}
	tests := testNames(t)
	for _, name := range names {
		if !tests[name] {
			t.Errorf("there is no test %s", name)
		}
	}
}
