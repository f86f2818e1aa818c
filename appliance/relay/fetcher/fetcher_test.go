package fetcher

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"dashboard/appliance/install"
	"dashboard/appliance/relay"
	"dashboard/internal/fetch"
	"dashboard/internal/testing/relaytest"
)

// content is a file of a release.
var content = bytes.Repeat([]byte("release "), 100<<10)

// relayed() returns a relay.Source that is connected to a server.
func relayed(t *testing.T, base string) relay.Source {
	t.Helper()
	client := fetch.New(nil)
	return relaytest.Serve(t, func(c net.Conn) { _ = Serve(context.Background(), c, c, client, base) })
}

func TestRelay(t *testing.T) {
	ranges := true
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/releases/file" && ranges:
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
		case r.URL.Path == "/releases/file":
			_, _ = w.Write(content)
		case r.URL.Path == "/releases/busy":
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.URL.Path == "/releases/cut":
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write(make([]byte, 10))
		default:
			http.NotFound(w, r)
		}
	}))
	defer s.Close()
	source := relayed(t, s.URL+"/releases/")
	for _, tt := range []struct {
		name   string
		ranges bool
		offset int64
		want   []byte
	}{
		{"whole", true, 0, content}, {"a part", true, 12345, content[12345:]}, {"a server without ranges", false, 12345, content[12345:]},
	} {
		ranges = tt.ranges
		body, err := source.Open(t.Context(), "file", tt.offset)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		got, err := io.ReadAll(body)
		if err != nil || !bytes.Equal(got, tt.want) {
			t.Errorf("%s: got %d bytes, %v, want %d", tt.name, len(got), err, len(tt.want))
		}
		body.Close()
	}
	if _, err := source.Open(t.Context(), "missing", 0); !errors.Is(err, install.ErrGone) {
		t.Errorf("missing: got %v", err)
	}
	for _, ranges = range []bool{true, false} { // a file that is shorter than the part that is there
		if _, err := source.Open(t.Context(), "file", int64(len(content))+1); !errors.Is(err, install.ErrGone) {
			t.Errorf("ranges %v: got %v", ranges, err)
		}
	}
	if _, err := source.Open(t.Context(), "busy", 0); err == nil || !strings.Contains(err.Error(), "503") || strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("busy: got %v, want the status without the address", err)
	}
	body, err := source.Open(t.Context(), "cut", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	if got, _ := io.ReadAll(body); len(got) != 10 {
		t.Errorf("cut: got %d bytes", len(got))
	}
}

// TestRequests checks that a request without a valid file name and a valid offset is refused.
func TestRequests(t *testing.T) {
	for _, bad := range []string{"", "file", "file -1\n", "../file 0\n", ".. 0\n", "a/b 0\n", "http://x 0\n", "a?b 0\n", " 0\n", strings.Repeat("a", 600) + " 0\n"} {
		var out bytes.Buffer
		if err := Serve(t.Context(), strings.NewReader(bad), &out, fetch.New(nil), "http://127.0.0.1:1"); err == nil || out.Len() > 0 {
			t.Errorf("%.20q: got %q, %v", bad, out.String(), err)
		}
	}
}

// TestEnds checks that the program ends when the keeper closes the connection, without waiting for the server.
func TestEnds(t *testing.T) {
	hold := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hold }))
	defer s.Close()
	defer close(hold)
	ctx, cancel := context.WithCancel(t.Context())
	go cancel()
	if _, err := relayed(t, s.URL).Open(ctx, "file", 0); err == nil {
		t.Error("got an answer")
	}
}

// certificate returns a certificate for localhost that is valid for a year from a given time.
func certificate(t *testing.T, from time.Time) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: from, NotAfter: from.AddDate(1, 0, 0), DNSNames: []string{"localhost"},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// TestClock checks certificates on a board whose time is not set. If the clock is years behind, a certificate that becomes valid later is
// accepted. The connection fails if the clock is ahead, if the server's name is an IP address, or if another authority has signed the
// certificate.
func TestClock(t *testing.T) {
	at := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	c := certificate(t, at)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	s.TLS = &tls.Config{Certificates: []tls.Certificate{c}}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	pool := x509.NewCertPool()
	leaf, err := x509.ParseCertificate(c.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	pool.AddCert(leaf)
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	for name, tt := range map[string]struct {
		roots *x509.CertPool
		host  string
		now   time.Time
		want  bool
	}{
		"right":                    {pool, "localhost", at.AddDate(0, 1, 0), true},
		"years behind":             {pool, "localhost", at.AddDate(-3, 0, 0), true},
		"years ahead":              {pool, "localhost", at.AddDate(3, 0, 0), false},
		"an address":               {pool, "127.0.0.1", at.AddDate(-3, 0, 0), false},
		"foreign authority":        {x509.NewCertPool(), "localhost", at.AddDate(-3, 0, 0), false},
		"foreign, with right time": {x509.NewCertPool(), "localhost", at.AddDate(0, 1, 0), false},
	} {
		tr := patient(&http.Transport{TLSClientConfig: &tls.Config{RootCAs: tt.roots, MinVersion: tls.VersionTLS12}}, func() time.Time { return tt.now })
		resp, err := (&http.Client{Transport: tr}).Get("https://" + net.JoinHostPort(tt.host, port))
		if err == nil {
			resp.Body.Close()
		}
		if (err == nil) != tt.want {
			t.Errorf("%s: got %v", name, err)
		}
		tr.CloseIdleConnections()
	}
}
