package trmnl

import (
	"strings"
	"testing"
)

// What a device says of itself is shown as far as it can be: printable ASCII, both of its ends.
func TestWord(t *testing.T) {
	long := strings.Repeat("x", maxWord)
	for s, want := range map[string]string{" a~": " a~", "\x1f\x7fo\ng\tü": "og", long: long, long + "y": long} {
		if got := word(s); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}
