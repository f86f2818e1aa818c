package device

import (
	"context"
	"encoding/json"
	"maps"
	"math"
	"time"
)

// A Reader is the last known state of an e-reader. Unknown numbers are NaN.
type Reader struct {
	ID       string // ID of letters and digits
	Name     string // name for users
	Volts    float64
	Percent  float64
	Charging bool
	Signal   float64   // signal strength in dBm
	Seen     time.Time // time of the last contact; zero if there was none since the start
}

// readerConfig returns the discovery topic of an e-reader. The e-reader is a device that is connected through the wall's device.
func (r *run) readerConfig(id string) string {
	return "homeassistant/device/" + r.ID + "_reader_" + id + "/config"
}

// readerState returns the topic for the state of an e-reader.
func (r *run) readerState(id string) string { return r.Base + "/readers/" + id }

// tellReaders publishes the state of all e-readers and removes e-readers that no longer exist.
func (r *run) tellReaders(ctx context.Context) {
	there := map[string]Reader{}
	for _, one := range r.now.Readers {
		there[one.ID] = one
		config := []byte{} // an empty payload removes a configuration that an earlier run has published
		if r.Discovery {
			config = r.readerDiscovery(one)
		}
		r.put(ctx, r.readerConfig(one.ID), config)
		r.put(ctx, r.readerState(one.ID), one.state())
	}
	for id := range r.readers {
		if _, ok := there[id]; ok {
			continue
		}
		r.drop(r.readerConfig(id), r.readerState(id))
	}
	r.readers = there
}

// state returns the payload with the e-reader's state. Unknown values are null.
func (d Reader) state() []byte {
	m := map[string]any{"battery": nil, "volts": nil, "signal": nil, "seen": nil, "charging": d.Charging}
	for name, v := range map[string]float64{"battery": d.Percent, "volts": d.Volts, "signal": d.Signal} {
		if !math.IsNaN(v) {
			m[name] = v
		}
	}
	if !d.Seen.IsZero() {
		m["seen"] = d.Seen.UTC().Format(time.RFC3339)
	}
	data, _ := json.Marshal(m) // numbers and texts can always be encoded
	return data
}

// readerDiscovery returns the payload that configures an e-reader in Home Assistant. Every e-reader has all sensors.
func (r *run) readerDiscovery(d Reader) []byte {
	c, id := map[string]component{}, r.ID+"_reader_"+d.ID
	add := func(name, title, value string, keys component) {
		c[name] = component{
			"p": "sensor", "name": title, "unique_id": id + "_" + name, "state_topic": r.readerState(d.ID),
			"value_template": "{{ value_json." + value + " }}", "entity_category": "diagnostic",
		}
		maps.Copy(c[name], keys)
	}
	add("battery", "Battery", "battery", component{"device_class": "battery", "unit_of_measurement": "%", "state_class": "measurement"})
	add("voltage", "Battery voltage", "volts", component{"device_class": "voltage", "unit_of_measurement": "V", "state_class": "measurement"})
	add("signal", "Signal", "signal", component{"device_class": "signal_strength", "unit_of_measurement": "dBm", "state_class": "measurement"})
	add("seen", "Last seen", "seen", component{"device_class": "timestamp"})
	add("charging", "Charging", "charging", component{"p": "binary_sensor", "payload_on": true, "payload_off": false, "device_class": "battery_charging"})
	dev := map[string]any{"ids": []string{"dashboard_" + id}, "name": d.Name, "mf": "TRMNL", "via_device": "dashboard_" + r.ID}
	data, _ := json.Marshal(map[string]any{ // texts and numbers can always be encoded
		"dev": dev, "o": map[string]any{"name": "dashboard", "sw": r.Version}, "avty": []any{map[string]any{"topic": r.Base + "/status"}}, "cmps": c,
	})
	return data
}
