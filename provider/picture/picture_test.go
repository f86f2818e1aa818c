package picture

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/extract"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/render/picture"
)

// dot returns a PNG file of one color.
func dot(t *testing.T, shade uint8) string {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, 4, 2))
	for i := range m.Pix {
		m.Pix[i] = shade
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A web replaces the network. It answers from a table of addresses and records the requests.
type web struct {
	mu    sync.Mutex        // needed because the fake clock does not synchronize the goroutines
	pages map[string]string // answers by address; "" is status 500; an address that is missing cannot be reached
	asked []string
	auth  []string
	etag  bool
}

func (w *web) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked = append(w.asked, r.URL.String())
	w.auth = append(w.auth, r.Header.Get("Authorization"))
	body, ok := w.pages[r.URL.String()]
	if !ok {
		return nil, errors.New("no route")
	}
	code, h := 200, http.Header{}
	if body == "" {
		code = 500
	}
	if tag := `"` + http.DetectContentType([]byte(body)) + `"`; w.etag {
		h.Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			code, body = 304, ""
		}
	}
	return &http.Response{StatusCode: code, Header: h, ContentLength: int64(len(body)), Body: io.NopCloser(strings.NewReader(body))}, nil
}

// set changes the answer of an address.
func (w *web) set(url, body string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pages[url] = body
}

func (w *web) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.asked)
}

// run runs a provider. It calls the functions in `change` one after another and then stops the provider. Before each of these steps, the
// provider runs for the duration d.
func run(t *testing.T, w *web, c Config, d time.Duration, change ...func()) *provider.Cell {
	t.Helper()
	c.Box = image.Pt(40, 40)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cell := provider.NewCell(nil)
	ended := make(chan error)
	go func() { ended <- New(c, fetch.NewWith(w), make(chan struct{}, 1)).Run(ctx, cell) }()
	for _, f := range append(change, cancel) {
		time.Sleep(d)
		synctest.Wait()
		f()
	}
	if err := <-ended; err != nil {
		t.Errorf("Run: %v", err)
	}
	return cell
}

// shade returns the color in the middle of a published picture.
func shade(t *testing.T, s *provider.Sample) color.RGBA {
	t.Helper()
	pic, ok := s.Value.(*picture.Picture)
	if !ok {
		t.Fatalf("got %T, want a picture; %v", s.Value, s.Err)
	}
	if want := image.Rect(0, 10, 40, 30); pic.Rect != want {
		t.Errorf("got the picture in %v, want %v", pic.Rect, want)
	}
	return pic.Frames[0].Img.RGBAAt(20, 10)
}

func grey(v uint8) color.RGBA { return color.RGBA{v, v, v, 255} }

const at = "http://cam/now.png"

func TestFetchesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{pages: map[string]string{at: dot(t, 100)}}
		c := Config{Request: fetch.Request{URL: at}, Interval: 10 * time.Second}
		cell := run(t, w, c, 25*time.Second)
		if s := cell.Load(); s.Seq != 1 || shade(t, s) != grey(100) || s.Interval != c.Interval || time.Since(s.At) > 10*time.Second {
			t.Errorf("the same bytes three times: got %+v, want one sample, confirmed", *s)
		}
		if len(w.asked) != 3 {
			t.Errorf("asked %d times in 25 s, want 3", len(w.asked))
		}
		cell = run(t, w, c, 25*time.Second, func() { w.set(at, dot(t, 200)) })
		if s := cell.Load(); s.Seq != 2 || shade(t, s) != grey(200) {
			t.Errorf("other bytes: got %+v, want a second sample", *s)
		}
	})
}

func TestKeepsTheLastPicture(t *testing.T) {
	for name, bad := range map[string]func(*web){
		"undecodable": func(w *web) { w.set(at, "<html>") },
		"error":       func(w *web) { w.set(at, "") },
		"gone":        func(w *web) { w.mu.Lock(); defer w.mu.Unlock(); delete(w.pages, at) },
		"too large":   func(w *web) { w.set(at, strings.Repeat("x", picture.MaxBytes+1)) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &web{pages: map[string]string{at: dot(t, 100)}}
				cell := run(t, w, Config{Request: fetch.Request{URL: at}, Interval: 10 * time.Second}, 61*time.Second, func() { bad(w) })
				s := cell.Load()
				if s.Seq != 1 || shade(t, s) != grey(100) || s.Err == nil || !s.Stale(time.Now()) {
					t.Errorf("got %+v, want the old picture, an error, stale", *s)
				}
				if n := len(w.asked); n < 12 || n > 30 {
					t.Errorf("asked %d times in two minutes, want it more often than before, and not all the time", n)
				}
			})
		})
	}
}

func TestStatic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{pages: map[string]string{at: ""}}
		c := Config{Request: fetch.Request{URL: at}, Interval: 10 * time.Second, Static: true}
		settled := 0
		cell := run(t, w, c, time.Minute, func() { w.set(at, dot(t, 100)) }, func() { settled = w.count() })
		if s := cell.Load(); s.Seq != 1 || s.Stale(time.Now().AddDate(1, 0, 0)) || len(w.asked) != settled {
			t.Errorf("got %+v after %v, want one picture for good", *s, w.asked)
		}
	})
}

