package format

import (
	"encoding/json"
	"slices"
)

// maxMembers is the maximum number of a mapping's members that are written as text. More members do not fit into MaxShown bytes, because
// each member needs at least four bytes.
const maxMembers = MaxShown / 4

// appendJSON appends a list or a mapping as JSON. It stops soon after it has appended `room` bytes, because a service may send very long
// values. If JSON cannot represent a value, such as NaN, it returns an error.
func appendJSON(dst []byte, v any, room int) ([]byte, error) {
	end, err := len(dst)+room, error(nil)
	switch v := v.(type) {
	case []any:
		dst = append(dst, '[')
		for i := 0; i < len(v) && len(dst) <= end; i++ {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = appendJSON(dst, v[i], end-len(dst)); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	case map[string]any:
		return appendMembers(dst, v, end)
	case string:
		data, err := json.Marshal(v[:min(len(v), max(room, 0)+1)])
		return append(dst, data...), err
	}
	data, err := json.Marshal(v)
	return append(dst, data...), err
}

// appendMembers appends the members of a mapping, sorted by key. It stops soon after dst is longer than `end` bytes.
func appendMembers(dst []byte, m map[string]any, end int) ([]byte, error) {
	dst = append(dst, '{')
	for i, key := range firstKeys(m) {
		if len(dst) > end {
			break
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendJSON(dst, key, end-len(dst)); err != nil {
			return dst, err
		}
		if dst, err = appendJSON(append(dst, ':'), m[key], end-len(dst)); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// firstKeys returns the first keys of a mapping in alphabetical order, at most maxMembers of them.
func firstKeys(m map[string]any) []string {
	var keys []string
	last, full := "", false
	for k := range m {
		if full && k > last {
			continue
		}
		if keys = append(keys, k); len(keys) == 2*maxMembers {
			slices.Sort(keys)
			keys = keys[:maxMembers]
			last, full = keys[maxMembers-1], true
		}
	}
	slices.Sort(keys)
	return keys[:min(len(keys), maxMembers)]
}
