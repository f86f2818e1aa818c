package extract

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/itchyny/gojq"
)

// Some functions and operators of jq can make a large result from a small input. A program calls them through wrappers. A wrapper first
// subtracts the size of the result from the memory budget of the run, and then calls gojq. For an operator, bind() puts a call of the
// wrapper into the syntax tree. For a function, bind() puts a definition that calls the wrapper in front of the program. The program's
// own definitions still take precedence. The wrappers' names end with "!", so a program cannot use these names itself.

// `prelude` contains gojq's own definitions (builtin.jq of v0.12.20) of all functions that call functions in the variable `table`. bind()
// puts these definitions in front of a program, so that they call the wrappers. Each definition comes before the definitions that use it.
const prelude = `
def add(f): [f] | add;
def from_entries: map({ (.key // .Key // .name // .Name):
  if has("value") then .value else .Value end }) | add // {};
def to_entries: [keys[] as $k | {key: $k, value: .[$k]}];
def min_by(f): _min_by(map([f]));
def max_by(f): _max_by(map([f]));
def sort_by(f): _sort_by(map([f]));
def group_by(f): _group_by(map([f]));
def unique_by(f): _unique_by(map([f]));
def combinations:
  if length == 0 then [] else .[0][] as $x | [$x] + (.[1:] | combinations) end;
def combinations(n): [limit(n; repeat(.))] | combinations;
def del(f): delpaths([path(f)]);
def pick(f): . as $v | reduce path(f) as $p (null; setpath($p; $v | getpath($p)));
def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%S%z") | mktime;
def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdate: fromdateiso8601;
def todate: todateiso8601;
def match($re; $flags): _match($re; $flags; false)[];
def test($re; $flags): _match($re; $flags; true);
def capture($re; $flags): match($re; $flags) | .captures | _captures;
def scan($re; $flags):
  match($re; $flags + "g") | if .captures == [] then .string else [.captures[].string] end;
def splits($re; $flags):
  .[foreach (match($re; $flags + "g"), null) as {$offset, $length}
      (null; {start: .next, end: $offset, next: $offset + $length})];
def splits($re): splits($re; null);
def split($re; $flags): [splits($re; $flags)];
def sub($re; str; $flags):
  reduce match($re; $flags) as {$offset, $length, $captures}
    ({s: ., r: []};
      reduce ($captures | _captures | str) as $s
        (.i = 0; .r[.i] += .s[.next:$offset] + $s | .i += 1) |
      .next = $offset + $length) | .r[] + .s[.next:] // .s;
def gsub($re; str): sub($re; str; "g");
def gsub($re; str; $flags): sub($re; str; $flags + "g");
def INDEX(stream; idx_expr): reduce stream as $row ({}; .[$row | idx_expr | tostring] = $row);
def INDEX(idx_expr): INDEX(.[]; idx_expr);
def IN(s): any(s == .; .);
def IN(src; s): any(src == s; .);
def fromstream(f):
  foreach f as $pv (null;
    if .e then null end |
    $pv as [$p, $v] |
    if $pv | length == 2 then
      setpath(["v"] + $p; $v) | setpath(["e"]; $p | length == 0)
    else
      setpath(["e"]; $p | length == 1)
    end;
    if .e then .v else empty end);
def with_entries(f): to_entries | map(f) | from_entries;
def match($re): if $re | type == "array" then match($re[0]; $re[1]) else match($re; null) end;
def test($re): if $re | type == "array" then test($re[0]; $re[1]) else test($re; null) end;
def capture($re): if $re | type == "array" then capture($re[0]; $re[1]) else capture($re; null) end;
def scan($re): scan($re; null);
def sub($re; str): sub($re; str; null);
`

// bind makes a program call the wrappers instead of gojq's functions.
func bind(q *gojq.Query) error {
	if len(q.Imports) > 0 || q.Meta != nil {
		return fmt.Errorf("modules are not supported")
	}
	own := make(map[string]bool)
	visit(q, func(f *gojq.FuncDef) { own[f.Name] = true })
	var err error
	visit(q, func(f *gojq.Func) {
		if strings.HasPrefix(f.Name, "_") && !own[f.Name] && err == nil {
			err = fmt.Errorf("function not defined: %s/%d", f.Name, len(f.Args))
		}
	})
	if err != nil {
		return err
	}
	all, err := definitions()
	if err != nil {
		return err
	}
	ours, err := define(needed(all, q))
	if err != nil {
		return err
	}
	bound(q)
	for _, d := range ours {
		bound(d.Body)
	}
	q.FuncDefs = append(ours, q.FuncDefs...)
	return nil
}

// bound() replaces the operators of a syntax tree by calls of wrappers. The parts of an interpolated text are also joined by calls of a
// wrapper.
func bound(q *gojq.Query) {
	visit(q, format)
	visit(q, interpolate)
	visit(q, replace)
	visit(q, indexed)
}

