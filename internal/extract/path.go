package extract

import (
	"fmt"
	"strconv"
	"strings"
)

// A Path selects a part of a value: "a[0].b", "[0].title", "list[-1]". The zero value selects the whole value.
//
// Points separate the segments of a path. The text of a segment before its first "[" is the key of a mapping. Each "[" begins the index
// of a list element, and a negative index counts from the end of the list. The "]" is optional. A segment that begins with "[" has no
// key. A path cannot select a key that contains a point or a bracket.
type Path struct{ steps []step }

// A step selects a value one level below: a value in a mapping by its key, or a value in a list by its index.
type step struct {
	key     string
	index   int
	indexed bool
}

func (s step) String() string {
	if s.indexed {
		return fmt.Sprintf("[%d]", s.index)
	}
	return strconv.Quote(s.key)
}

// ParsePath reads a path. If a segment is not valid, the error names the segment.
func ParsePath(text string) (Path, error) {
	var p Path
	if text == "" {
		return p, nil
	}
	for part := range strings.SplitSeq(strings.ReplaceAll(text, "]", ""), ".") {
		key, rest, hasIndex := strings.Cut(part, "[")
		if key != "" || !hasIndex {
			p.steps = append(p.steps, step{key: key})
		}
		if !hasIndex {
			continue
		}
		for s := range strings.SplitSeq(rest, "[") {
			i, err := strconv.Atoi(strings.TrimSpace(s))
			if err != nil {
				return Path{}, fmt.Errorf("json path %q: segment %q: %q is not a place in a list", text, part, s)
			}
			p.steps = append(p.steps, step{index: i, indexed: true})
		}
	}
	return p, nil
}

// Key returns the first key of the path. If the path is empty or begins with an index, Key returns "".
func (p Path) Key() string {
	if len(p.steps) == 0 {
		return ""
	}
	return p.steps[0].key
}

// Apply follows the path from v. If a segment does not exist in the value, the error names the segment.
func (p Path) Apply(v any) (any, error) {
	for i, s := range p.steps {
		next, err := s.apply(v)
		if err != nil {
			return nil, fmt.Errorf("json path segment %d, %s: %w", i+1, s, err)
		}
		v = next
	}
	return v, nil
}

func (s step) apply(v any) (any, error) {
	if !s.indexed {
		return field(v, s.key)
	}
	switch v := v.(type) {
	case []any:
		i, err := place(s.index, len(v))
		if err != nil {
			return nil, err
		}
		return v[i], nil
	case string: // a text is a list of its characters
		r := []rune(v)
		i, err := place(s.index, len(r))
		if err != nil {
			return nil, err
		}
		return string(r[i]), nil
	}
	return nil, fmt.Errorf("%s has no places", kind(v))
}

func field(v any, key string) (any, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s has no keys", kind(v))
	}
	e, ok := m[key]
	if !ok {
		return nil, fmt.Errorf("no such key%s", present(m))
	}
	return e, nil
}

// Maximum number of keys that an error lists, and maximum length of each key in characters.
const maxPresent, maxKeyRunes = 12, 40

// present() lists the keys of a mapping for an error message.
func present(m map[string]any) string {
	if len(m) == 0 {
		return ""
	}
	keys, more := KeysOf(m), ""
	if len(keys) > maxPresent {
		more = fmt.Sprintf(" and %d more", len(keys)-maxPresent)
		keys = keys[:maxPresent]
	}
	for i, k := range keys {
		if r := []rune(k); len(r) > maxKeyRunes {
			keys[i] = string(r[:maxKeyRunes]) + "…"
		}
	}
	return "; the answer has " + strings.Join(keys, ", ") + more
}

// place() returns the position of the list element with the index i. A negative i counts from the end. n is the length of the list.
func place(i, n int) (int, error) {
	at := i
	if at < 0 {
		at += n
	}
	if at < 0 || at >= n {
		return 0, fmt.Errorf("out of range, the list has %d", n)
	}
	return at, nil
}

// kind() returns the name of v's JSON type.
func kind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a text"
	case []any:
		return "a list"
	case map[string]any:
		return "a mapping"
	}
	return "a number"
}
