package config

import (
	"fmt"
	"strings"
	"testing"

	"dashboard/internal/testing/race"
	"dashboard/internal/testing/thorough"
)

// TestBounds parses hostile files. Without limits, parsing the first two files would take years.
func TestBounds(t *testing.T) {
	thorough.Only(t)
	var laughs strings.Builder
	laughs.WriteString("a0: &a0 [x, x]\n")
	for i := range 40 {
		fmt.Fprintf(&laughs, "a%d: &a%d [*a%d, *a%d, *a%d]\n", i+1, i+1, i, i, i)
	}
	var merges strings.Builder
	merges.WriteString("a0: &a0 {x: 1}\n")
	for i := range 40 {
		fmt.Fprintf(&merges, "a%d: &a%d {<<: [*a%d, *a%d, *a%d]}\n", i+1, i+1, i, i, i)
	}
	var keys strings.Builder
	for i := range maxNodes - 10 {
		if !race.Left(i, 10) {
			fmt.Fprintf(&keys, "k%d:\n", i)
		}
	}
	tests := []struct{ name, file, want string }{
		{"aliases", laughs.String(), "aliases written out"},
		{"merges", merges.String(), "aliases written out"},
		{"flow depth", strings.Repeat("[", maxDepth+2) + strings.Repeat("]", maxDepth+2), "nested deeper than 200 levels"},
		{"extreme flow depth", strings.Repeat("[", 1<<20), "not valid YAML"},
		{"many values", strings.Repeat("- a\n", maxNodes), "more than 200000 values"},
		{"many keys", keys.String(), ""},
		{"control character", "a: \x01", "control characters"},
		{"not UTF-8", "a: ä\nbc: \xff\xff", "f:2:5: not valid YAML: the file is not UTF-8"},
		{"UTF-16 is read", "\xff\xfea\x00:\x00 \x001\x00", ""},
	}
	for i, test := range tests {
		if race.Left(i, 3) {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			var r Report
			n := Parse("f", []byte(test.file), &r, nil)
			if test.want == "" {
				if n.Kind() != Map || r.Failed() {
					t.Errorf("got %v, %v, want a mapping", n.Kind(), r.Err())
				}
				return
			}
			if err := r.Err(); n != nil || err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, %.200v, want an error with %q", n.Value(), err, test.want)
			}
		})
	}
}

func TestReportIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("graphics: {resolution: [1, 1]}\n")
	for i := range maxDiagnostics + 50 {
		fmt.Fprintf(&b, "wrong%d: 1\n", i)
	}
	var r Report
	confOf(Parse("c", []byte(b.String()), &r, nil), &r)
	if got := len(r.Diagnostics()); got != maxDiagnostics {
		t.Errorf("got %d diagnostics, want %d", got, maxDiagnostics)
	}
	if err := r.Err(); !strings.HasSuffix(err.Error(), "\nand 50 more") {
		t.Errorf("got %v, want the number left out at the end", err)
	}
}

// FuzzLoad loads any bytes as each kind of file. Loading must not panic, must not accept a file
// with an unresolved token or secret, and must report every error with its position.
func FuzzLoad(f *testing.F) {
	for _, s := range []string{
		"graphics: {resolution: [480, 320]}\nlogging: {}\noutputs: [{type: window}, {type: post, url: 'http://x'}]",
		"server: {url: 'http://x'}\ngraphics: {resolution: [1, 1]}\noutputs: [{type: window}]",
		"providers: {a: {type: rest}}", "widgets: [{widget: grid, children: [{widget: text}]}]",
		"a: &a [*a]", "<<: {a: 1}", "? {a: b}\n: 1\n<<: {c: 1}", "a: !secret x", "a: !color b", "---\n---\n", "a: 8:00", "a: \"\\x", "!!set {a}", "- - - -", "a: #fff",
		"{a: 1, a: 2}", "*a", "&a", "!", "!!", "%", "\t", "a:\n\t- b", "[", "\ufeffa: 1", "a: |\n  x", "a: 0x_", "<<: *x",
	} {
		f.Add([]byte(s))
	}
	secrets := func(name string) (any, error) { return map[string]any{"a": []any{1, "x", nil, 1.5, true}}, nil }
	f.Fuzz(func(t *testing.T, data []byte) {
		var r Report
		n := Parse("f", data, &r, secrets)
		if n == nil && !r.Failed() {
			t.Fatal("nothing was read and nothing said")
		}
		if n == nil {
			checkPlaces(t, &r, data)
			return
		}
		if w := Tree(n, &r, nil); w != nil {
			outline(w.Children[0])
		}
		if n = rejectTokens(n, &r); n.Kind() == Map {
			confOf(n, &r)
			c := &Client{}
			n.Decode(c, &r, nil)
			c.window(&r)
			ProvidersOf(n.Get("providers"), &r, nil)
		}
		checkPlaces(t, &r, data)
	})
}

func checkPlaces(t *testing.T, r *Report, data []byte) {
	lines := strings.Count(string(plainBreaks(data)), "\n") + 1
	for _, d := range r.Diagnostics() {
		if d.Line < 1 || d.Column < 1 || d.Line > lines+1 {
			t.Errorf("%q has no place in %d lines", d, lines)
		}
	}
	if _, err := r.JSON(); err != nil {
		t.Error(err)
	}
}
