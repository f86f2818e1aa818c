package rest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/ask"
)

// A recorder is a network that always answers [1, 2] and records the requests.
type recorder struct {
	mu   sync.Mutex
	sent []string
	away string // address of a redirect; "" for a normal answer
}

// RoundTrip implements http.RoundTripper.
func (r *recorder) RoundTrip(q *http.Request) (*http.Response, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	text := q.Method + " " + q.URL.String()
	if h := q.Header.Get("X-Stop"); h != "" {
		text += " " + h
	}
	if q.Body != nil {
		body, _ := io.ReadAll(q.Body)
		text += " " + string(body)
	}
	r.sent = append(r.sent, text)
	status, header := http.StatusOK, http.Header{}
	if r.away != "" {
		status = http.StatusFound
		header.Set("Location", r.away)
	}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader("[1, 2]")), Request: q}, nil
}

func (r *recorder) list() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.sent...)
}

// stops() returns the cells of other providers: a stop whose name needs escapes, and a stop without a value.
func stops() map[string]*provider.Cell {
	stop := provider.NewCell(nil)
	stop.Publish(map[string]any{"id": "80/11 ?#", "name": "A&B=C", "up": "..", "n": 7, "at": "@evil.example", "list": []any{map[string]any{"id": "first"}}}, time.Now())
	return map[string]*provider.Cell{"stop": stop, "none": provider.NewCell(nil)}
}

// Values of other providers are escaped for their position in the address. A value cannot be the host of an address.
func TestOthers(t *testing.T) {
	const host = "https://api.example.org"
	for name, tt := range map[string]struct {
		p    Params
		want string // expected requests, or expected error
	}{
		"a part of a path":     {Params{URL: host + "/stops/{stop.id}/x"}, "GET " + host + "/stops/80%2F11%20%3F%23/x"},
		"a query":              {Params{URL: host + "/?q={stop.name}"}, "GET " + host + "/?q=A%26B%3DC"},
		"a parameter":          {Params{URL: host + "/", Params: map[string]any{"q": "{stop.name}"}}, "GET " + host + "/?q=A%26B%3DC"},
		"an entry of a list":   {Params{URL: host + "/{stop.list.0.id}"}, "GET " + host + "/first"},
		"a header":             {Params{URL: host + "/", Keys: ask.Keys{Headers: map[string]string{"X-Stop": "n {stop.n}"}}}, "GET " + host + "/ n 7"},
		"a body":               {Params{URL: host + "/", Method: "POST", Body: map[string]any{"all": "{stop.n} of {value}", "n": "{none}", "none": nil}}, "waits for none"},
		"a text in a body":     {Params{URL: host + "/", Method: "POST", Body: map[string]any{"a": "{stop.n} of {value}"}}, `POST ` + host + `/ {"a":"7 of {value}"}`},
		"a path and a program": {Params{URL: host + "/{stop.n}", JSONPath: "[1]", JQExpression: ". + 1"}, "GET " + host + "/7"},
		"in a step":            {Params{Steps: []Step{{URL: host + "/{stop.n}", Keep: map[string]string{"first": ".[0]"}}, {URL: host + "/{first}/{stop.n}"}}}, "GET " + host + "/7 GET " + host + "/1/7"},
		"a way up":             {Params{URL: host + "/a/{stop.up}/b"}, `{stop.up}: must not be ".."`},
		"a missing part":       {Params{URL: host + "/{stop.nothing}"}, "{stop.nothing}: there is no such value"},
		"a mapping":            {Params{URL: host + "/{stop}"}, "{stop}: must be a text or a number"},
		"no value yet":         {Params{URL: host + "/{none.id}"}, "waits for none"},
		"a name of a user":     {Params{URL: host + "{stop.at}/"}, "url: the host must be written"},
		"a host":               {Params{URL: "https://{stop.id}/"}, "url: the host must be written"},
		"a part of a host":     {Params{URL: "https://{stop.id}.example.org/"}, "url: the host must be written"},
		"a port":               {Params{URL: "https://example.org:{stop.n}/"}, "url: the host must be written"},
		"an address":           {Params{URL: "{stop.id}"}, "url: the host must be written"},
		"a scheme":             {Params{URL: "{stop.id}://example.org"}, "url: the host must be written"},
		"a host of a step":     {Params{Steps: []Step{{URL: "https://{stop.id}/"}}}, "the host must be written"},
		"a misspelled name":    {Params{URL: host + "/{stp.id}/{stop.n}"}, "url: no provider and no earlier step is named 'stp'; is 'stop' meant?"},
		"an unknown name":      {Params{URL: host + "/{weather.id}"}, "url: no provider is named 'weather'"},
	} {
		net := &recorder{}
		tt.p.Parse = "auto"
		c, err := tt.p.Config(ask.Deps{Values: stops()})
		if err == nil {
			s := New(c, fetch.NewWith(net))
			s.Try(t.Context(), true)
			if r := s.Try(t.Context(), true); r.Err != nil && len(net.sent) == 0 {
				err = r.Err
			}
			net.sent = net.sent[:len(net.sent)/2] // keep only the requests of the first attempt
		}
		got := strings.Join(net.sent, " ")
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, tt.want) || got == "" {
			t.Errorf("%s: got %s\nwant %s", name, got, tt.want)
		}
	}
}

