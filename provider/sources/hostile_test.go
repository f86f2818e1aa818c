package sources

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/config"
	durations "dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/internal/testing/homeassistanttest"
	"dashboard/internal/testing/hostiletest"
	"dashboard/internal/testing/programtest"
	"dashboard/internal/testing/thorough"
	"dashboard/provider"
	"dashboard/provider/ask"
	"dashboard/provider/calendar"
	"dashboard/provider/feed"
	"dashboard/provider/gtfs"
	"dashboard/provider/homeassistant"
	"dashboard/provider/icloud"
	"dashboard/provider/immich"
	"dashboard/provider/mqtt"
	"dashboard/provider/prometheus"
	"dashboard/provider/query"
	"dashboard/provider/rest"
	"dashboard/provider/stream"
	"dashboard/provider/todoist"
	"dashboard/provider/weather"
	"dashboard/provider/webdav"
)

// An asker is a type of provider that sends requests to a server. It also has the configuration keys for a server at a given address.
type asker struct {
	kind, form string
	params     func(url string, k ask.Keys) any
	lasts      bool // whether the connection stays open; slow data is not an error then
}

// askers has all types that send requests to a server. A type with several forms has an asker for each form.
var askers = []asker{
	{kind: "rest", params: func(url string, k ask.Keys) any {
		return &rest.Params{URL: url, Parse: "json", UpdateInterval: minute, Keys: k}
	}},
	{kind: "feed", params: func(url string, k ask.Keys) any {
		return &feed.Params{URL: url, Limit: 20, UpdateInterval: minute, Keys: k}
	}},
	{kind: "gtfs", params: func(url string, k ask.Keys) any {
		return &gtfs.Params{URL: url, Stops: []string{"A"}, Limit: 10, Within: 60 * minute, UpdateInterval: 60 * minute, Keys: k}
	}},
	{kind: "prometheus", params: func(url string, k ask.Keys) any {
		return &prometheus.Params{URL: url, Query: "up", UpdateInterval: minute, Keys: k}
	}},
	{kind: "prometheus", form: "range", params: func(url string, k ask.Keys) any {
		return &prometheus.Params{URL: url, Query: "up", Range: 60 * minute, UpdateInterval: minute, Keys: k}
	}},
	{kind: "stream", form: "sse", lasts: true, params: func(url string, k ask.Keys) any {
		return &stream.Params{URL: url, Protocol: "sse", Keep: 1, Timeout: k.Timeout, Headers: k.Headers, CAFile: k.CAFile, Auth: k.Auth, Visible: k.Visible}
	}},
	{kind: "stream", form: "ndjson", lasts: true, params: func(url string, k ask.Keys) any {
		return &stream.Params{URL: url, Protocol: "auto", Keep: 1, Timeout: k.Timeout, Headers: k.Headers, CAFile: k.CAFile, Auth: k.Auth, Visible: k.Visible}
	}},
	{kind: "stream", form: "websocket", lasts: true, params: func(url string, k ask.Keys) any {
		return &stream.Params{URL: url, Protocol: "websocket", Keep: 1, Timeout: k.Timeout, Headers: k.Headers, CAFile: k.CAFile, Auth: k.Auth, Visible: k.Visible}
	}},
	{kind: "calendar", params: func(url string, k ask.Keys) any {
		return &calendar.Params{Calendars: []calendar.Entry{{Name: "A", URL: url + "/a.ics"}}, UpdateInterval: minute, Keys: k}
	}},
	{kind: "calendar", form: "caldav", params: func(url string, k ask.Keys) any {
		return &calendar.Params{Calendars: []calendar.Entry{{Name: "A", CalDAV: url + "/dav/"}}, UpdateInterval: minute, Keys: k}
	}},
	{kind: "immich", params: func(url string, k ask.Keys) any {
		return &immich.Params{URL: url, Key: "k", UpdateInterval: minute, Keys: k}
	}},
	{kind: "icloud", params: func(_ string, k ask.Keys) any {
		return &icloud.Params{URL: "https://www.icloud.com/sharedalbum/#B0a1b2c3d4e5f6", UpdateInterval: minute, Keys: k}
	}},
	{kind: "webdav", params: func(url string, k ask.Keys) any {
		return &webdav.Params{URL: url, Depth: 2, UpdateInterval: minute, Keys: k}
	}},
	{kind: "todoist", params: func(url string, k ask.Keys) any {
		if k.Auth == nil {
			k.Auth = &query.Auth{Bearer: "t"}
		}
		return &todoist.Params{URL: url, UpdateInterval: minute, Keys: k}
	}},
	{kind: "homeassistant", lasts: true, params: func(url string, _ ask.Keys) any {
		return &homeassistant.Params{URL: url, Token: "t", Entities: durations.Words{"sensor.a"}}
	}},
	weatherOf("open-meteo"), weatherOf("met.no"), weatherOf("nws"), weatherOf("brightsky"), weatherOf("openweather"),
}

