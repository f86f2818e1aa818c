package ask

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/internal/folder"
	"dashboard/internal/testing/hostiletest"
	"dashboard/provider"
)

// A script is an http.RoundTripper that answers each request with the function `answer`. It records the time of each request.
type script struct {
	times  []time.Time
	answer func(n int) (*http.Response, error)
}

func (s *script) RoundTrip(*http.Request) (*http.Response, error) {
	s.times = append(s.times, time.Now())
	return s.answer(len(s.times))
}

func reply(code int, header ...string) (*http.Response, error) {
	r := &http.Response{StatusCode: code, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("1"))}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return r, nil
}

func asText(_ context.Context, body []byte) (any, error) { return string(body), nil }

func run(t *testing.T, s *script, plan Schedule, d time.Duration) *provider.Sample {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	var cell provider.Cell
	source := Source{Name: "test", Client: fetch.NewWith(s), Request: fetch.Request{URL: "http://h/"}, Schedule: plan, Read: asText}
	if err := source.Run(ctx, &cell); err != nil {
		t.Fatal(err)
	}
	return cell.Load()
}

// CloseIdleConnections does nothing, because a script has no connections.
func (s *script) CloseIdleConnections() {}

// clocks() parses times of day.
func clocks(all ...string) (list []value.Clock) {
	for _, s := range all {
		t, err := value.ParseClock(s)
		if err != nil {
			panic(err)
		}
		list = append(list, t)
	}
	return list
}

// TestAtTheSun sends requests at times relative to the sun. One of these times, sunset + 7h, is after midnight. On a day when the sun
// does not rise, no request is sent at a time relative to the sun.
func TestAtTheSun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now().Truncate(24 * time.Hour).Add(48*time.Hour + 12*time.Hour)
		time.Sleep(time.Until(start))
		// The sun rises a minute earlier each day. It sets at 18:00 each day. On the fourth day, it does not rise or set.
		sun := func(day time.Time) (rise, set time.Time, ok bool) {
			midnight := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, time.UTC)
			n := int(midnight.Sub(start.Add(-12*time.Hour)).Hours() / 24)
			return midnight.Add(6*time.Hour - time.Duration(n)*time.Minute), midnight.Add(18 * time.Hour), n != 3
		}
		s := &script{answer: func(int) (*http.Response, error) { return reply(200) }}
		plan := Schedule{Times: clocks("sunrise", "sunset+30m", "sunset + 7h", "12:30"), Location: time.UTC, Sun: sun}
		sample := run(t, s, plan, 84*time.Hour)
		var got []string
		for _, at := range s.times {
			got = append(got, fmt.Sprintf("%d %s", int(at.Sub(start.Add(-12*time.Hour)).Hours()/24), at.UTC().Format("15:04")))
		}
		want := []string{"0 12:00", "0 12:30", "0 18:30", "1 01:00", "1 05:59", "1 12:30", "1 18:30", "2 01:00", "2 05:58", "2 12:30", "2 18:30", "3 01:00", "3 12:30"}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("asked at\n%v, want\n%v", got, want)
		}
		if sample.Stale(time.Now()) {
			t.Errorf("stale between two times of day: %+v", sample)
		}
		never := Schedule{Times: clocks("sunrise"), Location: time.UTC, Sun: func(time.Time) (a, b time.Time, ok bool) { return }}
		if got := never.After(start); !got.Equal(start.Add(24 * time.Hour)) {
			t.Errorf("without any sun: got %v, want a day later", got)
		}
	})
}

// TestAt sends a request when the source starts and at each configured time of day. On some of the days, clocks are set forward or back.
func TestAt(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(time.Date(2026, 3, 28, 12, 0, 0, 0, berlin))) // moves fake time to the day before clocks are set forward
		s := &script{answer: func(int) (*http.Response, error) { return reply(200) }}
		sample := run(t, s, Schedule{Times: clocks("02:30", "18:00"), Location: berlin}, 60*time.Hour)
		want := []string{"28 12:00", "28 18:00", "29 03:30", "29 18:00", "30 02:30", "30 18:00"}
		var got []string
		for _, at := range s.times {
			got = append(got, at.In(berlin).Format("02 15:04"))
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("asked at %v, want %v", got, want)
		}
		if sample.Stale(time.Now()) {
			t.Errorf("stale between two times of day: %+v", sample)
		}
	})
}

