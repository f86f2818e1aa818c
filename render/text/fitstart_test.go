package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFitStart(t *testing.T) {
	c := NewCache(1 << 20)
	f := freeSans(t)
	wide := func(s string) int {
		var l Line
		c.Shape(&l, f, 20, s)
		return l.Width()
	}
	for _, tt := range []struct {
		name, s, tail string
		width         int
		want          string
	}{
		{"all of it", "Hello", "", 1000, "Hello"},
		{"nothing", "Hello", "", 1, ""},
		{"an empty text", "", "…", 100, ""},
		{"exactly", "Hello", "", wide("Hell"), "Hell"},
		{"a pixel less", "Hello", "", wide("Hell") - 1, "Hel"},
		{"the tail counts", "Hello", "…", wide("Hell…"), "Hell"},
		{"an accent stays with its letter", "xe\u0301", "", wide("xe") - 1, "x"},
		{"a flag stays whole", "x🇩🇪", "", wide("x") + 1, "x"},
		{"broken letters", "ab\xff\xfecd", "", wide("a"), "a"},
	} {
		if got := tt.s[:c.FitStart(f, 20, tt.s, tt.tail, tt.width)]; got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// FitStart reads only the start of a very long text, and does not cut the text within a letter.
func TestFitStartOfALongText(t *testing.T) {
	c := NewCache(1 << 20)
	for _, s := range []string{strings.Repeat("x", 1<<20), "x" + strings.Repeat("é", 1<<19)} {
		n := c.FitStart(freeSans(t), 20, s, "…", 1<<20)
		if n > maxFit || n < maxFit-utf8.UTFMax || !utf8.RuneStart(s[n]) {
			t.Errorf("got %d bytes, want at most %d that end between two letters", n, maxFit)
		}
	}
}
