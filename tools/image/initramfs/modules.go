package initramfs

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Modules holds the facts that depmod has found out about the modules of a kernel.
type Modules struct {
	paths   map[string]string   // path of the file of each module, by the module's name
	deps    map[string][]string // for each path, the other paths that must be loaded first, in this order
	builtin map[string]bool     // names of modules that are built into the kernel
	devices map[string][]string // names of the drivers for each device name in device trees
}

// ParseModules parses the files modules.dep, modules.alias and modules.builtin, see modules.dep(5).
func ParseModules(dep, alias, builtin string) *Modules {
	m := &Modules{paths: map[string]string{}, deps: map[string][]string{}, builtin: map[string]bool{}, devices: map[string][]string{}}
	for line := range strings.Lines(dep) {
		file, needed, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		m.paths[ModuleName(file)] = file
		m.deps[file] = strings.Fields(needed)
		slices.Reverse(m.deps[file]) // depmod lists the modules in reverse order: the module that must be loaded first is the last in the list
	}
	for _, file := range strings.Fields(builtin) {
		m.builtin[ModuleName(file)] = true
	}
	for line := range strings.Lines(alias) {
		m.addAlias(strings.Fields(line))
	}
	return m
}

// treeAlias is the start of the pattern for a device in a device tree: any name, any type, and a compatible string.
const treeAlias = "of:N*T*C"

func (m *Modules) addAlias(words []string) {
	if len(words) != 3 || words[0] != "alias" {
		return
	}
	if device, ok := strings.CutPrefix(words[1], treeAlias); ok {
		device = strings.TrimSuffix(device, "C*")
		m.devices[device] = append(m.devices[device], words[2])
	}
}

// ModuleName returns the name of the module in a file. In names, the kernel treats - and _ as equal.
func ModuleName(file string) string {
	name, _, _ := strings.Cut(path.Base(file), ".ko")
	return strings.ReplaceAll(name, "-", "_")
}

// Known returns the names of the given modules that the kernel contains, as a file or built in.
func (m *Modules) Known(names []string) (known []string) {
	for _, n := range names {
		name := ModuleName(n)
		if _, ok := m.paths[name]; ok || m.builtin[name] {
			known = append(known, n)
		}
	}
	return known
}

// Order returns the files of the named modules and of all modules that they need. Each file comes after the files that it needs. Modules
// that are built in have no file.
func (m *Modules) Order(names ...string) ([]string, error) {
	var files []string
	seen := map[string]bool{}
	add := func(file string) {
		if !seen[file] {
			seen[file] = true
			files = append(files, file)
		}
	}
	for _, name := range names {
		name = ModuleName(name)
		file, ok := m.paths[name]
		switch {
		case m.builtin[name]:
			continue
		case !ok:
			return nil, fmt.Errorf("the kernel has no module %s", name)
		}
		for _, d := range m.deps[file] {
			add(d)
		}
		add(file)
	}
	return files, nil
}

// Without removes the named modules from the drivers of all devices, so that they are not loaded for a device.
func (m *Modules) Without(names ...string) {
	for device, drivers := range m.devices {
		m.devices[device] = slices.DeleteFunc(drivers, func(d string) bool {
			return slices.ContainsFunc(names, func(n string) bool { return ModuleName(n) == ModuleName(d) })
		})
	}
}

// A Load is the file of a module, with the devices for which the module is loaded. A module without such devices is always loaded.
type Load struct {
	File string
	For  []string
}

// Plan returns the modules to load at the start: the named modules, and the drivers of the given devices. `devices` are compatible strings
// of device trees.
func (m *Modules) Plan(names, devices []string) ([]Load, error) {
	always, err := m.Order(names...)
	if err != nil {
		return nil, err
	}
	var plan []Load
	at := map[string]int{}
	for _, file := range always {
		at[file] = len(plan)
		plan = append(plan, Load{File: file})
	}
	for _, d := range devices {
		files, err := m.Order(m.devices[d]...)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			i, known := at[file]
			switch {
			case !known:
				at[file] = len(plan)
				plan = append(plan, Load{File: file, For: []string{d}})
			case i >= len(always):
				plan[i].For = append(plan[i].For, d)
			}
		}
	}
	return plan, nil
}
