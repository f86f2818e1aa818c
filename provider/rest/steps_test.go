package rest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/ask"
)

// chainOf computes one value with steps. The addresses begin with SERVER, which chainOf replaces by the address of the test's server.
func chainOf(t *testing.T, h http.Handler, jq string, steps ...Step) (*provider.Sample, error) {
	t.Helper()
	s := httptest.NewServer(h)
	defer s.Close()
	for i := range steps {
		steps[i].URL = strings.Replace(steps[i].URL, "SERVER", s.URL, 1)
	}
	p := Params{Steps: steps, JQExpression: jq, Parse: "auto"}
	p.Timeout = value.Duration(5 * time.Minute)
	c, err := p.Config(ask.Deps{})
	if err != nil {
		return nil, err
	}
	client := fetch.New(&fetch.Options{})
	defer client.CloseIdle()
	var cell provider.Cell
	r := New(c, client).Try(t.Context(), true)
	r.Put(&cell, time.Now())
	return cell.Load(), nil
}

// A step uses the values that earlier steps have kept, in addresses, headers and bodies.
func TestSteps(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		json.NewDecoder(r.Body).Decode(&body)
		fmt.Fprintf(w, `{"session": {"sid": "a b/%v", "n": 7}}`, body["password"])
	})
	mux.HandleFunc("/list/{sid}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"sid": %q, "header": %q, "query": %q, "items": [{"id": 3}, {"id": 1}, {"id": 2}]}`, r.PathValue("sid"), r.Header.Get("X-Session"), r.URL.Query().Get("n"))
	})
	mux.HandleFunc("POST /item/{id}", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, `{"id": %s, "body": %s}`, r.PathValue("id"), body)
	})
	got, err := chainOf(t, mux, `{ids: map(.id), body: .[0].body, list: $info.header, n: $s.n, query: $info.query}`,
		Step{URL: "SERVER/login", Method: "POST", Body: map[string]any{"password": "x"}, Keep: map[string]string{"s": ".session"}},
		Step{URL: "SERVER/list/{s.sid}", Headers: map[string]string{"X-Session": "of {s.sid}"}, Params: map[string]any{"n": "{s.n}"}, Keep: map[string]string{"items": ".items", "info": "."}},
		Step{URL: "SERVER/item/{items.id}", Method: "POST", Each: "items", Body: map[string]any{"all": "{items}", "text": "no {items.id}, {unknown}"}})
	if err != nil || got.Err != nil {
		t.Fatal(err, got.Err)
	}
	want := map[string]any{
		"ids": []any{3, 1, 2}, "list": "of a b/x", "n": 7, "query": "7",
		"body": map[string]any{"all": map[string]any{"id": 3}, "text": "no 3, {unknown}"},
	}
	if diff := cmp.Diff(want, got.Value); diff != "" {
		t.Error(diff)
	}
}

// A step with a list sends requests for at most twenty entries, at most four of them at the same time. If the request for an entry fails,
// the entry's answer is null.
func TestEach(t *testing.T) {
	var now, most, all atomic.Int32
	full := make(chan struct{})
	filled := sync.OnceFunc(func() { close(full) })
	// After three minutes the first requests get their answers, even if too few requests run at once.
	defer time.AfterFunc(3*time.Minute, filled).Stop()
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/ids" {
			io.WriteString(w, "[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24]")
			return
		}
		n := now.Add(1)
		defer now.Add(-1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		if all.Add(1); n == atOnce {
			filled()
		}
		<-full                           // the first answers wait until as many requests as possible have arrived
		time.Sleep(5 * time.Millisecond) // one request too many would arrive during this time
		if r.URL.Path == "/3" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		fmt.Fprint(w, strings.TrimPrefix(r.URL.Path, "/"))
	})
	got, err := chainOf(t, h, "map(tostring) | join(\" \")", Step{URL: "SERVER/ids", Keep: map[string]string{"id": "."}}, Step{URL: "SERVER/{id}", Each: "id"})
	if err != nil || got.Err != nil {
		t.Fatal(err, got.Err)
	}
	if want := "0 1 2 null 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19"; got.Value != want {
		t.Errorf("got %v, want %s", got.Value, want)
	}
	if all.Load() != maxEach || most.Load() != atOnce {
		t.Errorf("%d requests, %d at once; want %d and %d", all.Load(), most.Load(), maxEach, atOnce)
	}
}

