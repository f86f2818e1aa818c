package fact

import (
	"errors"
	"math"
	"testing"
	"time"
)

func TestFacts(t *testing.T) {
	now := time.Date(2025, 5, 15, 10, 24, 37, 0, time.UTC)
	for name, c := range map[string]struct{ got, want any }{
		"age":       {Age(now, now.Add(-90*time.Second)), 90},
		"no time":   {Age(now, time.Time{}), nil},
		"error":     {Error(errors.New("gone")), "gone"},
		"no error":  {Error(nil), nil},
		"number":    {Known(1.5), 1.5},
		"not known": {Known(math.NaN()), nil},
		"true":      {Truth(true), 1.0},
		"not true":  {Truth(false), 0.0},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v, want %v", name, c.got, c.want)
		}
	}
}
