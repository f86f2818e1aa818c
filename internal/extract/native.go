package extract

import (
	"math"

	"github.com/itchyny/gojq"
)

// These functions replace gojq's operators for numbers and texts. Without these functions, a wrapper would have to run a second compiled
// program for each operator.

const maxInt32 = 1<<31 - 1 // the sum and the product of two integers up to this value fit in an int of 64 bits

func smallInts(a []any) (l, r int, ok bool) {
	l, ok1 := a[0].(int)
	r, ok2 := a[1].(int)
	const most = maxInt32 >> (16 * (1 - math.MaxInt>>62)) // 15 bits if int has 32 bits, so that a product fits in an int
	return l, r, ok1 && ok2 && l <= most && l >= -most && r <= most && r >= -most
}

func floats(a []any) (l, r float64, ok bool) {
	l, ok1 := a[0].(float64)
	r, ok2 := a[1].(float64)
	if i, isInt := a[0].(int); isInt && ok2 {
		l, ok1 = float64(i), true
	}
	if i, isInt := a[1].(int); isInt && ok1 {
		r, ok2 = float64(i), true
	}
	return l, r, ok1 && ok2
}

func add(a []any) (any, bool) {
	if l, r, ok := smallInts(a); ok {
		return l + r, true
	}
	if l, r, ok := floats(a); ok {
		return l + r, true
	}
	l, ok1 := a[0].(string)
	r, ok2 := a[1].(string)
	if ok1 && ok2 {
		return l + r, true
	}
	return nil, false
}

func subtract(a []any) (any, bool) {
	if l, r, ok := smallInts(a); ok {
		return l - r, true
	}
	if l, r, ok := floats(a); ok {
		return l - r, true
	}
	return nil, false
}

func multiply(a []any) (any, bool) {
	if l, r, ok := smallInts(a); ok {
		return l * r, true
	}
	if l, r, ok := floats(a); ok {
		return l * r, true
	}
	return nil, false
}

func divide(a []any) (any, bool) {
	if l, r, ok := smallInts(a); ok && r != 0 {
		if l%r == 0 {
			return l / r, true
		}
		return float64(l) / float64(r), true
	}
	if l, r, ok := floats(a); ok && r != 0 {
		return l / r, true
	}
	return nil, false
}

func compare(is func(int) bool) func([]any) (any, bool) {
	return func(a []any) (any, bool) { return is(gojq.Compare(a[0], a[1])), true }
}
