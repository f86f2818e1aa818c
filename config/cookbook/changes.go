package cookbook

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"dashboard/config/recipe"
)

// Changes lists the differences between two versions of a recipe. Each difference is a string. Differences in hosts come first, then
// differences in actions, parameters, version, license and files.
func Changes(old, fresh *Bundle) []string {
	a, b := old.Recipe, fresh.Recipe
	var all []string
	add := func(what string, from, to []string) {
		for _, x := range to {
			if !slices.Contains(from, x) {
				all = append(all, fmt.Sprintf("new %s: %s", what, x))
			}
		}
		for _, x := range from {
			if !slices.Contains(to, x) {
				all = append(all, fmt.Sprintf("%s no longer: %s", what, x))
			}
		}
	}
	add("host", a.Hosts, b.Hosts)
	add("action", a.Actions(), b.Actions())
	add("parameter", parameters(a), parameters(b))
	if a.Version != b.Version {
		all = append(all, fmt.Sprintf("version %s becomes %s", a.Version, b.Version))
	}
	if a.License != b.License {
		all = append(all, fmt.Sprintf("license %s becomes %s", a.License, b.License))
	}
	for _, name := range slices.Sorted(maps.Keys(both(old.Files, fresh.Files))) {
		if !bytes.Equal(old.Files[name], fresh.Files[name]) {
			all = append(all, "changed file: "+name)
		}
	}
	return all
}

// parameters() returns a string for each parameter, with the parameter's name, type and default.
func parameters(r *recipe.Recipe) []string {
	var all []string
	for _, p := range r.Parameters {
		need := "required"
		if !p.Required() {
			need = "default " + p.Default.Flow(40)
		}
		all = append(all, strings.Join([]string{p.Name, p.Shape(), need}, ", "))
	}
	return all
}

func both(a, b map[string][]byte) map[string]bool {
	all := map[string]bool{}
	for name := range a {
		all[name] = true
	}
	for name := range b {
		all[name] = true
	}
	return all
}
