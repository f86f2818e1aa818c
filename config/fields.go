package config

import (
	"reflect"
	"strings"
	"sync"
	"time"
)

// A Field describes one key of a struct type. Its data comes from the tags of a Go field. The
// decoder, the documents and the JSON schema use it.
type Field struct {
	Name     string   // name of the key
	Aliases  []string // old names, still accepted
	Type     string   // string, boolean, integer, number, seconds, list, mapping, any, or the type's TypeName
	Required bool
	Default  string // default as the file would contain it, or ""
	HasDef   bool   // true if there is a default, which may be ""
	Min, Max string // limits of a number
	Least    string // minimum length of a list or text
	Most     string // maximum length of a list or text
	Enum     []string
	Else     string // valid value that replaces an invalid value, with a warning, so that files written for Grydgets still load
	AnyCase  bool   // true if upper and lower case do not matter in a word of Enum. A difference causes a warning
	Numeric  bool   // true if a number may be written as text
	Live     bool   // true if the value may be a program
	URL      bool   // true if the value must be an http or https URL with a host
	HTTPS    bool   // true if the URL must be an https URL
	Unit     string
	Doc      string
	Fields   []Field      // fields of a mapping with fixed keys, or of the entries of a list or mapping
	GoType   reflect.Type // type of the Go field, without a pointer
	Owner    reflect.Type // struct type that declares the Go field
	GoName   string       // name of the Go field in Owner
	index    []int
}

// A TypeNamer is a type whose values have a special type name in the documents, such as "color".
type TypeNamer interface{ TypeName() string }

// A Describer is a type that returns its JSON Schema. The caller owns the result.
type Describer interface{ JSONSchema() map[string]any }

// Fields lists the keys of a struct type in the order of its fields. The keys of an embedded struct are at the position of this struct.
// Fields without a yaml tag are left out. The tags are yaml, alias, required, default, min, max, minlen, maxlen, enum, else, case:"any",
// numeric:"string", format:"url" or "https", unit and doc.
func Fields(t reflect.Type) []Field { return fieldsOf(t, nil, 0) }

// ownFields returns the keys of a struct type without the fields inside of their values:
// Field.Fields is empty. The caller must not change the slice.
func ownFields(t reflect.Type) []Field {
	if known, ok := described.Load(t); ok {
		return known.([]Field)
	}
	fields := fieldsOf(t, nil, maxTypeDepth)
	described.Store(t, fields)
	return fields
}

// `described` caches the fields of decoded types. Without this cache, parsing the tags would take a twelfth of the time to start a wall.
var described sync.Map

// maxTypeDepth limits the nesting of a description, because a type may contain itself.
const maxTypeDepth = 8

func fieldsOf(t reflect.Type, prefix []int, depth int) []Field {
	t = deref(t)
	if t.Kind() != reflect.Struct || depth > maxTypeDepth {
		return nil
	}
	var fields []Field
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(append([]int(nil), prefix...), i)
		name, tagged := f.Tag.Lookup("yaml")
		if f.Anonymous && !tagged && deref(f.Type).Kind() == reflect.Struct {
			fields = append(fields, fieldsOf(f.Type, at, depth)...)
			continue
		}
		if !tagged || name == "-" || !f.IsExported() {
			continue
		}
		field := fieldOf(f, name, at, depth)
		field.Owner = t
		fields = append(fields, field)
	}
	return fields
}

func fieldOf(f reflect.StructField, name string, at []int, depth int) Field {
	def, hasDef := f.Tag.Lookup("default")
	t := f.Type
	if !isNode(t) {
		t = deref(t)
	}
	plain, live := LivePart(t)
	field := Field{
		Live: live,
		Name: name, Aliases: words(f.Tag.Get("alias")), Type: typeName(plain),
		Required: f.Tag.Get("required") == "true", Default: def, HasDef: hasDef,
		Min: f.Tag.Get("min"), Max: f.Tag.Get("max"), Least: f.Tag.Get("minlen"), Most: f.Tag.Get("maxlen"),
		Enum: words(f.Tag.Get("enum")), Else: f.Tag.Get("else"), AnyCase: f.Tag.Get("case") == "any", Numeric: f.Tag.Get("numeric") == "string", URL: f.Tag.Get("format") != "", HTTPS: f.Tag.Get("format") == "https",
		Unit: f.Tag.Get("unit"), Doc: f.Tag.Get("doc"), GoType: t, GoName: f.Name, index: at,
	}
	if inner := innermost(plain); !isSetter(inner) && !isNode(inner) {
		field.Fields = fieldsOf(inner, nil, depth+1)
	}
	return field
}

// innermost() returns the element type of nested lists and mappings. If t is neither a list nor a mapping, it returns t.
func innermost(t reflect.Type) reflect.Type {
	for !isSetter(t) && !isNode(t) && (t.Kind() == reflect.Slice || t.Kind() == reflect.Map || t.Kind() == reflect.Pointer) {
		t = t.Elem()
	}
	return t
}

var (
	nodeSetterType   = reflect.TypeFor[NodeSetter]()
	programTakerType = reflect.TypeFor[ProgramTaker]()
	nodeType         = reflect.TypeFor[Node]()
	setterType       = reflect.TypeFor[Setter]()
	namerType        = reflect.TypeFor[TypeNamer]()
	shortType        = reflect.TypeFor[Short]()
	durationType     = reflect.TypeFor[time.Duration]()
)

func isNode(t reflect.Type) bool {
	return t == nodeType || t.Kind() == reflect.Pointer && t.Elem() == nodeType
}

func isSetter(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(setterType) || p.Implements(nodeSetterType)
}

func isLive(t reflect.Type) bool {
	_, ok := LivePart(t)
	return ok
}

// typeName returns the name that the documents use for a type.
func typeName(t reflect.Type) string {
	t = deref(t)
	if reflect.PointerTo(t).Implements(namerType) {
		return reflect.New(t).Interface().(TypeNamer).TypeName()
	}
	switch {
	case t == nodeType:
		return "any"
	case t == durationType:
		return "seconds"
	case isSetter(t):
		return strings.ToLower(t.Name())
	}
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.Int:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.String:
		return "string"
	case reflect.Slice:
		return "list of " + typeName(t.Elem())
	case reflect.Map:
		return "mapping to " + typeName(t.Elem())
	case reflect.Struct:
		return "mapping"
	}
	return "any"
}

func deref(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

func words(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

// Inside returns the text that the documents write between this key and a key inside of its value.
func (f Field) Inside() string {
	if strings.HasPrefix(f.Type, "list of ") {
		return "[]."
	}
	return "."
}
