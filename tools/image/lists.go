package main

import (
	"fmt"
	"os"
	"strings"
)

// Files that list the parts of the image.
const (
	packagesFile = "image/packages"
	trimFile     = "image/trim"
	linksFile    = "image/links"
	modulesFile  = "image/modules"
)

// lines() returns the words of every line of a list. It ignores comments.
func lines(path string) ([][]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all [][]string
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		if words := strings.Fields(line); len(words) > 0 {
			all = append(all, words)
		}
	}
	return all, nil
}

// archWords returns the words of a list with one word on each line. A line that ends with an architecture in brackets, such as [arm64],
// is used only for this architecture.
func archWords(path, arch string) (all []string, err error) {
	list, err := lines(path)
	for _, l := range list {
		only := strings.Trim(l[len(l)-1], "[]")
		if len(l) > 2 || len(l) == 2 && l[1] != "["+only+"]" {
			return nil, fmt.Errorf("%s: %q: want one word, and perhaps [an architecture]", path, strings.Join(l, " "))
		}
		if len(l) == 1 || only == arch {
			all = append(all, l[0])
		}
	}
	return all, err
}

// A link is a symbolic link in the root file system.
type link struct{ path, target string }

func readLinks() (all []link, err error) {
	list, err := lines(linksFile)
	for _, l := range list {
		if len(l) != 2 || l[0][0] != '/' || l[1][0] != '/' {
			return nil, fmt.Errorf("%s: %q: want two absolute paths", linksFile, strings.Join(l, " "))
		}
		all = append(all, link{l[0], l[1]})
	}
	return all, err
}

// moduleLists holds the names of the image's modules. Headings in the list of modules divide the names into these groups.
type moduleLists struct {
	boot    []string // modules to load at the start
	later   []string // modules that may be needed later
	data    []string // modules for the data partition
	without []string // modules that are left out, even if they are drivers of a device
}

func readModules(arch string) (l moduleLists, err error) {
	all, err := archWords(modulesFile, arch)
	if err != nil {
		return l, err
	}
	headings := map[string]*[]string{"boot:": &l.boot, "later:": &l.later, "data:": &l.data, "without:": &l.without}
	var list *[]string
	for _, w := range all {
		if at, ok := headings[w]; ok {
			list = at
		} else if list == nil {
			return l, fmt.Errorf("%s: %s stands before the first heading", modulesFile, w)
		} else {
			*list = append(*list, w)
		}
	}
	return l, nil
}
