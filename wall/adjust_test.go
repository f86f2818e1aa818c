package wall

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"dashboard/internal/testing/homeassistanttest"
)

const sliderWall = `theme: calm
widgets:
  - widget: pages
    transition: none
    dwell: 1h
    children:
      - widget: column
        name: home
        children:
          - {widget: card, title: Lamp, entity: light.hall, on_tap: toggle}
          - {widget: card, title: Shown, entity: input_number.shown}
          - widget: list
            items:
              - {text: Target, icon: mdi:gauge, entity: input_number.target, on_tap: {action: input_number.increment, entity: input_number.target}}
              - {text: Pump, entity: switch.pump, on_tap: toggle}
      - {widget: card, name: other, title: Attic, entity: light.attic, on_tap: toggle}
`

// TestSliders checks that the remote sets only the numbers of entities that a tap on the shown page controls.
func TestSliders(t *testing.T) {
	t.Parallel()
	home := &homeassistanttest.Server{}
	srv := httptest.NewServer(home)
	defer srv.Close()
	dims := []any{"brightness"}
	home.Put("light.hall", "on", map[string]any{"supported_color_modes": dims, "brightness": 51})
	home.Put("light.attic", "on", map[string]any{"supported_color_modes": dims, "brightness": 255})
	home.Put("input_number.target", "20.5", map[string]any{"min": 5, "max": 30, "step": 0.5, "unit_of_measurement": "°C"})
	home.Put("input_number.shown", "7", map[string]any{"min": 0, "max": 10})
	home.Put("switch.pump", "off", nil)
	port := freePort(t)
	p := start(t, port, files{
		"conf.yaml":    editConf(port) + "homeassistant: {url: \"" + srv.URL + "\", token: !secret hass}\n",
		"secrets.yaml": "hass: " + homeassistanttest.Token + "\n", "widgets.yaml": sliderWall,
	})
	p.serves("/frame", 200)
	icons, paths := map[string]string{}, map[string]string{}
	sliders := func() string {
		var got struct {
			Taps []struct {
				Label, Icon string
				Path        string `json:"icon_path"`
				Slider      *struct {
					Entity          string
					Value, Min, Max float64
					Unit            string
				}
			}
		}
		if err := json.Unmarshal([]byte(p.text("/widgets")), &got); err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, tap := range got.Taps {
			icons[tap.Label], paths[tap.Label] = tap.Icon, tap.Path
			if s := tap.Slider; s != nil {
				all = append(all, fmt.Sprintf("%s: %s %v of %v to %v %s", tap.Label, s.Entity, s.Value, s.Min, s.Max, s.Unit))
			}
		}
		return strings.Join(all, "; ")
	}
	const want = "Lamp: light.hall 20 of 0 to 100 %; Target: input_number.target 20.5 of 5 to 30 °C"
	eventually(t, "the entities have their numbers", func() bool { return sliders() == want })
	// Until the first state of an entity arrives, the tap on this entity has no icon.
	eventually(t, "the taps have their icons", func() bool {
		return sliders() == want && icons["Lamp"] == "mdi:lightbulb" && icons["Target"] == "mdi:gauge" && strings.HasPrefix(icons["Pump"], "mdi:")
	})
	for label, path := range paths {
		if !strings.HasPrefix(path, "M") {
			t.Errorf("%s: got icon %q with outline %q", label, icons[label], path)
		}
	}
	for _, tt := range []struct {
		body   string
		status int
		want   string
	}{
		{`{"entity":"light.hall","value":60}`, 200, "true"},
		{`{"entity":"input_number.target","value":22.5}`, 200, "true"},
		{`{"entity":"light.hall","value":100.5}`, 400, "must be from 0 to 100"},
		{`{"entity":"input_number.shown","value":3}`, 404, "no tap on the shown page"},
		{`{"entity":"switch.pump","value":3}`, 404, "no tap on the shown page"},
		{`{"entity":"light.attic","value":3}`, 404, "no tap on the shown page"},
		{`{"entity":"light.hall","value":3,"provider":"other"}`, 404, "no tap on the shown page"},
		{`{"entity":"light.hall"}`, 400, "'value' is required"},
		{`{"value":3}`, 400, "'entity' is required"},
	} {
		if got, text := p.post("/adjust", tt.body); got != tt.status || !strings.Contains(text, tt.want) {
			t.Errorf("%s: got %d %s, want %d %s", tt.body, got, text, tt.status, tt.want)
		}
	}
	calls := home.Asked("call_service")
	if len(calls) != 2 {
		t.Fatalf("Home Assistant was asked %v, want two calls", calls)
	}
	for i, want := range []string{"light turn_on map[brightness_pct:60] map[entity_id:light.hall]", "input_number set_value map[value:22.5] map[entity_id:input_number.target]"} {
		if got := fmt.Sprint(calls[i]["domain"], " ", calls[i]["service"], " ", calls[i]["service_data"], " ", calls[i]["target"]); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
