package value

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"dashboard/config"
)

// TestSchemasOfLists: the schema accepts a single entry and a list of entries, but not an empty list.
func TestSchemasOfLists(t *testing.T) {
	for name, tt := range map[string]struct {
		of  config.Describer
		one string
	}{
		"windows": {(*Windows)(nil), `"22:00-06:00"`}, "spans": {(*Spans)(nil), `"12-24 - 01-06"`}, "days": {(*Days)(nil), `"mon"`},
	} {
		text, err := json.Marshal(tt.of.JSONSchema())
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("x.json", doc); err != nil {
			t.Fatal(err)
		}
		s, err := c.Compile("x.json")
		if err != nil {
			t.Fatal(err)
		}
		for given, want := range map[string]bool{tt.one: true, "[" + tt.one + "]": true, "[" + tt.one + "," + tt.one + "]": true, "[]": false, "7": false} {
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(given))
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Validate(v); (err == nil) != want {
				t.Errorf("%s: %s: got %v, want valid %v", name, given, err, want)
			}
		}
	}
}
