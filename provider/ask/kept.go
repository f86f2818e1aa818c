package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"dashboard/internal/extract"
	"dashboard/provider"
)

var _ provider.Keeper = (*Source)(nil)

// Kept implements provider.Keeper. The value must consist of mappings, lists, texts, numbers and booleans.
func (s *Source) Kept(value any) ([]byte, error) {
	if s.Tasks != nil {
		value = s.Tasks.Base()
	}
	exact, err := exactly(value)
	if err != nil {
		return nil, err
	}
	return json.Marshal(exact)
}

// Restore implements provider.Keeper.
func (s *Source) Restore(data []byte, at time.Time) (any, error) {
	v, err := extract.Decode(context.Background(), data)
	if err == nil && s.Tasks != nil {
		v = s.Tasks.Restore(v, at)
	}
	return v, err
}

// exactly() converts a value so that its JSON decodes to an equal value. For example, the floating-point number 1 is encoded as 1.0, so
// that decoding does not return an integer.
func exactly(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, string, int, *big.Int:
		return v, nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%v is no number of JSON", v)
		}
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return json.Number(text), nil
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			var err error
			if list[i], err = exactly(e); err != nil {
				return nil, err
			}
		}
		return list, nil
	case map[string]any:
		m := make(map[string]any, len(v))
		for k, e := range v {
			var err error
			if m[k], err = exactly(e); err != nil {
				return nil, err
			}
		}
		return m, nil
	}
	return nil, fmt.Errorf("a %T cannot be kept", v)
}
