package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every folder of the repository is named in the README, but for hidden ones and what a build leaves behind.
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
