package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dashboard/internal/locale"
)

// TestLanguagesWithWords compares the list in docs/configuration.md with the languages that have words.
func TestLanguagesWithWords(t *testing.T) {
	_, list, _ := strings.Cut(readPage(t, filepath.Join(repository, "docs", "configuration.md")), `such as "no answer" or "Light rain": `)
	list, _, _ = strings.Cut(list, ". Similar languages")
	got := strings.Fields(strings.NewReplacer(",", " ", " and ", " ").Replace(list))
	if want := locale.Spoken(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
