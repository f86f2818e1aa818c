package notify

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/budget"
	"dashboard/internal/fetch"
	"dashboard/internal/loglimit"
	"dashboard/internal/testing/programtest"
)

func TestMain(m *testing.M) { programtest.MainWithoutLeaks(m) }

// A slowWeb answers after the number of seconds in the path. The host "pics" answers with a picture whose width in pixels is also this
// number. The hosts "html" and "broken" answer with other data, and all other hosts with an error.
type slowWeb struct{ at, most, idle atomic.Int32 }

func (w *slowWeb) RoundTrip(r *http.Request) (*http.Response, error) {
	n := w.at.Add(1)
	w.most.Store(max(w.most.Load(), n))
	defer w.at.Add(-1)
	var seconds int
	fmt.Sscanf(r.URL.Path, "/%d", &seconds)
	select {
	case <-time.After(time.Duration(seconds) * time.Second):
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	var b bytes.Buffer
	switch r.URL.Host {
	case "pics":
		m := image.NewGray(image.Rect(0, 0, seconds, 1))
		m.SetGray(0, 0, color.Gray{200})
		png.Encode(&b, m)
	case "html":
		b.WriteString("<html>")
	case "broken":
		b.WriteString("GIF89a")
	default:
		return nil, errors.New("no route")
	}
	return &http.Response{StatusCode: 200, Body: io.NopCloser(&b)}, nil
}

func (w *slowWeb) CloseIdleConnections() { w.idle.Add(1) }

// posting runs f with a Poster in fake time.
func posting(t *testing.T, f func(p *Poster, w *slowWeb, b *Board, log *bytes.Buffer)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b, _, _ := board(t)
		w, log := &slowWeb{}, &bytes.Buffer{}
		p := NewPoster(b, fetch.NewWith(w), budget.New(), slog.New(slog.NewTextHandler(log, nil)))
		f(p, w, b, log)
		p.Close()
	})
}

func ask(url string) *Request { return &Request{Widget: "i", URL: url, Duration: time.Second} }

// widths() returns the widths of the pictures that an inbox shows, read once a second for some seconds.
func widths(in *Inbox, seconds int) (all []int) {
	var last *Notification
	for range seconds {
		synctest.Wait()
		if n, _ := in.Current(time.Now(), true); n != nil && n != last {
			all, last = append(all, n.Picture.Rect.Dx()/n.Picture.Rect.Dy()), n
		}
		time.Sleep(time.Second)
	}
	return all
}

func TestPosterKeepsTheOrder(t *testing.T) {
	posting(t, func(p *Poster, w *slowWeb, b *Board, log *bytes.Buffer) {
		in, _ := b.Lookup("i")
		for _, s := range []string{"pics/8", "pics/2", "html/1", "gone/1", "pics/4", "pics/12", "broken/0", "pics/1"} {
			if err := p.Post(ask("http://" + s)); err != nil {
				t.Fatal(err)
			}
		}
		if got := fmt.Sprint(widths(in, 40)); got != "[8 2 4 1]" {
			t.Errorf("got pictures %v, want those that can be fetched within %v, in their order", got, fetchTime)
		}
		if st := p.Stats(); st != (Stats{Accepted: 8, Failed: 4}) || in.Waiting() != 0 {
			t.Errorf("got %+v, %d waiting", st, in.Waiting())
		}
		if w.most.Load() != 1 {
			t.Errorf("got %d at once for one widget, want 1", w.most.Load())
		}
		if n := strings.Count(log.String(), "cannot be shown"); n != 4 {
			t.Errorf("%d failures logged, want 4:\n%s", n, log)
		}
	})
}

