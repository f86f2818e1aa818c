// Package fact converts times, errors and numbers to the values that /healthz and the metrics contain.
package fact

import (
	"math"
	"time"
)

// Age returns the number of whole seconds between the times `at` and `now`, or nil if `at` is zero.
func Age(now, at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return int(now.Sub(at).Seconds())
}

// Error returns the text of an error, or nil if err is nil.
func Error(err error) any {
	if err == nil {
		return nil
	}
	return err.Error()
}

// Known returns a number, or nil for NaN.
func Known(v float64) any {
	if math.IsNaN(v) {
		return nil
	}
	return v
}

// Truth returns 1 for true and 0 for false.
func Truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
