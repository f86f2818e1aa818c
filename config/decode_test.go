package config

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// shout is a Setter that accepts only capital letters.
type shout string

func (s *shout) SetValue(v any) error {
	text, ok := v.(string)
	if !ok || text != strings.ToUpper(text) {
		return errors.New("must be loud")
	}
	*s = shout(text)
	return nil
}

type shared struct {
	Padding int `yaml:"padding" default:"2" min:"0" doc:"Inner gap."`
}

type inner struct {
	A int  `yaml:"a" default:"7"`
	B *int `yaml:"b"`
}

type everything struct {
	shared
	*Linked
	Text     string            `yaml:"text" default:"hi" maxlen:"5"`
	Empty    string            `yaml:"empty" default:""`
	Flag     bool              `yaml:"flag" default:"yes"`
	Count    int               `yaml:"count" alias:"number,n" default:"0x10" max:"99"`
	Ratio    float64           `yaml:"ratio" default:"1.5" numeric:"string"`
	Period   time.Duration     `yaml:"period" default:"0.5" min:"0.1"`
	Names    []string          `yaml:"names" minlen:"1" maxlen:"3" enum:"a,b,c"`
	Sizes    []int             `yaml:"sizes" default:"[3, 4]" min:"1"`
	Optional []*int            `yaml:"optional"`
	Map      map[string]int    `yaml:"map" max:"5"`
	Nested   inner             `yaml:"nested"`
	Pointer  *inner            `yaml:"pointer"`
	List     []inner           `yaml:"list"`
	Mapped   map[string]*inner `yaml:"mapped"`
	Any      any               `yaml:"any"`
	Raw      *Node             `yaml:"raw"`
	Loud     shout             `yaml:"loud" default:"HEY"`
	Louder   *shout            `yaml:"louder"`
	Ignored  int
	Skipped  int `yaml:"-"`
}

// Linked is a struct that other structs embed by a pointer.
type Linked struct {
	Link string `yaml:"link" default:"none"`
}

func decodeText(t *testing.T, text string, opts *DecodeOptions) (everything, string) {
	t.Helper()
	var r Report
	n := Parse("f", []byte(text), &r, nil)
	var got everything
	ok := n.Decode(&got, &r, opts)
	if ok == r.Failed() {
		t.Errorf("Decode says %v, the report %v", ok, r.Err())
	}
	return got, r.String()
}

func defaults() everything {
	return everything{
		shared: shared{Padding: 2}, Linked: &Linked{Link: "none"}, Text: "hi", Flag: true, Count: 16, Ratio: 1.5,
		Period: 500 * time.Millisecond, Sizes: []int{3, 4}, Nested: inner{A: 7}, Loud: "HEY",
	}
}