func TestAddressFromADocument(t *testing.T) {
	pick, _ := extract.New("images[0].url", "")
	path := filepath.Join(t.TempDir(), "dot.png")
	if err := os.WriteFile(path, []byte(dot(t, 50)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, document, want string }{
		{"address", `{"images":[{"url":"` + at + `"}]}`, ""},
		{"file", `{"images":[{"url":"file://` + path + `"}]}`, "a file of this machine"},
		{"number", `{"images":[{"url":7}]}`, "not the address"},
		{"missing", `{"images":[]}`, "out of range"},
		{"other scheme", `{"images":[{"url":"gopher://h/"}]}`, "neither http nor https"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &web{pages: map[string]string{at: dot(t, 50), "http://api/": tc.document}}
				c := Config{Request: fetch.Request{URL: "http://api/", Auth: fetch.Auth{Bearer: "key"}}, Pick: pick, Interval: time.Minute}
				s := run(t, w, c, time.Second).Load()
				if tc.want != "" {
					if s.Err == nil || !strings.Contains(s.Err.Error(), tc.want) {
						t.Errorf("got %v, want %q", s.Err, tc.want)
					}
					return
				}
				if shade(t, s) != grey(50) {
					t.Errorf("got another picture")
				}
				if w.auth[0] != "Bearer key" || len(w.auth) > 1 && w.auth[1] != "" {
					t.Errorf("got authorizations %q, want the picture to be fetched without", w.auth)
				}
			})
		})
	}
}

func TestFollowsACell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const other = "http://cam/other.png"
		w := &web{pages: map[string]string{at: dot(t, 100), other: ""}}
		from := provider.NewCell(nil)
		var cell *provider.Cell
		var seen []int
		note := func() { seen = append(seen, w.count()) }
		cell = run(t, w, Config{From: from}, time.Second,
			func() { note(); from.Publish(at, time.Now()) },
			func() { note(); from.Publish(at, time.Now()) },
			func() { note(); from.Publish(7, time.Now()) },
			func() { note(); from.Publish(other, time.Now()) },
			func() { note(); w.set(other, dot(t, 200)); time.Sleep(4 * time.Second) },
		)
		for i, want := range []int{0, 1, 1, 1, 2} {
			if seen[i] != want {
				t.Errorf("asked after each change: got %v, want the cell's new addresses only", seen)
				break
			}
		}
		if s := cell.Load(); s.Seq != 2 || shade(t, s) != grey(200) || s.Err != nil {
			t.Errorf("got %+v, want the second picture after a retry", *s)
		}
	})
}

// If the source of a picture's address fails, the picture has the error of this source. The picture appears as soon as there is an
// address.
func TestSourceOfAddressFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from := provider.NewCell(nil)
		from.Fail(errors.New("no such key"), time.Now())
		w := &web{pages: map[string]string{at: dot(t, 100)}}
		pic := provider.NewCell(nil)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			ended <- New(Config{From: from, Box: image.Pt(40, 40)}, fetch.NewWith(w), make(chan struct{}, 1)).Run(ctx, pic)
		}()
		synctest.Wait()
		if s := pic.Load(); s.Tried.IsZero() || s.Err == nil || s.Err.Error() != "no such key" {
			t.Errorf("got %+v, want the error of the address's source", *s)
		}
		from.Publish(at, time.Now())
		synctest.Wait()
		if s := pic.Load(); s.Err != nil || shade(t, s) != grey(100) {
			t.Errorf("got %+v, want the picture and no error", *s)
		}
		cancel()
		<-ended
	})
}

// While the source only confirms a failing address, this address is not requested again. When the source publishes the previous address
// again, the error disappears.
func TestFailedAddressIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const other = "http://cam/other.png"
		w := &web{pages: map[string]string{at: dot(t, 100), other: ""}}
		from := provider.NewCell(nil)
		from.Publish(at, time.Now())
		var asked int
		cell := run(t, w, Config{From: from}, time.Minute,
			func() { from.Publish(other, time.Now()) },
			func() {
				asked = w.count()
				for range 20 {
					from.Confirm(time.Now())
					synctest.Wait()
				}
				if n := w.count() - asked; n > 0 {
					t.Errorf("asked %d times more because the source said the same", n)
				}
				from.Publish(at, time.Now())
			})
		if s := cell.Load(); s.Err != nil || s.Seq != 1 || shade(t, s) != grey(100) {
			t.Errorf("the first address again: got %+v, want its picture and no error", *s)
		}
	})
}

func TestNotModified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{pages: map[string]string{at: dot(t, 100)}, etag: true}
		cell := run(t, w, Config{Request: fetch.Request{URL: at}, Interval: 10 * time.Second}, 15*time.Second)
		if s := cell.Load(); s.Seq != 1 || s.Err != nil || time.Since(s.At) > 10*time.Second {
			t.Errorf("got %+v, want one sample, confirmed", *s)
		}
	})
}

func TestKey(t *testing.T) {
	base := Config{Request: fetch.Request{URL: at, Auth: fetch.Auth{Bearer: "secret"}}, Box: image.Pt(3, 4)}
	if base.Key("a", "b") == base.Key("ab") || strings.Contains(base.Key(), "secret") {
		t.Error("keys do not tell definitions apart, or tell too much")
	}
	other := base
	other.Box.X++
	if other.Key() == base.Key() {
		t.Error("another size has the same key")
	}
}
