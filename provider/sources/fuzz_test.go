package sources

import (
	"math"
	"testing"

	"dashboard/internal/extract"
	"dashboard/provider/query"
)

// FuzzSeries reads any document for a chart. The numbers of values and labels are within their limits, and the greatest value is one of
// the values.
func FuzzSeries(f *testing.F) {
	for _, s := range []string{`[1, 2, 3]`, `[1e999, -1e999]`, `["1", " 2 ", "nan", "inf", "0x1p4"]`, `[null, true, false]`, `7`, `null`, `[]`, `{}`, `[[1]]`, `["a"]`, `[123456789012345678901234567890]`} {
		f.Add([]byte(s))
	}
	const most = 3
	f.Fuzz(func(t *testing.T, data []byte) {
		body, err := extract.Decode(t.Context(), data)
		if err != nil {
			return
		}
		v, err := numbers(t.Context(), body, &extract.Extractor{}, &extract.Extractor{}, most)
		if err != nil {
			return
		}
		s := v.(*query.Numbers)
		if len(s.Values) > most || s.Count < len(s.Values) || len(s.Labels) > len(s.Values) {
			t.Fatalf("got %d values of %d, %d labels", len(s.Values), s.Count, len(s.Labels))
		}
		for _, x := range s.Values {
			if x > s.Max || !math.IsNaN(x) && math.IsNaN(s.Max) {
				t.Errorf("got %v as the most of %v", s.Max, s.Values)
			}
		}
	})
}
