package sources

import (
	"archive/zip"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	durations "dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/internal/testing/programtest"
	"dashboard/provider"
	"dashboard/provider/ask"
	"dashboard/provider/query"
)

// A witness is a server that records its requests and sends given answers.
type witness struct {
	mu     sync.Mutex // guards the fields below
	asked  []*http.Request
	times  []time.Time
	answer func(w http.ResponseWriter, r *http.Request, n int) // answers the n-th request, from 1
}

// ServeHTTP answers requests for the value and records them. The weather provider's requests for the air quality get status 404 and are
// not recorded.
func (v *witness) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.Host, "air-") {
		http.NotFound(w, r)
		return
	}
	v.mu.Lock()
	v.asked, v.times = append(v.asked, r), append(v.times, time.Now())
	n := len(v.asked)
	v.mu.Unlock()
	v.answer(w, r, n)
}

func (v *witness) seen() (requests []*http.Request, times []time.Time) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.asked), slices.Clone(v.times)
}

// good has an answer for each asker. The asker makes a value from this answer. The key in the map is the type and the form of the asker.
var good = map[string]string{
	"rest":               `{"a": [1, 2.5, "x"]}`,
	"gtfs":               timeTable(),
	"feed":               `<rss version="2.0"><channel><title>News</title><item><title>A</title><link>http://h/</link></item></channel></rss>`,
	"prometheus":         `{"status":"success","data":{"resultType":"vector","result":[{"metric":{"job":"a"},"value":[1,"2.5"]}]}}`,
	"prometheus range":   `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"job":"a"},"values":[[1,"2"],[2,"3"]]}]}}`,
	"calendar":           "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:tea\r\nDTSTART:20000103T100000Z\r\nDURATION:PT1H\r\nRRULE:FREQ=DAILY\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
	"immich":             `[{"id":"6ba7b810-9dad-11d1-80b4-00c04fd430c8","originalFileName":"a.jpg","localDateTime":"2022-05-15T10:30:00.000Z"}]`,
	"icloud":             `{"photos":[{"photoGuid":"6BA7B810-9DAD","derivatives":{"9":{"checksum":"01aabbccdd","width":"9","height":9}}}]}`,
	"todoist":            `{"results":[{"id":"1","content":"Milk","checked":false,"priority":1,"due":null}],"next_cursor":null}`,
	"weather open-meteo": `{"timezone":"Europe/Oslo","current":{"time":946720000,"temperature_2m":14.2,"weather_code":61,"is_day":1}}`,
}

// unconditional lists the askers whose requests cannot have a condition, because they contain the time or are a POST.
var unconditional = []string{"prometheus", "prometheus range", "immich", "icloud", "todoist"}

func (a *asker) name() string { return strings.TrimSpace(a.kind + " " + a.form) }

// within() runs an asker in fake time for the duration d. A witness answers the asker's requests.
func (a *asker) within(t *testing.T, k ask.Keys, d time.Duration, answer func(w http.ResponseWriter, r *http.Request, n int), look bool) (v *witness, s *provider.Sample, p provider.Provider) {
	t.Helper()
	v = &witness{answer: answer}
	c, closed := serveAll(v)
	k.Timeout = durations.Duration(20 * time.Second)
	p = a.make(t, c, k)
	cell, end := following(p)
	if look {
		cell.Look(time.Now())
	}
	time.Sleep(d)
	synctest.Wait()
	s = cell.Load()
	end()
	closed()
	time.Sleep(time.Hour)
	synctest.Wait()
	return v, s, p
}

// timeTable returns a zip file with the minimum tables of a GTFS feed.
func timeTable() string {
	var out strings.Builder
	z := zip.NewWriter(&out)
	for name, text := range map[string]string{
		"agency.txt": "agency_timezone\nUTC\n", "stops.txt": "stop_id,stop_name\nA,A\nB,B\n", "routes.txt": "route_id\nr\n",
		"trips.txt": "trip_id,route_id,service_id\nt,r,s\n", "stop_times.txt": "trip_id,stop_id,stop_sequence,departure_time\nt,A,1,10:00:00\nt,B,2,11:00:00\n",
	} {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return out.String()
}

// each() runs a test for every asker whose connection does not stay open.
func each(t *testing.T, test func(t *testing.T, a *asker)) {
	t.Helper()
	for i := range askers {
		if a := &askers[i]; !a.lasts {
			t.Run(strings.ReplaceAll(a.name(), " ", "-"), func(t *testing.T) { synctest.Test(t, func(t *testing.T) { test(t, a) }) })
		}
	}
}

func refuse(code int, header ...string) func(http.ResponseWriter, *http.Request, int) {
	return func(w http.ResponseWriter, _ *http.Request, _ int) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
	}
}

