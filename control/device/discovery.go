package device

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"dashboard/control/verb"
)

// A component is one entity of a device. Its keys are the abbreviated keys of Home Assistant's MQTT discovery.
type component map[string]any

// platforms returns the Home Assistant platform of each component, by the name of the component.
var platforms = sync.OnceValue(func() map[string]string {
	all := map[string]string{
		"painted": "sensor", "stale": "binary_sensor", "temperature": "sensor", "picture": "image", "update": "update",
		"revision": "sensor",
	}
	for _, v := range verb.All() {
		for _, t := range v.Topics {
			for _, e := range t.Entities {
				all[e.Name] = e.Platform
			}
		}
	}
	return all
})

// pageOptions returns the options of the entity that selects a page: auto, next, previous, and each page's name once.
func pageOptions(names []string) []string {
	all := []string{"auto", "next", "previous"}
	for _, n := range names {
		if !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return all
}

// themeOptions returns the options of the entity that selects a theme.
func themeOptions(sun bool) []string {
	if sun {
		return []string{"auto", "day", "night"}
	}
	return []string{"day", "night"}
}

// components() returns all entities of the wall by name.
func (w *wall) components() map[string]component {
	c := map[string]component{}
	add := func(name, title string, keys component) {
		c[name] = component{"p": platforms()[name], "name": title, "unique_id": w.id + "_" + name}
		maps.Copy(c[name], keys)
	}
	add("picture", "Picture", component{"image_topic": w.topic("picture"), "content_type": "image/jpeg"})
	add("painted", "Last painted", component{
		"state_topic": w.topic("state"), "value_template": "{{ value_json.painted }}", "device_class": "timestamp", "entity_category": "diagnostic",
	})
	for _, v := range verb.All() {
		for _, t := range v.Topics {
			for _, e := range t.Entities {
				if w.has(e.Needs) && (w.first || !v.Whole) {
					add(e.Name, e.Title, w.keys(t, e))
				}
			}
		}
	}
	if w.first {
		w.addOwn(add)
	}
	return c
}

// has() reports whether the wall has a part that an entity requires.
func (w *wall) has(p verb.Part) bool {
	switch p {
	case verb.Screen:
		return w.Screen
	case verb.Themes:
		return w.Theme != ""
	case verb.Pages:
		return len(w.Pages) > 0
	case verb.Notices:
		return w.Notify
	case verb.Updates:
		return w.now.Update != nil
	case verb.Origin:
		return w.now.Origin
	}
	return true
}

// keys() returns the keys of an entity that sends a command on a topic.
func (w *wall) keys(t verb.Topic, e verb.Entity) component {
	c := component{"command_topic": w.topic(t.Name)}
	for key, value := range map[string]string{"icon": e.Icon, "device_class": e.Class, "entity_category": e.Category, pressKey(e.Platform): e.Press} {
		if value != "" {
			c[key] = value
		}
	}
	if e.State != "" {
		c["state_topic"] = w.topic(e.State)
	}
	switch e.Name { // entities with keys that depend on the wall
	case "page":
		c["options"] = pageOptions(w.Pages)
	case "theme":
		c["options"] = themeOptions(w.Sun)
	case "text":
		c["max"] = maxMessage
	case "display":
		c["brightness_command_topic"], c["brightness_state_topic"], c["brightness_scale"] = w.topic("brightness/set"), w.topic("brightness"), 100
	}
	return c
}

// pressKey returns the name of the key that holds the payload of a press.
func pressKey(platform string) string {
	if platform == "update" {
		return "payload_install"
	}
	return "payload_press"
}

// addOwn adds the components of the whole service. Only the main wall has them.
func (w *wall) addOwn(add func(name, title string, keys component)) {
	add("stale", "Stale sources", component{
		"state_topic": w.topic("state"), "value_template": "{{ value_json.stale }}",
		"payload_on": true, "payload_off": false, "device_class": "problem", "entity_category": "diagnostic",
	})
	if w.now.Origin {
		add("revision", "Files", component{
			"state_topic": w.topic("state"), "value_template": "{{ value_json.revision }}", "icon": "mdi:source-commit",
			"entity_category": "diagnostic",
		})
	}
	if w.now.Update == nil { // without updates, the entity only shows the version
		add("update", "Version", component{"state_topic": w.topic("update"), "entity_category": "diagnostic"})
	}
	if known(w.now.Temperature) {
		add("temperature", "Temperature", component{
			"state_topic": w.topic("state"), "value_template": "{{ value_json.temperature }}", "device_class": "temperature",
			"unit_of_measurement": "°C", "state_class": "measurement", "entity_category": "diagnostic",
		})
	}
}

// left() returns the components that Home Assistant must delete, each with only its platform. They are the components that the wall had
// and no longer has. If w.had is nil, an earlier run may have published any component. left() then returns all components that the wall
// does not have.
func (w *wall) left(has map[string]component) map[string]component {
	left := map[string]component{}
	for name, platform := range platforms() {
		if _, had := w.had[name]; (had || w.had == nil) && has[name] == nil {
			left[name] = component{"p": platform}
		}
	}
	return left
}

// discovery returns the payload that configures the wall in Home Assistant.
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
			dev["cu"] = url + "?view=" + w.View // a view's name has only characters that need no escape
		}
	}
	data, err := json.Marshal(map[string]any{
		"dev": dev, "o": map[string]any{"name": "dashboard", "sw": w.Version}, "avty": []any{map[string]any{"topic": w.Base + "/status"}}, "cmps": c,
	})
	if err != nil {
		return nil // texts and numbers can always be encoded
	}
	return data
}
