package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every folder of the repository is named in the README, except for hidden folders and build results.
func TestEveryFolderIsNamed(t *testing.T) {
	readme := readPage(t, filepath.Join(repository, "README.md"))
	ignored := readPage(t, filepath.Join(repository, ".gitignore"))
	entries, err := os.ReadDir(repository)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		if !e.IsDir() || strings.HasPrefix(name, ".") || strings.Contains(ignored, "/"+name+"/\n") {
			continue
		}
		if !strings.Contains(readme, "]("+name+")") && !strings.Contains(readme, "]("+name+"/") {
			t.Errorf("README.md does not name the folder %s", name)
		}
	}
}

// Every page can be reached from the README through links, directly or through other pages.
func TestEveryPageIsReached(t *testing.T) {
	reached := map[string]bool{}
	next := []string{filepath.Join(repository, "README.md")}
	for len(next) > 0 {
		page := next[0]
		next = next[1:]
		if reached[page] {
			continue
		}
		reached[page] = true
		for _, m := range link.FindAllStringSubmatch(readPage(t, page), -1) {
			path, _, _ := strings.Cut(m[1], "#")
			target := filepath.Join(filepath.Dir(page), filepath.FromSlash(path))
			if info, err := os.Stat(target); err == nil && info.IsDir() {
				target = filepath.Join(target, "README.md") // GitHub shows this page with the folder
			}
			if _, err := os.Stat(target); err == nil && strings.HasSuffix(target, ".md") {
				next = append(next, target)
			}
		}
	}
	for _, page := range handbook(t) {
		if !reached[page] {
			t.Errorf("%s: no link leads there", page)
		}
	}
}
