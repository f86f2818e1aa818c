package theme

import (
	"strings"

	"dashboard/config"
)

// checkFile checks the form of a theme file and reports whether the file can be used.
func checkFile(n *config.Node, r *config.Report) bool {
	switch {
	case n.Broken():
		return false
	case n.Kind() == config.Null:
		r.Errorf(n, "%s is empty", n.File())
		return false
	case n.Kind() != config.Map:
		r.Errorf(n, "%s: a theme file must be a mapping", n.File())
		return false
	case n.Len() == 1 && n.Has("theme"):
		r.Errorf(n.At("theme"), "%s: a theme file's top level is the theme block itself -- remove the 'theme:' key and unindent what's under it", n.File())
		return false
	}
	return true
}

// checkComplete reports all entries of the base theme that a theme file does not have, in one error. A theme file must have all of them,
// because a widgets file must work with every theme. The values may be different, and may also be null.
func checkComplete(base, file *config.Node, baseFile string, r *config.Report) {
	var missing []string
	for _, section := range base.Pairs() {
		other := file.Get(section.Key)
		for _, entry := range section.Value.Pairs() {
			path := section.Key + "." + entry.Key
			if !other.Has(entry.Key) {
				missing = append(missing, missingEntries(section.Key, path, entry.Value)...)
				continue
			}
			if section.Key == defaultsKey {
				missing = append(missing, missingKeys(path, entry.Value, other.Get(entry.Key))...)
			}
		}
	}
	if len(missing) > 0 {
		r.Errorf(file, "%s does not define everything that the theme in %s does; missing: %s", file.File(), baseFile, strings.Join(missing, ", "))
	}
}

// missingEntries returns the path of an entry that a theme file does not have. In the section `defaults`, it returns the path of each
// parameter of the entry.
func missingEntries(section, path string, entry *config.Node) []string {
	if section != defaultsKey {
		return []string{path}
	}
	return missingKeys(path, entry, nil)
}

func missingKeys(path string, want, have *config.Node) []string {
	var missing []string
	for _, p := range want.Pairs() {
		if !have.Has(p.Key) {
			missing = append(missing, path+"."+p.Key)
		}
	}
	return missing
}
