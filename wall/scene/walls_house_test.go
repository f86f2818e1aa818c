package scene

import (
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/folder"
	"dashboard/internal/testing/homeassistanttest"
)

// recordedHouse returns a simulated Home Assistant with the entities that the walls show.
func recordedHouse() *homeassistanttest.Server {
	s := &homeassistanttest.Server{
		History: map[string][]any{"sensor.pv_power": past(solar), "sensor.house_power": past(household)},
		Forecast: map[string][]any{
			"hourly": forecastRows(48, time.Hour, func(i int, at time.Time) (float64, float64) {
				return 14 + 4*math.Sin(float64(at.Hour()-9)*math.Pi/12), 0
			}),
			"daily": forecastRows(8, 24*time.Hour, func(i int, _ time.Time) (float64, float64) {
				return 17 + 3*math.Sin(float64(i)), 8 + 2*math.Cos(float64(2*i))
			}),
		},
	}
	sensor := func(id, state, name, class, unit string) {
		s.Put(id, state, map[string]any{"friendly_name": name, "device_class": class, "unit_of_measurement": unit, "state_class": "measurement"})
	}
	sensor("sensor.living_room_temperature", "21.4", "Living room temperature", "temperature", "°C")
	sensor("sensor.bedroom_temperature", "18.9", "Bedroom temperature", "temperature", "°C")
	sensor("sensor.pv_power", "1240", "Solar power", "power", "W")
	sensor("sensor.house_power", "512", "House power", "power", "W")
	sensor("sensor.bathroom_humidity", "58", "Bathroom humidity", "humidity", "%")
	s.Put("binary_sensor.kitchen_window", "off", map[string]any{"friendly_name": "Kitchen window", "device_class": "window"})
	s.Put("sensor.washing_machine", "running", map[string]any{"friendly_name": "Washing machine"})
	s.Put("lock.front_door", "unlocked", map[string]any{"friendly_name": "Front door"})
	s.Put("cover.garage_door", "closed", map[string]any{"friendly_name": "Garage door", "device_class": "garage"})
	s.Put("light.hall", "on", map[string]any{"friendly_name": "Hall"})
	s.Put("light.kitchen", "on", map[string]any{"friendly_name": "Kitchen"})
	s.Put("light.desk", "off", map[string]any{"friendly_name": "Desk"})
	s.Put("binary_sensor.hall_motion", "on", map[string]any{"friendly_name": "Hall motion", "device_class": "motion"})
	s.Put("binary_sensor.doorbell", "off", map[string]any{"friendly_name": "Doorbell"})
	s.Put("weather.home", "partlycloudy", map[string]any{"friendly_name": "Home", "temperature": 14, "temperature_unit": "°C", "humidity": 61, "wind_speed": 11, "wind_speed_unit": "km/h", "wind_bearing": 315})
	return s
}

// solar returns the power of solar panels at a time of day in hours. It is 0 before 6:00 and after
// 20:00, and clouds reduce it in the afternoon.
func solar(hour float64) float64 {
	return max(0, math.Round(1485*math.Sin((hour-6)*math.Pi/14)*(1-0.4*math.Exp(-(hour-15)*(hour-15)))))
}

// household returns the power that a house uses at a time of day in hours. It is higher at breakfast, in the late morning when the
// washing machine runs, at noon, and in the evening.
func household(hour float64) float64 {
	near := func(at, width float64) float64 { return math.Exp(-(hour - at) * (hour - at) / width) }
	return math.Round(190 + 520*near(7.3, 0.6) + 300*near(10.4, 1) + 260*near(12.6, 0.5) + 760*near(19, 3) + 25*math.Sin(5*hour))
}

// past returns the states of a day in the form of Home Assistant's history_during_period. The function `of` returns the value at a time of
// day in hours.
func past(of func(hour float64) float64) (all []any) {
	for at := wallsMoment.Add(-24 * time.Hour); at.Before(wallsMoment); at = at.Add(15 * time.Minute) {
		hour := float64(at.Hour()) + float64(at.Minute())/60
		all = append(all, map[string]any{"s": fmt.Sprint(of(hour)), "lu": float64(at.Unix())})
	}
	return all
}

// forecastRows returns n entries of a weather forecast at intervals of `step`. The function `of` returns the highest and the lowest
// temperature of each entry.
func forecastRows(n int, step time.Duration, of func(i int, at time.Time) (high, low float64)) (all []any) {
	kinds := []string{"partlycloudy", "sunny", "rainy", "cloudy", "sunny"}
	for i := range n {
		at := wallsMoment.Truncate(step).Add(time.Duration(i) * step)
		high, low := of(i, at)
		m := map[string]any{"datetime": at.Format(time.RFC3339), "temperature": math.Round(high), "condition": kinds[i%len(kinds)]}
		if step > time.Hour {
			m["templow"] = math.Round(low)
		}
		all = append(all, m)
	}
	return all
}

// withCameras returns a house in which every camera sends the same picture of a market.
func withCameras(house http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/camera_proxy/") && r.Header.Get("Authorization") == "Bearer "+homeassistanttest.Token {
			http.ServeFile(w, r, "../../samples/kiosk/marche.jpg")
			return
		}
		house.ServeHTTP(w, r)
	})
}

// serveHouse starts a server for a house inside of the test's bubble. It returns a transport to
// this server, and a function that ends the server.
func serveHouse() (http.RoundTripper, func()) { return servedBy(withCameras(recordedHouse())) }

// servedBy is like serveHouse, for another house.
func servedBy(h http.Handler) (http.RoundTripper, func()) {
	l := homeassistanttest.NewPipes()
	srv := &http.Server{Handler: h}
	served := make(chan struct{})
	go func() { defer close(served); _ = srv.Serve(l) }()
	tr := &http.Transport{DialContext: l.Dial}
	return tr, func() {
		tr.CloseIdleConnections()
		_ = srv.Close()
		<-served
		synctest.Wait()
	}
}

// withoutBroker returns the folder of a wall with two changed files. conf.yaml contains no broker, because no messages of the broker are
// recorded. secrets.yaml contains the token of the recorded house. If the wall sets no time zone, its time zone is UTC.
func withoutBroker(t *testing.T, home string) *folder.Root {
	t.Helper()
	over := map[string][]byte{}
	for name, prefix := range map[string]string{"conf.yaml": "mqtt:", "secrets.yaml": "hass:"} {
		data, err := os.ReadFile(filepath.Join(home, name))
		if err != nil {
			continue
		}
		var kept strings.Builder
		for line := range strings.Lines(string(data)) {
			if !strings.HasPrefix(line, prefix) {
				kept.WriteString(line)
			} else if prefix == "hass:" {
				kept.WriteString("hass: " + homeassistanttest.Token + "\n")
			}
		}
		if name == "conf.yaml" && !strings.Contains("\n"+kept.String(), "\ntimezone:") {
			kept.WriteString("\ntimezone: UTC\n") // otherwise the picture would depend on the time zone of the machine
		}
		over[name] = []byte(kept.String())
	}
	return folder.Dir(home).Over(over)
}