func TestDecode(t *testing.T) {
	one := 1
	loud := shout("OH")
	tests := []struct {
		name, in string
		change   func(*everything)
		report   string
	}{
		{"nothing", "", func(e *everything) {}, ""},
		{"nulls", "text:\ncount: ~\nnested:\npointer:\nlouder:\nnames:\nany:\nloud:\n", func(e *everything) {}, ""},
		{"embedded", "padding: 4\nlink: x", func(e *everything) { e.Padding = 4; e.Link = "x" }, ""},
		{"text of a boolean", "text: yes", func(e *everything) { e.Text = "yes" }, ""},
		{"text of a time", "text: 8:00", func(e *everything) { e.Text = "8:00" }, ""},
		{"empty text", "text: ''", func(e *everything) { e.Text = "" }, ""},
		{"long text", "text: abcdef", func(e *everything) { e.Text = "" }, "f:1:7: text: takes at most 5 characters, has 6\n"},
		{"booleans of Python", "flag: 0", func(e *everything) { e.Flag = false }, ""},
		{"no boolean", "flag: ture", func(e *everything) { e.Flag = false }, "f:1:7: flag: must be true or false, not \"ture\"; near: true\n"},
		{"2 is no boolean", "flag: 2", func(e *everything) { e.Flag = false }, "f:1:7: flag: must be true or false, not 2\n"},
		{"alias", "number: 5", func(e *everything) { e.Count = 5 }, ""},
		{"last alias", "n: 5", func(e *everything) { e.Count = 5 }, ""},
		{"new name wins", "n: 5\ncount: 6", func(e *everything) { e.Count = 6 }, "f:1:1: n: warning: 'n' is the old name of 'count', which is given too and counts\n"},
		{"whole float", "count: 5.0", func(e *everything) { e.Count = 5 }, ""},
		{"fraction", "count: 5.5", func(e *everything) { e.Count = 0 }, "f:1:8: count: must be a whole number, not 5.5\n"},
		{"boolean for a number", "count: yes", func(e *everything) { e.Count = 0 }, "f:1:8: count: must be a whole number, not yes\n"},
		{"too much", "count: 100", func(e *everything) { e.Count = 0 }, "f:1:8: count: must be at most 99, not 100\n"},
		{"numeric text", "ratio: ' 2.5 '", func(e *everything) { e.Ratio = 2.5 }, ""},
		{"no numeric text", "ratio: nan", func(e *everything) { e.Ratio = 0 }, "f:1:8: ratio: must be a number, not \"nan\"\n"},
		{"infinity", "ratio: .inf", func(e *everything) { e.Ratio = 0 }, "f:1:8: ratio: must be a number, not .inf\n"},
		{"duration", "period: 2", func(e *everything) { e.Period = 2 * time.Second }, ""},
		{"short duration", "period: 0", func(e *everything) { e.Period = 0 }, "f:1:9: period: must be at least 0.1, not 0\n"},
		{"list", "names: [a, c]", func(e *everything) { e.Names = []string{"a", "c"} }, ""},
		{"list of wrong words", "names: [a, d]", func(e *everything) { e.Names = []string{"a", ""} }, "f:1:12: names[1]: must be one of a, b, c, not \"d\"\n"},
		{"short list", "names: []", func(e *everything) {}, "f:1:8: names: needs at least 1 item, has 0\n"},
		{"long list", "names: [a, a, a, a]", func(e *everything) {}, "f:1:8: names: takes at most 3 items, has 4\n"},
		{"no list", "names: a", func(e *everything) {}, "f:1:8: names: must be a list, not \"a\"\n"},
		{"list limits", "sizes: [1, 0]", func(e *everything) { e.Sizes = []int{1, 0} }, "f:1:12: sizes[1]: must be at least 1, not 0\n"},
		{"list with nulls", "optional: [1, ~]", func(e *everything) { e.Optional = []*int{&one, nil} }, ""},
		{"mapping", "map: {a: 1, 08:00: 2}", func(e *everything) { e.Map = map[string]int{"a": 1, "08:00": 2} }, ""},
		{"mapping limits", "map: {a: 6}", func(e *everything) { e.Map = map[string]int{"a": 0} }, "f:1:10: map.a: must be at most 5, not 6\n"},
		{"no mapping", "map: [a]", func(e *everything) {}, "f:1:6: map: must be a mapping, not a list\n"},
		{"nested", "nested: {a: 1, b: 1}", func(e *everything) { e.Nested = inner{1, &one} }, ""},
		{"nested unknown", "nested: {c: 1}", func(e *everything) {}, "f:1:10: nested.c: unknown key 'c'\n"},
		{"no nested", "nested: 5", func(e *everything) { e.Nested = inner{} }, "f:1:9: nested: must be a mapping, not 5\n"},
		{"pointer", "pointer: {}", func(e *everything) { e.Pointer = &inner{A: 7} }, ""},
		{"list of mappings", "list: [{b: 1}, {}]", func(e *everything) { e.List = []inner{{7, &one}, {7, nil}} }, ""},
		{"mapping of mappings", "mapped: {x: {a: 2}, y: ~}", func(e *everything) { e.Mapped = map[string]*inner{"x": {A: 2}, "y": nil} }, ""},
		{"any", "any: [1, {a: yes}]", func(e *everything) { e.Any = []any{1, map[string]any{"a": true}} }, ""},
		{"setter", "loud: OH", func(e *everything) { e.Loud = "OH" }, ""},
		{"setter fails", "louder: oh", func(e *everything) { e.Louder = new(shout) }, "f:1:9: louder: must be loud\n"},
		{"setter pointer", "louder: OH", func(e *everything) { e.Louder = &loud }, ""},
		{"unknown", "txet: 1\nIgnored: 1", func(e *everything) {}, "f:1:1: txet: unknown key 'txet'; near: text\nf:2:1: Ignored: unknown key 'Ignored'\n"},
		{"token", "text: !t x", func(e *everything) { e.Text = "" }, "f:1:7: text: '!t x' is a theme token, and there is no theme here\n"},
		{"root is a list", "[1]", func(e *everything) { *e = everything{} }, "f:1:1: must be a mapping, not a list\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := defaults()
			test.change(&want)
			got, report := decodeText(t, test.in, nil)
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(everything{}), cmpopts.IgnoreFields(everything{}, "Raw")); diff != "" {
				t.Errorf("want -, got +\n%s", diff)
			}
			if report != test.report {
				t.Errorf("got %q, want %q", report, test.report)
			}
		})
	}
}