const minute = durations.Duration(time.Minute)

func weatherOf(source string) asker {
	key := map[string]string{"openweather": "k"}[source]
	return asker{kind: "weather", form: source, params: func(_ string, k ask.Keys) any {
		return &weather.Params{Source: source, Key: key, UpdateInterval: 15 * minute, Timeout: k.Timeout, Headers: k.Headers, Auth: k.Auth, CAFile: k.CAFile, Visible: k.Visible, At: k.At, Jitter: k.Jitter}
	}}
}

// others lists the types that send no HTTP requests. TestHostileBrokers tests mqtt. Package file has separate tests.
var others = []string{"file", "push", "derived", "sun", "mqtt", "system"}

// TestEveryTypeIsAttacked: each type of provider is either in the list `askers` or in the list `others`.
func TestEveryTypeIsAttacked(t *testing.T) {
	for _, kind := range TypeNames() {
		asks := slices.ContainsFunc(askers, func(a asker) bool { return a.kind == kind })
		typ, _ := TypeNamed(kind)
		mayAsk := slices.ContainsFunc(config.Fields(reflect.TypeOf(typ.Params()).Elem()), func(f config.Field) bool { return f.Name == "url" || f.Name == "timeout" })
		if asks && slices.Contains(others, kind) || mayAsk && !asks && !slices.Contains(others, kind) {
			t.Errorf("the type %s must be either among askers or among others in provider/sources/hostile_test.go", kind)
		}
	}
}

// The type `everywhere` replaces the network. It sends the requests for any host to the same server.
type everywhere struct{ next http.RoundTripper }

func (e everywhere) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme == "https" {
		r = r.Clone(r.Context())
		r.URL.Scheme = "http"
	}
	return e.next.RoundTrip(r)
}

// serveAll returns a client whose requests are answered by a handler, without a network. The client works in fake time. `end` stops the
// handler's server.
func serveAll(h http.Handler) (c *fetch.Client, end func()) {
	l := homeassistanttest.NewPipes()
	srv := &http.Server{Handler: h}
	served := make(chan struct{})
	go func() { defer close(served); _ = srv.Serve(l) }()
	tr := &http.Transport{DialContext: l.Dial}
	return fetch.NewWith(everywhere{tr}), func() {
		tr.CloseIdleConnections()
		_ = srv.Close()
		<-served
	}
}

// make returns the provider of an asker. The provider sends its requests with the client c.
func (a *asker) make(t *testing.T, c *fetch.Client, k ask.Keys) provider.Provider {
	t.Helper()
	typ, ok := TypeNamed(a.kind)
	if !ok {
		t.Fatalf("there is no type %s", a.kind)
	}
	home := &config.Location{Name: "Oslo", Latitude: 59.9, Longitude: 10.7, Known: true}
	_, p, err := typ.Make(Deps{Client: c, Sessions: &provider.Sessions{}, Location: time.UTC, Name: "p", Home: home, Agent: "dashboard/test"}, a.params("http://server.lan", k))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// following() runs a provider. `end` stops it.
func following(p provider.Provider) (cell *provider.Cell, end func()) {
	cell = provider.NewCell(nil)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = p.Run(ctx, cell) }()
	return cell, func() { cancel(); <-done }
}

