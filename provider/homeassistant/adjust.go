package homeassistant

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Range is a number of an entity that a slider can set, such as the brightness of a light.
type Range struct {
	Value, Min, Max, Step float64
	Unit                  string

	action string  // action of Home Assistant
	key    string  // key in the data of the action
	per    float64 // divisor: the data is the value divided by per
}

// Contains reports whether a value is in the range of the slider.
func (r Range) Contains(v float64) bool { return v >= r.Min && v <= r.Max }

// Call returns the action that sets a value, and its data.
func (r Range) Call(v float64) (action string, data map[string]any) {
	return r.action, map[string]any{r.key: v / r.per}
}

// Range returns the number of a followed entity. ok is false if the entity has no number now, for example a light that can only be
// switched.
func (h *Home) Range(ctx context.Context, id string) (Range, bool) {
	c, release, err := h.Connect(ctx)
	if err != nil {
		return Range{}, false
	}
	defer release()
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.known[id]
	if e == nil || c.err != nil {
		return Range{}, false
	}
	return sliderOf(id, e)
}

// sliderOf returns the number of an entity, if its value and its limits are numbers.
func sliderOf(id string, e *entity) (Range, bool) {
	r, ok := rangeOf(id, e)
	return r, ok && !e.gone() && r.Min < r.Max && !math.IsNaN(r.Value) && !math.IsInf(r.Max-r.Min, 0)
}

// rangeOf returns the number of an entity by its domain (developers.home-assistant.io/docs/core/entity, one page for each domain).
func rangeOf(id string, e *entity) (Range, bool) {
	domain, _, _ := strings.Cut(id, ".")
	percent := Range{Max: 100, Step: 1, Unit: "%", per: 1}
	switch domain {
	case "light":
		percent.action, percent.key = "light.turn_on", "brightness_pct"
		percent.Value = math.Round(e.number("brightness", 0) / 255 * 100)
		return percent, e.dims()
	case "cover":
		percent.action, percent.key = "cover.set_cover_position", "position"
		return e.has("current_position", percent)
	case "fan":
		percent.action, percent.key, percent.Step = "fan.set_percentage", "percentage", max(e.number("percentage_step", 1), 1)
		return e.has("percentage", percent)
	case "media_player":
		percent.action, percent.key, percent.per = "media_player.volume_set", "volume_level", 100
		percent.Value = math.Round(e.number("volume_level", 0) * 100)
		_, ok := e.has("volume_level", percent)
		return percent, ok
	case "number", "input_number":
		v, err := strconv.ParseFloat(e.state, 64)
		return Range{
			v, e.number("min", 0), e.number("max", 100), e.step("step", 1), e.text("unit_of_measurement"),
			domain + ".set_value", "value", 1,
		}, err == nil
	case "climate":
		r := Range{
			0, e.number("min_temp", 7), e.number("max_temp", 35), e.step("target_temp_step", 0.5), "°",
			"climate.set_temperature", "temperature", 1,
		}
		return e.has("temperature", r)
	}
	return Range{}, false
}

// dims reports whether a light can be dimmed: one of its color modes is more than on and off.
func (e *entity) dims() bool {
	modes, _ := e.attributes["supported_color_modes"].([]any)
	for _, m := range modes {
		if m != "onoff" && m != "unknown" {
			return true
		}
	}
	return false
}

// has sets the value of a range to the value of an attribute. It reports whether the entity has this attribute.
func (e *entity) has(name string, r Range) (Range, bool) {
	r.Value = e.number(name, math.NaN())
	return r, !math.IsNaN(r.Value)
}

// step returns the value of an attribute, or without if the value is not positive.
func (e *entity) step(name string, without float64) float64 {
	if v := e.number(name, without); v > 0 {
		return v
	}
	return without
}

func (e *entity) text(name string) string {
	text, _ := e.attributes[name].(string)
	return text
}

// number returns the value of a numeric attribute.
func (e *entity) number(name string, without float64) float64 {
	switch v := e.attributes[name].(type) {
	case int:
		return float64(v)
	case float64:
		return v
	case nil:
		return without
	default:
		f, err := strconv.ParseFloat(fmt.Sprint(v), 64)
		if err != nil {
			return without
		}
		return f
	}
}
