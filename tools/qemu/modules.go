package qemu

import (
	"bytes"
	"debug/elf"
	"fmt"
	"strings"

	"dashboard/tools/image/initramfs"
)

// Modules contains modules of a kernel package.
type Modules struct {
	files   map[string][]byte // decompressed files of modules, by the names of the modules
	builtin map[string]bool   // names of modules that are built into the kernel
}

// File returns the decompressed file of a module.
func (s Modules) File(name string) []byte { return s.files[name] }

// Order returns the names of the wanted modules and of all modules that they need. Each module comes after the modules that it needs.
// Modules that are built in are left out.
func (s Modules) Order(wanted ...string) ([]string, error) {
	var names []string
	seen := map[string]bool{}
	var add func(name, by string) error
	add = func(name, by string) error {
		name = initramfs.ModuleName(name)
		if seen[name] || s.builtin[name] {
			return nil
		}
		seen[name] = true
		file, ok := s.files[name]
		if !ok {
			return fmt.Errorf("module %s, needed by %s, is not in the kernel package", name, by)
		}
		deps, err := depends(file)
		if err != nil {
			return fmt.Errorf("module %s: %w", name, err)
		}
		for _, d := range deps {
			if err := add(d, name); err != nil {
				return err
			}
		}
		names = append(names, name)
		return nil
	}
	for _, w := range wanted {
		if err := add(w, "the caller"); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// depends() returns the names of the modules that a module needs. These names are in the section .modinfo of the module's file, which
// consists of key=value pairs with a zero byte after each pair.
func depends(file []byte) ([]string, error) {
	f, err := elf.NewFile(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	section := f.Section(".modinfo")
	if section == nil {
		return nil, fmt.Errorf("no .modinfo")
	}
	info, err := section.Data()
	if err != nil {
		return nil, err
	}
	return dependsOf(info), nil
}

// dependsOf returns the names after depends= in a section .modinfo.
func dependsOf(info []byte) []string {
	for _, pair := range bytes.Split(info, []byte{0}) {
		if list, ok := bytes.CutPrefix(pair, []byte("depends=")); ok && len(list) > 0 {
			return strings.Split(string(list), ",")
		}
	}
	return nil
}
