package config

import (
	"errors"
	"fmt"
	"time"
)

// A Language sets how a wall writes dates, numbers and its own words.
type Language struct {
	Tag       string // language tag such as de-AT; "": language of the machine
	HourCycle int    // 12 or 24; 0: usual hour cycle of the language
	WeekStart string // mon to sun; "": first day of the week in the region
	Units     string // metric, us or uk; "": units of the region
	Digits    string // native or latin; "": usual digits of the language
}

// languageKeys contains the keys of a language that is written as a mapping.
type languageKeys struct {
	Language  string `yaml:"language"`
	HourCycle int    `yaml:"hour_cycle" enum:"12,24"`
	WeekStart string `yaml:"week_start" enum:"mon,tue,wed,thu,fri,sat,sun"`
	Units     string `yaml:"units" enum:"metric,us,uk"`
	Digits    string `yaml:"digits" enum:"native,latin"`
}

// TypeName implements TypeNamer.
func (*Language) TypeName() string { return "language" }

// tagPattern matches a language tag such as de-AT. It also matches the form in environment variables, such as de_AT.UTF-8.
const tagPattern = `^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*([.@].*)?$`

// JSONSchema implements Describer. The schema also allows false, because YAML reads no, the language tag of Norwegian, as false.
func (*Language) JSONSchema() map[string]any {
	words := func(all ...any) map[string]any { return map[string]any{"enum": all} }
	tag := map[string]any{"type": "string", "pattern": tagPattern, "patternErrorMessage": "A language is a tag such as de-AT."}
	off := map[string]any{"const": false}
	return map[string]any{"anyOf": []any{tag, off, map[string]any{
		"type": "object", "additionalProperties": false, "properties": map[string]any{
			"language": map[string]any{"anyOf": []any{tag, off}}, "hour_cycle": words(12, 24, "12", "24"),
			"week_start": words("mon", "tue", "wed", "thu", "fri", "sat", "sun"),
			"units":      words("metric", "us", "uk"), "digits": words("native", "latin"),
		},
	}}}
}

// SetNode implements NodeSetter. It uses the original text, because YAML reads no, the language tag of Norwegian, as false.
func (l *Language) SetNode(n *Node, c *Context) error {
	switch n.Kind() {
	case String, Bool:
		if n.Text() == "" {
			return errors.New("must be a language tag such as de-AT")
		}
		*l = Language{Tag: n.Text()}
		return nil
	case Map:
		var keys languageKeys
		if c.Decode(n, &keys) {
			*l = Language{keys.Language, keys.HourCycle, keys.WeekStart, keys.Units, keys.Digits}
		}
		return nil
	}
	return errors.New("must be a language tag such as de-AT, or {language: en-GB, hour_cycle: 12}, not " + n.Shown())
}

// A Zone is a time zone and its name.
type Zone struct {
	*time.Location
}

// TypeName implements TypeNamer.
func (*Zone) TypeName() string { return "zone name" }

// SetValue implements Setter.
func (z *Zone) SetValue(v any) error {
	name, ok := v.(string)
	if !ok || name == "" {
		return errors.New("must be the name of a time zone, such as Europe/Berlin")
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		if near := nearestZone(name); near != "" {
			return meant{fmt.Sprintf("unknown time zone '%s'", name), near}
		}
		return fmt.Errorf("unknown time zone '%s'; a right one is Europe/Rome", name)
	}
	z.Location = loc
	return nil
}
