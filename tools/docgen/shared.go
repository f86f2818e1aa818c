package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
)

// sharedKey is the prefix of the names of definitions for parts of a schema that occur several times.
const sharedKey = "same."

// minShared is the minimum length of the JSON of a part that becomes a definition.
const minShared = 120

// A sharer finds equal parts of a schema.
type sharer struct {
	seen        map[string]int // how often each part occurs, by its JSON
	definitions schema
}

// share moves parts of a schema that occur several times to definitions, and puts references in their places. The name of a definition is
// a hash of its content. So the name does not change when other definitions change.
func share(s schema) (schema, error) {
	sh := sharer{seen: map[string]int{}, definitions: schema{}}
	if err := eachPart(s, sh.count); err != nil {
		return nil, err
	}
	out, err := sh.parts(s, 1)
	if err != nil || len(sh.definitions) == 0 {
		return out, err
	}
	if own, ok := out["definitions"].(schema); ok {
		for name, d := range own {
			sh.definitions[name] = d
		}
	}
	out["definitions"] = sh.definitions
	return out, nil
}

// count counts a part and all parts inside it.
func (sh sharer) count(part schema) (any, error) {
	text, err := json.Marshal(part)
	if err != nil {
		return nil, err
	}
	sh.seen[string(text)]++
	return part, eachPart(part, sh.count)
}

// parts() returns a copy of the schema s. `often` is the number of times that s occurs. Parts of s that occur more often are replaced by
// references.
func (sh sharer) parts(s schema, often int) (schema, error) {
	return mapParts(s, func(part schema) (any, error) {
		text, err := json.Marshal(part)
		if err != nil {
			return nil, err
		}
		n := sh.seen[string(text)]
		if n <= often || len(text) < minShared {
			return sh.parts(part, often)
		}
		h := fnv.New64a()
		h.Write(text)
		name := fmt.Sprintf("%s%010x", sharedKey, h.Sum64()>>24) // 40 bits
		if sh.definitions[name] == nil {
			if sh.definitions[name], err = sh.parts(part, n); err != nil {
				return nil, err
			}
		}
		return schema{"$ref": "#/definitions/" + name}, nil
	})
}

// eachPart calls f for every schema directly inside s.
func eachPart(s schema, f func(schema) (any, error)) error {
	_, err := mapParts(s, f)
	return err
}

// mapParts returns a copy of s, in which every schema directly inside s is replaced by the result of f.
func mapParts(s schema, f func(schema) (any, error)) (schema, error) {
	out := schema{}
	for key, value := range s {
		var err error
		switch key {
		case "properties", "definitions":
			out[key], err = mapValues(value, f)
		case "items", "additionalProperties", "then", "anyOf", "allOf":
			out[key], err = mapPart(value, f)
		default:
			out[key] = value
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func mapValues(named any, f func(schema) (any, error)) (any, error) {
	out := schema{}
	for name, part := range named.(schema) {
		var err error
		if out[name], err = mapPart(part, f); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// mapPart returns the result of f for a schema, or for each schema in a list. It returns a boolean unchanged.
func mapPart(part any, f func(schema) (any, error)) (any, error) {
	switch part := part.(type) {
	case schema:
		return f(part)
	case []any:
		out := make([]any, len(part))
		for i, p := range part {
			var err error
			if out[i], err = mapPart(p, f); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return part, nil
}
