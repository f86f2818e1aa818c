package weather

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/geocode"
)

const agentName = "dashboard/1.2 (me@example.org)"

// A service answers requests instead of the network.
type service struct {
	t      *testing.T
	answer func(r *http.Request) (status int, header map[string]string, body string)
	asked  []string
}

func (s *service) RoundTrip(r *http.Request) (*http.Response, error) {
	s.asked = append(s.asked, r.URL.Host+r.URL.Path)
	if agent := r.UserAgent(); agent != agentName {
		s.t.Errorf("%s: asked as %q", r.URL.Host, agent)
	}
	status, header, body := s.answer(r)
	resp := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: r}
	for k, v := range header {
		resp.Header.Set(k, v)
	}
	return resp, nil
}

func (s *service) provider(t *testing.T, p Params) *Provider {
	t.Helper()
	p.UpdateInterval, p.Timeout = value.Duration(15*time.Minute), value.Duration(time.Minute)
	spot := geocode.Spot{Place: geocode.Place{Name: "Berlin", Latitude: latitude, Longitude: longitude}, Known: true}
	w, err := New(p, Env{Client: fetch.NewWith(s), Spot: spot, Zone: berlin, Agent: agentName})
	if err != nil {
		t.Fatal(err)
	}
	w.now = func() time.Time { return noonOf }
	return w
}

const shortForecast = `{"timezone":"Europe/Berlin","current":{"time":1778839200,"temperature_2m":14.2,"weather_code":61,"is_day":1}}`

// TestKept: after status 429 and 500, the last value stays. A service that rejects requests gets no request for the time in Retry-After.
// After 429 without Retry-After, it gets no request for an hour.
func TestKept(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		header map[string]string
		least  time.Duration
	}{
		"429":             {429, nil, time.Hour},
		"429 with a time": {429, map[string]string{"Retry-After": "7200"}, 2 * time.Hour},
		"500":             {500, nil, 0},
		"503 with a time": {503, map[string]string{"Retry-After": "3600"}, time.Hour},
		"no forecast":     {200, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				status, header, body := 200, map[string]string(nil), shortForecast
				forecasts := 0
				var mu sync.Mutex // guards the answer of the service
				say := func(code int, h map[string]string, text string) {
					mu.Lock()
					defer mu.Unlock()
					status, header, body = code, h, text
				}
				asked := func() int {
					mu.Lock()
					defer mu.Unlock()
					return forecasts
				}
				s := &service{t: t}
				s.answer = func(r *http.Request) (int, map[string]string, string) {
					mu.Lock()
					defer mu.Unlock()
					if strings.HasPrefix(r.URL.Host, "air") {
						return 500, nil, ""
					}
					forecasts++
					return status, header, body
				}
				cell := provider.NewCell(nil)
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan struct{})
				go func() { _ = s.provider(t, Params{Source: "open-meteo"}).Run(ctx, cell); close(done) }()
				synctest.Wait()
				first := cell.Load()
				if r, ok := first.Value.(*Report); !ok || r.Current.Kind != LightRain || r.Place != "Berlin" || r.Air != nil {
					t.Fatalf("got %+v, %v", first.Value, first.Err)
				}
				say(c.status, c.header, "{}")
				time.Sleep(15 * time.Minute)
				synctest.Wait()
				if now := cell.Load(); now.Value != first.Value || now.Err == nil || now.Seq != 1 {
					t.Errorf("got %+v, want the first value with an error", now)
				}
				before := asked()
				time.Sleep(c.least - time.Second)
				synctest.Wait()
				if c.least > 0 && asked() != before {
					t.Errorf("asked %d times within %v", asked()-before, c.least)
				}
				say(200, nil, shortForecast)
				time.Sleep(20 * time.Minute)
				synctest.Wait()
				if now := cell.Load(); now.Err != nil || now.Seq < 2 {
					t.Errorf("got %v, want it to be well again", now.Err)
				}
				cancel()
				<-done
			})
		})
	}
}

