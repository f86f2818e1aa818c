package extract

import (
	"slices"

	"github.com/itchyny/gojq"
)

// A chance describes whether a value is the whole input of the program: certainly, perhaps or not.
type chance int

const (
	no chance = iota
	maybe
	yes
)

// reads collects the keys of the input that a program reads, from the program's syntax tree. If it is not certain that the program reads
// a key, the key is collected too.
type reads struct {
	keys   []key
	all    bool
	own    map[string]bool // functions that the program defines
	absent string          // a function that the program uses, but that walls do not support
}

// A key is one key that a program reads. The field `sure` is true if the program certainly reads this key from its input. The field
// `parts` lists the keys that the program reads from the value of this key. The field `whole` is true if the program may read other parts
// of the value too.
type key struct {
	name  string
	sure  bool
	parts []string
	whole bool
}

// Programs of a wall cannot use some functions of jq. absent maps these functions to a reason or a replacement, for the error message.
var absent = map[string]string{
	"now": "write .now", "input": "a program has one input", "inputs": "a program has one input", "env": "programs have no environment",
	"$ENV": "programs have no environment", "input_filename": "a program has one input", "debug": "programs write nothing",
	"stderr": "programs write nothing", "input_line_number": "a program has one input", "localtime": "write strflocaltime or a format",
}

// `aside` lists functions of jq that do not use their input, except that they pass it to their arguments.
var aside = []string{"range", "limit", "first", "isempty", "any", "all", "add", "nth", "error", "empty", "infinite", "nan", "not", "select", "builtins", "halt"}

// add records that the program reads a key of a value. The parameter `of` is the chance that this value is the whole input. If `next` is
// not nil, the program uses the index `next` on the key's value.
func (r *reads) add(name string, of chance, next *gojq.Index) {
	if of == no {
		return
	}
	i := slices.IndexFunc(r.keys, func(k key) bool { return k.name == name })
	if i < 0 {
		i = len(r.keys)
		r.keys = append(r.keys, key{name: name})
	}
	k := &r.keys[i]
	k.sure = k.sure || of == yes
	part, ok := "", false
	if next != nil {
		part, ok = fixed(next).(string)
	}
	k.whole = k.whole || !ok
	if ok && !slices.Contains(k.parts, part) {
		k.parts = append(k.parts, part)
	}
}

// follower() returns the index in suffix i. It returns nil if there is no suffix i, or if this suffix is not an index.
func follower(suffixes []*gojq.Suffix, i int) *gojq.Index {
	if i < len(suffixes) {
		return suffixes[i].Index
	}
	return nil
}

// whole() records that a program uses a whole value and not only some of its keys.
func (r *reads) whole(of chance) { r.all = r.all || of != no }

// used() visits a part of a program. The program uses the whole result of this part.
func (r *reads) used(q *gojq.Query, in chance) {
	if q != nil {
		r.whole(r.query(q, in))
	}
}

// query() visits a part of a program and returns the chance that its result is the whole input of the program. The parameter `in` is the
// chance that the input of this part is the whole input.
func (r *reads) query(q *gojq.Query, in chance) (out chance) {
	for _, f := range q.FuncDefs {
		r.own[f.Name] = true
		for _, arg := range f.Args {
			r.own[arg] = true
		}
		r.used(f.Body, min(in, maybe))
	}
	switch {
	case q.Term != nil:
		return r.term(q.Term, in)
	case q.Right == nil:
		return in
	case q.Op == gojq.OpPipe && len(q.Patterns) > 0:
		r.used(q.Left, in)
		return r.query(q.Right, in)
	case q.Op == gojq.OpPipe:
		return r.query(q.Right, r.query(q.Left, in))
	case q.Op == gojq.OpComma, q.Op == gojq.OpAlt:
		return either(r.query(q.Left, in), r.query(q.Right, in))
	}
	r.used(q.Left, in)
	r.used(q.Right, in)
	if slices.Contains(assigning, q.Op) {
		r.whole(in)
	}
	return no
}

// `assigning` are the operators that return their input with changes.
var assigning = []gojq.Operator{
	gojq.OpAssign, gojq.OpModify, gojq.OpUpdateAdd, gojq.OpUpdateSub, gojq.OpUpdateMul, gojq.OpUpdateDiv, gojq.OpUpdateMod, gojq.OpUpdateAlt,
}

// either() returns the chance for a value that is one of two alternatives, which have the chances `a` and `b`.
func either(a, b chance) chance {
	if a == b {
		return a
	}
	return min(max(a, b), maybe)
}

func (r *reads) term(t *gojq.Term, in chance) (out chance) {
	out = r.base(t, in)
	for i, s := range t.SuffixList {
		switch {
		case s.Index != nil:
			out = r.index(s.Index, out, in, follower(t.SuffixList, i+1))
		case s.Iter:
			r.whole(out)
			out = no
		}
	}
	return out
}

