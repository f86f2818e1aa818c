package origin

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dashboard/config"
	"dashboard/internal/folder"
)

// first and second are the commits of the archives.
var (
	first  = strings.Repeat("8f3c2a1d", 5)
	second = strings.Repeat("b71d09e4", 5)
)

// zipOf returns the archive of a commit in the form that git servers send. It contains the given files.
func zipOf(t *testing.T, commit string, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		w, err := z.Create("walls-main/" + name)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.SetComment(commit), z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A place is a server with an archive, and an Origin that fetches the archive.
type place struct {
	*Origin
	server  *httptest.Server
	conf    *config.ConfigURL
	archive atomic.Pointer[[]byte]
	down    atomic.Bool
	tokens  []string // tokens that the server has received
	reloads int
}

func (p *place) serve(w http.ResponseWriter, r *http.Request) {
	p.tokens = append(p.tokens, r.Header.Get("Authorization"))
	body := *p.archive.Load()
	tag := fmt.Sprintf("%q", fmt.Sprintf("%x", sha256.Sum256(body)))
	switch w.Header().Set("ETag", tag); {
	case p.down.Load():
		w.WriteHeader(http.StatusServiceUnavailable)
	case r.Header.Get("If-None-Match") == tag:
		w.WriteHeader(http.StatusNotModified)
	default:
		_, _ = w.Write(body)
	}
}

func newPlace(t *testing.T) *place {
	t.Helper()
	p := &place{}
	p.server = httptest.NewUnstartedServer(http.HandlerFunc(p.serve))
	p.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	p.server.StartTLS()
	t.Cleanup(p.server.Close)
	own := filepath.Join(t.TempDir(), "own.crt")
	if err := os.WriteFile(own, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	for name, text := range map[string]string{"conf.yaml": "local conf", "secrets.yaml": "local secrets", "widgets.yaml": "local wall"} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p.conf = &config.ConfigURL{URL: p.server.URL + "/main.zip", Token: "geheim4xq", CAFile: own, Every: config.Interval(15 * time.Minute)}
	p.Origin = p.start(home, t.TempDir())
	return p
}

// start returns an Origin with the local folder `home` and the state folder `dir`.
func (p *place) start(home, dir string) *Origin {
	return New(Parts{
		Home: home, Dir: dir, Version: "1", Reload: func() { p.reloads++ }, Log: slog.New(slog.DiscardHandler), Now: time.Now,
		Check: func(files *folder.Root) error {
			data, err := folder.Read(files, "widgets.yaml", 1000)
			if err == nil && strings.Contains(string(data), "colour") {
				err = errors.New(files.Path("widgets.yaml") + ":41: colour is unknown, did you mean color?")
			}
			return err
		},
	})
}

// reads() returns the content of a file from the address. If the wall uses the files in its local folder, it returns "".
func (p *place) reads(name string) string {
	root := p.Configure(p.conf)
	if root == nil {
		return ""
	}
	data, err := folder.Read(root, name, 1000)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// TestTakeOver checks that new files are used and that their commit is known. If new files have an error, nothing changes, and the error
// names the file and the line. The stored copy works after a restart without a network. secrets.yaml always comes from the local folder.
func TestTakeOver(t *testing.T) {
	p := newPlace(t)
	good := zipOf(t, first, map[string]string{"widgets.yaml": "one", "secrets.yaml": "foreign secrets"})
	p.archive.Store(&good)
	if got := p.reads("widgets.yaml"); got != "" {
		t.Fatalf("before the first files: got %q", got)
	}
	if err := p.pull(t.Context()); err != nil {
		t.Fatal(err)
	}
	if st := p.State(); p.reads("widgets.yaml") != "one" || st.Revision != "8f3c2a1" || st.Problem != "" || p.reloads != 1 {
		t.Errorf("got %q, %+v, %d reloads", p.reads("widgets.yaml"), st, p.reloads)
	}
	if p.reads("secrets.yaml") != "local secrets" || p.reads("conf.yaml") != "local conf" {
		t.Errorf("got secrets %q, conf %q", p.reads("secrets.yaml"), p.reads("conf.yaml"))
	}
	bad := zipOf(t, second, map[string]string{"widgets.yaml": "colour", "conf.yaml": "theirs"})
	p.archive.Store(&bad)
	for range 2 { // repeated, because the answer to the second request has the status 304
		err := p.pull(t.Context())
		st := p.State()
		if err == nil || st.Revision != "8f3c2a1" || st.Refused != "b71d09e" || p.reads("widgets.yaml") != "one" || p.reloads != 1 {
			t.Errorf("wrong files: got %v, %+v", err, st)
		}
		if !strings.Contains(st.Problem, " widgets.yaml:41: colour is unknown") || strings.Contains(st.Problem, "geheim") {
			t.Errorf("got problem %q", st.Problem)
		}
	}
	p.down.Store(true)
	p.Origin = p.start(p.Home, p.Dir)
	if got := p.reads("widgets.yaml"); got != "one" || p.State().Revision != "8f3c2a1" || p.State().Refused != "b71d09e" {
		t.Errorf("after a restart: got %q, %+v", got, p.State())
	}
	if err := p.pull(t.Context()); err == nil || p.reads("widgets.yaml") != "one" || !strings.Contains(p.State().Problem, "503") {
		t.Errorf("while the server is down: got %v, %+v", err, p.State())
	}
	p.down.Store(false)
	mended := zipOf(t, second, map[string]string{"widgets.yaml": "two", "conf.yaml": "theirs"})
	p.archive.Store(&mended)
	if err := p.pull(t.Context()); err != nil || p.reads("widgets.yaml") != "two" || p.reads("conf.yaml") != "theirs" || p.State().Refused != "" {
		t.Errorf("mended: got %v, %q, %+v", err, p.reads("widgets.yaml"), p.State())
	}
	for _, token := range p.tokens {
		if token != "Bearer geheim4xq" {
			t.Errorf("got token %q", token)
		}
	}
	if root := p.Configure(nil); root != nil || p.State().On {
		t.Error("config_url is off, and its files are used")
	}
}

// TestTakeOverNow checks that TakeOver requests the files at once. TakeOver returns when the files are here, or with the reason for a
// failure.
func TestTakeOverNow(t *testing.T) {
	p := newPlace(t)
	good := zipOf(t, first, map[string]string{"widgets.yaml": "one"})
	p.archive.Store(&good)
	if _, err := p.TakeOver(t.Context()); err != ErrOff {
		t.Errorf("without config_url: got %v", err)
	}
	p.Configure(p.conf)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { p.Run(ctx); close(done) }()
	for range 3 {
		if st, err := p.TakeOver(ctx); err != nil || st.Revision != "8f3c2a1" {
			t.Errorf("got %+v, %v", st, err)
		}
	}
	bad := zipOf(t, second, map[string]string{"letter.txt": ""})
	p.archive.Store(&bad)
	if st, err := p.TakeOver(ctx); err == nil || !strings.Contains(err.Error(), "widgets.yaml or client.yaml is missing") || st.Revision != "8f3c2a1" {
		t.Errorf("got %+v, %v", st, err)
	}
	cancel()
	<-done
	if _, err := p.TakeOver(ctx); err == nil {
		t.Error("a request after the end is answered")
	}
}

// TestTokenStaysAtHome checks redirects to another host. The request to this host does not contain the token, whether conf.yaml
// configures the header Authorization or PRIVATE-TOKEN.
func TestTokenStaysAtHome(t *testing.T) {
	got := make(chan http.Header, 8)
	other := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got <- r.Header }))
	defer other.Close()
	for _, header := range []string{"", "PRIVATE-TOKEN"} {
		p := newPlace(t)
		p.server.Config.Handler = http.RedirectHandler(other.URL, http.StatusFound)
		p.conf.Header = header
		p.Configure(p.conf)
		if err := p.pull(t.Context()); err == nil {
			t.Error("an answer without files is taken over")
		}
	}
	if len(got) != 2 {
		t.Fatalf("the other host got %d requests, want 2", len(got))
	}
	for range 2 {
		if h := <-got; h.Get("Authorization") != "" || h.Get("PRIVATE-TOKEN") != "" {
			t.Errorf("the other host got %v", h)
		}
	}
}

// TestIntervals checks the time until the next request. The interval is at least a minute, and the random delay is at most an eighth of
// the interval. If there are no files yet, the request comes after 30 seconds.
func TestIntervals(t *testing.T) {
	p := newPlace(t)
	for _, tt := range []struct {
		every       time.Duration
		files       string
		least, most time.Duration
	}{
		{15 * time.Minute, "x", 15 * time.Minute, 17 * time.Minute}, {0, "x", time.Minute, 68 * time.Second}, {time.Hour, "", 30 * time.Second, 30 * time.Second},
	} {
		c := *p.conf
		c.Every = config.Interval(tt.every)
		p.Configure(&c)
		p.files = tt.files
		for range 100 {
			if d := p.wait(); d < tt.least || d > tt.most {
				t.Fatalf("every %v: got %v, want %v to %v", tt.every, d, tt.least, tt.most)
			}
		}
	}
}
