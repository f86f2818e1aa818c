package format

import (
	"dashboard/config"
	"dashboard/config/value"
	"dashboard/theme"
)

// Entry is the text, icon and color for one value in the parameter `map`. A string in the file sets only the text.
type Entry struct {
	// Text for the value.
	Text string `yaml:"text"`
	// Icon for the value.
	Icon *value.Icon `yaml:"icon"`
	// Color of the value.
	Color *theme.RoleColor `yaml:"color"`
}

// entryFields has the same fields as Entry, but no SetNode method.
type entryFields Entry

// TypeName returns the name of this type for the reference.
func (*Entry) TypeName() string { return "text or mapping" }

// JSONSchema implements config.Describer.
func (*Entry) JSONSchema() map[string]any {
	return map[string]any{"type": []any{"string", "number", "boolean", "object"}}
}

// SetNode implements config.NodeSetter.
func (e *Entry) SetNode(n *config.Node, c *config.Context) error {
	if n.Kind() != config.Map {
		e.Text = n.Text()
		return nil
	}
	c.Decode(n, (*entryFields)(e))
	return nil
}

// Range is the appearance of the numbers in a range.
type Range struct {
	// Lower end, included.
	Above *float64 `yaml:"above"`
	// Upper end, excluded.
	Below *float64 `yaml:"below"`
	// Color of the value.
	Color *theme.RoleColor `yaml:"color"`
	// Icon for the value.
	Icon *value.Icon `yaml:"icon"`
	// Text for the value.
	Text string `yaml:"text"`
}

// Wording holds the parameters that format a value as text.
type Wording struct {
	// Unit after the number, in smaller type.
	Unit *config.Live[string] `yaml:"unit"`
	// Digits after the decimal sign. Default: as many as the number has, but at most three significant digits.
	Decimals *int `yaml:"decimals" min:"0" max:"6"`
	// Format word (signed, compact, percent, bytes, duration, text, time, time_seconds, date, date_short, date_full,
	// weekday, month_year, relative), or a text with braces.
	Format string `yaml:"format"`
	// Mapping of values to a text, or to {text, icon, color}. The key else applies to all other values.
	Map map[string]Entry `yaml:"map"`
	// Color, icon or text for ranges of numbers. If several ranges match, the range with the nearest bound is used.
	Thresholds []Range `yaml:"thresholds"`
}