// index() visits an index of a value. `of` is the chance that the value is the whole input of the program. `in` is the chance that the
// index expression has the whole input as its input. `next` is the index that follows, or nil.
func (r *reads) index(i *gojq.Index, of, in chance, next *gojq.Index) chance {
	if name, ok := fixed(i).(string); ok {
		r.add(name, of, next)
		return no
	}
	r.whole(of)
	r.used(i.Start, in)
	r.used(i.End, in)
	r.text(i.Str, in)
	return no
}

// text() visits the interpolated parts of a text.
func (r *reads) text(s *gojq.String, in chance) {
	if s != nil {
		for _, q := range s.Queries {
			r.used(q, in)
		}
	}
}

// base() visits a term without its suffixes.
func (r *reads) base(t *gojq.Term, in chance) (out chance) {
	switch t.Type {
	case gojq.TermTypeIdentity:
		return in
	case gojq.TermTypeRecurse, gojq.TermTypeFormat:
		r.whole(in)
		r.text(t.Str, in)
	case gojq.TermTypeIndex:
		return r.index(t.Index, in, in, follower(t.SuffixList, 0))
	case gojq.TermTypeFunc:
		return r.call(t.Func, in)
	case gojq.TermTypeObject:
		r.object(t.Object, in)
	case gojq.TermTypeArray:
		r.used(t.Array.Query, in)
	case gojq.TermTypeUnary:
		r.whole(r.term(t.Unary.Term, in))
	case gojq.TermTypeString:
		r.text(t.Str, in)
	case gojq.TermTypeQuery:
		return r.query(t.Query, in)
	case gojq.TermTypeLabel:
		return r.query(t.Label.Body, in)
	case gojq.TermTypeIf:
		return r.branches(t.If, in)
	case gojq.TermTypeTry:
		r.used(t.Try.Catch, no)
		return r.query(t.Try.Body, in)
	case gojq.TermTypeReduce:
		r.loop(in, t.Reduce.Query, t.Reduce.Start, t.Reduce.Update, nil)
	case gojq.TermTypeForeach:
		r.loop(in, t.Foreach.Query, t.Foreach.Start, t.Foreach.Update, t.Foreach.Extract)
	}
	return no
}

// loop() visits reduce and foreach. The value that the loop updates can be the whole input only if the initial value is the whole input.
// For this case, used() has already recorded that the program uses the whole input. So loop() visits `update` and `extract` with the
// chance `no`.
func (r *reads) loop(in chance, over, start, update, extract *gojq.Query) {
	r.used(over, in)
	r.used(start, in)
	r.used(update, no)
	r.used(extract, no)
}

func (r *reads) branches(t *gojq.If, in chance) (out chance) {
	r.used(t.Cond, in)
	out = r.query(t.Then, in)
	for _, e := range t.Elif {
		r.used(e.Cond, in)
		out = either(out, r.query(e.Then, in))
	}
	if t.Else == nil {
		return either(out, in)
	}
	return either(out, r.query(t.Else, in))
}

func (r *reads) object(o *gojq.Object, in chance) {
	for _, kv := range o.KeyVals {
		r.used(kv.KeyQuery, in)
		r.text(kv.KeyString, in)
		switch {
		case kv.Val != nil:
			r.used(kv.Val, in)
		case kv.Key != "" && kv.Key[0] != '$':
			r.add(kv.Key, in, nil)
		case kv.KeyString != nil && len(kv.KeyString.Queries) == 0:
			r.add(kv.KeyString.Str, in, nil)
		case kv.Key == "$ENV":
			r.absent = kv.Key
		}
	}
}

// call() visits a call of a function.
func (r *reads) call(f *gojq.Func, in chance) (out chance) {
	if _, gone := absent[f.Name]; gone && !r.own[f.Name] {
		r.absent = f.Name
	}
	given := r.arguments(f, in)
	switch {
	case f.Name[0] == '$':
		return no // the value of the variable was visited before
	case f.Name == "select":
		r.whole(given)
		return in
	case f.Name == "first" && len(f.Args) == 1, f.Name == "limit" && len(f.Args) == 2:
		return given
	case r.own[f.Name]:
		r.whole(given)
		return min(in, maybe)
	case !slices.Contains(aside, f.Name) || len(f.Args) == 0 && (f.Name == "first" || f.Name == "add" || f.Name == "any" || f.Name == "all") || len(f.Args) == 1 && (f.Name == "any" || f.Name == "all" || f.Name == "nth"):
		r.whole(in)
	}
	r.whole(given)
	return no
}

// arguments() visits the arguments of a call. It returns the chance that the result of an argument is the input.
func (r *reads) arguments(f *gojq.Func, in chance) (given chance) {
	if !slices.Contains(aside, f.Name) || r.own[f.Name] {
		in = min(in, maybe) // the function may pass a value other than its input to its arguments
	}
	for i, arg := range f.Args {
		if i == 1 && (f.Name == "any" || f.Name == "all") {
			in = given // the condition in any(list; condition) reads the elements of the list
		}
		out := r.query(arg, in)
		if i == 0 {
			given = out
		} else {
			given = either(given, out)
		}
	}
	return given
}
