package kit

import (
	"encoding/json"
	"slices"
)

// maxMembers is the maximum number of members of a mapping in a text. Each takes at least four bytes.
const maxMembers = MaxShown / 4

// appendJSON appends a list or mapping as JSON. It stops soon after room bytes, because the value of a service may be very long.
// It returns an error for values that are not JSON, such as nan.
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

// appendMembers appends a mapping sorted by its keys. It stops soon after end bytes in total.
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

// firstKeys returns at most maxMembers first keys of a mapping, sorted.
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