// A value from an answer cannot send a step to a host that is not allowed. Within an address, it cannot change the parts around it.
func TestHostileSteps(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the other host was asked") }))
	defer other.Close()
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/next":
			fmt.Fprintf(w, `{"next": "%s/steal", "own": "http://%s/own", "id": "../admin?x=1#", "long": %q}`, other.URL, r.Host, strings.Repeat("x", maxKeptText+1))
		case "/away":
			http.Redirect(w, r, other.URL, http.StatusFound)
		default:
			fmt.Fprintf(w, `%q`, r.URL.EscapedPath())
		}
	})
	first := Step{URL: "SERVER/next", Keep: map[string]string{"next": ".next", "own": ".own", "id": ".id", "long": ".long", "all": "."}}
	for url, want := range map[string]string{
		"{next}": "is not among the hosts", "SERVER/away": "is not among the hosts", "{own}": "/own", "SERVER/x/{id}": "/x/..%2Fadmin%3Fx=1%23",
		"SERVER/{long}": "more than 4096 bytes", "SERVER/{all}": "must be a text or a number", "SERVER/{all.none}": "no such value",
		"{id}": "the address has no scheme",
	} {
		got, err := chainOf(t, h, "", first, Step{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		if text := fmt.Sprint(got.Value, got.Err); !strings.Contains(text, want) {
			t.Errorf("%s: got %s, want %s", url, text, want)
		}
	}
}

// TestStepLacks: if an answer lacks a value, the next request must not contain the name in braces. The request is not sent, or it is sent
// without the value.
func TestStepLacks(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/login" {
			io.WriteString(w, `{"id": 7, "list": []}`)
			return
		}
		body, _ := io.ReadAll(r.Body)
		text, _ := url.QueryUnescape(r.URL.RawQuery)
		fmt.Fprintf(w, "%q", text+string(body))
	})
	first := Step{URL: "SERVER/login", Keep: map[string]string{"token": ".token", "id": ".id", "list": ".list"}}
	m := func(k, v string) map[string]any { return map[string]any{"a": 1, k: v} }
	for want, next := range map[string]Step{
		"params: t: {token}: there is no such value":    {Params: m("t", "key {token}")},
		"params: t: {id.x}: there is no such value":     {Params: m("t", "{id.x}")},
		"params: t: {list}: must be a text or a number": {Params: m("t", "{list},7")},
		"body: b: t: {token}: there is no such value":   {Method: "POST", Body: map[string]any{"b": m("t", "key {token}")}},
		"body: b: {list.0}: there is no such value":     {Method: "POST", Body: map[string]any{"b": []any{"{list.0}"}}},
		"a=1&t=key 7":      {Params: m("t", "key {id}")},
		"a=1":              {Params: m("t", "{token}")},
		`{"a":1,"t":null}`: {Method: "POST", Body: m("t", "{token}")},
		`a=1&t=query {name} { x }{"a":1,"t":"{other} {x.y}"}`: {Method: "POST", Params: m("t", "query {name} { x }"), Body: m("t", "{other} {x.y}")},
	} {
		next.URL = "SERVER/next"
		got, err := chainOf(t, h, "", first, next)
		if err != nil {
			t.Fatal(err)
		}
		if text := fmt.Sprint(got.Value); got.Err != nil && !strings.Contains(got.Err.Error(), want) || got.Err == nil && text != want {
			t.Errorf("got %s and %v, want %s", text, got.Err, want)
		}
	}
}

func TestStepMistakes(t *testing.T) {
	one := Step{URL: "http://h/", Keep: map[string]string{"a": "."}}
	for want, steps := range map[string][]Step{
		"steps: at most 4, not 5":                              {one, one, one, one, one},
		"steps[0].url: no earlier step keeps 'a'":              {{URL: "http://h/{a}"}},
		"steps[1].each: no earlier step keeps 'b'":             {one, {URL: "http://h/", Each: "b"}},
		"steps[0].keep: a: jq expression \"kees\"":             {{URL: "http://h/", Keep: map[string]string{"a": "kees"}}},
		"steps[0].keep: a name is small letters, digits":       {{URL: "http://h/", Keep: map[string]string{"A": "."}}},
		"steps[0].url: impossible request: scheme \"file\" is": {{URL: "file:///etc/passwd"}},
	} {
		p := Params{Steps: steps}
		if _, err := p.Config(ask.Deps{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	both := Params{URL: "http://h/", Steps: []Step{one}}
	if _, err := both.Config(ask.Deps{}); err == nil || !strings.HasPrefix(err.Error(), "url: ") {
		t.Errorf("got %v", err)
	}
	if _, err := (&Params{}).Config(ask.Deps{}); err == nil {
		t.Error("neither url nor steps: no error")
	}
}