// A redirect from a host in the configuration does not lead to another host.
func TestOthersRedirected(t *testing.T) {
	net := &recorder{away: "https://evil.example/"}
	c, err := (&Params{URL: "https://api.example.org/{stop.n}"}).Config(ask.Deps{Values: stops()})
	if err != nil {
		t.Fatal(err)
	}
	if r := New(c, fetch.NewWith(net)).Try(t.Context(), true); !errors.Is(r.Err, fetch.ErrRefused) || len(net.sent) != 1 {
		t.Errorf("got %v after %v", r.Err, net.sent)
	}
}

// While the value of the other provider is missing, no request is sent, and the error names that provider. After a change of the value, a
// request is sent, but not sooner than leastPause after the last request. A change of a part that is not used causes no request.
func TestOthersChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net, stop := &recorder{}, provider.NewCell(nil)
		p := Params{URL: "https://api.example.org/{stop.id}", UpdateInterval: value.Duration(time.Minute)}
		c, err := p.Config(ask.Deps{Values: map[string]*provider.Cell{"stop": stop}})
		if err != nil {
			t.Fatal(err)
		}
		cell := provider.NewCell(nil)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); New(c, fetch.NewWith(net)).Run(ctx, cell) }()
		defer func() { cancel(); <-done }()
		set := func(id, other any) { stop.Publish(map[string]any{"id": id, "other": other}, time.Now()) }
		want := func(what, ids string) {
			t.Helper()
			synctest.Wait()
			got := strings.ReplaceAll(strings.Join(net.list(), " "), "GET https://api.example.org/", "")
			if got != ids {
				t.Errorf("%s: got %q, want %q", what, got, ids)
			}
		}
		want("without a value", "")
		if s := cell.Load(); s.Err != nil {
			t.Errorf("at once: got %v", s.Err)
		}
		time.Sleep(6 * time.Second) // in fake time
		synctest.Wait()
		if s := cell.Load(); fmt.Sprint(s.Err) != "waits for stop" {
			t.Errorf("later: got %v", s.Err)
		}
		set("a", 1)
		want("the first value", "a")
		if s := cell.Load(); s.Err != nil || !s.Has() {
			t.Errorf("with a value: got %v, %v", s.Value, s.Err)
		}
		set("a", 2)
		want("another part", "a")
		set("b", 2)
		want("too soon", "a")
		set("c", 2)
		time.Sleep(11 * time.Second)
		want("after the pause", "a c")
		for i := range 100 {
			set(i, 2)
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(11 * time.Second)
		if n := len(net.list()); n > 4 {
			t.Errorf("a flood of changes: got %d requests, want 4", n)
		}
		before := len(net.list())
		time.Sleep(61 * time.Second)
		synctest.Wait()
		if n := len(net.list()); n != before+1 {
			t.Errorf("an interval later: got %d requests, want %d", n, before+1)
		}
	})
}

// Names in braces are found in all parts of a request. Names of kept values are not reported.
func TestReads(t *testing.T) {
	p := Params{
		Params: map[string]any{"a": []any{"{one}"}}, Keys: ask.Keys{Headers: map[string]string{"X": "{two.x}"}},
		Steps: []Step{{URL: "http://h/{three}", Keep: map[string]string{"own": "."}, Body: map[string]any{"b": "{four}"}}, {URL: "http://h/{own}"}},
	}
	if got := fmt.Sprint(p.Reads()); got != "[four one three two]" {
		t.Errorf("got %s", got)
	}
}
