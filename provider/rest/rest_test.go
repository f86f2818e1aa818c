package rest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"dashboard/config/value"
	"dashboard/internal/extract"
	"dashboard/internal/fetch"
	"dashboard/internal/testing/hostiletest"
	"dashboard/internal/testing/thorough"
	"dashboard/provider"
	"dashboard/provider/ask"
	"dashboard/provider/query"
)

// attempt requests the answer of a handler once.
func attempt(t *testing.T, p Params, h http.HandlerFunc) *provider.Sample {
	t.Helper()
	s := httptest.NewServer(h)
	defer s.Close()
	p.URL = s.URL + p.URL
	c, err := p.Config(ask.Deps{})
	if err != nil {
		t.Fatal(err)
	}
	client := fetch.New(nil)
	defer client.CloseIdle()
	var cell provider.Cell
	r := New(c, client).Try(t.Context(), true)
	r.Put(&cell, time.Now())
	return cell.Load()
}

func answer(code int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}

func TestValues(t *testing.T) {
	tests := []struct {
		name string
		p    Params
		h    http.HandlerFunc
		want any
		text string // text that a widget shows for the error
	}{
		{"json", Params{}, answer(200, `{"a":[1,2.5]}`), map[string]any{"a": []any{1, 2.5}}, ""},
		{"path", Params{JSONPath: "[0].title"}, answer(200, `[{"title":"x"}]`), "x", ""},
		{"path, then jq", Params{JSONPath: "a", JQExpression: "add"}, answer(200, `{"a":[1,2]}`), 3, ""},
		{"not json is the text", Params{}, answer(200, "True"), "True", ""},
		{"bytes that are no text", Params{}, answer(200, "a\xffb"), "aÿb", ""},
		{"status", Params{}, answer(404, "gone"), nil, "Error 404"},
		{"only 200 will do", Params{}, answer(201, "1"), nil, "Error 201"},
		{"nothing there", Params{JSONPath: "b"}, answer(200, `{"a":1}`), nil, "--"},
		{"path into a text", Params{JSONPath: "b"}, answer(200, `oops`), nil, "--"},
		{"jq without a result", Params{JQExpression: "empty"}, answer(200, `1`), nil, "--"},
		{"broken off", Params{}, func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }, nil, "Unavailable"},
		{"too slow", Params{Keys: ask.Keys{Timeout: value.Duration(50 * time.Millisecond)}}, func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, nil, "Unavailable"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := attempt(t, tt.p, tt.h)
			if diff := cmp.Diff(tt.want, s.Value); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
			if got := Text(s.Err); got != tt.text {
				t.Errorf("got %q (%v), want %q", got, s.Err, tt.text)
			}
			if s.Has() != (tt.text == "") {
				t.Errorf("got value %v, error %v", s.Has(), s.Err)
			}
		})
	}
}

func TestErrorTypes(t *testing.T) {
	var status *fetch.StatusError
	if s := attempt(t, Params{}, answer(503, "later")); !errors.As(s.Err, &status) || status.Code != 503 {
		t.Errorf("got %v, want a StatusError", s.Err)
	}
	var picked *extract.Error
	if s := attempt(t, Params{JSONPath: "x"}, answer(200, "{}")); !errors.As(s.Err, &picked) || !strings.Contains(s.Err.Error(), `"x"`) {
		t.Errorf("got %v, want an extract.Error that names the segment", s.Err)
	}
}

func TestRequestIsTheConfiguredOne(t *testing.T) {
	p := Params{
		URL: "/p?x=1", Method: "POST", Keys: ask.Keys{
			Headers: map[string]string{"X-A": "b", "Authorization": "old"},
			Auth:    &query.Auth{Type: "basic", Username: "u", Password: "p"},
		},
		Params: map[string]any{"list": []any{1, "two"}, "yes": true, "none": nil}, Body: map[string]any{"k": "v"}, Payload: "unused",
	}
	var got []string
	attempt(t, p, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = []string{r.Method, r.URL.RequestURI(), string(body), r.Header.Get("X-A"), r.Header.Get("Authorization"), r.Header.Get("Content-Type")}
	})
	want := []string{"POST", "/p?list=1&list=two&x=1&yes=True", `{"k":"v"}`, "b", "Basic dTpw", "application/json"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	attempt(t, Params{Method: "GET", Body: "unsent"}, func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			t.Errorf("a GET came with a body of %d bytes", r.ContentLength)
		}
	})
}