// TestPosterTellsFew: after a limited number of log lines, further failed pictures and ignored parts are counted but not logged.
func TestPosterTellsFew(t *testing.T) {
	posting(t, func(p *Poster, w *slowWeb, b *Board, log *bytes.Buffer) {
		for i := range 5 * loglimit.AtOnce {
			if err := p.Post(ask(fmt.Sprint("http://gone/0/", i))); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		if n := strings.Count(log.String(), "cannot be shown"); n != loglimit.AtOnce || p.Stats().Failed != 5*loglimit.AtOnce {
			t.Errorf("%d lines of %d failures, want %d", n, p.Stats().Failed, loglimit.AtOnce)
		}
		time.Sleep(time.Second)
		log.Reset()
		noted := ask("http://pics/1")
		noted.Notes = make([]string, 10)
		if err := p.Post(noted); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(log.String(), "ignored"); n != loglimit.PerSecond || !strings.Contains(log.String(), fmt.Sprint("untold_before=", 4*loglimit.AtOnce)) {
			t.Errorf("%d lines after a second, want %d and how many were not told:\n%s", n, loglimit.PerSecond, log)
		}
	})
}

// The next picture is already fetched when the picture on the wall ends.
func TestPosterFetchesAhead(t *testing.T) {
	posting(t, func(p *Poster, w *slowWeb, b *Board, log *bytes.Buffer) {
		in, _ := b.Lookup("i")
		for range 3 {
			r := ask("http://pics/2")
			r.Duration = 5 * time.Second
			p.Post(r)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		first, until := in.Current(time.Now(), true)
		time.Sleep(time.Until(until))
		synctest.Wait()
		second, _ := in.Current(time.Now(), true)
		if first == nil || second == nil || first == second {
			t.Errorf("got %v, then %v, want one right after the other", first, second)
		}
		if st := p.Stats(); st.Fetching != 1 {
			t.Errorf("got %+v, want one not fetched", st)
		}
	})
}

func TestPosterCountsWhatIsBeingFetched(t *testing.T) {
	posting(t, func(p *Poster, w *slowWeb, b *Board, log *bytes.Buffer) {
		for i := range MaxWaiting {
			if err := p.Post(ask("http://pics/9")); err != nil {
				t.Fatalf("post %d: %v", i, err)
			}
		}
		if err := p.Post(ask("http://pics/9")); !errors.Is(err, ErrFull) {
			t.Errorf("got %v, want ErrFull", err)
		}
		p.Close()
		if in, _ := b.Lookup("i"); in.Waiting() > MaxWaiting {
			t.Errorf("%d waiting", in.Waiting())
		}
	})
}

// For each widget, one picture is fetched at a time. Pictures of different widgets are fetched in parallel.
func TestPosterBoundsFetchesOverAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const widgets = workers + 2
		b := NewBoard(func() {})
		s := b.Begin()
		for i := range widgets {
			s.Inbox(fmt.Sprint(i), Image, View{Box: image.Pt(4, 4)})
		}
		b.Commit(s)
		w := &slowWeb{}
		p := NewPoster(b, fetch.NewWith(w), budget.New(), slog.New(slog.DiscardHandler))
		defer p.Close()
		for i := range widgets * MaxWaiting {
			if err := p.Post(&Request{Widget: fmt.Sprint(i % widgets), URL: "http://pics/5", Duration: 1}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if got, want := p.Stats().Fetching, widgets*(MaxWaiting-1); got != want || w.most.Load() != workers {
			t.Errorf("got %d to fetch, %d at once; want %d and %d", got, w.most.Load(), want, workers)
		}
		b.Commit(b.Begin()) // a tree without widgets
		synctest.Wait()
		if st := p.Stats(); st.Fetching != 0 {
			t.Errorf("got %d to fetch for widgets that are gone", st.Fetching)
		}
	})
}

func TestPosterChecksTheKind(t *testing.T) {
	posting(t, func(p *Poster, w *slowWeb, b *Board, log *bytes.Buffer) {
		text := "hello"
		for _, tc := range []struct {
			name string
			r    Request
			want string
		}{
			{"text", Request{Widget: "t", Text: &text, Duration: 1, Notes: []string{"color: odd"}}, ""},
			{"text for pictures", Request{Widget: "i", Text: &text}, "'url' is required: this widget shows pictures"},
			{"picture for texts", Request{Widget: "t", URL: "http://pics/1"}, "'text' is required: this widget shows texts"},
			{"unknown", Request{Widget: "x"}, "Widget not found"},
		} {
			got := ""
			if err := p.Post(&tc.r); err != nil {
				got = err.Error()
			}
			if got != tc.want {
				t.Errorf("%s: got %q, want %q", tc.name, got, tc.want)
			}
		}
		if st := p.Stats(); st.Accepted != 1 || st.Refused != 3 {
			t.Errorf("got %+v", st)
		}
		if !strings.Contains(log.String(), "color: odd") {
			t.Errorf("the note was not logged: %s", log)
		}
		in, _ := b.Lookup("t")
		if got := shows(in, noon); got != text {
			t.Errorf("got %q, want the text", got)
		}
	})
}

func TestPosterCloses(t *testing.T) {
	posting(t, func(p *Poster, w *slowWeb, b *Board, log *bytes.Buffer) {
		began := time.Now()
		p.Post(ask("http://pics/9"))
		synctest.Wait()
		p.Close()
		if d := time.Since(began); d > time.Second {
			t.Errorf("Close took %v", d)
		}
		if err := p.Post(ask("http://pics/9")); !errors.Is(err, ErrFull) {
			t.Errorf("after Close: got %v, want ErrFull", err)
		}
		if log.Len() > 0 {
			t.Errorf("the end was logged as a failure: %s", log)
		}
	})
}

// A client with a guard rejects the address of a picture on this machine before it sends a request.
func TestGuardedClientRefuses(t *testing.T) {
	b, _, _ := board(t)
	var log bytes.Buffer
	client := fetch.New(&fetch.Options{Guard: fetch.NewGuard(nil)})
	p := NewPoster(b, client, budget.New(), slog.New(slog.NewTextHandler(&log, nil)))
	defer p.Close()
	err := p.fetch("http://127.0.0.1:1/x.png", false, nil)
	if !errors.Is(err, fetch.ErrRefused) {
		t.Errorf("got %v, want ErrRefused", err)
	}
}

func TestSetClient(t *testing.T) {
	posting(t, func(p *Poster, w *slowWeb, b *Board, log *bytes.Buffer) {
		other := &slowWeb{}
		p.SetClient(fetch.NewWith(other))
		p.Post(ask("http://pics/1"))
		time.Sleep(2 * time.Second)
		if w.most.Load() != 0 || other.most.Load() != 1 {
			t.Error("the former client was asked")
		}
		if w.idle.Load() != 1 || other.idle.Load() != 0 {
			t.Error("the former client keeps its connections")
		}
	})
}
