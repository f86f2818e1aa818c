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

	"go.uber.org/goleak"

	"dashboard/fetch"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// slowWeb answers after the number of seconds that the path names, with a picture as wide as that, or with an error for
// other hosts than "pics".
type slowWeb struct{ at, most atomic.Int32 }

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

// posting runs f around a Poster in a bubble.
func posting(t *testing.T, f func(p *Poster, w *slowWeb, b *Board, log *bytes.Buffer)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b, _, _ := board(t)
		w, log := &slowWeb{}, &bytes.Buffer{}
		p := NewPoster(b, fetch.NewWith(w), slog.New(slog.NewTextHandler(log, nil)))
		f(p, w, b, log)
		p.Close()
	})
}

func ask(url string) *Request { return &Request{Widget: "i", URL: url, Duration: time.Second} }

// widths are those of the pictures an inbox shows one after the other.
func widths(in *Inbox) (all []int) {
	for now := noon; ; now = now.Add(time.Second) {
		n, _ := in.Current(now, true)
		if n == nil {
			return all
		}
		all = append(all, n.Picture.Rect.Dx()/n.Picture.Rect.Dy())
	}
}

func TestPosterKeepsTheOrder(t *testing.T) {
	posting(t, func(p *Poster, w *slowWeb, b *Board, log *bytes.Buffer) {
		in, _ := b.Lookup("i")
		for _, s := range []string{"pics/8", "pics/2", "html/1", "gone/1", "pics/4", "pics/12", "broken/0", "pics/1"} {
			if err := p.Post(ask("http://" + s)); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(7 * time.Second)
		synctest.Wait()
		if n, _ := in.Current(noon, true); n != nil {
			t.Error("one that came first overtook the one that was posted first")
		}
		time.Sleep(20 * time.Second)
		synctest.Wait()
		if got := fmt.Sprint(widths(in)); got != "[8 2 4 1]" {
			t.Errorf("got pictures %v, want those that can be fetched within %v, in their order", got, fetchTime)
		}
		if st := p.Stats(); st != (Stats{Accepted: 8, Failed: 4}) || in.Waiting() != 0 {
			t.Errorf("got %+v, %d waiting", st, in.Waiting())
		}
		if w.most.Load() != workers {
			t.Errorf("got %d at once, want %d", w.most.Load(), workers)
		}
		if n := strings.Count(log.String(), "cannot be shown"); n != 4 {
			t.Errorf("%d failures logged, want 4:\n%s", n, log)
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

func TestPosterBoundsFetchesOverAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBoard(func() {})
		s := b.Begin()
		for i := range 4 {
			s.Inbox(fmt.Sprint(i), Image, View{Box: image.Pt(4, 4)})
		}
		b.Commit(s)
		p := NewPoster(b, fetch.NewWith(&slowWeb{}), slog.New(slog.DiscardHandler))
		defer p.Close()
		full := 0
		for i := range 4 * MaxWaiting {
			err := p.Post(&Request{Widget: fmt.Sprint(i % 4), URL: "http://pics/5", Duration: 1})
			if errors.Is(err, ErrFull) {
				full++
			}
			synctest.Wait()
		}
		if want := 4*MaxWaiting - maxFetching - workers; full != want {
			t.Errorf("%d refused, want %d", full, want)
		}
		waiting := 0
		for i := range 4 {
			in, _ := b.Lookup(fmt.Sprint(i))
			waiting += in.Waiting()
		}
		if waiting != maxFetching+workers {
			t.Errorf("%d places kept, want those that were accepted", waiting)
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

// The addresses are anybody's: one on this machine is refused before anything is sent.
func TestGuardedClientRefuses(t *testing.T) {
	b, _, _ := board(t)
	var log bytes.Buffer
	client := fetch.New(&fetch.Options{Guard: fetch.NewGuard(nil)})
	p := NewPoster(b, client, slog.New(slog.NewTextHandler(&log, nil)))
	defer p.Close()
	_, err := p.fetch(job{&Inbox{}, &ticket{}, ask("http://127.0.0.1:1/x.png")})
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
	})
}
