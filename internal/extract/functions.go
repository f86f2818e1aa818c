package extract

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/itchyny/gojq"
)

// functions() returns the functions of the table as options of gojq. The costs of their calls are charged to the program's run.
func (p *program) functions() []gojq.CompilerOption {
	options := []gojq.CompilerOption{
		gojq.WithEnvironLoader(func() []string { return nil }),
		gojq.WithFunction("update!", 0, 0, p.update),
		gojq.WithFunction("updated!", 2, 2, p.updated),
		gojq.WithFunction("indexed!", 0, 0, p.indexed),
	}
	for _, f := range table {
		if f.name == "_match" {
			f.cost = p.costMatch
		}
		options = append(options, gojq.WithFunction(f.name+"!", f.arity, f.arity, p.bounded(f)))
	}
	return options
}

// bounded() returns a function that charges the cost of f and then calls it.
func (p *program) bounded(f function) func(any, []any) any {
	var original *gojq.Code
	return func(v any, a []any) any {
		if err := p.run.charge(f.cost(v, a)); err != nil {
			return err
		}
		if f.native != nil {
			if result, ok := f.native(a); ok {
				return result
			}
		}
		if original == nil {
			var err error
			if original, err = f.original(); err != nil {
				return err
			}
		}
		result, _ := original.Run(append([]any{v}, a...)).Next()
		return result
	}
}

// original() compiles a program that only calls gojq's own version of f. The arguments of this call come from a list.
func (f function) original() (*gojq.Code, error) {
	names := []string{"$v", "$a", "$b", "$c"}[:f.arity+1]
	text := fmt.Sprintf(". as [%s] | $v | %s", strings.Join(names, ","), f.name)
	if f.arity > 0 {
		text += "(" + strings.Join(names[1:], ";") + ")"
	}
	q, err := gojq.Parse(text)
	if err != nil {
		return nil, err
	}
	return gojq.Compile(q)
}

// A program calls update at the beginning of an assignment. update clears the list of the values that were charged for the previous
// assignment, and returns v.
func (p *program) update(v any, _ []any) any {
	p.run.last = p.run.last[:0]
	return v
}

// indexed() receives a value that is used as an index. If the value is a list, jq searches for it in another list, and indexed() charges
// for this search. indexed() does not receive the other list. It uses the largest possible size: the size of the program's input plus
// everything that the run has allocated.
func (p *program) indexed(v any, _ []any) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	if err := p.run.charge(occurrences(plus(p.run.meter.spent, p.run.inputSize()), list)); err != nil {
		return err
	}
	return v
}

// updated() receives the path of a value that an assignment is about to change. It charges for copying the lists and mappings along the
// path. Each list or mapping is charged once, because later changes of the same assignment are made in the copy.
func (p *program) updated(_ any, a []any) any {
	path, ok := a[1].([]any)
	if !ok {
		return a[1]
	}
	if err := p.run.charge(p.run.along(a[0], path, true)); err != nil {
		return err
	}
	return a[1]
}

// along() returns the memory for copying the lists and mappings along a path. If `once` is true, along() leaves out the lists and
// mappings that are in r.last. If an index of the path is beyond the end of its list, along() also counts the memory for a longer list.
func (r *run) along(v any, path []any, once bool) (n int64) {
	for depth, key := range path {
		if cost := shallow(v); !once || !r.charged(depth, v) {
			n = plus(n, cost)
		}
		switch k := key.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[k]
		case map[string]any: // a mapping as a key means a slice of the list, which does not make the list longer
			n = plus(n, shallow(v))
		default:
			i, ok := gojq.ToInt(key)
			l, _ := v.([]any)
			if v = nil; ok && i >= len(l) {
				n = plus(n, times(2*valueBytes, int64(i)+1))
			} else if ok && i >= 0 {
				v = l[i]
			} else if ok && -i <= len(l) && len(l) > 0 {
				v = l[len(l)+i]
			}
		}
	}
	return n
}

// charged() reports whether v was the last value charged at this depth. It also stores v as the last value.
func (r *run) charged(depth int, v any) bool {
	for len(r.last) <= depth {
		r.last = append(r.last, nil)
	}
	same := identity(v) == r.last[depth]
	r.last[depth] = identity(v)
	return same
}

// identity() returns the address of a list or mapping, so that the caller can recognize the same list or mapping again. For other values it
// returns nil.
func identity(v any) any {
	switch v := v.(type) {
	case []any, map[string]any:
		return reflect.ValueOf(v).Pointer()
	}
	return nil
}

func costSetpath(v any, a []any) int64 {
	path, _ := a[0].([]any)
	return new(run).along(v, path, false)
}

func costDelpaths(v any, _ []any) int64 { return times(2, size(v, 0)) }

// costMatch is the cost of _match. It counts the matches, because gojq makes a mapping for each match.
func (p *program) costMatch(v any, a []any) int64 {
	const (
		matchBytes   = 2 * mapBytes // memory for a match and its numbers. Each group of the match needs the same amount
		patternBytes = 1000         // bytes of memory for each character of a pattern. gojq compiles each pattern twice
	)
	s, ok1 := v.(string)
	re, ok2 := a[0].(string)
	flags, _ := a[1].(string)
	if !ok1 || !ok2 {
		return 0
	}
	key := flags + "/" + re
	compiled, known := p.patterns[key]
	cost := int64(0)
	if !known {
		cost = times(patternBytes, length(re))
		if cost > maxMemory || len(p.patterns) > 2*maxPatterns {
			return never
		}
		compiled, _ = regexp.Compile(options(flags) + re)
		p.patterns[key] = compiled
	}
	if compiled == nil || a[2] == true {
		return cost
	}
	found := 1
	if strings.Contains(flags, "g") {
		found += len(compiled.FindAllStringIndex(s, maxMemory/matchBytes))
	}
	return plus(cost, times(matchBytes*int64(1+compiled.NumSubexp()), int64(found)))
}

// options() converts gojq's flags to the syntax of package regexp.
func options(flags string) (s string) {
	if strings.Contains(flags, "i") {
		s += "(?i)"
	}
	if strings.Contains(flags, "m") {
		s += "(?s)"
	}
	return s
}
