package config

import (
	"fmt"
	"strings"
	"time"
)

// maxInterval is the largest Interval. A longer time is probably a mistake.
const maxInterval = 24 * time.Hour

// An Interval is the time between two events. In the file, a number without a unit is in seconds.
type Interval time.Duration

// TypeName implements TypeNamer.
func (*Interval) TypeName() string { return "duration" }

// JSONSchema implements Describer.
func (*Interval) JSONSchema() map[string]any {
	text := map[string]any{"type": "string", "pattern": `^([0-9.]+|([0-9.]+ *(s|m|h) *)+)$`, "patternErrorMessage": "A duration is a number of seconds, or text such as 30s, 5m, 1h30m."}
	return map[string]any{"anyOf": []any{map[string]any{"type": "number", "minimum": 0}, text}}
}

// SetNode implements NodeSetter.
func (i *Interval) SetNode(n *Node, _ *Context) error {
	text := strings.ReplaceAll(n.Text(), " ", "")
	if k := n.Kind(); k == Int || k == Float {
		text += "s"
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > maxInterval {
		return fmt.Errorf("must be a duration from 0 to 24h, such as 30s, 5m or 1h30m, not %s", n.Shown())
	}
	*i = Interval(d)
	return nil
}
