package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dashboard/internal/locale"
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

// TestLanguagesWithWords compares the list in docs/configuration.md with the languages that have words.
func TestLanguagesWithWords(t *testing.T) {
	_, list, _ := strings.Cut(readPage(t, filepath.Join(repository, "docs", "configuration.md")), `such as "no answer" or "Light rain": `)
	list, _, _ = strings.Cut(list, ". Near languages")
	got := strings.Fields(strings.NewReplacer(",", " ", " and ", " ").Replace(list))
	if want := locale.Spoken(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