func TestDecodeOptions(t *testing.T) {
	got, report := decodeText(t, "widget: grid\nraw: [1, {a: !t x}]\npading: 1", &DecodeOptions{UnknownKeys: Warning, Reserved: []string{"widget"}})
	if want := "f:3:1: pading: warning: unknown key 'pading'; near: padding\n"; report != want {
		t.Errorf("got %q, want %q", report, want)
	}
	if got.Raw.Kind() != List || got.Raw.Items()[1].Get("a").Kind() != Token {
		t.Errorf("raw: got %v, want the list as it is", got.Raw.Value())
	}
}

func TestFields(t *testing.T) {
	fields := Fields(reflect.TypeFor[*everything]())
	byName := make(map[string]Field)
	var names []string
	for _, f := range fields {
		byName[f.Name] = f
		names = append(names, f.Name)
	}
	if got, want := strings.Join(names[:4], " "), "padding link text empty"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	types := map[string]string{
		"text": "string", "flag": "boolean", "count": "integer", "ratio": "number", "period": "seconds",
		"names": "list of string", "map": "mapping to integer", "nested": "mapping", "pointer": "mapping",
		"list": "list of mapping", "mapped": "mapping to mapping", "any": "any", "raw": "any", "loud": "shout", "louder": "shout",
	}
	for name, want := range types {
		if got := byName[name].Type; got != want {
			t.Errorf("%s: got type %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"nested", "pointer", "list", "mapped"} {
		if got := len(byName[name].Fields); got != 2 {
			t.Errorf("%s: got %d inner fields, want 2", name, got)
		}
	}
	if f := byName["padding"]; f.Doc != "Inner gap." || f.Default != "2" || f.Min != "0" || !f.HasDef {
		t.Errorf("padding: got %+v", f)
	}
	if f := byName["count"]; len(f.Aliases) != 2 {
		t.Errorf("count: got aliases %v, want 2", f.Aliases)
	}
	if f := byName["empty"]; !f.HasDef || f.Default != "" {
		t.Errorf("empty: got %+v, want an empty default", f)
	}
}

func TestNodeAccess(t *testing.T) {
	var r Report
	n := Parse("f.yaml", []byte("a: [1, {b: x}]\nc: 8:00\n"), &r, nil)
	if b := n.Get("a").Items()[1].Get("b"); b.Path() != "a[1].b" || b.Pos() != "f.yaml:1:12" || b.Text() != "x" {
		t.Errorf("got %s at %s with %q", b.Path(), b.Pos(), b.Text())
	}
	if c := n.Get("c"); c.Value() != 480 || c.Text() != "8:00" || c.Kind() != Int {
		t.Errorf("got %v, %q, %v", c.Value(), c.Text(), c.Kind())
	}
	if got := n.At("c").Pos(); got != "f.yaml:2:1" {
		t.Errorf("got the key at %s, want f.yaml:2:1", got)
	}
	var none *Node
	if none.Get("x").Get("y") != nil || none.Value() != nil || none.Pos() != "" || none.Kind() != Null || none.Len() != 0 || none.Has("x") || none.Broken() {
		t.Error("a nil node must behave like an absent value")
	}
}

// TestMarkSecrets: a field with the tag secret is set to true if the value of the key in the tag comes from a secret. The field may also
// be in an embedded struct.
func TestMarkSecrets(t *testing.T) {
	type Inner struct {
		URL       string `yaml:"url"`
		URLSecret bool   `secret:"url"`
	}
	type outer struct {
		Inner
		Other string `yaml:"other"`
	}
	for text, want := range map[string]bool{"url: !secret k\n": true, "url: http://h/\nother: !secret k\n": false, "other: a\n": false} {
		var r Report
		n := Parse("a.yaml", []byte(text), &r, func(string) (any, error) { return "http://h/", nil })
		var o outer
		if !n.Decode(&o, &r, nil) || o.URLSecret != want {
			t.Errorf("%q: got %v, want %v", text, o.URLSecret, want)
		}
	}
}
