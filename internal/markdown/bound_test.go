package markdown

import (
	"runtime"
	"strings"
	"testing"
)

// full() repeats `part` up to the maximum length of a text.
func full(part string) string { return strings.Repeat(part, MaxBytes/len(part)) }

// Some texts would take a parser gigabytes of memory or minutes of time. Parse needs only a little memory for them. Examples are tables
// with many columns and rows, nested quotes, and a paragraph of many lines.
func TestParseTakesNoLonger(t *testing.T) {
	const most = 64 << 20
	for name, s := range map[string]string{
		"table":            strings.Repeat("a|", 6000) + "\n" + strings.Repeat("-|", 6000) + "\n" + full("a\n"),
		"table in a quote": "> " + strings.Repeat("a|", 6000) + "\n> " + strings.Repeat("-|", 6000) + "\n" + full("> a\n"),
		"table behind one": "|-|\n" + strings.Repeat("a|", 6000) + "\n" + strings.Repeat("-|", 6000) + "\n" + full("a\n"),
		"lines":            full("a\n"), "lazy lines": full("> a\nb\n"), "quotes": full("> "), "lists": full("- "), "numbers": full("1. "),
		"both": full("> - "), "close": full(">"), "emphasis": full("*a **b _"), "links": full("[a]("), "images": full("![a"), "codes": full("`a``b"),
		"struck": full("~a ~~b"), "tags": full("<a "), "word": full("a"),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if got := len(Parse(s)); got > MaxBlocks {
			t.Errorf("%s: got %d blocks", name, got)
		}
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > most {
			t.Errorf("%s: it took %d MiB, want %d at most", name, got>>20, most>>20)
		}
	}
}

// A harmless text is parsed unchanged. In a hostile text, the expensive part is left out.
func TestBounded(t *testing.T) {
	deep := strings.Repeat("> - ", 2*maxMarkers)
	for name, tt := range map[string]struct{ in, want string }{
		"usual":     {"# a\n\n- b *c*\n  1. d\n\n> e\n\n|f|g|\n|-|-|\n|1|2|\n\n```\n- - -\n```\nno end", ""},
		"rule":      {"- - - - -\n* * *\n---\n2026-11-22\n3.5 l\n-7\n", ""},
		"deep":      {deep + "a\nb\n", deep[:2*maxMarkers] + "\nb\n"},
		"numbered":  {strings.Repeat("12) ", maxMarkers+1), strings.Repeat("12) ", maxMarkers) + "\n"},
		"rows":      {"a|" + strings.Repeat("b|", 99) + "\n" + strings.Repeat("-|", 100) + "\n1\n2\n3\n4\n\n5\n", "a|" + strings.Repeat("b|", 99) + "\n" + strings.Repeat("-|", 100) + "\n1\n2\n3\n\n5\n"},
		"signs":     {strings.Repeat("*", maxSigns+1), strings.Repeat("*", maxSigns) + "\n\n*"},
		"few signs": {strings.Repeat("*", maxSigns-1) + "\n\n*", ""},
	} {
		want := tt.want
		if want == "" {
			want = tt.in
		}
		if got := string(bounded([]byte(tt.in))); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
