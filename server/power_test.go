package server

import (
	"strings"
	"testing"
)

// TestPlainJSON checks the error messages for invalid bodies. They do not contain names of Go types.
func TestPlainJSON(t *testing.T) {
	for body, want := range map[string]string{
		``:                       "it ends too soon",
		`{"state":`:              "it ends too soon",
		`[]`:                     "this is another kind of value: array",
		`{"state":7}`:            "'state' is of the wrong kind, or out of range: number",
		`{"for":1e400}`:          "'for' is of the wrong kind, or out of range: number 1e400",
		`{"stat":"on"}`:          `unknown field "stat"`,
		`{"state":"on"}}`:        "there is more than one JSON object",
		`{"state":"on"}]`:        "there is more than one JSON object",
		`{"state":"on"} {}`:      "there is more than one JSON object",
		`{"state":"on","for":1}`: "",
	} {
		var in struct {
			State *string  `json:"state"`
			For   *float64 `json:"for"`
		}
		err := decodeObject([]byte(body+"\n"), &in)
		got := ""
		if err != nil {
			got = plainJSON(err)
		}
		if got != want || strings.Contains(got, "Go ") {
			t.Errorf("%s: %q, not %q", body, got, want)
		}
	}
}
