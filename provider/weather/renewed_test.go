package weather

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"dashboard/provider"
)

// TestWarningsOfAnUnchangedForecast: warnings and air quality are renewed although the service reports that the forecast has not changed.
// If they are the same too, nothing is published.
func TestWarningsOfAnUnchangedForecast(t *testing.T) {
	alerts, periods := `{"features":[]}`, 0
	s := &service{t: t}
	s.answer = func(r *http.Request) (int, map[string]string, string) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/points/"):
			return 200, nil, `{"properties":{"forecastHourly":"https://api.weather.gov/gridpoints/TOP/31,80/forecast/hourly","timeZone":"Europe/Berlin"}}`
		case r.URL.Path == "/alerts/active":
			return 200, nil, alerts
		case strings.HasPrefix(r.URL.Host, "air"):
			return 500, nil, ""
		case r.Header.Get("If-None-Match") == `"a"`:
			return 304, map[string]string{"ETag": `"a"`}, ""
		}
		periods++
		return 200, map[string]string{"ETag": `"a"`}, `{"properties":{"periods":[
			{"startTime":"2026-05-15T12:00:00+02:00","temperature":9,"temperatureUnit":"C","windSpeed":"1 km/h","icon":"x"},
			{"startTime":"2026-05-15T13:00:00+02:00","temperature":11,"temperatureUnit":"C","windSpeed":"1 km/h","icon":"x"}]}}`
	}
	p, now := s.provider(t, Params{Source: "nws"}), noonOf
	p.now = func() time.Time { return now }
	first, _ := p.once(t.Context()).Value.(*Report)
	if first == nil || len(first.Alerts) > 0 {
		t.Fatalf("got %+v", first)
	}
	alerts = `{"features":[{"properties":{"event":"Tornado Warning","severity":"Extreme"}}]}`
	if r, _ := p.once(t.Context()).Value.(*Report); r == nil || len(r.Alerts) != 1 || r.Current.Temp != 9 || len(first.Alerts) > 0 {
		t.Errorf("a new warning: got %+v", r)
	}
	if r := p.once(t.Context()); r.Outcome != provider.Unchanged {
		t.Errorf("the same warning: got %+v", r)
	}
	alerts = `{"features":[]}`
	if r, _ := p.once(t.Context()).Value.(*Report); r == nil || len(r.Alerts) != 0 {
		t.Errorf("the warning is over: got %+v", r)
	}
	if periods != 1 {
		t.Errorf("the forecast was sent %d times within an hour, want once", periods)
	}
	now = now.Add(time.Hour)
	if r, _ := p.once(t.Context()).Value.(*Report); r == nil || r.Current.Temp != 11 || len(r.Hours) != 1 {
		t.Errorf("an hour later: got %+v, want the weather of the next hour", r)
	}
}
