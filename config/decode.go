package config

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A Setter is a type that reads its value from a plain Go value, such as the text of a color. SetValue receives the result of Node.Value,
// which is never nil. The text of the returned error is in lower case. It does not contain the position, because the report adds the
// position. If the error has a method Near() string, the report suggests the word that Near returns.
type Setter interface{ SetValue(v any) error }

// A NodeSetter is a type that reads its value from a Node. SetNode can use the original text and the parts of the value. The node is
// never null. The node can be a program only if the type is also a ProgramTaker. The report shows the returned error at the node. For
// errors in parts of the value, SetNode calls the methods of Context.
type NodeSetter interface {
	SetNode(n *Node, c *Context) error
}

// A ProgramTaker is a NodeSetter that accepts a program (!data) too, such as a condition.
type ProgramTaker interface {
	NodeSetter
	TakesProgram()
}

// A Context contains the data that a NodeSetter needs to read its value.
type Context struct {
	// Field describes the key whose value is read. It contains the limits for numbers.
	Field *Field
	// Colors is the resolved colors section of the theme, or nil.
	Colors *Node

	d *decoder
}

// Decode decodes n, a part of the value, into the variable *into. It returns true if there was no error.
func (c *Context) Decode(n *Node, into any) bool {
	before := c.d.report.errors
	c.d.value(n, reflect.ValueOf(into).Elem(), &Field{})
	return c.d.report.errors == before
}

// Errorf reports an error in a part of the value.
func (c *Context) Errorf(at *Node, format string, args ...any) {
	c.d.report.Errorf(at, format, args...)
}

// InRange returns an error if x is outside of the field's limits. n is the node of x.
func (c *Context) InRange(n *Node, x float64) error {
	least, hasLeast := bound(c.Field.Min)
	most, hasMost := bound(c.Field.Max)
	if hasLeast && x < least || hasMost && x > most {
		return fmt.Errorf("must be %s, not %s", rangeText(c.Field), n.Shown())
	}
	return nil
}

// A Live value is either a plain value, or a program that computes the value from providers.
type Live[T any] struct {
	Plain   T
	Program *Node // the program, or nil for a plain value
}

// IsLive reports whether the value is a program.
func (l *Live[T]) IsLive() bool { return l.Program != nil }

func (l *Live[T]) parts() (plain any, program **Node) { return &l.Plain, &l.Program }

// A liver is a pointer to a Live value of any type.
type liver interface {
	parts() (plain any, program **Node)
}

// LivePart returns the type T of Live[T]. ok is false if t is not a Live type.
func LivePart(t reflect.Type) (plain reflect.Type, ok bool) {
	if l, is := reflect.New(t).Interface().(liver); is {
		p, _ := l.parts()
		return reflect.TypeOf(p).Elem(), true
	}
	return t, false
}

// DecodeOptions sets how Decode handles keys. With the zero value, unknown keys are errors.
type DecodeOptions struct {
	// UnknownKeys is the severity of the diagnostic for a key that no field reads.
	UnknownKeys Severity
	// Others makes Decode ignore keys that no field reads.
	Others bool
	// Reserved lists keys that no field reads but that Decode accepts, because the caller reads them.
	Reserved []string
	// Skip lists keys that the caller reads. Decode does not change the fields of these keys.
	Skip []string
	// Colors is the theme's section colors, with its tokens resolved. Types whose values can be color roles need this section.
	Colors *Node
}

// A Short is a struct with a short form in the file. Instead of a mapping, the file may contain
// only a text, a number or a program. This value then belongs to the key that ShortKey returns.
type Short interface{ ShortKey() string }

// isShort reports whether a type is a Short.
func isShort(t reflect.Type) bool { return reflect.PointerTo(t).Implements(shortType) }

// unfold returns the mapping that a short form stands for.
func unfold(n *Node, key string) *Node {
	whole := &Node{file: n.file, line: n.line, column: n.column, path: n.path, kind: Map}
	whole.pairs = []Pair{{Key: key, At: n, Value: n}}
	return whole
}

// Decode decodes a mapping into the struct *into. The struct's tags describe the keys (see Fields). A missing or null key gets its
// default. Decode adds every error to the report and returns false if there was an error. It also returns false if a required key is
// broken because of an error that was reported earlier. A null or nil node counts as an empty mapping.
//
// Fields may have these types: string (the text of any scalar), bool (also 0 and 1), int, float64, time.Duration (a number of seconds),
// any (the plain value), Node or *Node (unchanged), a struct, a Setter, a NodeSetter, and a Live value. Slices, string-keyed maps and
// pointers of these types are possible too. A pointer is nil if the key is missing or null.
func (n *Node) Decode(into any, r *Report, opts *DecodeOptions) bool {
	v := reflect.ValueOf(into)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		panic(fmt.Sprintf("config: Decode needs a pointer to a struct, not %T", into))
	}
	d := decoder{report: r}
	if opts != nil {
		d.opts = *opts
	}
	before := r.errors
	if n == nil {
		n = &Node{}
	}
	d.top = n
	d.structure(n, v.Elem(), d.opts.Reserved)
	return r.errors == before && !n.broken && !d.lacking
}

type decoder struct {
	report  *Report
	opts    DecodeOptions
	top     *Node
	lacking bool // true if a required key has a broken value. That error was reported before
}

