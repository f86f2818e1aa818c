package device

import (
	"encoding/json"
	"slices"
)

// component is one entity of a device, by the abbreviations of Home Assistant's MQTT discovery.
type component map[string]any

// pageOptions are what a wall's page can be set to: its names, each once, and what they go by themselves.
func pageOptions(names []string) []string {
	all := []string{"auto", "next", "previous"}
	for _, n := range names {
		if !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return all
}

// discovery is what Home Assistant is told of the wall, with the pages of these names.
func (d *Device) discovery(pages []string) []byte {
	c := map[string]component{
		"reload":  {"p": "button", "name": "Reload", "command_topic": d.topic("reload"), "entity_category": "config"},
		"painted": {"p": "sensor", "name": "Last painted", "state_topic": d.topic("state"), "value_template": "{{ value_json.painted }}", "device_class": "timestamp", "entity_category": "diagnostic"},
		"stale": {
			"p": "binary_sensor", "name": "Stale sources", "state_topic": d.topic("state"), "value_template": "{{ value_json.stale }}",
			"payload_on": true, "payload_off": false, "device_class": "problem", "entity_category": "diagnostic",
		},
	}
	if d.Themes {
		c["theme"] = component{"p": "select", "name": "Theme", "command_topic": d.topic("theme/set"), "state_topic": d.topic("theme"), "options": []string{"auto", "day", "night"}, "icon": "mdi:theme-light-dark"}
	}
	if len(pages) > 0 {
		c["page"] = component{"p": "select", "name": "Page", "command_topic": d.topic("page/set"), "state_topic": d.topic("page"), "options": pageOptions(pages), "icon": "mdi:book-open-page-variant"}
	}
	if d.Notify {
		c["notify"] = component{"p": "notify", "name": "Notify", "command_topic": d.topic("notify")}
		c["text"] = component{"p": "text", "name": "Message", "command_topic": d.topic("text/set"), "max": 255, "icon": "mdi:message-text"}
		c["dismiss"] = component{"p": "button", "name": "Dismiss", "command_topic": d.topic("dismiss"), "icon": "mdi:notification-clear-all"}
	}
	for name, one := range c {
		one["unique_id"] = d.ID + "_" + name
	}
	origin := map[string]any{"name": "dashboard", "sw": d.Version}
	data, err := json.Marshal(map[string]any{
		"dev":  map[string]any{"ids": []string{"dashboard_" + d.ID}, "name": d.Name, "mf": "dashboard", "sw": d.Version, "sn": d.ID},
		"o":    origin,
		"avty": []any{map[string]any{"topic": d.topic("status")}},
		"cmps": c,
	})
	if err != nil {
		return nil // texts and numbers can be written
	}
	return data
}
