package weather

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dashboard/internal/budget"
	"dashboard/internal/fetch"
	fake "dashboard/internal/testing/homeassistanttest"
	"dashboard/internal/testing/programtest"
	"dashboard/provider"
	"dashboard/provider/geocode"
	"dashboard/provider/homeassistant"
)

// inHouse runs a provider for the entity weather.home. `wait` waits until `ok` returns true for a sample, and returns the sample's
// report.
func inHouse(t *testing.T, s *fake.Server, spot geocode.Spot) (wait func(what string, ok func(*provider.Sample) bool) *Report) {
	t.Helper()
	srv := httptest.NewServer(s)
	m := provider.NewManager(budget.New(), func() {}, slog.New(slog.NewTextHandler(io.Discard, nil)))
	client := fetch.New(&fetch.Options{})
	home, err := homeassistant.NewHome(srv.URL, false, fake.Token, homeassistant.Deps{Client: client, Sessions: m.Sessions()})
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewEntity(Params{Source: "homeassistant", Entity: "weather.home"}, Env{Spot: spot, Zone: berlin}, home)
	if err != nil {
		t.Fatal(err)
	}
	p.now = func() time.Time { return noonOf }
	cell := provider.NewCell(nil)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx, cell) }()
	news := make(chan struct{}, 1)
	end := cell.Watch(news)
	t.Cleanup(func() {
		end()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		m.Close()
		client.CloseIdle()
		srv.Close()
	})
	return func(what string, ok func(*provider.Sample) bool) *Report {
		t.Helper()
		late := time.After(programtest.Patience)
		for !ok(cell.Load()) {
			select {
			case <-news:
			case <-late:
				t.Fatalf("%s: got %+v, %v", what, cell.Load().Value, cell.Load().Err)
			}
		}
		r, _ := cell.Load().Value.(*Report)
		return r
	}
}

// rowsOf returns n entries of a forecast. The first entry has the time `from`, and each further entry is `step` later.
func rowsOf(n int, from time.Time, step time.Duration, more map[string]any) (list []any) {
	for i := range n {
		m := map[string]any{"datetime": from.Add(time.Duration(i) * step).UTC().Format(time.RFC3339), "temperature": 50 + float64(i), "condition": "rainy"}
		for k, v := range more {
			m[k] = v
		}
		list = append(list, m)
	}
	return list
}

