package extract

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/itchyny/gojq"
)

// A Program is a compiled jq program whose input is a mapping. It can list the keys that it reads. Its methods may be called from
// several goroutines at once.
type Program struct {
	source string
	reads  reads
	steps  []any // keys and indices if the program is a plain path
	jq     func() (*program, error)
}

// Reads lists the keys of the input that a program reads. It does not compile the program. For a program with a syntax error it returns
// nil.
func Reads(source string) (keys []string) {
	q, err := gojq.Parse(source)
	if err != nil {
		return nil
	}
	r := reads{own: map[string]bool{}}
	r.query(q, yes)
	for _, k := range r.keys {
		keys = append(keys, k.name)
	}
	return keys
}

// Compile compiles a program. The program has no environment, no clock, no modules and no further inputs.
func Compile(source string) (p *Program, err error) {
	defer contain(&err)
	q, err := parse(source)
	if err != nil {
		return nil, fmt.Errorf("jq: %w", err)
	}
	p = &Program{source: source}
	p.reads.own = map[string]bool{}
	if out := p.reads.query(q, yes); out != no {
		p.reads.all = true
	}
	if p.reads.absent != "" {
		return nil, fmt.Errorf("jq: %s is not there; %s", p.reads.absent, absent[p.reads.absent])
	}
	p.jq = sync.OnceValues(func() (*program, error) { return compile(source) })
	if p.steps = path(q); p.steps != nil {
		return p, nil // a plain path does not need compiled code
	}
	if _, err = p.jq(); err != nil {
		return nil, fmt.Errorf("jq: %w", err)
	}
	return p, nil
}

// String returns the source of the program.
func (p *Program) String() string { return p.source }

// Reads lists the keys of the input that the program reads, in the order of their first use. `all` is true if the program may read other
// keys too, because it iterates over the keys or computes them.
func (p *Program) Reads() (keys []string, all bool) {
	for _, k := range p.reads.keys {
		keys = append(keys, k.name)
	}
	return keys, p.reads.all
}

// Names lists the keys that the program certainly reads from its input. If one of these keys is missing in the input, the program has a
// mistake.
func (p *Program) Names() []string {
	var names []string
	for _, k := range p.reads.keys {
		if k.sure {
			names = append(names, k.name)
		}
	}
	return names
}

// Parts lists the keys that the program reads from the value of one key of its input. ok is false if the program does not read this key,
// or if it may read other parts of the value too. It is also false if the program may read all keys of its input.
func (p *Program) Parts(name string) (parts []string, ok bool) {
	for _, k := range p.reads.keys {
		if k.name == name && !p.reads.all {
			return k.parts, !k.whole
		}
	}
	return nil, false
}

// Run returns the program's first result, or null if there is no result. The input must consist of the types that [Decode] returns. Run
// does not change the input. The result may share parts with the input.
func (p *Program) Run(ctx context.Context, input map[string]any) (any, error) {
	if p.steps != nil {
		if v, ok := follow(p.steps, input); ok {
			return v, nil
		}
	}
	jq, err := p.jq()
	if err != nil {
		return nil, err
	}
	m := meter{ctx: ctx}
	defer m.done()
	v, err := jq.first(any(input), &m)
	if errors.Is(err, ErrNoResult) {
		return nil, nil
	}
	return v, err
}

// follow follows a path like jq: every step from null leads to null. It returns false if jq would return an error, for example because a
// step needs a mapping and the value is a list.
func follow(steps []any, v any) (any, bool) {
	for _, step := range steps {
		key, named := step.(string)
		i, placed := step.(int)
		switch at := v.(type) {
		case nil:
		case map[string]any:
			if !named {
				return nil, false
			}
			v = at[key]
		case []any:
			if !placed {
				return nil, false
			}
			v = item(at, i)
		default:
			return nil, false
		}
	}
	return v, true
}

// item() returns an element of a list, counted from its end if i is negative, or nil if i is out of range.
func item(list []any, i int) any {
	if i < 0 {
		i += len(list)
	}
	if i < 0 || i >= len(list) {
		return nil
	}
	return list[i]
}

// path() returns the keys and indices of a program that is a plain path. For other programs it returns nil.
func path(q *gojq.Query) []any {
	t := q.Term
	if t == nil || len(q.FuncDefs)+len(q.Imports) > 0 || q.Meta != nil || t.Type != gojq.TermTypeIndex {
		return nil
	}
	steps := make([]any, 0, 1+len(t.SuffixList))
	indices := []*gojq.Index{t.Index}
	for _, s := range t.SuffixList {
		indices = append(indices, s.Index) // nil if the suffix is not an index
	}
	for _, i := range indices {
		step := fixed(i)
		if step == nil {
			return nil
		}
		steps = append(steps, step)
	}
	return steps
}

// fixed() returns the key or the position of a constant index. For other indices it returns nil.
func fixed(i *gojq.Index) any {
	switch {
	case i == nil || i.IsSlice:
		return nil
	case i.Name != "":
		return i.Name
	case i.Str != nil && len(i.Str.Queries) == 0:
		return i.Str.Str
	case i.Start == nil || i.Start.Term == nil || len(i.Start.Term.SuffixList) > 0:
		return nil
	}
	switch t := i.Start.Term; t.Type {
	case gojq.TermTypeString:
		if len(t.Str.Queries) == 0 {
			return t.Str.Str
		}
	case gojq.TermTypeNumber:
		return wholeNumber(t.Number)
	case gojq.TermTypeUnary:
		if u := t.Unary; u.Op == gojq.OpSub && u.Term.Type == gojq.TermTypeNumber && len(u.Term.SuffixList) == 0 {
			return wholeNumber("-" + u.Term.Number)
		}
	}
	return nil
}

// wholeNumber parses an integer. It returns nil for other numbers.
func wholeNumber(number string) any {
	if n, err := strconv.Atoi(number); err == nil {
		return n
	}
	return nil
}
