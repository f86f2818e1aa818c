package value

import (
	"fmt"
	"strings"
	"time"

	"dashboard/config"
)

// MaxDuration is the longest duration: ten years. The sum of several such durations still fits in a time.Duration.
const MaxDuration = 3650 * 24 * time.Hour

// A Duration is a length of time, from 0 to MaxDuration. In the file, a number without a unit is in seconds.
type Duration time.Duration

// TypeName implements config.TypeNamer.
func (*Duration) TypeName() string { return "duration" }

// JSONSchema implements config.Describer.
func (*Duration) JSONSchema() map[string]any {
	return anyOf(numberSchema(0), textSchema(`^([0-9.]+|([0-9.]+ *(ms|s|m|h|d|w) *)+)$`, "A duration is a number of seconds, or text such as 30s, 5m, 1h30m, 2d."))
}

// SetNode implements config.NodeSetter. The limits in the field are numbers of seconds.
func (d *Duration) SetNode(n *config.Node, c *config.Context) error {
	v, err := duration(n)
	if err == nil {
		err = c.InRange(n, v.Seconds())
	}
	if err == nil {
		*d = Duration(v)
	}
	return err
}

func duration(n *config.Node) (time.Duration, error) {
	const what = "a duration such as 30 (seconds), 30s, 5m, 1h30m or 2d"
	text, ok := scalar(n)
	if ok && strings.Contains(text, ":") {
		return 0, fmt.Errorf("must be %s: write %s as 1h30m is written", what, text)
	}
	var v time.Duration
	if x, is := amount(n); is {
		v, ok = seconds(x)
	} else if ok {
		v, ok = ParseDuration(text)
	}
	switch {
	case !ok:
		return 0, mustBe(what, n)
	case v < 0 || v > MaxDuration:
		return 0, fmt.Errorf("must be between 0 and %d days, not %s", MaxDuration/(24*time.Hour), n.Shown())
	}
	return v, nil
}

// seconds() converts a number of seconds to a duration. If it is more than MaxDuration, the result is MaxDuration plus one, so that the
// check of the limits rejects it.
func seconds(x float64) (time.Duration, bool) {
	if x > MaxDuration.Seconds() {
		return MaxDuration + 1, true
	}
	return time.Duration(x * float64(time.Second)), x >= 0
}

// units contains the units of durations and the length of each unit.
var units = [...]struct {
	name string
	of   time.Duration
}{{"ms", time.Millisecond}, {"s", time.Second}, {"m", time.Minute}, {"h", time.Hour}, {"d", 24 * time.Hour}, {"w", 7 * 24 * time.Hour}}

// ParseDuration parses one or more numbers with units. Each unit must be smaller than the unit before it, as in 1h30m, 2d or 1.5h.
func ParseDuration(s string) (time.Duration, bool) {
	sum, before := time.Duration(0), MaxDuration+1
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		digits := len(s) - len(strings.TrimLeft(s, ".0123456789"))
		x, ok := number(s[:digits])
		rest := strings.TrimLeft(s[digits:], " ")
		i := unitOf(rest)
		if !ok || i < 0 || units[i].of >= before {
			return 0, false
		}
		if x*units[i].of.Seconds() > MaxDuration.Seconds() {
			return MaxDuration + 1, true
		}
		sum += time.Duration(x * float64(units[i].of))
		before, s = units[i].of, rest[len(units[i].name):]
	}
	return sum, before <= MaxDuration
}

// unitOf returns the index of the unit with which s begins, or -1.
func unitOf(s string) int {
	word := s[:len(s)-len(strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyz"))]
	for i, u := range units {
		if word == u.name {
			return i
		}
	}
	return -1
}
