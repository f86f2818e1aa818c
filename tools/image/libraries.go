package main

import (
	"debug/elf"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A library is an entry in the folders of libraries: a file or a link.
type library struct {
	path  string
	needs []string // names of the libraries that it needs. For a link, the name of its target
}

// keepLibraries removes all libraries that no program needs, directly or through other libraries. It keeps the libraries with the given
// names, because programs load them by name.
func keepLibraries(dir string, names []string) error {
	all := map[string]library{}
	err := filepath.WalkDir(filepath.Join(dir, "usr"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		needs, err := needsOf(path, e)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if below, _ := filepath.Rel(filepath.Join(dir, "usr/lib"), path); isLibrary(below) {
			all[filepath.Base(path)] = library{path, needs}
		} else if e.Type().IsRegular() {
			names = append(names, needs...)
		}
		return nil
	})
	if err != nil {
		return err
	}
	kept := map[string]bool{}
	for len(names) > 0 {
		name := names[0]
		names = names[1:]
		l, ok := all[name]
		if !ok {
			return fmt.Errorf("there is no library %s", name)
		}
		if !kept[name] {
			kept[name], names = true, append(names, l.needs...)
		}
	}
	return removeOthers(all, kept)
}

func removeOthers(all map[string]library, kept map[string]bool) error {
	for name, l := range all {
		if kept[name] {
			continue
		}
		if err := os.Remove(l.path); err != nil {
			return err
		}
	}
	return nil
}

// isLibrary reports whether a file is a library. `below` is its path relative to usr/lib. The path may begin with a folder for the
// processor's architecture.
func isLibrary(below string) bool {
	first, _, _ := strings.Cut(below, "/")
	return strings.HasSuffix(first, "-linux-gnu") && strings.Contains(filepath.Base(below), ".so")
}

// needsOf returns the names of the libraries that a program or library needs. For a link it returns the name of its target.
func needsOf(path string, e fs.DirEntry) ([]string, error) {
	if e.Type()&fs.ModeSymlink != 0 {
		to, err := os.Readlink(path)
		return []string{filepath.Base(to)}, err
	}
	f, err := os.Open(path)
	if err != nil || !e.Type().IsRegular() {
		return nil, err
	}
	defer f.Close()
	var magic [len(elf.ELFMAG)]byte
	if n, _ := f.ReadAt(magic[:], 0); n < len(magic) || string(magic[:]) != elf.ELFMAG {
		return nil, nil
	}
	program, err := elf.NewFile(f)
	if err != nil {
		return nil, err
	}
	return program.ImportedLibraries()
}