// TestHostile requests values from each hostile server with each type of provider. The provider gets no value. It reports an error within
// three minutes, unless its connection stays open and the server sends slowly. The provider ends when its context ends.
func TestHostile(t *testing.T) {
	thorough.Only(t)
	for _, a := range askers {
		for name := range hostiletest.Servers(nil) {
			t.Run(strings.TrimSuffix(a.kind+"-"+a.form, "-")+"/"+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { a.attacked(t, name) })
			})
		}
	}
}

func (a *asker) attacked(t *testing.T, name string) {
	stop := make(chan struct{})
	c, closed := serveAll(hostiletest.Servers(stop)[name])
	cell, end := following(a.make(t, c, ask.Keys{Timeout: durations.Duration(20 * time.Second)}))
	s := cell.Load()
	for range 180 {
		if s = cell.Load(); s.Err != nil {
			break
		}
		time.Sleep(time.Second)
	}
	if s.Has() {
		t.Errorf("it has the value %.80v", s.Value)
	}
	if s.Err == nil && !(a.lasts && name == "drips") {
		t.Error("there is no error after three minutes")
	}
	end()
	close(stop)
	closed()
	time.Sleep(time.Hour) // lets all running work end
	synctest.Wait()
}

// TestHostileBrokers: brokers hang, send slowly, end too early, redirect, send a bomb, or are not brokers. The provider gets no value and
// reports an error. The provider ends when its context ends.
func TestHostileBrokers(t *testing.T) {
	if testing.Short() {
		t.Skip("a broker that hangs is waited for")
	}
	moved := "\x20\x12\x00\x9d\x0f\x1c\x00\x0c127.0.0.1:9x"
	for name, play := range map[string]func(c net.Conn, end <-chan struct{}){
		"hangs": func(_ net.Conn, end <-chan struct{}) { <-end },
		"drips": func(c net.Conn, end <-chan struct{}) {
			for next := "\x20\xff\xff\xff\x7f"; ; next = "\x00" {
				if _, err := c.Write([]byte(next)); err != nil {
					return
				}
				select {
				case <-end:
					return
				case <-time.After(20 * time.Millisecond):
				}
			}
		},
		"half":      func(c net.Conn, _ <-chan struct{}) { fmt.Fprint(c, "\x20") },
		"elsewhere": func(c net.Conn, _ <-chan struct{}) { fmt.Fprint(c, moved) },
		"lies":      func(c net.Conn, _ <-chan struct{}) { fmt.Fprint(c, "HTTP/1.1 400 Bad Request\r\n\r\n") },
		"bomb": func(c net.Conn, _ <-chan struct{}) {
			fmt.Fprint(c, "\x20\xff\xff\xff\x7f")
			for err := error(nil); err == nil; {
				_, err = c.Write(make([]byte, 64<<10))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			end := make(chan struct{})
			defer close(end)
			defer l.Close()
			go func() {
				for {
					c, err := l.Accept()
					if err != nil {
						return
					}
					go func() { defer c.Close(); play(c, end) }()
				}
			}()
			typ, _ := TypeNamed("mqtt")
			_, p, err := typ.Make(Deps{Sessions: &provider.Sessions{}}, &mqtt.Params{Topic: "a/b", Broker: &mqtt.BrokerParams{URL: "mqtt://" + l.Addr().String()}})
			if err != nil {
				t.Fatal(err)
			}
			cell, ended := following(p)
			for begin := time.Now(); cell.Load().Err == nil && time.Since(begin) < programtest.Patience; {
				time.Sleep(5 * time.Millisecond)
			}
			if s := cell.Load(); s.Err == nil || s.Has() {
				t.Errorf("got %v, %v", s.Value, s.Err)
			}
			ended()
		})
	}
}
