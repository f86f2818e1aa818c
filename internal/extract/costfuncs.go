package extract

import (
	"math"
	"strings"

	"github.com/itchyny/gojq"
)

func costAdd(_ any, a []any) int64 {
	if length(a[0]) == 0 || length(a[1]) == 0 { // if one operand is empty, the result is the other operand, not a copy
		return 0
	}
	return plus(shallow(a[0]), shallow(a[1]))
}

// costSubtract is the cost of comparing each element of one list with each element of another list.
func costSubtract(_ any, a []any) int64 {
	l, ok1 := a[0].([]any)
	r, ok2 := a[1].([]any)
	if !ok1 || !ok2 {
		return length(a[0])
	}
	return plus(times(int64(len(l)), int64(len(r))), plus(size(l, 1), size(r, 1)))
}

func costMultiply(_ any, a []any) int64 {
	for i, v := range a {
		s, isText := v.(string)
		n, isNumber := gojq.ToFloat64(a[1-i])
		if isText && isNumber {
			return times(int64(len(s)), int64(min(max(n, 0), math.MaxInt32)))
		}
	}
	if _, merged := a[0].(map[string]any); merged {
		return plus(times(4, size(a[0], 0)), times(4, size(a[1], 0)))
	}
	if l, r := length(a[0]), length(a[1]); l > 0 && r > 0 { // multiplying two long integers takes quadratic time
		return times(l, r)
	}
	return plus(length(a[0]), length(a[1]))
}

// costFromJSON counts the memory of the decoder and of the result. The largest result comes from a text full of braces, because each pair
// of braces becomes a mapping.
func costFromJSON(v any, _ []any) int64 { return plus(1024, times(mapBytes/6, length(v))) }

func costSplit(_ any, a []any) int64 { return split(a[0], a[1]) }

func costSplit1(v any, a []any) int64 { return split(v, a[0]) }

// split estimates the memory of the list that results from splitting a text. The texts in the list share the bytes of the original text.
func split(v, by any) int64 {
	s, ok1 := v.(string)
	sep, ok2 := by.(string)
	if !ok1 || !ok2 {
		return 0
	}
	return times(stringBytes, int64(strings.Count(s, sep)+1))
}

// costCompare is the cost of comparing two values of the same kind completely.
func costCompare(_ any, a []any) int64 {
	switch a[0].(type) {
	case []any:
		if _, ok := a[1].([]any); !ok {
			return 0
		}
	case map[string]any:
		if _, ok := a[1].(map[string]any); !ok {
			return 0
		}
	default:
		return 0
	}
	return min(plus(size(a[0], 1), 0), plus(size(a[1], 1), 0))
}

func costToString(v any, _ []any) int64 {
	if _, ok := v.(string); ok {
		return 0
	}
	return size(v, 6)
}

// elements() calls f with each element of a list or mapping.
func elements(v any, f func(any)) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			f(e)
		}
	case map[string]any:
		for _, e := range v {
			f(e)
		}
	}
}

func costSum(v any, _ []any) (n int64) {
	elements(v, func(e any) { n = plus(n, shallow(e)) })
	return times(2, n) // while the result grows, its memory may be twice the sum of the copies
}

func costJoin(v any, a []any) int64 {
	n := times(length(a[0]), length(v))
	elements(v, func(e any) { n = plus(n, 24+length(e)) })
	return times(2, n)
}

// costContains is the cost of comparing each element of one value with each element of another value, on every level.
func costContains(v any, a []any) int64 {
	if _, ok := v.(string); ok {
		return 0
	}
	return times(size(v, 1)/8+1, size(a[0], 1)/24+1)
}

func costIndices(v any, a []any) int64 {
	switch v := v.(type) {
	case string:
		if s, ok := a[0].(string); ok {
			return plus(length(v)*4, times(3*valueBytes, int64(strings.Count(v, s)+1)))
		}
	case []any:
		list, _ := a[0].([]any) // jq treats a value that is not a list like a list of one element
		return plus(occurrences(size(v, 1), list), size(a[0], 1))
	}
	return 0
}

// occurrences() is the cost of searching for `list` in another list, which has `within` bytes. In the worst case, jq compares all values
// of `list` at every position of the other list.
func occurrences(within int64, list []any) int64 {
	const value = 24 // the same value as the constant in sizeWithin
	return plus(times(3, within), times(within/value, int64(len(list))))
}

func costTranspose(v any, _ []any) int64 {
	wide := int64(0)
	elements(v, func(e any) { wide = max(wide, length(e)) })
	return times(wide, headerBytes+times(valueBytes, length(v)+2))
}

func costTime(_ any, a []any) int64 { return times(64, length(a[0])) }