// TestEveryKindHasAGoodAnswer: each type whose connection does not stay open has an answer in the map `good`. The exception is webdav,
// which needs the status 207. The tests of package webdav use a real server.
func TestEveryKindHasAGoodAnswer(t *testing.T) {
	for _, a := range askers {
		has := slices.ContainsFunc(slices.Collect(maps.Keys(good)), func(s string) bool { return strings.HasPrefix(s, a.kind) })
		if !a.lasts && !has && a.kind != "webdav" {
			t.Errorf("there is no good answer for %s", a.kind)
		}
	}
}

// TestSharedWho: requests of every type contain the headers and the login from the keys `headers` and `auth`.
func TestSharedWho(t *testing.T) {
	each(t, func(t *testing.T, a *asker) {
		k := ask.Keys{Headers: map[string]string{"X-Wall": "hall"}, Auth: &query.Auth{Bearer: "hush"}}
		v, s, _ := a.within(t, k, time.Second, refuse(404), false)
		all, _ := v.seen()
		if len(all) == 0 || all[0].Header.Get("X-Wall") != "hall" || all[0].Header.Get("Authorization") != "Bearer hush" {
			t.Fatalf("asked %d times: %v", len(all), all)
		}
		if s.Err == nil || strings.Contains(s.Err.Error(), "hush") {
			t.Errorf("got %v", s.Err)
		}
	})
}

// TestSharedRetryAfter: a provider that gets a Retry-After of three hours waits for three hours, whatever its interval is.
func TestSharedRetryAfter(t *testing.T) {
	each(t, func(t *testing.T, a *asker) {
		v, s, _ := a.within(t, ask.Keys{}, 4*time.Hour, refuse(429, "Retry-After", "10800"), false)
		_, at := v.seen()
		at = slices.CompactFunc(at, func(a, b time.Time) bool { return b.Sub(a).Abs() < time.Second }) // a reading may send several requests
		if len(at) != 2 || at[1].Sub(at[0]) < 3*time.Hour || s.Err == nil {
			t.Errorf("asked %d times, at %v and then: %v", len(at), at[:min(len(at), 3)], s.Err)
		}
	})
}

// TestSharedOnlyWhenVisible: requests are sent only while the value is visible.
func TestSharedOnlyWhenVisible(t *testing.T) {
	each(t, func(t *testing.T, a *asker) {
		for look, want := range map[bool]bool{false: false, true: true} {
			v, _, _ := a.within(t, ask.Keys{Visible: true}, 30*time.Second, refuse(404), look)
			if all, _ := v.seen(); len(all) > 0 != want {
				t.Errorf("looked at: %v; asked %d times", look, len(all))
			}
		}
	})
}

