package device

import (
	"encoding/json"
	"maps"
	"slices"
)

// component is one entity of a device, by the abbreviations of Home Assistant's MQTT discovery.
type component map[string]any

// platforms are what each component is in Home Assistant, by its name.
var platforms = map[string]string{
	"display": "light", "auto": "button", "page": "select", "next": "button", "theme": "select", "notify": "notify", "text": "text",
	"dismiss": "button", "identify": "button", "reload": "button", "painted": "sensor", "stale": "binary_sensor", "temperature": "sensor",
	"picture": "image", "update": "update",
}

// pageOptions returns the options for a wall's page: each name once, and the words for the rules and for turning.
func pageOptions(names []string) []string {
	all := []string{"auto", "next", "previous"}
	for _, n := range names {
		if !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return all
}

// themeOptions are what a wall's theme can be set to.
func themeOptions(sun bool) []string {
	if sun {
		return []string{"auto", "day", "night"}
	}
	return []string{"day", "night"}
}

// components are the entities of the wall.
func (w *wall) components() map[string]component {
	c := map[string]component{}
	add := func(name, title string, keys component) {
		c[name] = component{"p": platforms[name], "name": title, "unique_id": w.id + "_" + name}
		maps.Copy(c[name], keys)
	}
	add("picture", "Picture", component{"image_topic": w.topic("picture"), "content_type": "image/jpeg"})
	add("painted", "Last painted", component{"state_topic": w.topic("state"), "value_template": "{{ value_json.painted }}", "device_class": "timestamp", "entity_category": "diagnostic"})
	add("identify", "Identify", component{"command_topic": w.topic("identify"), "device_class": "identify", "entity_category": "diagnostic"})
	if w.Screen {
		add("display", "Display", component{
			"command_topic": w.topic("display/set"), "state_topic": w.topic("display"), "brightness_command_topic": w.topic("brightness/set"),
			"brightness_state_topic": w.topic("brightness"), "brightness_scale": 100, "icon": "mdi:monitor-shimmer",
		})
		add("auto", "Display by its rules", component{"command_topic": w.topic("display/set"), "payload_press": "AUTO", "icon": "mdi:monitor-eye"})
	}
	if w.Theme != "" {
		add("theme", "Theme", component{"command_topic": w.topic("theme/set"), "state_topic": w.topic("theme"), "options": themeOptions(w.Sun), "icon": "mdi:theme-light-dark"})
	}
	if len(w.Pages) > 0 {
		add("page", "Page", component{"command_topic": w.topic("page/set"), "state_topic": w.topic("page"), "options": pageOptions(w.Pages), "icon": "mdi:book-open-page-variant"})
		add("next", "Next page", component{"command_topic": w.topic("page/next"), "icon": "mdi:page-next"})
	}
	if w.Notify {
		add("notify", "Notify", component{"command_topic": w.topic("notify")})
		add("text", "Message", component{"command_topic": w.topic("text/set"), "state_topic": w.topic("text"), "max": maxMessage, "icon": "mdi:message-text"})
		add("dismiss", "Dismiss", component{"command_topic": w.topic("dismiss"), "icon": "mdi:notification-clear-all"})
	}
	if w.first {
		w.addOwn(add)
	}
	return c
}

// addOwn adds what the service has once.
func (w *wall) addOwn(add func(name, title string, keys component)) {
	add("reload", "Reload", component{"command_topic": w.topic("reload"), "entity_category": "config", "icon": "mdi:reload"})
	add("stale", "Stale sources", component{
		"state_topic": w.topic("state"), "value_template": "{{ value_json.stale }}",
		"payload_on": true, "payload_off": false, "device_class": "problem", "entity_category": "diagnostic",
	})
	add("update", "Version", component{"state_topic": w.topic("update"), "entity_category": "diagnostic"})
	if known(w.now.Temperature) {
		add("temperature", "Temperature", component{
			"state_topic": w.topic("state"), "value_template": "{{ value_json.temperature }}", "device_class": "temperature",
			"unit_of_measurement": "°C", "state_class": "measurement", "entity_category": "diagnostic",
		})
	}
}

// left returns the components that the wall had and lost, with only their platforms. At first these are all that an earlier run may
// have had.
func (w *wall) left(has map[string]component) map[string]component {
	left := map[string]component{}
	for name, platform := range platforms {
		if _, had := w.had[name]; (had || w.had == nil) && has[name] == nil {
			left[name] = component{"p": platform}
		}
	}
	return left
}

// discovery returns Home Assistant's configuration of the wall.
func (w *wall) discovery(c map[string]component, url string) []byte {
	dev := map[string]any{"ids": []string{"dashboard_" + w.id}, "name": w.Name, "mf": "dashboard", "sw": w.Version, "sn": w.id}
	if w.Model != "" {
		dev["mdl"] = w.Model
	}
	if url != "" {
		dev["cu"] = url
	}
	if !w.first {
		dev["name"], dev["via_device"] = w.Name+" "+w.View, "dashboard_"+w.ID
		if url != "" {
			dev["cu"] = url + "?view=" + w.View // whose letters need no escapes
		}
	}
	data, err := json.Marshal(map[string]any{
		"dev": dev, "o": map[string]any{"name": "dashboard", "sw": w.Version}, "avty": []any{map[string]any{"topic": w.Base + "/status"}}, "cmps": c,
	})
	if err != nil {
		return nil // texts and numbers can be written
	}
	return data
}
