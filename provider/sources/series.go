package sources

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"dashboard/internal/extract"
	"dashboard/internal/pyfmt"
	"dashboard/provider"
	"dashboard/provider/query"
)

// Series returns a cell with a list of numbers and their labels.
func (s *Sources) Series(a query.Asker, q query.Series) (provider.Typed[*query.Numbers], bool) {
	s = s.of(a)
	src, ok := s.value(a, q.Value)
	labels, sound := extractor(a, q.Labels)
	if !ok || !sound {
		return provider.Typed[*query.Numbers]{}, false
	}
	params := []string{q.Pick.Path, q.Pick.JQ, q.Labels.Path, q.Labels.JQ, strconv.Itoa(q.Most)}
	return provider.Typed[*query.Numbers]{Cell: s.derive(a, "bars", params, false, func(ctx context.Context, values []any) (any, error) {
		return numbers(ctx, values[0], src.pick, labels, q.Most)
	}, src.cell)}, true
}

// numbers() extracts the numbers and their labels from a value. It returns only the first `most` numbers, because a chart has no more
// columns of pixels. Count, Max and Min include all numbers.
func numbers(ctx context.Context, v any, pick, labels *extract.Extractor, most int) (any, error) {
	picked, err := pick.Apply(ctx, v)
	if err != nil {
		return nil, err
	}
	if picked == nil {
		return nil, errNoNumbers
	}
	c := &query.Numbers{Max: math.NaN(), Min: math.NaN()}
	for _, item := range listOf(picked) {
		x, err := number(item)
		if err != nil {
			return nil, err
		}
		if c.Count++; len(c.Values) < most {
			c.Values = append(c.Values, x)
		}
		if !math.IsNaN(x) && !(c.Max >= x) {
			c.Max = x
		}
		if !math.IsNaN(x) && !(c.Min <= x) {
			c.Min = x
		}
	}
	if labels.Empty() {
		return c, nil
	}
	if picked, err = labels.Apply(ctx, v); err != nil {
		return nil, err
	}
	for i, item := range listOf(picked) {
		if i == len(c.Values) {
			break
		}
		c.Labels = append(c.Labels, Short(pyfmt.Str(item)))
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

// number() converts a value to a number as Python's float() does. null becomes NaN, a gap in the chart.
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
