package trmnl

import (
	"strings"
	"testing"
)

// Texts of a device are cut to printable ASCII.
func TestWord(t *testing.T) {
	long := strings.Repeat("x", maxWord)
	for s, want := range map[string]string{" a~": " a~", "\x1f\x7fo\ng\tü": "og", long: long, long + "y": long} {
		if got := word(s); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}
