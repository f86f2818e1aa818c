package config

import (
	"dashboard/internal/spelling"
	"fmt"
	"reflect"
	"slices"
)

// A Setter is a type that reads its value from a plain Go value, such as the text of a color. SetValue gets the result of Node.Value,
// which is never nil. Its error is in lower case and does not name the place, because the report shows the place. If the error has a
// method Near() string, the report shows that word as a suggestion.
type Setter interface{ SetValue(v any) error }

// A NodeSetter is a type that reads its value from a Node, with its original text and its parts. The node is not null. The node can be a
// program only if the type is also a ProgramTaker. The report shows the returned error at the node. SetNode reports errors in parts
// through the Context.
type NodeSetter interface {
	SetNode(n *Node, c *Context) error
}

// A ProgramTaker is a NodeSetter that also accepts programs, such as a condition.
type ProgramTaker interface {
	NodeSetter
	TakesProgram()
}

// A Context holds the field and the colors that a NodeSetter needs to read its value.
type Context struct {
	// Field describes the key that is read, with the limits for numbers.
	Field *Field
	// Colors is the resolved colors section of the theme, or nil.
	Colors *Node

	d *decoder
}

// Decode decodes a part into the value that into points to. It returns true if there was no error.
func (c *Context) Decode(n *Node, into any) bool {
	before := c.d.report.errors
	c.d.value(n, reflect.ValueOf(into).Elem(), &Field{})
	return c.d.report.errors == before
}

// Errorf reports a mistake in a part.
func (c *Context) Errorf(at *Node, format string, args ...any) {
	c.d.report.Errorf(at, format, args...)
}

// InRange returns an error for a number outside the limits of the field.
func (c *Context) InRange(n *Node, x float64) error {
	least, hasLeast := bound(c.Field.Min)
	most, hasMost := bound(c.Field.Max)
	if hasLeast && x < least || hasMost && x > most {
		return fmt.Errorf("must be %s, not %s", rangeText(c.Field), n.Shown())
	}
	return nil
}

// A Live value is a plain value or a program that computes the value from providers.
type Live[T any] struct {
	Plain   T
	Program *Node // the jq program, or nil for a plain value
}

// IsLive reports whether the value is a program.
func (l *Live[T]) IsLive() bool { return l.Program != nil }

func (l *Live[T]) parts() (plain any, program **Node) { return &l.Plain, &l.Program }

// A liver is a pointer to a Live of any type.
type liver interface {
	parts() (plain any, program **Node)
}

// LivePart returns the type of the plain values of a Live type. ok is false if t is not a Live type.
func LivePart(t reflect.Type) (plain reflect.Type, ok bool) {
	if l, is := reflect.New(t).Interface().(liver); is {
		p, _ := l.parts()
		return reflect.TypeOf(p).Elem(), true
	}
	return t, false
}

// DecodeOptions sets how strictly Decode treats keys. The zero value reports unknown keys as errors.
type DecodeOptions struct {
	// UnknownKeys is the severity of a diagnostic for a key without a field.
	UnknownKeys Severity
	// Others makes Decode ignore keys without a field.
	Others bool
	// Reserved are keys that Decode accepts without a field, because the caller reads them.
	Reserved []string
	// Skip are keys that the caller reads. Decode does not change their fields.
	Skip []string
	// Colors is the resolved colors section of the theme, for types that name color roles.
	Colors *Node
}

// A Short is a struct with a short form. Instead of a mapping, the file may contain only a text, a number or a program. Decode then uses
// it as the value of the key that ShortKey returns.
type Short interface{ ShortKey() string }

// isShort reports whether a type is a Short.
func isShort(t reflect.Type) bool { return reflect.PointerTo(t).Implements(shortType) }

// unfold returns the full mapping of a short form.
func unfold(n *Node, key string) *Node {
	whole := &Node{file: n.file, line: n.line, column: n.column, path: n.path, kind: Map}
	whole.pairs = []Pair{{Key: key, At: n, Value: n}}
	return whole
}

// Decode decodes a mapping into the struct that into points to. The struct's tags describe the keys; see Fields. An absent or null key
// gets its default. Decode adds every error to the report. It returns false if there was an error, even if the error of a required key
// was reported earlier. A null or nil node is an empty mapping.
//
// Fields may be string (any scalar's text), bool (0 and 1 too), int, float64, time.Duration (a number of seconds), slices and
// string-keyed maps of these, structs, pointers (nil when absent or null), any (the plain value), Node or *Node (unchanged), or a Setter.
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
	lacking bool // a required key is missing because its value is broken. That error is already reported
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

// atAbsent returns the node at which a missing value is reported: the empty value if the file contains one, otherwise its mapping.
func atAbsent(n, value *Node) *Node {
	if value != nil {
		return value
	}
	return n
}

// named returns the value of a field's key, or of the key's old name. If the file sets both, the new name takes precedence. A default of
// the theme under the new name does not override the widget's own value under the old name.
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

// setDefault decodes the default of a field as if the file contained it. A struct without a default gets the defaults of its own fields.
func (d *decoder) setDefault(n *Node, target reflect.Value, f *Field) {
	if f.HasDef {
		d.value(defaultNode(n, f), target, f)
		return
	}
	if target.Kind() == reflect.Struct && !isNode(target.Type()) && !isSetter(target.Type()) && !isLive(target.Type()) {
		d.structure(&Node{file: n.file, line: n.line, column: n.column, path: join(n.path, f.Name)}, target, nil)
	}
}

// defaultNode parses the default tag of a field. The default of a string field is used unchanged.
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

// unknown reports the keys without a field.
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
		diag.Code, diag.Near = CodeUnknownKey, usualKey(p.Key, known)
		diag.Message += elsewhere(p, n, fields)
		if diag.Near == "" {
			diag.Near = spelling.Nearest(p.Key, known)
		}
		d.report.Add(diag)
	}
}

// fieldByIndex is like reflect's FieldByIndex, but it allocates nil embedded pointers on the way.
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
