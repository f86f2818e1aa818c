package main

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"dashboard/samples"
)

// Every sample that has its own themes is drawn in each of these themes.
func TestEverySampleIsDrawn(t *testing.T) {
	files, err := samples.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range samples.Names() {
		themes, err := fs.Glob(files, name+"/themes/*.yaml")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range themes {
			theme := strings.TrimSuffix(path.Base(file), ".yaml")
			if !slices.ContainsFunc(shots, func(s shot) bool { return s.sample == name && s.theme == theme }) {
				t.Errorf("there is no picture of %s with the theme %q", name, theme)
			}
		}
	}
	folders, err := fs.ReadDir(files, ".")
	if err != nil || len(folders) != len(samples.Names()) {
		t.Errorf("got %d folders (%v), want one for each of %v", len(folders), err, samples.Names())
	}
}