// TestAtAfterAFailure: after a failure, the next attempt comes before the next time of day.
func TestAtAfterAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{answer: func(n int) (*http.Response, error) {
			if n < 4 {
				return nil, errors.New("down")
			}
			return reply(200)
		}}
		sample := run(t, s, Schedule{Times: clocks("18:00"), Location: time.UTC}, 10*time.Hour)
		if len(s.times) != 4 || !sample.Has() || sample.Err != nil {
			t.Errorf("asked %d times, got %+v", len(s.times), sample)
		}
	})
}

// TestClockSetBack: a request is due if one or more times of day have passed, or if the clock was set back. A random delay postpones the
// request.
func TestClockSetBack(t *testing.T) {
	c := clock{Schedule: &Schedule{Times: clocks("06:00", "12:00", "18:00"), Location: time.UTC}}
	noon := time.Date(2026, 7, 1, 12, 30, 0, 0, time.UTC)
	c.done(noon, false)
	for name, tt := range map[string]struct {
		at   time.Time
		want bool
	}{
		"a little later": {noon.Add(time.Hour), false},
		"the next time":  {noon.Add(6 * time.Hour), true},
		"a day later":    {noon.Add(24 * time.Hour), true},
		"a day earlier":  {noon.Add(-24 * time.Hour), true},
	} {
		if got := c.due(tt.at); got != tt.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
	c.Jitter = time.Hour
	c.done(noon, false)
	c.late = 40 * time.Minute
	if c.due(noon.Add(6*time.Hour)) || !c.due(noon.Add(6*time.Hour+20*time.Minute)) {
		t.Error("the random delay is not kept")
	}
}

// TestLeftAlone: if an answer has the header Retry-After, the source waits for the time in this header, but at most for a day.
func TestLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{answer: func(n int) (*http.Response, error) {
			switch n {
			case 1:
				return reply(429, "Retry-After", "600")
			case 2:
				return reply(503, "Retry-After", "100000000")
			}
			return reply(200)
		}}
		run(t, s, Schedule{Interval: 30 * time.Second}, 24*time.Hour+11*time.Minute)
		if len(s.times) < 3 {
			t.Fatalf("asked %d times", len(s.times))
		}
		first, second := s.times[1].Sub(s.times[0]), s.times[2].Sub(s.times[1])
		if first != 10*time.Minute || second != provider.MaxRetryAfter {
			t.Errorf("left alone for %v and %v", first, second)
		}
	})
}

// TestServers: each request fails within its timeout. The servers hang, send slowly, send half an answer, send a decompression bomb,
// redirect in circles, announce a huge body, or report 304 although the client has no copy.
func TestServers(t *testing.T) {
	end := make(chan struct{})
	handlers := map[string]http.HandlerFunc{
		"hangs": hostiletest.Hang(end),
		"drips": hostiletest.Drip(end, http.StatusOK, "", "x"),
		"half": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			w.Write([]byte("half"))
		},
		"bomb":   hostiletest.Bomb(http.StatusOK, "", "\x00", 32<<20),
		"circle": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/again", http.StatusFound) },
		"lies":   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotModified) },
		"long":   func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "99999999999") },
	}
	client := fetch.New(&fetch.Options{})
	defer client.CloseIdle()
	defer close(end)
	for name, h := range handlers {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(h)
			t.Cleanup(func() { go server.Close() })
			source := Source{Client: client, Request: fetch.Request{URL: server.URL, Timeout: 150 * time.Millisecond}, Schedule: Schedule{Interval: time.Minute}, Read: asText}
			if name == "bomb" {
				source.Request.Timeout = 5 * time.Second
			}
			if r := source.Try(t.Context(), true); r.Err == nil {
				t.Errorf("got %v", r)
			}
		})
	}
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("of the file"), 0o600); err != nil {
		t.Fatal(err)
	}
	var k Keys
	r, err := k.Request(Deps{Files: folder.Dir(dir)}, "file://a.txt")
	if err != nil {
		t.Fatal(err)
	}
	source := Source{Client: fetch.New(&fetch.Options{}), Request: r, Files: folder.Dir(dir), Schedule: Schedule{Interval: time.Minute}, Read: asText}
	if got := source.Try(t.Context(), true); got.Value != "of the file" {
		t.Errorf("got %v", got)
	}
	source.Request.URL = "file://none"
	if got := source.Try(t.Context(), true); got.Err == nil || got.Outcome != provider.Failed {
		t.Errorf("got %v: a file that is not there may come", got)
	}
}

