package fetcher

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"time"

	"dashboard/internal/fetch"
)

// NewClient returns a client for the server of releases. A board without a battery may have a clock that is years behind, which makes
// good certificates "not yet valid". Until the time is set, such a certificate is verified as of its own beginning: everything else about
// it must be right. A release is signed anyway, so the connection protects only the knowledge of who asks.
func NewClient(timeSet bool, now func() time.Time) (*fetch.Client, error) {
	t, err := fetch.NewTransport(&fetch.Options{})
	if err != nil {
		return nil, err
	}
	if !timeSet {
		t = patient(t, now)
	}
	return fetch.NewWith(t), nil
}

// patient has a transport verify certificates in this way.
func patient(t *http.Transport, now func() time.Time) *http.Transport {
	config := t.TLSClientConfig
	if config == nil {
		config = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	config = config.Clone()
	roots := config.RootCAs
	config.InsecureSkipVerify = true // VerifyConnection verifies, in every handshake
	config.VerifyConnection = func(s tls.ConnectionState) error { return verify(s, roots, now()) }
	t.TLSClientConfig = config
	return t
}

// errNoName is for a server that shows no certificate, or has an address and no name, which the connection does not keep.
var errNoName = errors.New("the time is not set, and the server has no certificate for a name")

// verify verifies the certificates of a connection.
func verify(s tls.ConnectionState, roots *x509.CertPool, now time.Time) error {
	if len(s.PeerCertificates) == 0 || s.ServerName == "" {
		return errNoName
	}
	leaf := s.PeerCertificates[0]
	o := x509.VerifyOptions{DNSName: s.ServerName, Roots: roots, Intermediates: x509.NewCertPool(), CurrentTime: now}
	for _, c := range s.PeerCertificates[1:] {
		o.Intermediates.AddCert(c)
	}
	if now.Before(leaf.NotBefore) {
		o.CurrentTime = leaf.NotBefore
	}
	_, err := leaf.Verify(o)
	return err
}
