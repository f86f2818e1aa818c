package widgets

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"dashboard/internal/extract"
	"dashboard/internal/pyfmt"
)

// series is what a chart shows. It is immutable.
type series struct {
	values []float64 // NaN leaves its place empty
	labels []string  // at most as many; none if there are no labels
	count  int       // of values before those beyond the last column of pixels were cut off
	max    float64   // of all values, NaN if there is none
}

// newSeries picks the values and their labels, of which the first most can have a column of pixels.
func newSeries(v any, pick, labels *extract.Extractor, most int) (any, error) {
	picked, err := pick.Apply(v)
	if err != nil {
		return nil, err
	}
	if picked == nil {
		return nil, errNoNumbers
	}
	c := &series{max: math.NaN()}
	for _, item := range listOf(picked) {
		x, err := number(item)
		if err != nil {
			return nil, err
		}
		if c.count++; len(c.values) < most {
			c.values = append(c.values, x)
		}
		if !math.IsNaN(x) && !(c.max >= x) {
			c.max = x
		}
	}
	if labels.Empty() {
		return c, nil
	}
	if picked, err = labels.Apply(v); err != nil {
		return nil, err
	}
	for i, item := range listOf(picked) {
		if i == len(c.values) {
			break
		}
		c.labels = append(c.labels, short(pyfmt.Str(item)))
	}
	return c, nil
}

func listOf(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	return []any{v}
}

var errNoNumbers = errors.New("is not a list of numbers")

// number reads what Python's float() reads; null is NaN, a gap in the chart.
func number(v any) (float64, error) {
	switch v := v.(type) {
	case nil:
		return math.NaN(), nil
	case bool:
		if v {
			return 1, nil
		}
		return 0, nil
	case int:
		return float64(v), nil
	case float64:
		return v, nil
	case *big.Int:
		f, _ := new(big.Float).SetInt(v).Float64()
		return f, nil
	case string:
		if f, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil {
			return f, nil
		}
	}
	return 0, fmt.Errorf("%w: %.40s", errNoNumbers, pyfmt.Str(v))
}
