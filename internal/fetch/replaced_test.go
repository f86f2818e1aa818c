package fetch

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"
)

// otherAuthority returns a certificate that did not sign the certificate of any test server.
func otherAuthority(t *testing.T) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	data, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: data})
}

// TestReplacedCertificates: if the file of ca_file is replaced, because a certificate was renewed, the next request uses the new
// certificates. If the file is missing or invalid for a moment, the last certificates stay in use.
func TestReplacedCertificates(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok") }))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	file := written(t, "ca.pem", otherAuthority(t))
	c := New(nil)
	defer c.CloseIdle()
	ask := func() error {
		_, err := c.Do(t.Context(), &Request{URL: s.URL, CAFile: file})
		return err
	}
	if err := ask(); !errors.Is(err, ErrUnavailable) {
		t.Fatalf("another authority: got %v", err)
	}
	write := func(data []byte) {
		t.Helper()
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}))
	if err := ask(); err != nil {
		t.Errorf("after the file was replaced: got %v", err)
	}
	write([]byte("-----BEGIN"))
	if err := ask(); err != nil {
		t.Errorf("while the file is written: got %v", err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := ask(); err != nil {
		t.Errorf("without the file: got %v", err)
	}
	write(otherAuthority(t))
	c.CloseIdle()
	if err := ask(); !errors.Is(err, ErrUnavailable) {
		t.Errorf("another authority again: got %v", err)
	}
}

// TestInvalidCertificatesAreReadOnce: while a replaced ca_file has no certificates, it is read once, and not for each request.
func TestInvalidCertificatesAreReadOnce(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer s.Close()
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	path := written(t, "ca.pem", certificate)
	c := New(nil)
	defer c.CloseIdle()
	connect := func() *http.Client {
		h, err := c.connect(path)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	replace := func(data []byte, at time.Time) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	first, most := connect(), testing.AllocsPerRun(20, func() { connect() })
	replace([]byte("nothing"), time.Now().Add(time.Hour))
	if connect() != first {
		t.Error("the old certificates are not used")
	}
	if n := testing.AllocsPerRun(20, func() { connect() }); n > most+10 {
		t.Errorf("an invalid file: %v allocations for a request, an unchanged file: %v", n, most)
	}
	replace(certificate, time.Now().Add(2*time.Hour))
	if connect() == first {
		t.Error("the new certificates are not used")
	}
}
