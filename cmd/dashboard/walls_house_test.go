package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/folder"
	"dashboard/internal/homeassistanttest"
)

// recordedHouse is a Home Assistant with what the walls name of one.
func recordedHouse() *homeassistanttest.Server {
	s := &homeassistanttest.Server{
		History: map[string][]any{
			"sensor.pv_power": past(func(hour float64) float64 {
				return max(0, math.Round(1400*math.Sin((hour-5.5)*math.Pi/14)+60*math.Sin(9*hour)))
			}),
			"sensor.house_power": past(func(hour float64) float64 {
				return math.Round(380 + 240*math.Sin(hour*math.Pi/6)*math.Sin(hour*math.Pi/6) + 90*math.Sin(7*hour))
			}),
		},
		Forecast: map[string][]any{"hourly": forecastRows(48, time.Hour, nil), "daily": forecastRows(8, 24*time.Hour, map[string]any{"templow": 8.0})},
	}
	sensor := func(id, state, name, class, unit string) {
		s.Put(id, state, map[string]any{"friendly_name": name, "device_class": class, "unit_of_measurement": unit, "state_class": "measurement"})
	}
	sensor("sensor.living_room_temperature", "21.4", "Living room temperature", "temperature", "°C")
	sensor("sensor.bedroom_temperature", "18.9", "Bedroom temperature", "temperature", "°C")
	sensor("sensor.pv_power", "1240", "Solar power", "power", "W")
	sensor("sensor.house_power", "512", "House power", "power", "W")
	s.Put("lock.front_door", "unlocked", map[string]any{"friendly_name": "Front door"})
	s.Put("cover.garage_door", "closed", map[string]any{"friendly_name": "Garage door", "device_class": "garage"})
	s.Put("light.hall", "on", map[string]any{"friendly_name": "Hall"})
	s.Put("binary_sensor.hall_motion", "on", map[string]any{"friendly_name": "Hall motion", "device_class": "motion"})
	s.Put("binary_sensor.doorbell", "off", map[string]any{"friendly_name": "Doorbell"})
	s.Put("weather.home", "partlycloudy", map[string]any{"friendly_name": "Home", "temperature": 14, "temperature_unit": "°C", "humidity": 61, "wind_speed": 11, "wind_speed_unit": "km/h", "wind_bearing": 315})
	return s
}

// past is a day of states by the hour of the day, as history_during_period has them.
func past(of func(hour float64) float64) (all []any) {
	for at := wallsMoment.Add(-24 * time.Hour); at.Before(wallsMoment); at = at.Add(15 * time.Minute) {
		hour := float64(at.Hour()) + float64(at.Minute())/60
		all = append(all, map[string]any{"s": fmt.Sprint(of(hour)), "lu": float64(at.Unix())})
	}
	return all
}

// forecastRows are entries of a forecast, one each step.
func forecastRows(n int, step time.Duration, more map[string]any) (all []any) {
	kinds := []string{"partlycloudy", "sunny", "rainy", "cloudy", "sunny"}
	for i := range n {
		at := wallsMoment.Truncate(step).Add(time.Duration(i) * step)
		m := map[string]any{"datetime": at.Format(time.RFC3339), "temperature": 15 + 4*math.Sin(float64(at.Hour()-8)*math.Pi/12) + float64(i%5), "condition": kinds[i%len(kinds)]}
		for k, v := range more {
			m[k] = v
		}
		all = append(all, m)
	}
	return all
}

// houseDoor is a listener whose connections are pipes.
type houseDoor struct {
	conns chan net.Conn
	gone  chan struct{}
}

func (l *houseDoor) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.gone:
		return nil, errors.New("closed")
	}
}

func (l *houseDoor) Close() error   { close(l.gone); return nil }
func (l *houseDoor) Addr() net.Addr { return &net.TCPAddr{} }

// serveHouse has a house answer in the bubble of a test, and returns the way to it and what ends it.
func serveHouse() (http.RoundTripper, func()) {
	l := &houseDoor{conns: make(chan net.Conn), gone: make(chan struct{})}
	srv := &http.Server{Handler: recordedHouse()}
	served := make(chan struct{})
	go func() { defer close(served); _ = srv.Serve(l) }()
	tr := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		here, there := net.Pipe()
		select {
		case l.conns <- there:
			return here, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}}
	return tr, func() {
		tr.CloseIdleConnections()
		_ = srv.Close()
		<-served
		synctest.Wait()
	}
}

// withoutBroker is the folder of a wall without the broker of its conf.yaml, which no record stands for, and with the key of the
// recorded house.
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
		over[name] = []byte(kept.String())
	}
	return folder.Dir(home).Over(over)
}
