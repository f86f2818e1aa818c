package picture

import (
	"context"
	"errors"
	"fmt"
	"image"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"dashboard/internal/extract"
	"dashboard/internal/fetch"
	"dashboard/provider"
)

// TestFoundAddresses: an address from data is requested with the client Found, also after a redirect. Found cannot reach this machine,
// except addresses in allowed ranges. An address on the server in the configuration is requested with the usual client.
func TestFoundAddresses(t *testing.T) {
	var inside atomic.Int32
	secret := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		inside.Add(1)
		fmt.Fprint(w, dot(t, 9))
	}))
	defer secret.Close()
	mux := http.NewServeMux()
	api := httptest.NewServer(mux)
	defer api.Close()
	for name, address := range map[string]string{"own": api.URL + "/dot.png", "inside": secret.URL, "file": "file:///etc/hostname"} {
		mux.HandleFunc("/"+name, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, `{"url":%q}`, address) })
	}
	mux.HandleFunc("/dot.png", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, dot(t, 9)) })

	usual, strict := fetch.New(nil), fetch.New(&fetch.Options{Guard: fetch.NewGuard(nil)})
	lenient := fetch.New(&fetch.Options{Guard: fetch.NewGuard([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")})})
	for _, c := range []*fetch.Client{usual, strict, lenient} {
		defer c.CloseIdle()
	}
	pick, err := extract.New("url", "")
	if err != nil {
		t.Fatal(err)
	}
	document := func(name string) Config { return Config{Request: fetch.Request{URL: api.URL + "/" + name}, Pick: pick} }
	value := func(address string) Config {
		from := provider.NewCell(nil)
		from.Publish(address, time.Now())
		return Config{From: from}
	}
	tests := []struct {
		name   string
		c      Config
		found  *fetch.Client
		want   error // nil if the picture is shown
		camera bool
	}{
		{"of the same server", document("own"), strict, nil, false},
		{"of this machine", document("inside"), strict, fetch.ErrRefused, false},
		{"of this machine, allowed", document("inside"), lenient, nil, false},
		{"a file", document("file"), strict, errLocal, false},
		{"a value", value(secret.URL), strict, fetch.ErrRefused, false},
		{"a value, allowed", value(secret.URL), lenient, nil, false},
		{"a value that is a file", value("file://" + filepath.Join("testdata", "x.png")), strict, errLocal, false},
		{"a camera", value(secret.URL), strict, fetch.ErrRefused, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inside.Store(0)
			tt.c.Found, tt.c.Box = tt.found, image.Pt(40, 40)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var p provider.Provider = New(tt.c, usual, nil)
			if tt.camera {
				p = NewCamera(tt.c, Auto, usual, nil)
			}
			changed := make(chan struct{}, 1)
			cell := provider.NewCell(nil)
			defer cell.Watch(changed)()
			ended := make(chan error)
			go func() { ended <- p.Run(ctx, cell) }()
			s := cell.Load()
			for ; !s.Has() && s.Err == nil; s = cell.Load() {
				<-changed
			}
			cancel()
			<-ended
			if tt.want == nil && s.Err != nil || !errors.Is(s.Err, tt.want) {
				t.Errorf("got %v, want %v", s.Err, tt.want)
			}
			if tt.want != nil && inside.Load() > 0 {
				t.Error("the server inside was asked")
			}
		})
	}
}
