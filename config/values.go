package config

import (
	"dashboard/internal/spelling"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// value decodes a node into a variable of any supported type. The node must not be null. f contains
// the limits for the value. If the value is a list, these are also the limits for its elements.
func (d *decoder) value(n *Node, v reflect.Value, f *Field) {
	t := v.Type()
	switch {
	case isNode(t):
		setNode(n, v)
	case t.Kind() == reflect.Pointer:
		if n.kind == Null {
			return
		}
		p := reflect.New(t.Elem())
		d.value(n, p.Elem(), f)
		v.Set(p)
	case isLive(t):
		d.live(n, v, f)
	case isShort(t) && n.kind != Map && n.kind != Null && n.kind != List && n.kind != Token && !n.broken:
		d.structure(unfold(n, v.Addr().Interface().(Short).ShortKey()), v, nil)
	case n.kind == Program && !reflect.PointerTo(t).Implements(programTakerType):
		d.report.Errorf(n, "'!%s' gives no value for this key: write a plain one", programTag)
	case n.kind == Token:
		d.report.Errorf(n, "'!%s %s' is a theme token, and there is no theme here", n.tag, n.text)
	case n.broken:
	case isSetter(t):
		d.setter(n, v, f)
	case t == durationType:
		if s, ok := d.number(n, f); ok {
			v.SetInt(int64(s * float64(time.Second)))
		}
	default:
		d.byKind(n, v, f)
	}
}

func setNode(n *Node, v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.ValueOf(n))
		return
	}
	v.Set(reflect.ValueOf(*n))
}

func (d *decoder) byKind(n *Node, v reflect.Value, f *Field) {
	switch v.Kind() {
	case reflect.String:
		d.text(n, v, f)
	case reflect.Bool:
		d.boolean(n, v)
	case reflect.Int:
		d.integer(n, v, f)
	case reflect.Float64:
		if x, ok := d.number(n, f); ok {
			v.SetFloat(x)
		}
	case reflect.Slice:
		d.slice(n, v, f)
	case reflect.Map:
		d.mapping(n, v, f)
	case reflect.Struct:
		d.structure(n, v, nil)
	case reflect.Interface:
		if x := n.Value(); x != nil {
			v.Set(reflect.ValueOf(x))
		}
	default:
		panic("config: cannot decode into " + v.Type().String())
	}
}

// live() decodes a value that may also be a program.
func (d *decoder) live(n *Node, v reflect.Value, f *Field) {
	plain, program := v.Addr().Interface().(liver).parts()
	if n.kind == Program {
		*program = n
		return
	}
	if d.forgotten(n, reflect.TypeOf(plain).Elem()) {
		return
	}
	d.value(n, reflect.ValueOf(plain).Elem(), f)
}

// setter decodes a value with a method of its type.
func (d *decoder) setter(n *Node, v reflect.Value, f *Field) {
	if n.kind == Null {
		return
	}
	var err error
	switch s := v.Addr().Interface().(type) {
	case NodeSetter:
		err = s.SetNode(n, &Context{Field: f, Colors: d.opts.Colors, d: d})
	case Setter:
		err = s.SetValue(n.Value())
	}
	if err == nil {
		return
	}
	message := err.Error()
	if n.secret {
		message = "the secret's value is not right here"
	}
	diag := diagnose(n, Error, message)
	if n.source != nil { // show the error at the place in the theme where the value is written
		diag.File, diag.Line, diag.Column, diag.Path = n.source.file, n.source.line, n.source.column, n.source.path
		diag.Message = message + " (used at " + n.Pos() + ")"
	}
	var near interface{ Near() string }
	if errors.As(err, &near) && !n.secret {
		diag.Near = near.Near()
	}
	if text := d.withDot(n, v, f); text != "" && diag.Near == "" {
		diag.Message += takesDot
		diag.Near = text
	}
	d.report.Add(diag)
}

// text decodes the original text of a scalar: yes is "yes", and 08:00 is "08:00".
func (d *decoder) text(n *Node, v reflect.Value, f *Field) {
	switch n.kind {
	case List, Map:
		d.report.Errorf(n, "must be text, not %s", n.Shown())
		return
	}
	if !d.allowed(n, f) {
		d.otherwise(n, v, f)
		return
	}
	if f.URL && !isURL(n.text, f.HTTPS) && f.Else != "" {
		d.report.Tolerate(n, "must be an %s, not %s", f.Address(), n.Shown())
	} else if f.URL && !isURL(n.text, f.HTTPS) {
		d.report.Errorf(n, "must be an %s, not %s", f.Address(), n.Shown())
		return
	}
	if !d.length(n, f, len([]rune(n.text)), "character") {
		return
	}
	v.SetString(n.text)
}