// TestEntity: the state of an entity becomes the current weather in SI units, also if Home Assistant uses other units. The forecasts
// become the hours and days of the report. A change is published at once. If the entity is unavailable, or the connection is lost, the
// last report stays, and the sample has an error.
func TestEntity(t *testing.T) {
	t.Parallel()
	s := &fake.Server{Forecast: map[string][]any{
		"hourly": rowsOf(200, noonOf.Add(-5*time.Hour), time.Hour, map[string]any{"wind_speed": 10.0, "precipitation": 0.1, "precipitation_probability": 40}),
		"daily":  rowsOf(30, noonOf.AddDate(0, 0, -2), 24*time.Hour, map[string]any{"templow": 41, "precipitation": 1, "condition": "snowy"}),
	}}
	attributes := map[string]any{
		"temperature": 68, "temperature_unit": "°F", "humidity": 50, "pressure": 30, "pressure_unit": "inHg", "wind_speed": 10, "wind_speed_unit": "mph",
		"wind_gust_speed": 20, "wind_bearing": "SW", "precipitation_unit": "in", "cloud_coverage": 75, "friendly_name": "Home", "attribution": "by a station",
	}
	var away atomic.Bool // whether Home Assistant ends new connections, so that the test can see the state without a connection
	var connected, asked atomic.Int32
	s.Before = func(c *fake.Client, m map[string]any) bool {
		if away.Load() {
			c.Cut()
			return true
		}
		switch m["type"] {
		case "supported_features":
			connected.Add(1)
		case "weather/subscribe_forecast":
			asked.Add(1)
		}
		return false
	}
	s.Put("weather.home", "partlycloudy", attributes)
	spot := geocode.Spot{Place: geocode.Place{Name: "Berlin", Latitude: latitude, Longitude: longitude}, Known: true}
	wait := inHouse(t, s, spot)
	r := wait("the first report", func(x *provider.Sample) bool {
		r, _ := x.Value.(*Report)
		return r != nil && len(r.Hours) > 0 && r.Days[0].Max.Has() && len(r.Days) > 10 && x.Err == nil
	})
	c := r.Current
	for name, n := range map[string]struct{ got, want Number }{
		"temp": {c.Temp, 20}, "wind": {c.Wind, 4.4704}, "gust": {c.Gust, 8.9408}, "bearing": {c.Bearing, 225}, "pressure": {c.Pressure, 1015.916},
		"cloud": {c.Cloud, 75}, "humidity": {c.Humidity, 50}, "rain": {r.Hours[0].Rain, 2.54}, "probability": {r.Hours[0].Probability, 40},
		"day min": {r.Days[0].Min, 5}, "day rain": {r.Days[0].Rain, 25.4},
	} {
		if math.Abs(float64(n.got-n.want)) > 0.001 {
			t.Errorf("%s: got %v, want %v", name, n.got, n.want)
		}
	}
	if c.Kind != PartlyCloudy || !c.IsDay || !c.Feels.Has() || c.UV.Has() || r.Place != "Berlin" || r.Credit != "by a station" {
		t.Errorf("got %+v", r)
	}
	if at := r.Hours[0].At; !at.Add(time.Hour).After(noonOf) || at.After(noonOf) || len(r.Hours) != MaxHours || r.Hours[0].Kind != Rain {
		t.Errorf("the first of %d hours is %v", len(r.Hours), at)
	}
	if d := r.Days[0]; d.Date.Day() != noonOf.In(berlin).Day() || len(r.Days) != MaxDays || d.Most != Snow || d.Sunrise.IsZero() {
		t.Errorf("the first of %d days is %+v", len(r.Days), d)
	}
	if night := r.Hours[14]; night.IsDay {
		t.Errorf("at %v it is day", night.At)
	}
	s.Put("weather.home", "pouring", attributes)
	wait("a change", func(x *provider.Sample) bool { return x.Value.(*Report).Current.Kind == HeavyRain })
	s.Put("weather.home", "unavailable", nil)
	r = wait("it is gone", func(x *provider.Sample) bool { return x.Err != nil })
	if r.Current.Kind != HeavyRain {
		t.Errorf("got %v, want the last weather", r.Current.Kind)
	}
	s.Put("weather.home", "sunny", attributes)
	wait("it is back", func(x *provider.Sample) bool { return x.Err == nil && x.Value.(*Report).Current.Kind == Clear })
	away.Store(true)
	s.Drop()
	r = wait("the connection is lost", func(x *provider.Sample) bool { return x.Err != nil })
	if len(r.Days) == 0 || len(r.Hours) == 0 {
		t.Error("the forecast is gone")
	}
	away.Store(false)
	wait("the connection is back", func(x *provider.Sample) bool { return x.Err == nil })
	programtest.Eventually(t, "both forecasts are asked for again", func() bool { return connected.Load() >= 2 && asked.Load() == 2*connected.Load() })
}

// TestEntityRefused: without a daily forecast, the days are computed from the hours. Without any forecast, the current weather is shown,
// and the sample has an error with the reason.
func TestEntityRefused(t *testing.T) {
	for name, kinds := range map[string]string{"no days": "daily", "no forecast": "daily hourly"} {
		t.Run(name, func(t *testing.T) {
			s := &fake.Server{Forecast: map[string][]any{"hourly": rowsOf(48, noonOf, time.Hour, nil)}}
			s.Before = func(c *fake.Client, m map[string]any) bool {
				if kind, _ := m["forecast_type"].(string); kind != "" && strings.Contains(kinds, kind) {
					c.Refuse(int(m["id"].(float64)), "forecast_not_supported", "The weather entity does not support "+kind+" forecasts")
					return true
				}
				return false
			}
			s.Put("weather.home", "clear-night", map[string]any{"temperature": 3.5, "temperature_unit": "°C"})
			wait := inHouse(t, s, geocode.Spot{})
			r := wait("a report", func(x *provider.Sample) bool {
				r, _ := x.Value.(*Report)
				if name == "no days" {
					return r != nil && len(r.Days) > 1 && x.Err == nil
				}
				return r != nil && x.Err != nil && strings.Contains(x.Err.Error(), "does not support")
			})
			if r.Current.Temp != 3.5 || r.Current.IsDay || r.Current.Kind != Clear {
				t.Errorf("got %+v", r.Current)
			}
		})
	}
}

