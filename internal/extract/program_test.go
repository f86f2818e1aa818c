package extract

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestReads(t *testing.T) {
	for _, tc := range []struct {
		source string
		keys   string
		all    bool
		names  string // expected result of Names: "" for the same as keys, "-" for none
	}{
		{".machine.load1", "machine", false, ""},
		{`.["living-room"].temp`, "living-room", false, ""},
		{`.homeassistant["sensor.pv"].state`, "homeassistant", false, ""},
		{".a[0].b + .c[-1]", "a c", false, ""},
		{".a | .b", "a", false, ""},
		{". | .b", "b", false, ""},
		{"(.a, .b) | .c", "a b", false, ""},
		{`"\(.a) of \(.b.c)"`, "a b", false, ""},
		{"[.a.l[] | select(.on) | .name]", "a", false, ""},
		{"select(.a.on) | .b", "a b", false, ""},
		{"if .a then .b elif .c then .d else .e end", "a b c d e", false, ""},
		{"if .a then . else {} end | .b", "a b", false, "a"},
		{".a as $x | .b + $x", "a b", false, ""},
		{"{a, x: .b, \"c\": 1, (.d): 2}", "a b d", false, ""},
		{"reduce .a[] as $v (0; . + $v)", "a", false, ""},
		{"foreach .a[] as $v (0; . + $v; [$v, .])", "a", false, ""},
		{".a.b // .c", "a c", false, ""},
		{"try .a catch .message", "a", false, ""},
		{"def f(g): g + 1; f(.a)", "a", true, "-"},
		{"def f: .x; .a | f", "x a", false, "a"},
		{"any(.a[]; .on)", "a", false, ""},
		{"first(.a[])", "a", false, ""},
		{"first(.) | .a", "a", false, ""},
		{"first(.)", "", true, ""},
		{"now", "", false, ""},
		{"1 + 1", "", false, ""},
		{".living-room", "living", true, ""},
		{".", "", true, ""},
		{"keys", "", true, ""},
		{".[.a]", "a", true, ""},
		{".[]", "", true, ""},
		{". as $x | $x.a", "", true, ""},
		{"to_entries | map(.key)", "", true, ""},
		{"..", "", true, ""},
		{".a = 1", "a", true, ""},
		{"with_entries(.value) | .a", "value", true, "-"},
	} {
		p, err := Compile(tc.source)
		if tc.source == "now" || tc.source == ".living-room" {
			if err == nil || !strings.Contains(err.Error(), map[string]string{"now": ".now", ".living-room": "room"}[tc.source]) {
				t.Errorf("%s: got %v", tc.source, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tc.source, err)
			continue
		}
		keys, all := p.Reads()
		if strings.Join(keys, " ") != tc.keys || all != tc.all {
			t.Errorf("%s: reads %v, all %v, want %s, %v", tc.source, keys, all, tc.keys, tc.all)
		}
		want := strings.Fields(tc.keys)
		if tc.names != "" {
			want = strings.Fields(strings.ReplaceAll(tc.names, "-", ""))
		}
		if !slices.Equal(p.Names(), want) && len(want)+len(p.Names()) > 0 {
			t.Errorf("%s: names %v, want %v", tc.source, p.Names(), want)
		}
	}
}

// A program that gets only the keys that it reads has the same result as with the whole input.
func TestReadsAreEnough(t *testing.T) {
	input := map[string]any{"a": map[string]any{"on": true, "l": []any{map[string]any{"on": true, "name": "x"}, map[string]any{"name": "y"}}}, "b": map[string]any{"c": 2}, "c": 3, "d": "k"}
	for _, source := range []string{
		".a.l[0].name", ".a.l[-1].name", ".a.l[9]", ".none.at.all", ".c.d", ".a.l.x", "[.a.l[] | select(.on) | .name]", "select(.a.on) | .b.c", `"\(.c) \(.b.c)"`, "{c, x: .b.c, (.d): 1}",
		"keys", "length", "to_entries | map(.key)", ". as $x | $x.b.c", "if .a.on then . else {} end | .c", "def f: .c; f + 1", "def g(h): .b | h; g(.c)", "[.[] | type]", "any(.a.l[]; .on)",
		"map_values(type)", "del(.a) | keys", "reduce .a.l[] as $i (.c; . + 1)", "with_entries(select(.key == \"c\")) | .c", "[paths] | length", ".c as $n | [limit($n; .a.l[])] | length",
		"label $f | .c, break $f", "[.a, .b] | length", "(.a | .on) and (.c == 3)", "-(.c)", "try error(.d) catch .", "getpath([\"b\",\"c\"])", "recurse | numbers",
	} {
		p, err := Compile(source)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		keys, all := p.Reads()
		some := map[string]any{}
		for k, v := range input {
			if all || slices.Contains(keys, k) {
				some[k] = v
			}
		}
		want, wantErr := p.Run(t.Context(), input)
		got, gotErr := p.Run(t.Context(), some)
		if !reflect.DeepEqual(got, want) || (gotErr == nil) != (wantErr == nil) {
			t.Errorf("%s: with %v got %v, %v, want %v, %v", source, keys, got, gotErr, want, wantErr)
		}
	}
}

// A plain path is followed without jq. Its result is the same as jq's.
func TestPathsAreFollowed(t *testing.T) {
	input := map[string]any{"a": map[string]any{"b c": []any{1, "x", nil}, "n": nil, "s": "text"}}
	for _, source := range []string{`.a["b c"][0]`, `.a."b c"[1]`, ".a.n.x", ".a.n[3]", `.a["b c"][-1]`, `.a["b c"][7]`, ".a.s.x", ".a[0]", `.a["b c"].x`, ".z", `.["a"].s`, ".a.s[0]"} {
		p, err := Compile(source)
		if err != nil {
			t.Fatal(err)
		}
		if p.steps == nil {
			t.Errorf("%s is not followed", source)
			continue
		}
		got, gotErr := p.Run(t.Context(), input)
		p.steps = nil
		want, wantErr := p.Run(t.Context(), input)
		if !reflect.DeepEqual(got, want) || (gotErr == nil) != (wantErr == nil) {
			t.Errorf("%s: got %v, %v, jq gives %v, %v", source, got, gotErr, want, wantErr)
		}
	}
	p, err := Compile(`.a["b c"][0]`)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { p.Run(t.Context(), input) }); n > 0 {
		t.Errorf("a path allocates %v times", n)
	}
}