// TestPolite: before a forecast expires, the forecast is not requested again. The next request is conditional.
func TestPolite(t *testing.T) {
	s := &service{t: t}
	s.answer = func(r *http.Request) (int, map[string]string, string) {
		if strings.HasPrefix(r.URL.Host, "air") {
			return 500, nil, ""
		}
		if r.URL.Query().Get("lat") != "52.5200" {
			t.Errorf("got latitude %s", r.URL.Query().Get("lat"))
		}
		header := map[string]string{"Expires": noonOf.Add(40 * time.Minute).UTC().Format(http.TimeFormat), "Last-Modified": "Fri, 15 May 2026 09:00:00 GMT"}
		if r.Header.Get("If-Modified-Since") == header["Last-Modified"] {
			return 304, header, ""
		}
		return 200, header, `{"properties":{"timeseries":[{"time":"2026-05-15T10:00:00Z","data":{"instant":{"details":{"air_temperature":1}},"next_1_hours":{"summary":{"symbol_code":"fog"}}}}]}}`
	}
	p := s.provider(t, Params{Source: "met.no"})
	for i, want := range []provider.Outcome{provider.Fresh, provider.Unchanged} {
		r := p.once(t.Context())
		if r.Outcome != want || r.Err != nil || r.Next != 40*time.Minute+time.Second {
			t.Errorf("%d: got %+v", i, r)
		}
	}
}

// TestNWS: the American service gets one request for the location, and then requests for the forecast and the warnings. If the request
// for the warnings fails, the last warnings stay.
func TestNWS(t *testing.T) {
	warned := true
	s := &service{t: t}
	s.answer = func(r *http.Request) (int, map[string]string, string) {
		switch {
		case r.URL.Path == "/points/52.52,13.41":
			return 200, nil, `{"properties":{"forecastHourly":"https://api.weather.gov/gridpoints/TOP/31,80/forecast/hourly","timeZone":"Europe/Berlin","relativeLocation":{"properties":{"city":"Linn"}}}}`
		case r.URL.Path == "/alerts/active" && warned:
			return 200, nil, `{"features":[{"properties":{"event":"Tornado Warning","severity":"Extreme","ends":"2026-05-15T13:00:00Z"}},{"properties":{"event":"Flood","severity":"Minor","expires":null}}]}`
		case r.URL.Path == "/alerts/active":
			return 500, nil, ""
		}
		return 200, nil, `{"properties":{"periods":[
			{"startTime":"2026-05-15T11:00:00+02:00","isDaytime":true,"temperature":9,"temperatureUnit":"C","windSpeed":"1 km/h","icon":"x"},
			{"startTime":"2026-05-15T12:00:00+02:00","isDaytime":true,"temperature":{"value":14.2},"temperatureUnit":"C","probabilityOfPrecipitation":{"value":70},"relativeHumidity":{"value":80},"windSpeed":"10 to 18 km/h","windDirection":"W","icon":"https://api.weather.gov/icons/land/day/rain,70?size=small"},
			{"startTime":"2026-05-15T13:00:00+02:00","isDaytime":true,"temperature":59.18,"temperatureUnit":"F","probabilityOfPrecipitation":{"value":null},"windSpeed":"10 mph","windDirection":"?","icon":"/icons/land/day/sct"}]}}`
	}
	p := s.provider(t, Params{Source: "nws"})
	for i := range 2 {
		res := p.once(t.Context())
		r, ok := res.Value.(*Report)
		if !ok {
			t.Fatalf("got %+v", res)
		}
		c := r.Current
		if c.Temp != 14.2 || c.Wind != 18*kmh || c.Bearing != 270 || c.Humidity != 80 || c.Kind != Rain || !c.IsDay || c.Pressure.Has() || !c.Feels.Has() {
			t.Errorf("%d: current %+v", i, c)
		}
		if len(r.Hours) != 2 || r.Hours[1].Temp < 15.09 || r.Hours[1].Temp > 15.11 || r.Hours[1].Kind != PartlyCloudy || r.Hours[1].Probability.Has() || len(r.Days) != 1 || r.Days[0].Min != 9 {
			t.Errorf("%d: hours %+v, days %+v", i, r.Hours, r.Days)
		}
		if len(r.Alerts) != 2 || !r.Alerts[0].Grave || r.Alerts[1].Grave || r.Alerts[0].Until.Hour() != 15 || r.Place != "Berlin" {
			t.Errorf("%d: %s, alerts %+v", i, r.Place, r.Alerts)
		}
		warned = false
	}
	if got := strings.Join(s.asked, " "); strings.Count(got, "/points/") != 1 {
		t.Errorf("asked %s", got)
	}
	for name, want := range nwsKinds {
		if got := nwsKind("/icons/land/night/" + name + ",20/skc?size=medium"); got != want {
			t.Errorf("%s: got %d", name, got)
		}
	}
}