func TestAuth(t *testing.T) {
	tests := []struct {
		name string
		a    *query.Auth
		want fetch.Auth
		bad  bool
	}{
		{"none", nil, fetch.Auth{}, false},
		{"bearer", &query.Auth{Bearer: "t"}, fetch.Auth{Bearer: "t"}, false},
		{"basic", &query.Auth{Basic: &query.Basic{Username: "u", Password: "p"}}, fetch.Auth{Username: "u", Password: "p"}, false},
		{"type bearer", &query.Auth{Type: "bearer", Token: "t"}, fetch.Auth{Bearer: "t"}, false},
		{"type basic", &query.Auth{Type: "basic", Username: "u", Password: "p"}, fetch.Auth{Username: "u", Password: "p"}, false},
		{"empty", &query.Auth{}, fetch.Auth{}, true},
		{"type without token", &query.Auth{Type: "bearer", Username: "u"}, fetch.Auth{}, true},
	}
	for _, tt := range tests {
		got, err := tt.a.Who()
		if got != tt.want || (err != nil) != tt.bad {
			t.Errorf("%s: got %+v, %v, want %+v", tt.name, got, err, tt.want)
		}
	}
}

func TestConfigErrorsNameTheKey(t *testing.T) {
	for key, p := range map[string]Params{
		"url: ":           {URL: "ftp://h/"},
		"json_path: ":     {URL: "http://h", JSONPath: "a[x]"},
		"jq_expression: ": {URL: "http://h", JQExpression: ".a["},
		"auth: ":          {URL: "http://h", Keys: ask.Keys{Auth: &query.Auth{}}},
	} {
		if _, err := p.Config(ask.Deps{}); err == nil || !strings.HasPrefix(err.Error(), key) {
			t.Errorf("got %v, want an error that begins with %q", err, key)
		}
	}
}

func TestKey(t *testing.T) {
	key := func(p Params) string {
		c, err := p.Config(ask.Deps{})
		if err != nil {
			t.Fatal(err)
		}
		return c.Key()
	}
	base := Params{URL: "http://h/", Keys: ask.Keys{Headers: map[string]string{"a": "1", "b": "2"}}}
	if key(base) != key(Params{URL: "http://h/", Method: "", Keys: ask.Keys{Headers: map[string]string{"b": "2", "a": "1"}}, UpdateInterval: value.Duration(60 * time.Second)}) {
		t.Error("the same definition has two keys")
	}
	seen := map[string]bool{key(base): true}
	for _, p := range []Params{{URL: "http://h/2"}, {URL: "http://h/", Keys: ask.Keys{Auth: &query.Auth{Bearer: "a"}}}, {URL: "http://h/", Keys: ask.Keys{Auth: &query.Auth{Bearer: "b"}}}, {URL: "http://h/", UpdateInterval: value.Duration(5 * time.Second)}, {URL: "http://h/", JQExpression: "."}} {
		k := key(p)
		if seen[k] {
			t.Errorf("%+v shares a key", p)
		}
		seen[k] = true
	}
}

func TestForWidget(t *testing.T) {
	p := query.Address{URL: "http://h/", Method: "PATCH", Payload: 1, UpdateFrequency: 100}
	c, err := ForWidget(&p)
	if err != nil {
		t.Fatal(err)
	}
	if c.Schedule.Interval != 100*time.Second || c.Schedule.Jitter != 15*time.Second || c.Request.JSON != 1 {
		t.Errorf("got %+v", c)
	}
	if v, _ := c.value(t.Context(), []byte(` {"a": 1} `)); v != ` {"a": 1} ` {
		t.Errorf("without a path: got %#v, want the text as it came", v)
	}
	c, _ = ForWidget(&query.Address{URL: "http://h/", JSONPath: "a"})
	if v, _ := c.value(t.Context(), []byte(` {"a": 1} `)); v != 1 {
		t.Errorf("with a path: got %#v, want 1", v)
	}
}

// The type scripted replaces the network. It sends given answers and records the times of the requests.
type scripted struct {
	began   time.Time
	times   []time.Duration
	headers []http.Header
	answer  func(n int) (*http.Response, error)
}

func (s *scripted) serve(r *http.Request) (*http.Response, error) {
	s.times = append(s.times, time.Since(s.began))
	s.headers = append(s.headers, r.Header)
	return s.answer(len(s.times))
}

