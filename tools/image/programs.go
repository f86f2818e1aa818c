package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// programsFile lists the programs from Debian's packages that the image keeps. It also lists libraries that programs load by name.
const programsFile = "image/programs"

// programFolders lists the folders that contain programs.
var programFolders = []string{"usr/bin", "usr/sbin", "usr/lib/systemd"}

// keepPrograms removes all of Debian's programs that are not in the list, and then all libraries that no program needs.
func (b *builder) keepPrograms(dir string) error {
	names, err := archWords(programsFile, b.arch)
	if err != nil {
		return err
	}
	libraries := func(n string) bool { return strings.Contains(n, ".so") }
	missing := slices.DeleteFunc(slices.Clone(names), libraries)
	for _, folder := range programFolders {
		entries, err := os.ReadDir(filepath.Join(dir, folder))
		if err != nil {
			return err
		}
		for _, e := range entries {
			if i := slices.Index(missing, e.Name()); i >= 0 {
				missing = slices.Delete(missing, i, i+1)
			} else if !e.IsDir() && !slices.Contains(names, e.Name()) {
				if err := os.Remove(filepath.Join(dir, folder, e.Name())); err != nil {
					return err
				}
			}
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("%s: no package has %s", programsFile, strings.Join(missing, ", "))
	}
	return keepLibraries(dir, slices.DeleteFunc(names, func(n string) bool { return !libraries(n) }))
}