// TestDoOfFiles: Do returns an answer for a file in the same form as for a server. Each error wraps one of the errors of package fetch.
func TestDoOfFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a b%20.json")
	if err := os.WriteFile(path, []byte(`{"x":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	c := fetch.New(&fetch.Options{})
	resp, err := Do(t.Context(), c, nil, &fetch.Request{URL: "file://" + path})
	if err != nil || string(resp.Body) != `{"x":1}` || resp.Check() != nil || resp.ContentType != "application/json" || resp.LastModified == "" {
		t.Errorf("got %+v, %v", resp, err)
	}
	if resp, err = Do(t.Context(), c, folder.Dir(dir), &fetch.Request{URL: "file://a b%20.json"}); err != nil || len(resp.Body) == 0 {
		t.Errorf("relative: got %+v, %v", resp, err)
	}
	for name, tt := range map[string]struct {
		r    fetch.Request
		want error
	}{
		"missing":   {fetch.Request{URL: "file://none"}, fetch.ErrUnavailable},
		"directory": {fetch.Request{URL: "file://" + dir}, fetch.ErrRequest},
		"too large": {fetch.Request{URL: "file://" + path, MaxBytes: 3}, fetch.ErrTooLarge},
		"elsewhere": {fetch.Request{URL: "file:" + path}, fetch.ErrRequest},
	} {
		var said *fetch.Error
		if _, err := Do(t.Context(), c, folder.Dir(dir), &tt.r); !errors.Is(err, tt.want) || !errors.As(err, &said) || said.Method != "GET" {
			t.Errorf("%s: got %v, want %v", name, err, tt.want)
		}
	}
}

func TestMistakes(t *testing.T) {
	sunrise := Keys{At: []value.Clock{{Event: value.Sunrise}}}
	if _, err := sunrise.Schedule(Deps{}, 0); err == nil || !strings.HasPrefix(err.Error(), "at: sunrise and sunset need a place") {
		t.Errorf("got %v", err)
	}
	var k Keys
	if _, err := k.Request(Deps{}, "ftp://h/"); err == nil || !strings.HasPrefix(err.Error(), "url: ") {
		t.Errorf("got %v", err)
	}
	k.CAFile = "ca.pem"
	if r, _ := k.Request(Deps{Files: folder.Dir("/wall")}, "https://h/"); r.CAFile != "/wall/ca.pem" {
		t.Errorf("got %s", r.CAFile)
	}
}

// TestKeptValues: a stored value is restored unchanged. Integers stay integers, and floats stay floats.
func TestKeptValues(t *testing.T) {
	var s Source
	big1 := new(big.Int).Lsh(big.NewInt(1), 100)
	want := map[string]any{"a": []any{nil, true, "ü\n", 7, 7.0, 1e30, 0.1, -0.5, big1}, "b": map[string]any{}, "c": []any{}}
	data, err := s.Kept(want)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.Restore(data, time.Time{}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %#v, %v; want %#v", got, err, want)
	}
	for _, v := range []any{math.NaN(), []any{math.Inf(1)}, struct{}{}} {
		if _, err := s.Kept(v); err == nil {
			t.Errorf("%v: no error", v)
		}
	}
}
