package config

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"dashboard/internal/spelling"
)

// otherNames maps names of keys in other programs to our keys. If a name stands for several of our keys, the first of them that is valid
// in the mapping is suggested. Spaces separate these keys.
var otherNames = map[string]string{
	"interval":  "update_interval refresh min_interval dwell",
	"refresh":   "update_interval",
	"every":     "update_interval refresh",
	"path":      "json_path",
	"jq":        "jq_expression",
	"format":    "format_string time",
	"user":      "username",
	"folder":    "path output_path",
	"directory": "path output_path",
	"dir":       "path output_path",
	"file":      "path",
	"address":   "url",
	"uri":       "url",
	"link":      "url",
	"src":       "url path",
	"label":     "title text",
	"caption":   "title text",
	"heading":   "title",
	"content":   "text",
	"font_size": "text_size",
	"tz":        "timezone",
	"time_zone": "timezone",
	"lat":       "latitude",
	"lon":       "longitude",
	"lng":       "longitude",
	"brokers":   "url",
	"url":       "broker",
	"max_items": "limit",
	"count":     "limit",
}

// nearKey returns the valid key that the user probably meant by an unknown key. `known` lists the valid keys. If the unknown key belongs to
// another program, the result is our key for it. Otherwise it is the most similar valid key, or our key for the most similar key of another
// program. If there is no such key, nearKey returns "".
func nearKey(key string, known []string) string {
	others := slices.Sorted(maps.Keys(otherNames))
	return cmp.Or(usualKey(key, known), spelling.Nearest(key, known), usualKey(spelling.Nearest(key, others), known))
}

// usualKey returns our valid key for a key that other programs use. `known` lists the valid keys. If there is no such key, usualKey returns
// "".
func usualKey(key string, known []string) string {
	for _, ours := range strings.Fields(otherNames[key]) {
		if slices.Contains(known, ours) {
			return ours
		}
	}
	return ""
}

// digits matches the digits after a decimal comma, with a unit.
var digits = regexp.MustCompile(`^[0-9]+[a-z%]*$`)

// elsewhere() returns an explanation of the unknown key p. It recognizes the digits after a decimal
// comma, and a key that belongs to the entries of a list. For other keys it returns "".
func elsewhere(p Pair, n *Node, fields []Field) string {
	if p.Value.Kind() == Null && digits.MatchString(p.Key) {
		if before := previousPair(n, p); before.Value.Kind() == Int {
			if slices.ContainsFunc(fields, func(f Field) bool { return f.Name == before.Key && f.Type == "integer" }) {
				return fmt.Sprintf(": a comma ends a number in braces: %s must be a whole number", before.Key)
			}
			return fmt.Sprintf(takesDot+": write %s: %s.%s", before.Key, before.Value.Text(), p.Key)
		}
	}
	for _, f := range fields {
		inside := entryFields(f)
		if !hasField(inside, p.Key) {
			continue
		}
		var parts []string
		for _, inner := range inside {
			if inner.Required && inner.Name != p.Key {
				parts = append(parts, inner.Name+": …")
			}
		}
		return fmt.Sprintf(": it is a key of the entries of %[1]s: write %[1]s: [{%[2]s}]", f.Name, strings.Join(append(parts, p.Key+": …"), ", "))
	}
	return ""
}

// previousPair returns the entry before p in a mapping, or an empty Pair.
func previousPair(n *Node, p Pair) (before Pair) {
	for _, q := range n.pairs {
		if q.At == p.At {
			return before
		}
		before = q
	}
	return Pair{}
}

// entryFields returns the fields of the mappings in a list. If f is not a list of mappings, it returns nil.
func entryFields(f Field) []Field {
	if f.GoType.Kind() != reflect.Slice {
		return nil
	}
	if t := innermost(f.GoType); !isSetter(t) && !isNode(t) && t.Kind() == reflect.Struct {
		return fieldsOf(t, nil, 1)
	}
	return nil
}

// noColon returns an explanation if the user has forgotten the colon: p has no value, and its key consists of a known key and a value,
// such as "area month".
func noColon(p Pair, known []string) string {
	at := strings.IndexAny(p.Key, " :")
	if p.Value.Kind() != Null || at < 0 || !slices.Contains(known, p.Key[:at]) {
		return ""
	}
	return fmt.Sprintf(": write %s: %s, with a colon and a space", p.Key[:at], strings.TrimLeft(p.Key[at:], " :"))
}

// noQuotes returns an explanation if a comma has probably ended an unquoted text in braces: p has no value, and a text is before p on the
// same line, such as `text: Hello, please`.
func noQuotes(p Pair, n *Node) string {
	before := previousPair(n, p)
	if p.Value.Kind() != Null || before.Value.Kind() != String || before.Value.Line() != p.At.Line() {
		return ""
	}
	return fmt.Sprintf(": a comma ends a text in braces: write %s: \"…, %s\"", before.Key, p.Key)
}

func hasField(fields []Field, key string) bool {
	return slices.ContainsFunc(fields, func(f Field) bool { return f.Name == key })
}