// TestAir: the air quality is requested once an hour.
func TestAir(t *testing.T) {
	s := &service{t: t}
	s.answer = func(r *http.Request) (int, map[string]string, string) {
		if strings.HasPrefix(r.URL.Host, "air") {
			return 200, nil, `{"current":{"time":1778839200,"european_aqi":32,"uv_index":null,"grass_pollen":12.5,"olive_pollen":null}}`
		}
		return 200, nil, shortForecast
	}
	p := s.provider(t, Params{Source: "open-meteo"})
	for range 3 {
		r, _ := p.once(t.Context()).Value.(*Report)
		if r == nil || r.Air == nil || r.Air.Index != 32 || r.Air.UV.Has() || r.Air.Pollen[Grass] != 12.5 || r.Air.Pollen[Olive].Has() {
			t.Fatalf("got %+v", r)
		}
	}
	if n := strings.Count(strings.Join(s.asked, " "), "air-quality-api"); n != 1 {
		t.Errorf("asked %d times for the air, want once", n)
	}
}

func TestWrongParams(t *testing.T) {
	for want, p := range map[string]Params{
		"source: ":               {Source: "homeassistant", Entity: "weather.home"},
		"key: openweather needs": {Source: "openweather"},
		"key: only openweather":  {Source: "met.no", Key: "x"},
	} {
		if _, err := New(p, Env{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: got %v, want %s", p, err, want)
		}
	}
}

// TestSecretsStay: no message contains the key of a service.
func TestSecretsStay(t *testing.T) {
	s := &service{t: t, answer: func(*http.Request) (int, map[string]string, string) {
		return 401, nil, `{"cod":401,"message":"Invalid API key"}`
	}}
	r := s.provider(t, Params{Source: "openweather", Key: "s3cret"}).once(t.Context())
	if r.Outcome != provider.Refused || strings.Contains(r.Err.Error(), "s3cret") {
		t.Errorf("got %+v", r)
	}
	var status *fetch.StatusError
	if !errors.As(r.Err, &status) || status.Code != 401 {
		t.Errorf("got %v", r.Err)
	}
}

// TestPlain: the value for programs is plain, and its JSON decodes to the same value. Missing numbers are null.
func TestPlain(t *testing.T) {
	for name, read := range answers() {
		r, err := read()
		if err != nil {
			t.Fatal(err)
		}
		r.Alerts = []Alert{{Title: "Gale"}}
		data, err := json.Marshal(r.Plain())
		if err != nil {
			t.Fatal(err)
		}
		var m struct {
			Current struct {
				Temp float64
				UV   *float64
				Text string
			}
			Hours []struct {
				At          time.Time
				Probability *float64
			}
			Days   []struct{ Date string }
			Alerts []struct{ Until *string }
		}
		if err := json.Unmarshal(data, &m); err != nil || m.Current.Temp != 14.2 || m.Current.Text == "" || len(m.Hours) != 2 || !m.Hours[0].At.Equal(noonOf) ||
			m.Hours[1].Probability != nil || m.Days[0].Date != "2026-05-15" || m.Alerts[0].Until != nil {
			t.Errorf("%s: got %s, %v", name, data, err)
		}
	}
	if provider.Plain(&Report{At: noonOf}) == nil || provider.Plain((*Report)(nil)) != nil || provider.Plain(7) != 7 {
		t.Error("Plain gives something else")
	}
}

// The weather is requested at times of day, with the given headers, and only while the weather is visible.
func TestWeatherAtTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at []string
		var mu sync.Mutex
		s := &service{t: t, answer: func(r *http.Request) (int, map[string]string, string) {
			if mu.Lock(); strings.HasSuffix(r.URL.Path, "/forecast") {
				at = append(at, time.Now().In(berlin).Format("15:04 ")+r.Header.Get("X-Key"))
			}
			mu.Unlock()
			return 200, nil, shortForecast
		}}
		p := s.provider(t, Params{Source: "open-meteo", At: []value.Clock{{Offset: 6 * time.Hour}, {Offset: 18 * time.Hour}}, Headers: map[string]string{"X-Key": "k"}, Visible: true})
		p.now = time.Now
		midnight := time.Date(2000, 1, 1, 0, 0, 0, 0, berlin) // one hour before fake time starts
		cell := provider.NewCell(nil)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); _ = p.Run(ctx, cell) }()
		for _, look := range []time.Duration{2 * time.Hour, 5 * time.Hour, 6*time.Hour + 30*time.Minute, 19 * time.Hour} {
			time.Sleep(time.Until(midnight.Add(look)))
			cell.Look(time.Now())
		}
		time.Sleep(2 * time.Minute)
		cancel()
		<-done
		if want := []string{"02:00 k", "06:30 k", "19:00 k"}; !slices.Equal(at, want) {
			t.Errorf("asked at %q, want %q", at, want)
		}
	})
}

