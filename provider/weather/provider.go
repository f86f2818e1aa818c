package weather

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"time"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/internal/locale"
	"dashboard/provider"
	"dashboard/provider/ask"
	"dashboard/provider/geocode"
	"dashboard/provider/query"
)

// Params are the keys of a provider of type weather.
type Params struct {
	// Weather service. open-meteo and met.no cover the world, nws the USA, brightsky Germany. homeassistant uses an entity of Home
	// Assistant and sends no requests.
	Source string `yaml:"source" default:"open-meteo" enum:"open-meteo,met.no,nws,brightsky,openweather,homeassistant"`
	// API key of openweather.
	Key string `yaml:"key"`
	// Entity for the source homeassistant, such as weather.home, over the connection in conf.yaml.
	Entity string `yaml:"entity"`
	// Place of the weather. Default: the location of conf.yaml.
	Location *config.Location `yaml:"location"`
	// Time between requests, longer if the service requires it.
	UpdateInterval value.Duration `yaml:"update_interval" default:"15m" min:"300"`
	// Maximum random delay of each request.
	Jitter value.Duration `yaml:"jitter" default:"30s"`
	// Timeout of each request.
	Timeout value.Duration `yaml:"timeout" default:"30s" min:"1" max:"600"`

	// Times of day of the requests, instead of update_interval. The first request is sent when the wall starts.
	At []value.Clock `yaml:"at" maxlen:"96"`
	// Request headers.
	Headers map[string]string `yaml:"headers"`
	// Login, if you run your own server between the wall and the service.
	Auth *query.Auth `yaml:"auth"`
	// PEM file of additional certificate authorities.
	CAFile string `yaml:"ca_file"`
	// Sends requests only while a widget with the value is visible, and for a minute afterwards. At other times, a due request waits.
	Visible bool `yaml:"only_when_visible" default:"false"`
}

const (
	// maxReport is the maximum size of an answer, in bytes. The longest answers, ten days by hours, have about 300 kB.
	maxReport = 4 << 20
	// maxValues is the maximum number of values in an answer. Ten days by hours have a few thousand values.
	maxValues = 64 << 10
	// leftAlone is the pause after status 429 (too many requests) without Retry-After.
	leftAlone = time.Hour
	// airInterval is the time between two requests for the air quality, because the air quality changes once an hour.
	airInterval = time.Hour
	// brightDays is the number of days that are requested from Bright Sky.
	brightDays = 7
)

// A Provider requests the weather from a service.
type Provider struct {
	params Params
	spot   geocode.Spot
	zone   *time.Location
	agent  string
	words  *locale.Locale
	client *fetch.Client
	asks   fetch.Request // settings that all requests have in common
	plan   ask.Schedule
	now    func() time.Time

	etag, modified string // validators from the last good forecast
	last           *Report
	grid           *NWSGrid
	air            *Air
}

// Env holds the dependencies of a provider.
type Env struct {
	Client *fetch.Client
	Files  fs.FS // root of ca_file; nil means the working directory
	Spot   geocode.Spot
	Zone   *time.Location // zone for services that do not report the zone of the location; nil means time.Local
	Sun    value.Sun      // sunrise and sunset at the wall's location; nil if the location is unknown
	Words  *locale.Locale // language for the names of kinds of weather in programs; nil means English
	Agent  string         // name and version of the program, and a contact; some services reject requests without them
}

var _ provider.Provider = (*Provider)(nil)

// New returns a provider. An error begins with the name of the configuration key that causes it.
func New(p Params, e Env) (*Provider, error) {
	switch {
	case p.Source == "homeassistant":
		return nil, errors.New("source: that of homeassistant is an entity") // NewEntity makes providers for this source
	case p.Entity != "":
		return nil, fmt.Errorf("entity: only homeassistant has entities, not %s", p.Source)
	case p.Source == "openweather" && p.Key == "":
		return nil, errors.New("key: openweather needs one")
	case p.Source != "openweather" && p.Key != "":
		return nil, fmt.Errorf("key: only openweather takes one, not %s", p.Source)
	}
	if e.Zone == nil {
		e.Zone = time.Local
	}
	keys := ask.Keys{At: p.At, Jitter: p.Jitter, Timeout: p.Timeout, Headers: p.Headers, Auth: p.Auth, CAFile: p.CAFile, Visible: p.Visible}
	deps := ask.Deps{Client: e.Client, Files: e.Files, Location: e.Zone, Sun: e.Sun}
	asks, err := keys.Request(deps, nwsHost) // each request sets its own address, so any address is valid here
	if err != nil {
		return nil, err
	}
	plan, err := keys.Schedule(deps, p.UpdateInterval)
	if err != nil {
		return nil, err
	}
	return &Provider{params: p, spot: e.Spot, zone: e.Zone, agent: e.Agent, words: e.Words, client: e.Client, asks: asks, plan: plan, now: time.Now}, nil
}

