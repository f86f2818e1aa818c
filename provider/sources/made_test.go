package sources

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/config"
	durations "dashboard/config/value"
	"dashboard/internal/budget"
	"dashboard/internal/fetch"
	"dashboard/internal/locale"
	"dashboard/provider"
	"dashboard/provider/geocode"
	"dashboard/provider/query"
	"dashboard/provider/sun"
	"dashboard/provider/weather"
)

// An internet replaces the network. It answers requests for the location of a place name and for the weather at this location.
type internet struct {
	mu    sync.Mutex // guards the field `asked`
	asked map[string]int
}

func (n *internet) RoundTrip(r *http.Request) (*http.Response, error) {
	n.mu.Lock()
	n.asked[r.URL.Host]++
	n.mu.Unlock()
	body := `{"timezone":"Europe/Oslo","current":{"time":1778839200,"temperature_2m":14.2,"weather_code":61,"is_day":1}}`
	switch {
	case strings.HasPrefix(r.URL.Host, "geocoding"):
		body = `{"results":[{"name":"Oslo","latitude":59.9,"longitude":10.7}]}`
	case strings.HasPrefix(r.URL.Host, "air"):
		body = `{"current":{"time":1778839200,"european_aqi":32}}`
	case r.URL.Query().Get("latitude") != "59.9000" || r.UserAgent() != "dashboard/test":
		return nil, fmt.Errorf("asked for %s by %s", r.URL, r.UserAgent())
	}
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

// TestWeatherOfAName: if the wall's location is only a name, the weather is from the place with this name. The name is looked up once for
// all providers. Programs read the plain report in the wall's language, and widgets get the typed report.
func TestWeatherOfAName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := &internet{asked: map[string]int{}}
		client := fetch.NewWith(net)
		german, err := locale.Load("de-DE", nil)
		if err != nil {
			t.Fatal(err)
		}
		d := Deps{Client: client, Home: &config.Location{Name: "Oslo"}, Atlas: geocode.NewAtlas(client, geocode.Geocoder, nil), Words: german, Agent: "dashboard/test", Location: time.UTC}
		m := provider.NewManager(budget.New(), func() {}, slog.New(slog.DiscardHandler))
		defer m.Close()
		set, s, a, told := build(m)
		typ, _ := TypeNamed("weather")
		for name, p := range map[string]weather.Params{
			"here": {Source: "open-meteo"}, "again": {Source: "open-meteo"}, "there": {Source: "open-meteo", Location: &config.Location{Name: "Oslo"}},
			"known": {Source: "open-meteo", Location: &config.Location{Name: "Home", Latitude: 59.9, Longitude: 10.7, Known: true}},
		} {
			p.UpdateInterval, p.Timeout = durations.Duration(15*time.Minute), durations.Duration(time.Second)
			key, made, err := typ.Make(d, &p)
			if err != nil {
				t.Fatal(err)
			}
			set.Add(key, made)
			set.Name(name, key)
		}
		text, ok1 := s.Live(a, "text", `.here.current | "\(.temp) \(.text) \(.code)"`)
		cell, ok2 := s.Made(a, "weather", "here")
		picked, ok3 := s.Text(a, query.Text{Value: query.Value{Provider: "known", Pick: query.Pick{Path: "current.temp"}}, Format: "{}"})
		if !ok1 || !ok2 || !ok3 {
			t.Fatal(*told)
		}
		m.Commit(set)
		time.Sleep(time.Second)
		synctest.Wait()
		if r, ok := cell.Load().Value.(*weather.Report); !ok || r.Place != "Oslo" || r.Air == nil || r.Air.Index != 32 {
			t.Errorf("a widget is handed %+v, %v", cell.Load().Value, cell.Load().Err)
		}
		if got := text.Load().Value; got != "14.2 Leichter Regen 61" {
			t.Errorf("a program reads %v, %v", got, text.Load().Err)
		}
		if got := picked.Cell.Load(); got.Value == nil || !strings.Contains(fmt.Sprint(got.Value), "14.2") {
			t.Errorf("data_path reads %+v", got)
		}
		if net.asked["geocoding-api.open-meteo.com"] > 2 || net.asked["api.open-meteo.com"] != 2 {
			t.Errorf("asked %v: equal definitions share one", net.asked)
		}
	})
}

func TestWeatherWithoutAPlace(t *testing.T) {
	typ, _ := TypeNamed("weather")
	for want, c := range map[string]struct {
		d Deps
		p weather.Params
	}{
		"location: the weather needs a place": {Deps{}, weather.Params{}},
		"location: places cannot be looked":   {Deps{Home: &config.Location{Name: "Oslo"}}, weather.Params{}},
		"source: write the address":           {Deps{}, weather.Params{Source: "homeassistant", Entity: "weather.home"}},
		"key: ":                               {Deps{Home: &config.Location{Known: true}}, weather.Params{Source: "openweather"}},
	} {
		if _, _, err := typ.Make(c.d, &c.p); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// The type kinded is a provider with a type.
type kinded struct {
	constant
	kind string
}

func (k kinded) Kind() string { return k.kind }

// TestMade: a widget that names no provider uses the only provider of its type. An error is reported if there is no provider of this
// type, or more than one.
func TestMade(t *testing.T) {
	m := provider.NewManager(budget.New(), func() {}, slog.New(slog.DiscardHandler))
	defer m.Close()
	set, s, a, told := build(m)
	ask := func(name, want string) {
		t.Helper()
		*told = nil
		_, ok := s.Made(a, "sky", name)
		if got := strings.Join(*told, "; "); ok != (want == "") || got != want {
			t.Errorf("%q: got %v, %q, want %q", name, ok, got, want)
		}
	}
	ask("", ": needs a provider of type sky, and there is none in providers.yaml")
	set.Name("north", "n")
	set.Add("n", kinded{kind: "sky"})
	ask("", "")
	ask("north", "")
	ask("nort", "provider: no provider is named 'nort'; is 'north' meant?")
	ask("home", "provider: 'home' is of type ; this widget needs one of type sky")
	set.Name("south", "s")
	set.Add("s", kinded{kind: "sky"})
	ask("", "provider: there are several providers of type sky; name one of them: north, south")
	ask("south", "")
}

// TestSunAtHome: the sun's times are for the wall's location, unless the keys set another location. If there is no location, the missing
// key is reported.
func TestSunAtHome(t *testing.T) {
	home := &config.Location{Latitude: 51.48, Known: true}
	kind, _ := TypeNamed("sun")
	key, _, err := kind.Make(Deps{Home: home}, &sun.Params{})
	other, _, err2 := kind.Make(Deps{Home: home}, &sun.Params{Location: &config.Location{Latitude: -33.9, Longitude: 18.4, Known: true}})
	if err != nil || err2 != nil || key == other {
		t.Errorf("got %s, %v, and %s, %v", key, err, other, err2)
	}
	elsewhere, _, err := kind.Make(Deps{Home: home, Location: time.FixedZone("home", 5*60*60)}, &sun.Params{})
	if err != nil || elsewhere == key {
		t.Errorf("another time zone of the wall: got the key %q, %v", elsewhere, err)
	}
	if _, _, err := kind.Make(Deps{}, &sun.Params{}); err == nil || !strings.HasPrefix(err.Error(), "location: the sun needs a place") {
		t.Errorf("got %v", err)
	}
}