// indexed() changes a computed index, such as `$list` in `.[$list]`, so that the wrapper indexed! receives the index and charges for it.
// If the index is a list, jq searches for this list in the value in front of the brackets, and the search takes time.
func indexed(i *gojq.Index) {
	if i.Start != nil && !i.IsSlice && fixed(i) == nil {
		i.Start = &gojq.Query{Left: i.Start, Op: gojq.OpPipe, Right: call("indexed!")}
	}
}

// format() applies a format such as @base64 to each interpolated value of a text. The format in front of the text is then no longer needed.
func format(t *gojq.Term) {
	if t.Type != gojq.TermTypeFormat || t.Str == nil {
		return
	}
	for i, e := range t.Str.Queries {
		if e.Term.Str == nil {
			f := &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeFormat, Format: t.Format}}
			t.Str.Queries[i] = asText(&gojq.Query{Left: e, Op: gojq.OpPipe, Right: f})
		}
	}
}

// interpolate replaces the parts of a text by one part, the sum of all parts.
func interpolate(s *gojq.String) {
	var sum *gojq.Query
	for _, e := range s.Queries {
		if e.Term.Str == nil {
			e = &gojq.Query{Left: e, Op: gojq.OpPipe, Right: call("tostring")}
		}
		if sum == nil {
			sum = e
		} else {
			sum = call("_add!", sum, e)
		}
	}
	if sum != nil {
		s.Queries = []*gojq.Query{asText(sum)}
	}
}

// asText marks q as literal text. gojq treats a query with an empty Str as literal text.
func asText(q *gojq.Query) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeQuery, Query: q, Str: &gojq.String{}}}
}

// redefinition() returns a definition such as `def join(a): join!(a);` for a function of the table. The arguments stay closures, so gojq
// evaluates them in the same order as in its own functions.
func redefinition(f function) *gojq.FuncDef {
	d := &gojq.FuncDef{Name: f.name}
	var args []*gojq.Query
	for i := range f.arity {
		name := string(rune('a' + i))
		d.Args = append(d.Args, name)
		args = append(args, call(name))
	}
	d.Body = call(f.name+"!", args...)
	return d
}

func call(name string, args ...*gojq.Query) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: name, Args: args}}}
}

// `operators` maps the operators to functions of the table.
var operators = map[gojq.Operator]string{
	gojq.OpAdd: "_add!", gojq.OpSub: "_subtract!", gojq.OpMul: "_multiply!", gojq.OpDiv: "_divide!",
	gojq.OpEq: "_equal!", gojq.OpNe: "_notequal!",
	gojq.OpLt: "_less!", gojq.OpGt: "_greater!", gojq.OpLe: "_lesseq!", gojq.OpGe: "_greatereq!",
}

// replace replaces the operator of q with a function of the table. An update `l op r` keeps its operator and becomes `update! | (path(l)
// as $p | getpath(updated!($p))) op r`: updated! receives each path before its value changes.
func replace(q *gojq.Query) {
	if name, ok := operators[q.Op]; ok {
		*q = gojq.Query{FuncDefs: q.FuncDefs, Term: call(name, q.Left, q.Right).Term}
		return
	}
	switch q.Op {
	case gojq.OpAssign, gojq.OpModify, gojq.OpUpdateAdd, gojq.OpUpdateSub,
		gojq.OpUpdateMul, gojq.OpUpdateDiv, gojq.OpUpdateMod, gojq.OpUpdateAlt:
		const hidden = "$__path"
		left := &gojq.Query{
			Left:     call("path", q.Left),
			Op:       gojq.OpPipe,
			Patterns: []*gojq.Pattern{{Name: hidden}},
			Right:    call("getpath", call("updated!", &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeIdentity}}, call(hidden))),
		}
		update := &gojq.Query{Left: left, Op: q.Op, Right: q.Right}
		group := &gojq.Term{Type: gojq.TermTypeQuery, Query: update}
		*q = gojq.Query{FuncDefs: q.FuncDefs, Left: call("update!"), Op: gojq.OpPipe, Right: &gojq.Query{Term: group}}
	}
}

// visit calls f with each part of type T of a syntax tree. It visits inner parts before the parts that contain them.
func visit[T any](q *gojq.Query, f func(*T)) { visitValue(reflect.ValueOf(q), f) }

func visitValue[T any](v reflect.Value, f func(*T)) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		visitValue(v.Elem(), f)
		if part, ok := v.Interface().(*T); ok {
			f(part)
		}
	case reflect.Slice:
		for i := range v.Len() {
			visitValue(v.Index(i), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			visitValue(v.Field(i), f)
		}
	}
}