// A stored report is restored as the same report. Missing numbers are still missing, and times are in the zone of the report's location.
func TestKeptReport(t *testing.T) {
	p := (&service{t: t, answer: func(*http.Request) (int, map[string]string, string) { return 200, nil, shortForecast }}).provider(t, Params{Source: "open-meteo"})
	want, err := OpenMeteo([]byte(shortForecast))
	if err != nil {
		t.Fatal(err)
	}
	want.Current.Gust = None
	want.Hours = []Hour{{At: noonOf.In(want.Zone), Temp: 14.25, Rain: None, Kind: Rain, IsDay: true}}
	want.Days = []Day{{Date: time.Date(2026, 5, 15, 0, 0, 0, 0, want.Zone), Min: -3, Max: 7.5, Worst: Snow, Sunrise: noonOf.In(want.Zone)}}
	want.Alerts = []Alert{{"Storm", true, noonOf.In(want.Zone)}}
	want.Air = &Air{At: noonOf, Index: 30, Pollen: [plants]Number{1, None}}
	data, err := p.Kept(want)
	if err != nil {
		t.Fatal(err)
	}
	v, err := p.Restore(data, noonOf)
	if err != nil {
		t.Fatal(err)
	}
	got := v.(*Report)
	if got.Current.Gust.Has() || got.Zone.String() != want.Zone.String() || !got.Hours[0].At.Equal(want.Hours[0].At) || len(got.Days) != len(want.Days) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if a, b := fmt.Sprint(got.Plain()), fmt.Sprint(want.Plain()); a != b {
		t.Errorf("got  %s\nwant %s", a, b)
	}
	for _, bad := range []string{"", "{", "[]", `{"Hours":7}`} {
		if _, err := p.Restore([]byte(bad), noonOf); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}
