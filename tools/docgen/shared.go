package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
)

// sharedKey is the prefix of definitions for equal parts of a file.
const sharedKey = "same."

// minShared is the length from which a repeated part of JSON is written only once.
const minShared = 120

// A sharer finds parts of a schema that are equal.
type sharer struct {
	seen        map[string]int // number of occurrences of each part, by its JSON
	definitions schema
}

// share writes equal parts of a file once, as definitions, and refers to them. The names are made from the content, so that they
// stay when other definitions change.
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

// count counts a part, and the parts in it.
func (sh sharer) count(part schema) (any, error) {
	text, err := json.Marshal(part)
	if err != nil {
		return nil, err
	}
	sh.seen[string(text)]++
	return part, eachPart(part, sh.count)
}

// parts returns a copy of a schema that occurs often times. Parts that occur more often are replaced by references.
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
		name := fmt.Sprintf("%s%016x", sharedKey, h.Sum64())
		if sh.definitions[name] == nil {
			if sh.definitions[name], err = sh.parts(part, n); err != nil {
				return nil, err
			}
		}
		return schema{"$ref": "#/definitions/" + name}, nil
	})
}

// eachPart calls f for each of the schemas that a schema consists of.
func eachPart(s schema, f func(schema) (any, error)) error {
	_, err := mapParts(s, f)
	return err
}

// mapParts returns a copy of a schema in which f's result replaces each of the schemas that it consists of.
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

// mapPart returns f's result for a schema or for each of a list of schemas. A boolean stays.
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