func TestProgramsOfAWallHaveNoClock(t *testing.T) {
	for _, source := range []string{"now - 3", "env.HOME", "$ENV.HOME", "input", "[inputs]", ".a |", "nosuch(.a)", "debug"} {
		if _, err := Compile(source); err == nil {
			t.Errorf("%s was taken", source)
		}
	}
	if p, err := Compile("def now: 3; now + .a"); err != nil {
		t.Error(err)
	} else if v, err := p.Run(t.Context(), map[string]any{"a": 1}); v != 4 || err != nil {
		t.Errorf("got %v, %v", v, err)
	}
	if p, err := Compile("empty"); err != nil {
		t.Error(err)
	} else if v, err := p.Run(t.Context(), nil); v != nil || err != nil {
		t.Errorf("no result: got %v, %v, want null", v, err)
	}
}

// TestSyntaxErrors checks that a syntax error in a program names the place and the remedy.
func TestSyntaxErrors(t *testing.T) {
	for source, want := range map[string]string{
		".a |":               "jq: the program ends too early: add what belongs after its last operator, or the closing bracket",
		"[.a, (.b":           "jq: the program ends too early: add what belongs after its last operator, or the closing bracket",
		`.a["b`:              `jq: a text has no end: add the closing "`,
		`"ö" + ) + .a`:       `jq: unexpected token ")" at character 7`,
		".x.living-room + 1": `jq: function not defined: room/0: a minus in a name subtracts: write .["living-room"]`,
		".a-b.c-d | nope":    `jq: function not defined: d/0: a minus in a name subtracts: write .["c-d"]`,
		".a-1 | nope":        `jq: function not defined: nope/0`,
		".a ? 1 : 2":         `jq: unexpected token "1" at character 6`,
	} {
		if _, err := Compile(source); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", source, err, want)
		}
		if _, err := New("", source); err == nil || !strings.HasSuffix(err.Error(), strings.TrimPrefix(want, "jq: ")) {
			t.Errorf("%s: got %v, want %s", source, err, want)
		}
	}
}

// TestParts checks the keys that a program reads from a key's value. The keys are known only if the program names all of them.
func TestParts(t *testing.T) {
	for source, want := range map[string]string{
		`.h["sensor.a"].state`:               "sensor.a",
		`.h["a"].x + .h.b.y`:                 "a b",
		`.["h"]["a"]`:                        "a",
		`.h["a"] as $e | $e.state`:           "a",
		`[.h.a, .h["b"]] | add`:              "a b",
		`if .h.a.on then .h.b else .h.c end`: "a b c",
		`.h | .["a"]`:                        "-",
		`.h`:                                 "-",
		`.h[]`:                               "-",
		`.h | keys`:                          "-",
		`{h}`:                                "-",
		`.h.a + (.h | length)`:               "-",
		`.h[.x]`:                             "-",
		`.h["a\(.x)"]`:                       "-",
		`.h[0]`:                              "-",
		`.h as $h | $h.a`:                    "-",
		`. | keys, .h.a`:                     "-",
		`.h.a = 1`:                           "-",
		`.h?.a`:                              "-",
		`def f: .h; f.a`:                     "-",
		`path(.h.a)`:                         "-",
		`.x`:                                 "-",
		`reduce .h.a[] as $v (0; . + $v)`:    "a",
		`[.h.a, .h.b] | map(select(.on)) | length`:        "a b",
		`"\(.h.a.state) of \(.h["b"].state)"`:             "a b",
		`.h["a"].attributes.forecast[0].temperature`:      "a",
		`(.h.a // .h.b).state`:                            "a b",
		`first(.h.a, .h.b)`:                               "a b",
		`try .h.a catch .h.b`:                             "a",
		`.h.a | select(.on) | .state`:                     "a",
		`.now - .h.a.last_changed`:                        "a",
		`[.h["a", "b"]]`:                                  "-",
		`. as {h: $x} | $x.a`:                             "-",
		`getpath(["h", "a"])`:                             "-",
		`.h.a.state as $s | .x | if . then $s else 1 end`: "a",
	} {
		p, err := Compile(source)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		got := "-"
		if parts, ok := p.Parts("h"); ok {
			got = strings.Join(parts, " ")
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", source, got, want)
		}
	}
}
