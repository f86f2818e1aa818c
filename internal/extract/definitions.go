package extract

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/itchyny/gojq"
)

var identifiers = regexp.MustCompile(`[A-Za-z_]\w*`)

// A definition is a function of gojq that bind() replaces by a definition in front of the program.
type definition struct {
	name string
	uses []string // names that occur in the definition's body
}

// `definitions` lists a definition for each function of `table`, followed by the definitions of `prelude`. The order is the order of the
// source code. The list is computed once, because writing the definitions as text takes longer than compiling a short program.
var definitions = sync.OnceValues(func() (all []definition, err error) {
	front, err := gojq.Parse(prelude + ".")
	if err != nil {
		return nil, err
	}
	every := make([]int, len(table)+len(front.FuncDefs))
	for i := range every {
		every[i] = i
	}
	defs, err := define(every)
	for _, d := range defs {
		all = append(all, definition{d.Name, names(d.Body.String())})
	}
	return all, err
})

// names() returns the names in a program.
func names(program string) []string { return identifiers.FindAllString(program, -1) }

// needed() returns the indexes in `all` of the definitions that a program needs, in ascending order. The program may use a definition
// directly, or through other definitions.
func needed(all []definition, q *gojq.Query) (kept []int) {
	used := map[string]bool{
		"tostring": true, "tojson": true, "_add": true, "_subtract": true, "_multiply": true, "_divide": true,
		"setpath": true, "delpaths": true,
	}
	note := func(names []string) {
		for _, n := range names {
			used[n] = true
		}
	}
	text := q.String()
	note(names(text))
	if strings.Contains(text, "@") {
		note(formats)
	}
	for i, d := range slices.Backward(all) {
		if used[d.name] {
			note(d.uses)
			kept = append(kept, i)
		}
	}
	slices.Reverse(kept)
	return kept
}

// define() returns the definitions with the given indexes, which are in ascending order. The caller may change the definitions. The
// prelude is parsed only if a program needs one of its definitions, because the parsing takes longer than the rest of the compilation.
func define(indexes []int) (defs []*gojq.FuncDef, err error) {
	var front *gojq.Query
	for _, i := range indexes {
		if i < len(table) {
			defs = append(defs, redefinition(table[i]))
			continue
		}
		if front == nil {
			if front, err = gojq.Parse(prelude + "."); err != nil {
				return nil, err
			}
		}
		defs = append(defs, front.FuncDefs[i-len(table)])
	}
	return defs, nil
}
