package pull_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dashboard/internal/pull"
	"dashboard/internal/pull/wallcopy"
)

// zipOf returns a zip file.
func zipOf(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range files {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func wall(t *testing.T, text string) []byte {
	return zipOf(t, map[string]string{"wall/widgets.yaml": text})
}

// A place is a server, and a puller that trusts the server's certificate in addition to the system's authorities.
type place struct {
	*pull.Puller
	asked  []*http.Request
	pauses []time.Duration
	server *httptest.Server
}

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func newPlace(t *testing.T, answer http.HandlerFunc) *place {
	t.Helper()
	p := &place{}
	p.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.asked = append(p.asked, r)
		answer(w, r)
	}))
	p.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	p.server.StartTLS()
	t.Cleanup(p.server.Close)
	own := filepath.Join(t.TempDir(), "own.crt")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.server.Certificate().Raw})
	if err := os.WriteFile(own, text, 0o600); err != nil {
		t.Fatal(err)
	}
	client, err := pull.NewClient(own)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.CloseIdle)
	now := noon
	p.Puller = &pull.Puller{
		Client: client, Source: pull.Source{Address: p.server.URL + "/geheim/wall.zip"}, Dir: t.TempDir(), Version: "1",
		Check: func(dir string) error {
			text, err := os.ReadFile(filepath.Join(dir, "widgets.yaml"))
			if bytes.HasPrefix(text, []byte("wrong")) {
				err = fmt.Errorf("%s/widgets.yaml:1:1: no such widget", dir)
			}
			return err
		},
		Now: func() time.Time { return now },
		Sleep: func(_ context.Context, d time.Duration) error {
			p.pauses = append(p.pauses, d)
			return nil
		},
	}
	return p
}

