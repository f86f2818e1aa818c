package weather

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Pollen is a plant whose pollen is counted.
type Pollen int

// The plants, in the order of the list Air.Pollen.
const (
	Grass Pollen = iota
	Birch
	Alder
	Mugwort
	Olive
	Ragweed
	plants // number of plants
)

// pollenNames are the names of the plants in the answers of services and in programs.
var pollenNames = [plants]string{"grass", "birch", "alder", "mugwort", "olive", "ragweed"}

// Air is the quality of the air.
type Air struct {
	At     time.Time
	Index  Number         // European air quality index; up to 20 is good, over 100 is extremely poor
	UV     Number         // UV index
	Pollen [plants]Number // grains per cubic meter
}

// AirURL returns the address at which Open-Meteo sends the air quality.
func AirURL(latitude, longitude float64) string {
	names := []string{"european_aqi", "uv_index"}
	for _, n := range pollenNames {
		names = append(names, n+"_pollen")
	}
	q := url.Values{"latitude": {short(latitude)}, "longitude": {short(longitude)}, "timeformat": {"unixtime"}, "current": {strings.Join(names, ",")}}
	return "https://air-quality-api.open-meteo.com/v1/air-quality?" + q.Encode()
}

// AirOf parses an answer from the address AirURL.
func AirOf(data []byte) (*Air, error) {
	var raw struct{ Current map[string]any }
	if err := json.Unmarshal(data, &raw); err != nil || raw.Current == nil {
		return nil, fmt.Errorf("the answer does not tell of the air: %w", err)
	}
	now := func(name string) Number {
		if v, ok := raw.Current[name].(float64); ok {
			return Number(v)
		}
		return None
	}
	a := &Air{At: unix(now("time")), Index: now("european_aqi"), UV: now("uv_index")}
	for i, n := range pollenNames {
		a.Pollen[i] = now(n + "_pollen")
	}
	return a, nil
}
