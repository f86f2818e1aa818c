package config

import (
	"strings"
	"testing"
)

// A syntax error is reported at the place of the mistake, and the message explains how to fix it.
func TestMistakesAreTold(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"too deep":            {"a:\n  rows: 1\n   columns: 2\n", "f:3:4: not valid YAML: this line is indented by 3 blanks, the key above it by 2 (line 2), which has a value of its own"},
		"a no-break space":    {"w:\n  - widget: text\n\u00a0\u00a0  name: a\n    text: b\n", "f:3:1: not valid YAML: a no-break space stands here: replace it with a space"},
		"between":             {"w:\n  - widget: grid\n    rows: 1\n   columns: 2\n", "f:4:4: not valid YAML: this line is indented by 3 blanks; the lines above have 4 (line 3) or 2 (line 2) or 0 (line 1)"},
		"a bare program":      {"w:\n  - {widget: text, text: !data .d.nums[3], lines: 1}\n", "f:2:32: not valid YAML: a program with a bracket in it is put in quotes: !data '.d.nums[3]'"},
		"a bare pipe":         {"w:\n  - {widget: text, text: !data .a | .[\"x\"]}\n", "f:2:32: not valid YAML: a program with a bracket in it is put in quotes: !data '.a | .[\"x\"]'"},
		"no dash":             {"w:\n  - widget: text\n    text: a\n  widget: text\n", "f:4:3: not valid YAML: a '-' is missing here, as in line 2, or this line must be indented by 4 blanks"},
		"a dash among keys":   {"w:\n  widget: text\n  - text: a\n", "f:3:3: not valid YAML: a '-' begins an entry of a list, but line 2 is a key: indent the list deeper than its key"},
		"no end quote":        {"w:\n  text: \"open\n  color: red\n  text2: \"b\"\n", `f:2:9: not valid YAML: the text that begins here has no " at its end`},
		"no end quote at all": {"w:\n  text: 'open\n", `f:2:9: not valid YAML: the text that begins here has no ' at its end`},
		"an apostrophe":       {"text: 'it's here'\n", "f:1:10: not valid YAML: the text ends at this quote, and more follows: write '' for an apostrophe in it, or put it into \"…\""},
		"a quote":             {"text: \"a \"b\" c\"\n", "f:1:10: not valid YAML: the text ends at this quote, and more follows: write \\\" for a quote in it"},
		"no end in braces":    {"w:\n  - {a: 1, text: \"open}\n  - {a: 2}\n", `f:2:18: not valid YAML: the text that begins here has no " at its end`},
		"nor in another":      {"w:\n  - {a: 'x', text: 'open}\n", `f:2:20: not valid YAML: the text that begins here has no ' at its end`},
		"a colon in braces":   {"w:\n  - {a: 1, text: it's: ok}\n", `f:2:18: not valid YAML: a text with ': ' in it is put in quotes: "it's: ok"`},
		"no comma":            {"w:\n  - {a: clock b: 1}\n", `f:2:9: not valid YAML: a text with ': ' in it is put in quotes: "clock b: 1"; or a comma is missing before b`},
		"a sign":              {"w:\n  text: @home\n", "f:2:9: not valid YAML: quote a text that begins with '@'"},
		"a percentage":        {"w:\n  - text: %d\n", "f:2:11: not valid YAML: quote a text that begins with '%'"},
		"a sign in braces":    {"w:\n  - {a: 1, text: @home, b: 2}\n", "f:2:18: not valid YAML: quote a text that begins with '@'"},
		"a dash":              {"w:\n  text: - x\n", "f:2:9: not valid YAML: quote a text that begins with '-'"},
		"an arrow":            {"w:\n  text: > x\n", "f:2:9: not valid YAML: quote a text that begins with '>'"},
		"an anchor in braces": {"w:\n  - {text: *a}\n", "f:2:12: not valid YAML: unknown anchor 'a' referenced (an alias needs its '&' anchor further up; quote a text that begins with '*')"},
		"a block":             {"w:\n  text: >  # folded\n    a\n  b: |\n    c\n", ""},
		"stars":               {"w:\n  text: *bold*\n  a: 1\n", "f:2:9: not valid YAML: quote a text that begins with '*'"},
		"no bracket":          {"a:\n  color: [255, 0, 0\n  text: a\n", "f:2:10: not valid YAML: this bracket has no ]"},
		"another bracket":     {"a:\n  - {x: [1, 2}\n", "f:2:9: not valid YAML: this bracket has no ]"},
		"a hidden bracket":    {"a:\n  - {x: 1, text: Room #4}\n", "f:2:23: not valid YAML: a # behind a blank begins a comment, which hides the end of a bracket: quote the text"},
		"hidden further down": {"a:\n  - {x: \"[\", b: [\n      {text: Room #4},\n      {text: b}]}\n", "f:3:19: not valid YAML: a # behind a blank begins a comment, which hides the end of a bracket: quote the text"},
		"no blank":            {"a:\n  rows:2\n  columns: 1\n", "f:2:7: not valid YAML: a space is missing after the colon: write rows: 2"},
		"latin-1":             {"text: K\xfcche\n", "f:1:8: not valid YAML: the file is not UTF-8 text (save it as UTF-8; the sign here is of another encoding)"},
		"a cut text":          {"text: Room #4\n", "f:1:7: text: warning: the value ends before #4: in YAML a # behind a blank begins a comment; quote the text, or write a blank behind the #"},
		"a comment":           {"text: Room # 4\nother: a #\n", ""},
		"a quoted hash":       {"text: \"Room #4\"\n", ""},
	} {
		var r Report
		Parse("f", []byte(c.text), &r, nil)
		if got := strings.TrimSuffix(r.String(), "\n"); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
	var r Report
	Parse("f", []byte("text: K\xfcche\n"), &r, nil)
	var b strings.Builder
	if err := r.Pretty(&b, false); err != nil || !strings.Contains(b.String(), "text: Küche\n      |        ^") {
		t.Errorf("got %s", b.String())
	}
}

func TestNumbersWithUnits(t *testing.T) {
	for text, want := range map[string]string{
		"'2'":    `f:1:4: n: must be a whole number, not "2": it is in quotes; near: 2`,
		"40px":   `f:1:4: n: must be a whole number, not "40px": the unit is known; near: 40`,
		"2s":     `f:1:4: n: must be a whole number, not "2s": the unit is known; near: 2`,
		"5 min":  `f:1:4: n: must be a whole number, not "5 min"`,
		"plenty": `f:1:4: n: must be a whole number, not "plenty"`,
	} {
		var r Report
		var into struct {
			N int `yaml:"n"`
		}
		Parse("f", []byte("n: "+text), &r, nil).Decode(&into, &r, nil)
		if got := strings.TrimSuffix(r.String(), "\n"); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