// TestSharedConditional: after an answer with an ETag, the next request contains this ETag. An answer "not modified" confirms the value.
func TestSharedConditional(t *testing.T) {
	each(t, func(t *testing.T, a *asker) {
		if a.kind == "gtfs" {
			t.Skip("a feed takes several requests: TestFetchFeed and TestFeedTimes of its package")
		}
		body, ok := good[a.name()]
		if !ok || slices.Contains(unconditional, a.name()) {
			t.Skip("it is asked otherwise")
		}
		tagged := func(w http.ResponseWriter, r *http.Request, _ int) {
			w.Header().Set("ETag", `"one"`)
			w.Header().Set("Last-Modified", "Sat, 01 Jan 2000 00:00:00 GMT")
			if r.Header.Get("If-None-Match") == `"one"` && r.Header.Get("If-Modified-Since") != "" {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			_, _ = io.WriteString(w, body)
		}
		v, s, _ := a.within(t, ask.Keys{}, 40*time.Minute, tagged, false)
		all, at := v.seen()
		if len(all) < 3 || s.Err != nil || s.Seq == 0 || s.At.Before(at[len(at)-1].Add(-time.Second)) {
			t.Fatalf("asked %d times: %v; the value is of %v", len(all), s.Err, s.At)
		}
		for i, r := range all {
			if tag := r.Header.Get("If-None-Match"); i > 0 && tag != `"one"` {
				t.Errorf("request %d has the tag %q", i, tag)
			}
		}
	})
}

// TestSharedSchedule checks a schedule with an interval and jitter, and a schedule with times of day.
func TestSharedSchedule(t *testing.T) {
	each(t, func(t *testing.T, a *asker) {
		if a.kind == "gtfs" {
			t.Skip("a feed takes several requests: TestFetchFeed and TestFeedTimes of its package")
		}
		body, ok := good[a.name()]
		if !ok {
			t.Skip("another form is tried")
		}
		answer := func(w http.ResponseWriter, _ *http.Request, _ int) { _, _ = io.WriteString(w, body) }
		jitter := 30 * time.Second
		v, s, _ := a.within(t, ask.Keys{Jitter: durations.Duration(jitter)}, 3*time.Hour, answer, false)
		_, at := v.seen()
		if len(at) < 8 || !s.Has() {
			t.Fatalf("asked %d times: %v", len(at), s.Err)
		}
		interval, gaps := time.Minute, map[time.Duration]bool{}
		if a.kind == "weather" {
			interval = 15 * time.Minute
		}
		for i := 1; i < len(at); i++ {
			gap := at[i].Sub(at[i-1])
			gaps[gap] = true
			if gap < interval || gap > interval+jitter+time.Second {
				t.Errorf("a pause of %v", gap)
			}
		}
		if len(gaps) < 3 {
			t.Errorf("the pauses do not differ: %v", gaps)
		}
		noon, err := durations.ParseClock("12:00")
		if err != nil {
			t.Fatal(err)
		}
		v, _, _ = a.within(t, ask.Keys{At: []durations.Clock{noon}}, 50*time.Hour, answer, false)
		_, at = v.seen()
		if len(at) != 3 {
			t.Fatalf("in 50 hours it is asked %d times: %v", len(at), at)
		}
		for _, at := range at[1:] {
			if late := at.UTC().Sub(at.UTC().Truncate(24 * time.Hour).Add(12 * time.Hour)); late < 0 || late > 2*time.Minute {
				t.Errorf("asked at %v", at)
			}
		}
	})
}

// TestSharedKept: the last value of every type that sends requests is stored and restored.
func TestSharedKept(t *testing.T) {
	each(t, func(t *testing.T, a *asker) {
		body, ok := good[a.name()]
		if !ok {
			t.Skip("another form is tried")
		}
		_, s, p := a.within(t, ask.Keys{}, 10*time.Second, func(w http.ResponseWriter, _ *http.Request, _ int) { _, _ = io.WriteString(w, body) }, false)
		keeper, ok := p.(provider.Keeper)
		if !ok || !s.Has() {
			t.Fatalf("%T keeps nothing, or has no value: %v", p, s.Err)
		}
		data, err := keeper.Kept(s.Value)
		if err != nil {
			t.Fatal(err)
		}
		again, err := keeper.Restore(data, s.At)
		if err != nil || fmt.Sprintf("%T", again) != fmt.Sprintf("%T", s.Value) {
			t.Fatalf("got a %T, %v; want a %T", again, err, s.Value)
		}
		if _, plain := s.Value.(map[string]any); plain && !reflect.DeepEqual(again, s.Value) {
			t.Errorf("got %v, want %v", again, s.Value)
		}
	})
}

// quiet is a logger that discards all lines. It is for servers whose certificate the clients do not trust.
var quiet = log.New(io.Discard, "", 0)

func pemOf(c *x509.Certificate) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})
}

// TestSharedCertificates: for every type with an address, a server with an unknown certificate is reached only if ca_file is set.
func TestSharedCertificates(t *testing.T) {
	for i := range askers {
		a := &askers[i]
		if a.kind == "weather" || a.kind == "icloud" || a.kind == "homeassistant" { // these types have fixed addresses, or the address in conf.yaml
			continue
		}
		t.Run(strings.ReplaceAll(a.name(), " ", "-"), func(t *testing.T) {
			t.Parallel()
			came := make(chan struct{}, 1)
			srv := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				select {
				case came <- struct{}{}:
				default:
				}
				http.NotFound(w, r)
			}))
			srv.Config.ErrorLog = quiet
			defer srv.Close()
			file := filepath.Join(t.TempDir(), "ca.pem")
			if err := os.WriteFile(file, pemOf(srv.Certificate()), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, ca := range []string{"", file} {
				c := fetch.New(&fetch.Options{})
				defer c.CloseIdle()
				typ, _ := TypeNamed(a.kind)
				_, p, err := typ.Make(Deps{Client: c, Location: time.UTC}, a.params(srv.URL, ask.Keys{CAFile: ca, Timeout: durations.Duration(programtest.Patience)}))
				if err != nil {
					t.Fatal(err)
				}
				cell, end := following(p)
				good := func() bool { return cell.Load().Err != nil && (len(came) > 0) == (ca != "") }
				for begin := time.Now(); !good() && time.Since(begin) < programtest.Patience; { // the first attempt may be too slow
					time.Sleep(5 * time.Millisecond)
				}
				end()
				if s := cell.Load(); !good() {
					t.Errorf("ca_file %q: asked %v, %v", ca, len(came) > 0, s.Err)
				}
			}
		})
	}
}
