package homeassistant

import (
	"fmt"
	"testing"
)

func TestRangeOf(t *testing.T) {
	type attributes = map[string]any
	modes := func(list ...any) []any { return list }
	for _, tt := range []struct {
		id, state string
		a         attributes
		want      string // value, limits, step and unit of the slider; "" for no slider
		call      string // call that sets the number to its maximum
	}{
		{"light.hall", "on", attributes{"supported_color_modes": modes("brightness"), "brightness": 128}, "50 0 100 1 %", "light.turn_on map[brightness_pct:100]"},
		{"light.hall", "off", attributes{"supported_color_modes": modes("color_temp", "hs"), "brightness": nil}, "0 0 100 1 %", "light.turn_on map[brightness_pct:100]"},
		{"light.porch", "on", attributes{"supported_color_modes": modes("onoff")}, "", ""},
		{"cover.blind", "open", attributes{"current_position": 30}, "30 0 100 1 %", "cover.set_cover_position map[position:100]"},
		{"cover.door", "open", attributes{}, "", ""},
		{"fan.attic", "on", attributes{"percentage": 66, "percentage_step": 33.333}, "66 0 100 33.333 %", "fan.set_percentage map[percentage:100]"},
		{"media_player.kitchen", "playing", attributes{"volume_level": 0.35}, "35 0 100 1 %", "media_player.volume_set map[volume_level:1]"},
		{"input_number.target", "20.5", attributes{"min": 5, "max": 30.0, "step": 0.5, "unit_of_measurement": "°C"}, "20.5 5 30 0.5 °C", "input_number.set_value map[value:30]"},
		{"number.target", "-3", attributes{"min": -10, "max": 10, "step": -1}, "-3 -10 10 1 ", "number.set_value map[value:10]"},
		{"number.target", "unknown", attributes{"min": 0, "max": 10}, "", ""},
		{"number.target", "NaN", attributes{"min": 0, "max": 10}, "", ""},
		{"number.target", "5", attributes{"min": 10, "max": 10}, "", ""},
		{"number.target", "5", attributes{"min": "-Inf", "max": "Inf"}, "", ""},
		{"climate.home", "heat", attributes{"temperature": 21, "min_temp": 7, "max_temp": 30}, "21 7 30 0.5 °", "climate.set_temperature map[temperature:30]"},
		{"climate.home", "off", attributes{"temperature": nil}, "", ""},
		{"switch.pump", "on", attributes{"brightness": 7}, "", ""},
	} {
		got, call := "", ""
		if r, ok := sliderOf(tt.id, &entity{state: tt.state, attributes: tt.a}); ok {
			got = fmt.Sprintf("%v %v %v %v %s", r.Value, r.Min, r.Max, r.Step, r.Unit)
			action, data := r.Call(r.Max)
			call = fmt.Sprint(action, " ", data)
			if r.Contains(r.Max+0.01) || r.Contains(r.Min-0.01) || !r.Contains(r.Min) {
				t.Errorf("%s: the limits are not kept", tt.id)
			}
		}
		if got != tt.want || call != tt.call {
			t.Errorf("%s %v: got %q and %q, want %q and %q", tt.id, tt.a, got, call, tt.want, tt.call)
		}
	}
}
