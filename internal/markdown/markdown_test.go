package markdown

import (
	"fmt"
	"strings"
	"testing"
)

// shown() returns the blocks of a text, one per line.
func shown(blocks []Block) string {
	var out []string
	for _, b := range blocks {
		s := fmt.Sprintf("%d", b.Kind)
		if b.Level > 0 {
			s += fmt.Sprint("h", b.Level)
		}
		s += strings.Repeat(">", b.Depth) + b.Mark
		if b.Quoted {
			s += "|"
		}
		s += []string{"", "[ ]", "[x]"}[b.Task] + " " + spans(b.Spans)
		for _, r := range b.Rows {
			for _, c := range r {
				s += "(" + spans(c.Spans) + ")"
			}
		}
		out = append(out, strings.TrimSpace(s))
	}
	return strings.Join(out, "\n")
}

func spans(all []Span) (s string) {
	for _, p := range all {
		for mark, on := range map[string]bool{"*": p.Italic, "`": p.Code, "~": p.Strike} {
			if on {
				s += mark
			}
		}
		if p.Bold {
			s += "**"
		}
		s += p.Text
		if p.Break {
			s += "/"
		}
	}
	return s
}

func TestParse(t *testing.T) {
	for _, tc := range []struct{ name, source, want string }{
		{"heading and text", "# Title\n\nSome **bold**, *soft* and `code`.", "1h1 Title\n0 Some **bold, *soft and `code."},
		{"soft and hard breaks", "one\ntwo  \nthree", "0 one two/three"},
		{"bullets", "- a\n- b\n  - c", "0>• a\n0>• b\n0>>• c"},
		{"numbers", "3. a\n4. b\n\n   more", "0>3 a\n0>4 b\n0> more"},
		{"tasks", "- [ ] a\n- [x] b", "0>•[ ] a\n0>•[x] b"},
		{"quote", "> said *she*", "0| said *she"},
		{"code", "```\na\n b\n```", "2 `a\n b"},
		{"rule", "a\n\n---\n\nb", "0 a\n3\n0 b"},
		{"table", "| a | b |\n|---|--:|\n| 1 | **2** |", "4 (a)(b)(1)(**2)"},
		{"link and picture", "[the shop](http://x/) ![alt](y.png) <http://z/>", "0 the shop alt http://z/"},
		{"html", "a <b>c</b>\n\n<script>x</script>", "0 a c"},
		{"strikethrough", "~~old~~ new", "0 ~old new"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := shown(Parse(tc.source)); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

// TestEscapesAndEntities checks that backslash escapes and entities become characters, except in code.
func TestEscapesAndEntities(t *testing.T) {
	for text, want := range map[string]string{
		`1 \* 2 \_ 3`:             "0 1 * 2 _ 3",
		"Tom &amp; Anna":          "0 Tom & Anna",
		"5 &lt; 6 &copy; &#8364;": "0 5 < 6 © €",
		`\&amp; C:\Users`:         `0 &amp; C:\Users`,
		"A & B; &nothing;":        "0 A & B; &nothing;",
		"`a \\* &amp;`":           "0 `a \\* &amp;",
	} {
		if got := shown(Parse(text)); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestParseIsBounded(t *testing.T) {
	for _, s := range []string{
		strings.Repeat("- a\n", 5000), strings.Repeat("> ", 4000) + "x", strings.Repeat("*a ", 9000), strings.Repeat("a", 1<<20),
		"|" + strings.Repeat("a|", 500) + "\n|" + strings.Repeat("-|", 500) + strings.Repeat("\n|"+strings.Repeat("b|", 500), 20), strings.Repeat("[", 30000),
		strings.Repeat("  ", 2000) + "- x", "\xff\xfe\x00",
	} {
		blocks := Parse(s)
		if len(blocks) > MaxBlocks {
			t.Errorf("%.10q: got %d blocks", s, len(blocks))
		}
		for _, b := range blocks {
			if len(b.Rows)*len(b.Aligns) > MaxCells || b.Depth > maxDepth {
				t.Errorf("%.10q: got %d rows of %d, depth %d", s, len(b.Rows), len(b.Aligns), b.Depth)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("# a\n- [x] b\n\n|a|b|\n|-|-|\n|1|2|")
	f.Fuzz(func(t *testing.T, s string) {
		if n := len(Parse(s)); n > MaxBlocks {
			t.Errorf("got %d blocks", n)
		}
	})
}