// TestEntityLies: for any data from Home Assistant, there is a report that does not exceed the limits.
func TestEntityLies(t *testing.T) {
	deep := map[string]any{"datetime": map[string]any{}, "temperature": []any{"x"}, "condition": 7}
	many := make([]any, 20_000)
	for i := range many {
		many[i] = map[string]any{"datetime": noonOf.Add(time.Duration(i) * time.Hour).Format(time.RFC3339), "temperature": 1e308, "wind_speed": -1e308, "condition": strings.Repeat("x", 100)}
	}
	p := &Entity{env: Env{Zone: berlin}, now: func() time.Time { return noonOf }}
	for name, list := range map[string][]any{
		"none": nil, "wrong": {1, "x", nil, []any{}, deep, map[string]any{"datetime": "yesterday"}, map[string]any{"datetime": "9999-12-31T23:59:59Z"}},
		"back": {map[string]any{"datetime": "2030-01-02T00:00:00Z"}, map[string]any{"datetime": "2030-01-01T00:00:00Z"}}, "many": many,
	} {
		for _, v := range []any{nil, 7, map[string]any{"state": 5, "attributes": "none"}, map[string]any{"state": strings.Repeat("y", 300), "attributes": map[string]any{
			"friendly_name": strings.Repeat("é", 900), "attribution": 4, "temperature_unit": []any{}, "wind_speed_unit": 3, "wind_bearing": map[string]any{}}}} {
			r, err := p.report(v, forecasts{list: [2][]any{list, list}}, nil)
			if err != nil || len(r.Hours) > MaxHours || len(r.Days) > MaxDays || len(r.Place) > 200 {
				t.Errorf("%s: got %d hours, %d days, %v", name, len(r.Hours), len(r.Days), err)
			}
			if name == "back" && len(r.Days) != 1 {
				t.Errorf("times that go back: got %d days", len(r.Days))
			}
			_ = fmt.Sprint(r.Plain())
		}
	}
}

// TestEntityParams: a missing parameter, or a parameter that is not allowed, is reported with the name of its key.
func TestEntityParams(t *testing.T) {
	for want, p := range map[string]Params{
		"entity: is missing": {Source: "homeassistant"}, "entity: \"home\" is not an entity id": {Source: "homeassistant", Entity: "home"},
		"key: only openweather": {Source: "homeassistant", Entity: "weather.home", Key: "k"},
	} {
		if _, err := NewEntity(p, Env{}, nil); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := New(Params{Source: "nws", Entity: "weather.home"}, Env{}); err == nil || !strings.HasPrefix(err.Error(), "entity: only homeassistant") {
		t.Errorf("got %v", err)
	}
}

// Each condition of Home Assistant has its kind of weather. Only the condition clear-night belongs to the night.
func TestHomeKind(t *testing.T) {
	for condition, want := range map[string]Kind{
		"sunny": Clear, "partlycloudy": PartlyCloudy, "cloudy": Cloudy, "fog": Fog, "hail": ThunderstormHail, "lightning": Thunderstorm,
		"lightning-rainy": Thunderstorm, "pouring": HeavyRain, "rainy": Rain, "snowy": Snow, "snowy-rainy": Sleet, "windy": Windy,
		"windy-variant": Windy, "exceptional": Unknown, "clear-night": Clear,
	} {
		if k, isDay := HomeKind(condition); k != want || isDay != (condition != "clear-night") {
			t.Errorf("%s: got %v, by day %v, want %v", condition, k, isDay, want)
		}
	}
}
