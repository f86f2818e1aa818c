package scene

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"dashboard/internal/testing/homeassistanttest"
)

// drawn is an HTTP transport for a drawing. It answers with the files in testdata/drawings, and with the values of a machine and of a
// greenhouse.
type drawn struct {
	dir   string
	house http.RoundTripper
	end   chan struct{} // closed at the end of the test
}

func (d drawn) RoundTrip(r *http.Request) (*http.Response, error) {
	body := []byte(nil)
	file := filepath.Join("testdata/drawings", r.URL.Path)
	switch at := time.Since(drawingMoment); r.URL.Hostname() {
	case "homeassistant.local":
		return d.house.RoundTrip(r)
	case "slow.test":
		<-d.end
		return nil, errors.New("the test ends")
	case "api.open-meteo.com":
		if file = filepath.Join("testdata/drawings", d.dir, "weather.json"); !exists(file) {
			file = "testdata/drawings/weather.json"
		}
	case "drawings.test":
		switch {
		case r.URL.Path == "/machine":
			s := at.Seconds()
			cpu := 12 + 1.5*math.Sin(s/3) + 37*math.Exp(-(s+41)*(s+41)/20) + 18*math.Exp(-(s+18)*(s+18)/8)
			body = fmt.Appendf(nil, `{"cpu_percent":%.1f,"memory_percent":31,"disk_used":21,"uptime":273840}`, cpu)
		case r.URL.Path == "/greenhouse" && at < -20*time.Minute:
			body = fmt.Appendf(nil, `{"value":%.2f}`, 17.9-0.45*(at.Hours()+0.3)+0.25*math.Sin(3*at.Hours())+0.2)
		}
	}
	if body == nil {
		var err error
		if body, err = os.ReadFile(file); err != nil {
			return nil, errors.New("connection refused")
		}
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(body))}, nil
}

// exists reports whether a file exists.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// drawnEntities are the sensors of the drawings. The function `of` returns the value at a time in hours after drawingMoment.
var drawnEntities = []struct {
	id, name, class, unit, format string
	of                            func(hours float64) float64
}{
	{"sensor.living_room_temperature", "Living room", "temperature", "°C", "%.2f", func(h float64) float64 {
		return 21.3 + 0.9*math.Tanh(h/1.2+0.1) + 0.15*math.Sin(4*h)
	}},
	{"sensor.bedroom_temperature", "Bedroom", "temperature", "°C", "%.1f", func(float64) float64 { return 18.9 }},
	{"sensor.cellar_humidity", "Cellar", "humidity", "%", "%.1f", func(h float64) float64 {
		return 65 + 3*math.Tanh(2.4*(h+0.75)) + 0.4*math.Sin(7*h)
	}},
	{"sensor.freezer_temperature", "Freezer", "temperature", "°C", "%.1f", func(h float64) float64 {
		return -18.4 + 9.2*math.Exp(2.7*h) + 0.3*math.Sin(9*h)
	}},
	{"sensor.pv_power", "Solar", "power", "W", "%.0f", solarPast},
}

// drawnHouse returns a simulated Home Assistant with the entities of the drawings, and their history before the given time.
func drawnHouse(now time.Time) *homeassistanttest.Server {
	s := &homeassistanttest.Server{History: map[string][]any{}}
	for _, e := range drawnEntities {
		for at := now.Add(-24 * time.Hour); at.Before(now); at = at.Add(6 * time.Minute) {
			value := fmt.Sprintf(e.format, e.of(at.Sub(drawingMoment).Hours()))
			s.History[e.id] = append(s.History[e.id], map[string]any{"s": value, "lu": float64(at.Unix())})
		}
	}
	s.Put("lock.front_door", "unlocked", map[string]any{"friendly_name": "Front door"})
	measure(s, now)
	return s
}

// measure sets the sensors of a house to their values at the given time.
func measure(s *homeassistanttest.Server, now time.Time) {
	for _, e := range drawnEntities {
		value := fmt.Sprintf(e.format, e.of(now.Sub(drawingMoment).Hours()))
		s.Put(e.id, value, map[string]any{
			"friendly_name": e.name, "device_class": e.class, "unit_of_measurement": e.unit, "state_class": "measurement",
		})
	}
}

// solarPast returns the power of solar panels at a time in hours after drawingMoment.
func solarPast(h float64) float64 {
	points := [][2]float64{{-24, 40}, {-8, 60}, {-6.5, 220}, {-4.6, 1120}, {-3.6, 1150}, {-1.8, 790}, {-1, 860}, {-0.4, 1200}, {0, 1240}}
	i := 1
	for h > points[i][0] && i < len(points)-1 {
		i++
	}
	a, b := points[i-1], points[i]
	return a[1] + (b[1]-a[1])*(1-math.Cos(math.Pi*(h-a[0])/(b[0]-a[0])))/2
}
