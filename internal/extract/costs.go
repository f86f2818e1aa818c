package extract

import (
	"math"
	"math/big"
)

// A function is a function of gojq with a cost, which is charged before each call. `cost` receives the input and the arguments, and
// estimates the bytes that the call allocates or the values that it compares. If `native` is not nil, it replaces gojq's implementation
// for the common types, and returns false for other types.
type function struct {
	name   string
	arity  int
	cost   func(v any, a []any) int64
	native func(a []any) (any, bool)
}

// `formats` are the functions of jq's formats, such as @html.
var formats = []string{"tojson", "_tohtml", "_touri", "_tourid", "_tocsv", "_totsv", "_tosh", "_tobase64", "_tobase64d", "format"}

// `table` lists the functions of gojq v0.12.20 whose results may be larger than stepBytes, and functions that compare whole values. Each
// other function returns a number, a part of its input, or a result that several charged steps have made.
var table = []function{
	{"_add", 2, costAdd, add}, {"_subtract", 2, costSubtract, subtract},
	{"_multiply", 2, costMultiply, multiply}, {"_divide", 2, costSplit, divide},
	{"_equal", 2, costCompare, compare(func(c int) bool { return c == 0 })},
	{"_notequal", 2, costCompare, compare(func(c int) bool { return c != 0 })},
	{"_less", 2, costCompare, compare(func(c int) bool { return c < 0 })},
	{"_greater", 2, costCompare, compare(func(c int) bool { return c > 0 })},
	{"_lesseq", 2, costCompare, compare(func(c int) bool { return c <= 0 })},
	{"_greatereq", 2, costCompare, compare(func(c int) bool { return c >= 0 })},
	{"keys", 0, flat(32), nil}, {"reverse", 0, flat(16), nil}, {"add", 0, costSum, nil}, {"join", 1, costJoin, nil},
	{"explode", 0, flat(24), nil}, {"implode", 0, flat(4), nil}, {"split", 1, costSplit1, nil},
	{"ascii_downcase", 0, flat(1), nil}, {"ascii_upcase", 0, flat(1), nil},
	{"tostring", 0, costToString, nil}, {"tojson", 0, deep(6), nil}, {"fromjson", 0, costFromJSON, nil},
	{"format", 1, deep(6), nil}, {"_tohtml", 0, deep(6), nil}, {"_touri", 0, deep(3), nil}, {"_tourid", 0, deep(3), nil},
	{"_tocsv", 0, deep(2), nil}, {"_totsv", 0, deep(2), nil}, {"_tosh", 0, deep(4), nil},
	{"_tobase64", 0, deep(2), nil}, {"_tobase64d", 0, deep(2), nil},
	{"flatten", 0, deep(1), nil}, {"flatten", 1, deep(1), nil},
	{"sort", 0, deep(1), nil}, {"_sort_by", 1, deepBoth, nil}, {"_group_by", 1, deepBoth, nil},
	{"unique", 0, deep(1), nil}, {"_unique_by", 1, deepBoth, nil},
	{"min", 0, deep(1), nil}, {"max", 0, deep(1), nil}, {"_min_by", 1, deepBoth, nil}, {"_max_by", 1, deepBoth, nil},
	{"contains", 1, costContains, nil}, {"inside", 1, costContains, nil}, {"bsearch", 1, deepBoth, nil},
	{"indices", 1, costIndices, nil}, {"index", 1, costIndices, nil}, {"rindex", 1, costIndices, nil},
	{"transpose", 0, costTranspose, nil}, {"setpath", 2, costSetpath, nil}, {"delpaths", 1, costDelpaths, nil},
	{"strftime", 1, costTime, nil}, {"strflocaltime", 1, costTime, nil}, {"strptime", 1, costTime, nil},
	{"_captures", 0, flat(400), nil}, {"_match", 3, nil, nil},
}

const never = math.MaxInt64 // a cost that exceeds every budget

// plus() adds costs without overflow.
func plus(a, b int64) int64 {
	if a > maxMemory || b > maxMemory {
		return never
	}
	return a + b
}

func times(a, b int64) int64 {
	if a > 0 && b > 2*maxMemory/a {
		return never
	}
	return a * b
}

// length() returns the number of members of a list or mapping, or the number of bytes of a text or a *big.Int. For other values it returns
// 0.
func length(v any) int64 {
	switch v := v.(type) {
	case []any:
		return int64(len(v))
	case map[string]any:
		return int64(len(v))
	case string:
		return int64(len(v))
	case *big.Int:
		return int64(v.BitLen() / 8)
	}
	return 0
}

// shallow() returns the memory for a copy of v's outermost level, in bytes.
func shallow(v any) int64 {
	switch v := v.(type) {
	case map[string]any:
		return mapBytes + slotBytes*int64(len(v))
	case []any:
		return headerBytes + valueBytes*int64(len(v))
	}
	return length(v)
}

func flat(each int64) func(any, []any) int64 {
	return func(v any, _ []any) int64 { return times(each, length(v)) }
}

func deep(each int64) func(any, []any) int64 {
	return func(v any, _ []any) int64 { return size(v, each) }
}

func deepBoth(v any, a []any) int64 { return plus(size(v, 1), size(a[0], 1)) }

// size() returns the cost of v with all nested values. A part that occurs several times is counted each time. A value costs 24 bytes. Each
// byte of its text or its keys adds `each` to the cost. A value that is nested too deeply for recursion exceeds every budget.
func size(v any, each int64) int64 {
	if left := sizeWithin(v, each, maxMemory, 0); left >= 0 {
		return maxMemory - left
	}
	return never
}

func sizeWithin(v any, each, left int64, depth int) int64 {
	const value = 24 // longest number as text, in bytes
	left -= value
	if depth > maxDepth {
		return -1
	}
	switch v := v.(type) {
	case string, *big.Int:
		left -= min(times(each, length(v)), maxMemory)
	case []any:
		for i := 0; i < len(v) && left >= 0; i++ {
			left = sizeWithin(v[i], each, left, depth+1)
		}
	case map[string]any:
		for k, e := range v {
			if left = sizeWithin(e, each, left-each*int64(len(k)), depth+1); left < 0 {
				break
			}
		}
	}
	return left
}