// kept() returns the content of the copy, or "" if there is none.
func (p *place) kept(t *testing.T) string {
	t.Helper()
	path, ok := wallcopy.Kept(p.Dir, wallcopy.Load(p.Dir, p.Address))
	if !ok {
		return ""
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Correct files are stored. Later requests contain the ETag of these files.
func TestTaken(t *testing.T) {
	right := wall(t, "right")
	p := newPlace(t, func(w http.ResponseWriter, r *http.Request) {
		if w.Header().Set("ETag", `"v1"`); r.Header.Get("If-None-Match") == `"v1"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write(right)
	})
	for range 2 {
		if err := p.Pull(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := p.kept(t); got != string(right) || wallcopy.Told(p.Dir) != "" {
		t.Errorf("got %d bytes, told %q, want the wall", len(got), wallcopy.Told(p.Dir))
	}
	if len(p.asked) != 2 || p.asked[0].Header.Get("If-None-Match") != "" || p.asked[1].Header.Get("If-None-Match") != `"v1"` {
		t.Errorf("got %d requests, want one for all and one for changes", len(p.asked))
	}
	// A damaged copy is fetched again.
	if err := os.Truncate(filepath.Join(p.Dir, "wall.zip"), 10); err != nil {
		t.Fatal(err)
	}
	if err := p.Pull(t.Context()); err != nil || p.kept(t) != string(right) {
		t.Errorf("a damaged copy: got %v, %d bytes", err, len(p.kept(t)))
	}
}

// If the server's answer is unusable, the last good copy stays. Problems that may be permanent are reported, without the address.
func TestRefused(t *testing.T) {
	good := wall(t, "right")
	bomb := zipOf(t, map[string]string{"widgets.yaml": "x", "big": strings.Repeat("0", 25<<20)})
	many := map[string]string{"widgets.yaml": "x"}
	for i := range 5000 {
		many[fmt.Sprint(i)] = ""
	}
	crowd := zipOf(t, many)
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(good) }))
	t.Cleanup(plain.Close)
	send := func(body []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) }
	}
	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
		told   string // problem that is reported, or "" because it may be over in a moment
	}{
		{"a mistake in the files", send(wall(t, "wrong")), "config_url: the files were not taken: widgets.yaml:1:1: no such widget"},
		{"no wall", send(zipOf(t, map[string]string{"a": "b"})), "widgets.yaml or client.yaml is missing"},
		{"a way out of the folder", send(zipOf(t, map[string]string{"widgets.yaml": "x", "../x": "x"})), "not a file of a wall"},
		{"a page to log in", send([]byte("<html>")), "config_url: the files were not taken: neither a zip file nor a tar.gz"},
		{"a bomb", send(bomb), "more than 25165824 bytes"},
		{"a crowd", send(crowd), "more than 4096 entries"},
		{"endless", func(w http.ResponseWriter, _ *http.Request) {
			block := make([]byte, 1<<20)
			for range 64 {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		}, "more than 12582912 bytes"},
		{"a lie about its length", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "99999999999") }, "more than 12582912 bytes"},
		{"half", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(good)))
			_, _ = w.Write(good[:len(good)/2])
		}, ""},
		{"nothing there", http.NotFound, "config_url: the server answers 404 Not Found"},
		{"broken", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }, ""},
		{"out of https", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, plain.URL, http.StatusFound) }, "not https"},
		{"in circles", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			first := true
			p := newPlace(t, func(w http.ResponseWriter, r *http.Request) {
				if first {
					_, _ = w.Write(good)
					return
				}
				tt.answer(w, r)
			})
			if err := p.Pull(t.Context()); err != nil {
				t.Fatal(err)
			}
			first = false
			err := p.Pull(t.Context())
			if err == nil || p.kept(t) != string(good) {
				t.Errorf("got %v, %d bytes kept, want an error and the last good copy", err, len(p.kept(t)))
			}
			told := wallcopy.Told(p.Dir)
			if (tt.told == "") != (told == "") || !strings.Contains(told, tt.told) || strings.Contains(told+fmt.Sprint(err), "geheim") {
				t.Errorf("got %q, %v, want %q", told, err, tt.told)
			}
			first = true
			if err := p.Pull(t.Context()); err != nil || wallcopy.Told(p.Dir) != "" {
				t.Errorf("right again: got %v, told %q", err, wallcopy.Told(p.Dir))
			}
		})
	}
}

// A refused wall is not fetched again until the wall on the server or the program changes. Until then, the problem is still reported.
func TestRefusedStaysTold(t *testing.T) {
	whole := 0
	p := newPlace(t, func(w http.ResponseWriter, r *http.Request) {
		if w.Header().Set("ETag", `"bad"`); r.Header.Get("If-None-Match") != "" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		whole++
		_, _ = w.Write(wall(t, "wrong"))
	})
	for range 3 {
		if err := p.Pull(t.Context()); err == nil || !strings.Contains(wallcopy.Told(p.Dir), "no such widget") {
			t.Fatalf("got %v, told %q", err, wallcopy.Told(p.Dir))
		}
	}
	if whole != 1 {
		t.Errorf("it was fetched %d times, want once", whole)
	}
	if p.Version = "2"; p.Pull(t.Context()) == nil || whole != 2 {
		t.Errorf("another program: it was fetched %d times, want twice", whole)
	}
}

// If a server answers with an error, Pull repeats the request after growing pauses. The problem is reported only if there is no copy or
// the copy is old.
func TestOutOfReach(t *testing.T) {
	good, down := wall(t, "right"), true
	p := newPlace(t, func(w http.ResponseWriter, _ *http.Request) {
		if down {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write(good)
	})
	if err := p.Pull(t.Context()); err == nil || wallcopy.Told(p.Dir) != "config_url: the server answers 503 Service Unavailable" {
		t.Errorf("got %v, told %q", err, wallcopy.Told(p.Dir))
	}
	if len(p.pauses) != 5 || p.pauses[0] != 5*time.Second || p.pauses[4] != 80*time.Second {
		t.Errorf("got pauses %v, want five that double", p.pauses)
	}
	down = false
	if err := p.Pull(t.Context()); err != nil {
		t.Fatal(err)
	}
	down = true
	for _, step := range []struct {
		after time.Duration
		told  bool
	}{{time.Hour, false}, {25 * time.Hour, true}, {-72 * time.Hour, false}, {-47 * time.Hour, true}} { // the clock is set back by three days
		p.Now = func() time.Time { return noon.Add(step.after) }
		if err := p.Pull(t.Context()); err == nil || (wallcopy.Told(p.Dir) != "") != step.told || p.kept(t) != string(good) {
			t.Errorf("after %v: got %v, told %q", step.after, err, wallcopy.Told(p.Dir))
		}
	}
}

// If a server requests a pause, there are no requests during this pause. A pause of more than a day counts as one day.
func TestLeftAlone(t *testing.T) {
	p := newPlace(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "9999999")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	if err := p.Pull(t.Context()); err == nil || len(p.asked) != 1 {
		t.Fatalf("got %v, %d requests", err, len(p.asked))
	}
	if err := p.Pull(t.Context()); err != nil || len(p.asked) != 1 {
		t.Errorf("at once: got %v, %d requests, want one", err, len(p.asked))
	}
	p.Now = func() time.Time { return noon.Add(25 * time.Hour) }
	if err := p.Pull(t.Context()); err == nil || len(p.asked) != 2 {
		t.Errorf("after a day: got %v, %d requests, want two", err, len(p.asked))
	}
}

// If a server never answers, or sends its answer too slowly, Pull returns when ctx ends.
func TestHangs(t *testing.T) {
	for _, drips := range []bool{false, true} {
		reached := make(chan struct{}, 1)
		p := newPlace(t, func(w http.ResponseWriter, r *http.Request) {
			if drips {
				_, _ = w.Write([]byte("P"))
				_ = http.NewResponseController(w).Flush()
			}
			reached <- struct{}{}
			<-r.Context().Done()
		})
		ctx, cancel := context.WithCancel(t.Context())
		go func() { <-reached; cancel() }()
		if err := p.Pull(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want the end of patience", err)
		}
	}
}

// Only the system's authorities and the authorities in ca_file are trusted.
func TestStranger(t *testing.T) {
	p := newPlace(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(wall(t, "right")) })
	client, err := pull.NewClient("")
	if err != nil {
		t.Fatal(err)
	}
	p.Client = client
	if err := p.Pull(t.Context()); err == nil || p.kept(t) != "" || !strings.Contains(wallcopy.Told(p.Dir), "certificate") || len(p.asked) > 0 {
		t.Errorf("got %v, told %q, want a certificate refused", err, wallcopy.Told(p.Dir))
	}
}

// The copy of one address is not used for another address.
func TestAnotherAddress(t *testing.T) {
	p := newPlace(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(wall(t, "right")) })
	if err := p.Pull(t.Context()); err != nil {
		t.Fatal(err)
	}
	if p.Address += "2"; p.kept(t) != "" {
		t.Error("got the copy of another address")
	}
}

func TestCheckAddress(t *testing.T) {
	for address, want := range map[string]error{
		"https://a.example/w.zip": nil, "http://a.example/w.zip": pull.ErrAddress, "file:///etc/x": pull.ErrAddress,
		"https:///x": pull.ErrAddress, "a.example": pull.ErrAddress, "": pull.ErrAddress,
	} {
		if err := pull.CheckAddress(address); err != want {
			t.Errorf("%q: got %v, want %v", address, err, want)
		}
	}
}