func ok(code int, body string) (*http.Response, error) {
	return &http.Response{StatusCode: code, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

// run runs a provider in fake time for the duration d. The script answers the provider's requests.
func run(t *testing.T, c *Config, d time.Duration, s *scripted) *provider.Sample {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	s.began = time.Now()
	var cell provider.Cell
	if err := New(c, fetch.NewWith(roundTrip(s.serve))).Run(ctx, &cell); err != nil {
		t.Fatal(err)
	}
	return cell.Load()
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := (&Params{URL: "http://h/", UpdateInterval: value.Duration(60 * time.Second)}).Config(ask.Deps{})
		down := errors.New("connection refused")

		s := &scripted{answer: func(int) (*http.Response, error) { return ok(200, "1") }}
		sample := run(t, c, 121*time.Second, s)
		if want := []time.Duration{0, 60 * time.Second, 120 * time.Second}; !cmp.Equal(s.times, want) {
			t.Errorf("good answers: got %v, want %v", s.times, want)
		}
		if sample.Interval != 60*time.Second || sample.Seq != 3 {
			t.Errorf("got %+v", sample)
		}

		s = &scripted{answer: func(n int) (*http.Response, error) {
			if n == 1 {
				return ok(200, "7")
			}
			return nil, down
		}}
		sample = run(t, c, 10*time.Minute, s)
		if sample.Value != 7 || !errors.Is(sample.Err, down) || !sample.Stale(time.Now()) {
			t.Errorf("network gone: got %+v, want the last good value, stale", sample)
		}
		if n := len(s.times); n < 12 || n > 30 {
			t.Errorf("network gone: %d requests in ten minutes at %v", n, s.times)
		}
		for i := 2; i < len(s.times); i++ {
			if pause := s.times[i] - s.times[i-1]; pause > 60*time.Second || pause < time.Second {
				t.Errorf("network gone: paused %v", pause)
			}
		}

		s = &scripted{answer: func(int) (*http.Response, error) { return ok(401, "") }}
		run(t, c, 121*time.Second, s)
		if len(s.times) != 3 {
			t.Errorf("refused: %d requests in two minutes, want 3", len(s.times))
		}
	})
}

func TestJitterAndStatic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := (&Params{URL: "http://h/", UpdateInterval: value.Duration(60 * time.Second), Keys: ask.Keys{Jitter: value.Duration(30 * time.Second)}}).Config(ask.Deps{})
		s := &scripted{answer: func(int) (*http.Response, error) { return ok(200, "1") }}
		run(t, c, time.Hour, s)
		varied := false
		for i := 1; i < len(s.times); i++ {
			pause := s.times[i] - s.times[i-1]
			if pause < 60*time.Second || pause > 90*time.Second {
				t.Errorf("paused %v, want 60 to 90 s", pause)
			}
			varied = varied || pause != 60*time.Second
		}
		if !varied {
			t.Error("no jitter in an hour")
		}

		c, _ = ForWidget(&query.Address{URL: "http://h/", Static: true})
		s = &scripted{answer: func(n int) (*http.Response, error) {
			if n < 3 {
				return ok(500, "")
			}
			return ok(200, "once")
		}}
		sample := run(t, c, 24*time.Hour, s)
		if len(s.times) != 3 || sample.Value != "once" || sample.Stale(time.Now()) {
			t.Errorf("static: %d requests, %+v, want 3 and a value that never becomes stale", len(s.times), sample)
		}
	})
}

func TestUnchangedAnswerIsConfirmed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := (&Params{URL: "http://h/", UpdateInterval: value.Duration(60 * time.Second)}).Config(ask.Deps{})
		s := &scripted{}
		s.answer = func(n int) (*http.Response, error) {
			if n > 1 && s.headers[n-1].Get("If-None-Match") == `"a"` {
				return ok(304, "")
			}
			r, err := ok(200, "1")
			r.Header.Set("ETag", `"a"`)
			return r, err
		}
		sample := run(t, c, 10*time.Minute-time.Second, s)
		if sample.Seq != 1 || sample.Value != 1 || time.Since(sample.At) > time.Minute || len(s.times) != 10 {
			t.Errorf("got %+v after %d requests, want the first value, confirmed", sample, len(s.times))
		}
	})
}

func TestEndingIsNoFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := (&Params{URL: "http://h/"}).Config(ask.Deps{})
		s := &scripted{answer: func(int) (*http.Response, error) { return nil, context.Canceled }}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var cell provider.Cell
		if err := New(c, fetch.NewWith(roundTrip(s.serve))).Run(ctx, &cell); err != nil || cell.Load().Err != nil {
			t.Errorf("got %v, %v, want a quiet end", err, cell.Load().Err)
		}
	})
}

// TestHostile sends requests to hostile servers and reads the answers in each format. An answer of nonsense must be an error only in the
// format JSON.
func TestHostile(t *testing.T) {
	thorough.Only(t)
	client := fetch.New(&fetch.Options{})
	defer client.CloseIdle()
	for _, format := range []string{"json", "xml", "csv", "html", "text"} {
		t.Run(format, func(t *testing.T) {
			hostiletest.Each(t, func(t *testing.T, url string, timeout time.Duration) error {
				p := Params{URL: url, Parse: format, Select: map[string]string{"html": "title"}[format], Keys: ask.Keys{Timeout: value.Duration(timeout)}}
				c, err := p.Config(ask.Deps{})
				if err != nil {
					t.Fatal(err)
				}
				err = New(c, client).Try(t.Context(), true).Err
				if err == nil && strings.HasSuffix(t.Name(), "/nonsense") && format != "json" {
					return errAny
				}
				return err
			})
		})
	}
}

// errAny stands for any error.
var errAny = errors.New("any")
