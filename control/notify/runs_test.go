package notify

import (
	"strings"
	"testing"
)

func TestRuns(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"plain", "plain"},
		{"a **b** c", "a <b>b</b> c"},
		{"*a* _b_", "<i>a</i> <i>b</i>"},
		{"***a***", "<b><i>a</i></b>"},
		{"**a *b* c**", "<b>a </b><b><i>b</i></b><b> c</b>"},
		{"snake_case_name", "snake_case_name"},
		{"2 * 3 * 4", "2 * 3 * 4"},
		{"**open", "**open"},
		{`\*a\*`, "*a*"},
		{"`a*b*`", "a*b*"},
		{"[text](http://h/x)", "text"},
		{"[text] (x)", "[text] (x)"},
		{"", ""},
	} {
		var b strings.Builder
		for _, r := range Runs(tc.in) {
			s := r.Text
			if r.Italic {
				s = "<i>" + s + "</i>"
			}
			if r.Bold {
				s = "<b>" + s + "</b>"
			}
			b.WriteString(s)
		}
		if b.String() != tc.want {
			t.Errorf("%q: got %q, want %q", tc.in, b.String(), tc.want)
		}
	}
}

func FuzzRuns(f *testing.F) {
	for _, s := range []string{"**a** _b_", "***", "[a](b)", "`", "\\", "*a*b*", "é*é*"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n := 0
		for _, r := range Runs(s) {
			n += len(r.Text)
			if r.Text == "" {
				t.Fatal("an empty run")
			}
		}
		if n > len(s) {
			t.Fatalf("%q became longer", s)
		}
	})
}
