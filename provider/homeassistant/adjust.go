package homeassistant

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Range describes a number of an entity, such as the brightness of a light. A slider can set the number to values between Min and Max.
type Range struct {
	Value, Min, Max, Step float64
	Unit                  string

	action string  // action of Home Assistant that sets the number
	key    string  // key of the number in the data of the action
	per    float64 // the number is divided by this value before it is sent
}

// Contains reports whether v is between Min and Max.
func (r Range) Contains(v float64) bool { return v >= r.Min && v <= r.Max }

// Call returns the action that sets the number to v, and the data of the action.
func (r Range) Call(v float64) (action string, data map[string]any) {
	return r.action, map[string]any{r.key: v / r.per}
}

// Range returns the number that a slider can set for an entity. The entity must be followed. ok is false if the entity has no such number
// now, for example because the light can only be switched.
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

// sliderOf returns the number that a slider can set for an entity. ok is false if the entity is unavailable, has no such number, or has
// unusable limits.
func sliderOf(id string, e *entity) (Range, bool) {
	r, ok := rangeOf(id, e)
	return r, ok && !e.gone() && r.Min < r.Max && !math.IsNaN(r.Value) && !math.IsInf(r.Max-r.Min, 0)
}

// rangeOf returns the number that a slider can set, depending on the domain of the entity (developers.home-assistant.io/docs/core/entity
// has a page for each domain).
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

// dims() reports whether a light can be dimmed: at least one of its color modes allows more than on and off.
func (e *entity) dims() bool {
	modes, _ := e.attributes["supported_color_modes"].([]any)
	for _, m := range modes {
		if m != "onoff" && m != "unknown" {
			return true
		}
	}
	return false
}

// has() sets r.Value to the value of an attribute and returns r. The second result is false if the attribute is not a number.
func (e *entity) has(name string, r Range) (Range, bool) {
	r.Value = e.number(name, math.NaN())
	return r, !math.IsNaN(r.Value)
}

// step() returns the value of an attribute. If the value is not a positive number, it returns the argument `without`.
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

// number() returns the value of an attribute that is a number or a text with a number. For any other value it returns the argument
// `without`.
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