// Kind is "weather".
func (p *Provider) Kind() string { return "weather" }

// Run publishes values of type *Report.
func (p *Provider) Run(ctx context.Context, cell *provider.Cell) error {
	p.etag, p.modified, p.last, p.grid = "", "", nil, nil
	return p.plan.Run(ctx, cell, func(ctx context.Context) provider.Result {
		if cell.Refused() {
			p.etag, p.modified = "", "" // the cell does not have the forecast of these validators
		}
		return p.once(ctx)
	})
}

// once() makes one attempt.
func (p *Provider) once(ctx context.Context) provider.Result {
	at, err := p.spot.Resolve(ctx)
	if err != nil {
		var not *geocode.NotFound
		return provider.Fail(err, errors.As(err, &not))
	}
	r, expires, err := p.ask(ctx, at)
	if err != nil {
		return p.failed(err)
	}
	result := provider.Result{Next: p.pause(expires)}
	if r == nil {
		if r = p.renewed(ctx, at); r == nil {
			result.Outcome = provider.Unchanged
			return result
		}
		p.last, result.Value = r, r
		return result
	}
	if r.Place = at.Name; r.Place == "" && p.grid != nil {
		r.Place = p.grid.Place
	}
	r.words = p.words
	p.more(ctx, at, r)
	p.last, result.Value = r, r
	return result
}

// renewed() returns the last report with the present warnings and air quality, or nil if they have not changed.
func (p *Provider) renewed(ctx context.Context, at geocode.Place) *Report {
	r := *p.last
	if p.more(ctx, at, &r); r.Air == p.last.Air && slices.Equal(r.Alerts, p.last.Alerts) {
		return nil
	}
	return &r
}

// pause returns the time until the forecast expires if this time is longer than the usual pause. Otherwise it returns 0.
func (p *Provider) pause(expires time.Time) time.Duration {
	wait := expires.Sub(p.now())
	if expires.IsZero() || wait <= time.Duration(p.params.UpdateInterval) {
		return 0
	}
	return min(wait, provider.MaxRetryAfter) + time.Second
}

// The type busy is the error of a service that received too many requests and sent no Retry-After.
type busy struct{ error }

// RetryAfter returns the pause before the next request.
func (busy) RetryAfter() time.Duration { return leftAlone }

// Unwrap returns the error of the service.
func (b busy) Unwrap() error { return b.error }

// failed() returns the result for an error. If the service rejects the request, there is no early retry.
func (p *Provider) failed(err error) provider.Result {
	var status *fetch.StatusError
	if !errors.As(err, &status) {
		return provider.Fail(err, false)
	}
	if status.Code == http.StatusTooManyRequests && status.Wait == 0 {
		err = busy{err}
	}
	return provider.Fail(err, status.Code < 500 && status.Code != http.StatusRequestTimeout)
}

// ask requests the forecast. The report is nil if the forecast has not changed. The second result
// is the time until which the forecast is valid.
func (p *Provider) ask(ctx context.Context, at geocode.Place) (*Report, time.Time, error) {
	lat, lon := at.Latitude, at.Longitude
	now := p.now()
	switch p.params.Source {
	case "met.no":
		return p.forecast(ctx, MetNoURL(lat, lon), func(b []byte) (*Report, error) { return MetNo(b, lat, lon, p.zone) })
	case "nws":
		return p.nws(ctx, lat, lon, now)
	case "brightsky":
		from := now.In(p.zone)
		return p.forecast(ctx, BrightSkyURL(lat, lon, from, from.AddDate(0, 0, brightDays)), func(b []byte) (*Report, error) { return BrightSky(b, lat, lon, p.zone, now) })
	case "openweather":
		return p.forecast(ctx, OpenWeatherURL(lat, lon, p.params.Key), OpenWeather)
	}
	return p.forecast(ctx, OpenMeteoURL(lat, lon), OpenMeteo)
}

const nwsHost = "https://api.weather.gov"

