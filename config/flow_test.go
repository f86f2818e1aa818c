package config

import (
	"strings"
	"testing"
)

// TestFlow: a value is written on one line, without secrets and with at most the given number of characters.
func TestFlow(t *testing.T) {
	for yaml, want := range map[string]string{
		"a: {days: [mon-fri, sun], time: \"06:30-09:00\", is: }": "{days: [mon-fri, sun], time: 06:30-09:00, is: null}",
		"a: !data |\n  .bell\n  and true":                        "!data .bell and true",
		"a: [{is: !secret word}, on]":                            "[{is: a secret}, on]",
		"a: \"x\\e[31my\"":                                       "x [31my",
		"a: " + strings.Repeat("ä", 400):                         strings.Repeat("ä", 99) + "…",
		"a: [" + strings.Repeat("[b],", 400) + "]":               "[" + strings.Repeat("[b], ", 19) + "[b]…",
	} {
		n := Parse("a.yaml", []byte(yaml), &Report{}, func(string) (any, error) { return "geheim", nil })
		if got := n.Get("a").Flow(100); got != want {
			t.Errorf("%s: got %q, want %q", yaml, got, want)
		}
	}
	if got := (*Node)(nil).Flow(5); got != "null" {
		t.Errorf("nothing: got %q", got)
	}
}