// structure decodes a mapping with fixed keys.
func (d *decoder) structure(n *Node, v reflect.Value, reserved []string) {
	if n.broken {
		return
	}
	if n.kind != Map && n.kind != Null {
		d.report.Errorf(n, "must be a mapping, not %s", n.Shown())
		return
	}
	fields := ownFields(v.Type())
	for i := range fields {
		if d.top != n || !slices.Contains(d.opts.Skip, fields[i].Name) {
			d.field(n, v, &fields[i])
		}
	}
	markSecrets(n, v)
	d.unknown(n, fields, reserved)
}

// markSecrets sets each field with a tag secret:"key" to true if the value of that key came from a secret.
func markSecrets(n *Node, v reflect.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		_, tagged := f.Tag.Lookup("yaml")
		if key, ok := f.Tag.Lookup("secret"); ok {
			v.Field(i).SetBool(n.Get(key).Secret())
		} else if f.Anonymous && !tagged && f.Type.Kind() == reflect.Struct {
			markSecrets(n, v.Field(i))
		}
	}
}

// field decodes one key, or sets its default.
func (d *decoder) field(n *Node, v reflect.Value, f *Field) {
	target := fieldByIndex(v, f.index)
	value := d.named(n, f)
	switch {
	case value == nil || value.kind == Null && !value.broken && !isNode(target.Type()):
		if f.Required {
			d.report.Errorf(atAbsent(n, value), "%s", missing(f.Name, value))
			return
		}
		d.setDefault(n, target, f)
	case value.broken:
		d.lacking = d.lacking || f.Required
		d.setDefault(n, target, f)
	default:
		d.value(value, target, f)
	}
}

func missing(name string, value *Node) string {
	if value != nil {
		return "must have a value"
	}
	return fmt.Sprintf("'%s' is required", name)
}

// atAbsent returns the node at which a missing value is reported: the value's node if the file contains an empty value, else the mapping.
func atAbsent(n, value *Node) *Node {
	if value != nil {
		return value
	}
	return n
}

// named() returns the value of a field's key, or of an old name of the key. If the file sets both names, the value of the new name is
// used. But if this value is a default from the theme and the widget sets the old name, the value of the old name is used.
func (d *decoder) named(n *Node, f *Field) *Node {
	p := n.pair(f.Name)
	for _, old := range f.Aliases {
		q := n.pair(old)
		if q == nil {
			continue
		}
		switch {
		case p == nil, p.Default && !q.Default:
			p = q
		case !q.Default:
			w := diagnose(q.At, Warning, fmt.Sprintf("'%s' is the old name of '%s', which is given too and counts", old, p.Key))
			w.Code = CodeOldName
			d.report.Add(w)
		}
	}
	if p == nil {
		return nil
	}
	return p.Value
}

// setDefault decodes the default of a field as if the file contained it. If a struct has no default, its fields get their defaults.
func (d *decoder) setDefault(n *Node, target reflect.Value, f *Field) {
	if f.HasDef {
		d.value(defaultNode(n, f), target, f)
		return
	}
	if target.Kind() == reflect.Struct && !isNode(target.Type()) && !isSetter(target.Type()) && !isLive(target.Type()) {
		d.structure(&Node{file: n.file, line: n.line, column: n.column, path: join(n.path, f.Name)}, target, nil)
	}
}

// defaultNode returns the node for the default tag of a field. For a string field, the tag is not parsed.
func defaultNode(n *Node, f *Field) *Node {
	at := &Node{file: n.file, line: n.line, column: n.column, path: join(n.path, f.Name), text: f.Default}
	if plain, _ := LivePart(f.GoType); plain.Kind() == reflect.String && !isSetter(plain) {
		return at.typed(f.Default)
	}
	if f.Default != "" && (f.Default[0] == '[' || f.Default[0] == '{') {
		if parsed := Parse("default of "+f.Name, []byte(f.Default), &Report{}, nil); parsed != nil {
			return parsed
		}
	}
	return at.typed(resolvePlain(f.Default))
}

// unknown() reports the keys that no field reads.
func (d *decoder) unknown(n *Node, fields []Field, reserved []string) {
	if d.opts.Others && reserved == nil && d.top == n {
		return
	}
	known := slices.Clone(reserved)
	for _, f := range fields {
		known = append(append(known, f.Name), f.Aliases...)
	}
	set := make(map[string]bool, len(known))
	for _, k := range known {
		set[k] = true
	}
	for _, p := range n.pairs {
		if set[p.Key] || p.Soft {
			continue
		}
		diag := diagnose(p.At, d.opts.UnknownKeys, fmt.Sprintf("unknown key '%s'", p.Key))
		diag.Code, diag.Near = CodeUnknownKey, nearKey(p.Key, known)
		if strings.Contains(p.Key, ".") {
			diag.Path = n.path // in p's own path, a dot of the key would look like the end of another key
		}
		diag.Message += cmp.Or(noColon(p, known), elsewhere(p, n, fields))
		if diag.Near == "" {
			diag.Message += noQuotes(p, n)
		}
		d.report.Add(diag)
	}
}

// fieldByIndex is like reflect's FieldByIndex, but it allocates embedded structs whose pointers are nil.
func fieldByIndex(v reflect.Value, at []int) reflect.Value {
	for i, x := range at {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(x)
	}
	return v
}