// nws requests the forecast. If the addresses for the location are not known, it requests these addresses first.
func (p *Provider) nws(ctx context.Context, lat, lon float64, now time.Time) (*Report, time.Time, error) {
	if p.grid == nil {
		resp, err := p.get(ctx, nwsHost+NWSPoint(lat, lon))
		if err != nil {
			return nil, time.Time{}, err
		}
		g, err := NWSGridOf(resp.Body)
		if err != nil {
			return nil, time.Time{}, err
		}
		p.grid = g
	}
	zone := p.grid.Zone
	r, expires, err := p.forecast(ctx, p.grid.Hourly+"?units=si", func(b []byte) (*Report, error) { return NWS(b, lat, lon, zone, now) })
	if err != nil {
		p.grid = nil // the addresses may have changed, so request them again
	}
	return r, expires, err
}

// forecast requests a forecast and parses it with the function `read`.
func (p *Provider) forecast(ctx context.Context, url string, read func([]byte) (*Report, error)) (*Report, time.Time, error) {
	req := p.request(url)
	if p.last != nil && !p.nextHour() {
		req.ETag, req.LastModified = p.etag, p.modified
	}
	resp, err := p.client.Do(ctx, req)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer resp.Release()
	if resp.NotModified() && p.last != nil {
		return nil, resp.Expires, nil
	}
	p.etag, p.modified = "", ""
	if err := cmp.Or(resp.Check(), countValues(resp.Body)); err != nil {
		return nil, time.Time{}, fmt.Errorf("%s: %w", fetch.Redact(url), err)
	}
	r, err := read(resp.Body)
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("%s: %w", fetch.Redact(url), resp.Misread(err))
	}
	p.etag, p.modified = resp.ETag, resp.LastModified
	return r, resp.Expires, nil
}

// nextHour() reports whether the current weather must be read from the forecast again, because a new hour has begun.
func (p *Provider) nextHour() bool {
	byHour := p.params.Source == "nws" || p.params.Source == "brightsky"
	return byHour && !p.now().Truncate(time.Hour).Equal(p.last.At.Truncate(time.Hour))
}

// request returns a request with the headers that services require, such as the name of the program.
func (p *Provider) request(url string) *fetch.Request {
	r := p.asks
	r.URL, r.MaxBytes, r.Header = url, maxReport, map[string]string{"User-Agent": p.agent, "Accept": "application/json"}
	maps.Copy(r.Header, p.asks.Header)
	return &r
}

// get sends a request for data other than the forecast.
func (p *Provider) get(ctx context.Context, url string) (*fetch.Response, error) {
	resp, err := p.client.Do(ctx, p.request(url))
	if err != nil {
		return nil, err
	}
	defer resp.Release() // the body stays valid after Release; it has only a few kilobytes
	if err := cmp.Or(resp.Check(), countValues(resp.Body)); err != nil {
		return nil, fmt.Errorf("%s: %w", fetch.Redact(url), err)
	}
	return resp, nil
}

// countValues returns an error if an answer has more values than a forecast can have. Without this check, a small answer could use much
// memory: two brackets in it can represent an hour that needs a hundred times as much memory.
func countValues(body []byte) error {
	n := 0
	for _, c := range body {
		if c == ',' || c == '[' || c == '{' {
			n++
		}
	}
	if n > maxValues {
		return fmt.Errorf("the answer has %d values, a forecast at most %d", n, maxValues)
	}
	return nil
}

// more() adds the parts of the report that need separate requests. If such a request fails, the part keeps its last value, because the
// forecast is useful without this part.
func (p *Provider) more(ctx context.Context, at geocode.Place, r *Report) {
	lat, lon := at.Latitude, at.Longitude
	var err error
	var resp *fetch.Response
	switch p.params.Source {
	case "nws":
		if resp, err = p.get(ctx, nwsHost+NWSAlerts(lat, lon)); err == nil {
			r.Alerts, err = NWSAlertsOf(resp.Body, r.zone())
		}
	case "brightsky":
		if resp, err = p.get(ctx, "https://api.brightsky.dev"+BrightSkyAlerts(lat, lon)); err == nil {
			r.Alerts, err = BrightSkyAlertsOf(resp.Body, r.zone())
		}
	}
	r.Air = p.breathe(ctx, lat, lon)
	if err != nil && p.last != nil {
		r.Alerts = p.last.Alerts
	}
}

// breathe() returns the latest air quality. It sends a request only if this air quality is older than airInterval.
func (p *Provider) breathe(ctx context.Context, lat, lon float64) *Air {
	if p.air != nil && p.now().Sub(p.air.At) < airInterval {
		return p.air
	}
	if resp, err := p.get(ctx, AirURL(lat, lon)); err == nil {
		if air, err := AirOf(resp.Body); err == nil {
			p.air = air
		}
	}
	return p.air
}