// allowed() reports whether a scalar is one of the words of the field's enum. If the scalar is another word, allowed reports an error.
// This is only a warning if a valid word can replace the scalar.
func (d *decoder) allowed(n *Node, f *Field) bool {
	if len(f.Enum) == 0 || slices.Contains(f.Enum, n.text) {
		return true
	}
	word := n.text
	if n.secret {
		word = ""
	}
	diag := diagnose(n, Error, fmt.Sprintf("must be one of %s, not %s", strings.Join(f.Enum, ", "), n.Shown()))
	diag.Near = spelling.Nearest(word, f.Enum)
	if f.Else != "" || f.AnyCase && sameWord(word, f.Enum) != "" {
		diag.Severity, diag.Code = Warning, CodeTolerated
	}
	d.report.Add(diag)
	return false
}

// otherwise() replaces an invalid word by a valid word. The valid word is the same word in the right case, or the field's Else.
func (d *decoder) otherwise(n *Node, v reflect.Value, f *Field) {
	if same := sameWord(n.text, f.Enum); f.AnyCase && same != "" {
		v.SetString(same)
		return
	}
	v.SetString(f.Else)
}

// sameWord returns the entry of `words` that differs from `word` only in upper and lower case. If there is none, it returns "".
func sameWord(word string, words []string) string {
	for _, w := range words {
		if strings.EqualFold(w, word) {
			return w
		}
	}
	return ""
}

// Address returns a description of the URLs that the field accepts.
func (f *Field) Address() string {
	if f.HTTPS {
		return "https URL"
	}
	return "http or https URL"
}

// AddressPattern returns a regular expression that the URL must match, and a sentence that describes the rule.
func (f *Field) AddressPattern() (pattern, rule string) {
	if f.HTTPS {
		return "^[hH][tT][tT][pP][sS]://[^/]", "An address begins with https:// and a host."
	}
	return "^[hH][tT][tT][pP][sS]?://[^/]", "An address begins with http:// or https:// and a host."
}

func isURL(s string, secure bool) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" && !secure || u.Scheme == "https") && u.Host != ""
}

func (d *decoder) boolean(n *Node, v reflect.Value) {
	switch x := n.value.(type) {
	case bool:
		v.SetBool(x)
		return
	case int:
		if x == 0 || x == 1 { // 0 and 1 are valid too, because Python treats them as booleans
			v.SetBool(x == 1)
			return
		}
	}
	d.report.Near(n, n.text, []string{"true", "false"}, "must be true or false, not %s", n.Shown())
}

// length checks the number of items in a list or of characters in a text.
func (d *decoder) length(n *Node, f *Field, length int, unit string) bool {
	least, hasLeast := bound(f.Least)
	most, hasMost := bound(f.Most)
	switch {
	case hasLeast && length < int(least):
		d.report.Errorf(n, "needs at least %s, has %d", plural(int(least), unit), length)
	case hasMost && length > int(most):
		d.report.Errorf(n, "takes at most %s, has %d", plural(int(most), unit), length)
	default:
		return true
	}
	return false
}

func plural(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return strconv.Itoa(n) + " " + unit + "s"
}

// slice decodes a list. A null element is an error, unless the type of the elements is a pointer, any or Node.
func (d *decoder) slice(n *Node, v reflect.Value, f *Field) {
	if n.kind != List {
		d.report.Errorf(n, "must be a list, not %s", n.Shown())
		return
	}
	if !d.length(n, f, len(n.items), "item") {
		return
	}
	list := reflect.MakeSlice(v.Type(), len(n.items), len(n.items))
	for i, item := range n.items {
		d.element(item, list.Index(i), f)
	}
	v.Set(list)
}

// mapping decodes a mapping with any keys.
func (d *decoder) mapping(n *Node, v reflect.Value, f *Field) {
	if n.kind != Map {
		d.report.Errorf(n, "must be a mapping, not %s", n.Shown())
		return
	}
	m := reflect.MakeMapWithSize(v.Type(), len(n.pairs))
	for _, p := range n.pairs {
		x := reflect.New(v.Type().Elem()).Elem()
		d.element(p.Value, x, f)
		m.SetMapIndex(reflect.ValueOf(p.Key).Convert(v.Type().Key()), x)
	}
	v.Set(m)
}

// element decodes an element of a list or mapping. It applies the field's limits for numbers and
// words. The limits for lengths apply only to the whole list.
func (d *decoder) element(n *Node, v reflect.Value, f *Field) {
	if n.kind == Null && !isNode(v.Type()) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
		default:
			if !n.broken {
				d.report.Errorf(n, "must have a value")
			}
		}
		return
	}
	inner := *f
	inner.Least, inner.Most = "", ""
	d.value(n, v, &inner)
}
