package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// If a schema occurs several times, also inside other schemas, it is written once. Short parts do not change. If a key of a file has the
// same name as a keyword of JSON Schema, it does not change either.
func TestShare(t *testing.T) {
	color := func() schema { return schema{"type": "string", "pattern": strings.Repeat("c", minShared)} }
	pair := func() schema {
		return schema{"type": "object", "properties": schema{"items": color(), "anyOf": schema{"type": "number"}}}
	}
	s, err := share(schema{
		"definitions": schema{"own": schema{"type": "null"}},
		"properties":  schema{"a": pair(), "b": pair(), "c": schema{"anyOf": []any{color(), schema{"type": "number"}}}, "d": schema{"type": "number"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	for part, want := range map[string]int{"ccc" + strings.Repeat("c", minShared-3): 1, `"anyOf":{"type":"number"}`: 1, `"d":{"type":"number"}`: 1, `"own":{"type":"null"}`: 1, `"$ref":"#/definitions/same.`: 4} {
		if got := strings.Count(string(text), part); got != want {
			t.Errorf("got %s %d times, want %d:\n%s", part, got, want, text)
		}
	}
	defs := s["definitions"].(schema)
	ref, _ := strings.CutPrefix(s["properties"].(schema)["a"].(schema)["$ref"].(string), "#/definitions/")
	if _, ok := defs[ref].(schema)["properties"].(schema)["items"].(schema)["$ref"]; !ok || len(defs) != 3 {
		t.Errorf("the color of a pair is not shared:\n%s", text)
	}
}

// The schemas are short, because the program contains them.
func TestSchemasAreShort(t *testing.T) {
	texts, err := schemaTexts()
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for path, text := range texts {
		if !strings.HasSuffix(path, "/icons.json") { // a list of 7,400 names, which packs well
			sum += len(text)
		}
	}
	if sum > 700_000 {
		t.Errorf("got %d bytes of schemas, want at most 700,000", sum)
	}
}
