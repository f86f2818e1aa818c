package fetcher

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"time"

	"dashboard/internal/fetch"
)

// NewClient returns a client for the server of releases.
//
// A board without a battery may have a clock that is years behind. Valid certificates then seem "not yet valid". Until the time is set,
// the client verifies such a certificate as if it had just become valid. All other checks stay the same. This is safe, because the
// releases themselves are signed. The connection only hides which board requests releases.
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

// patient() changes a transport so that it accepts certificates that are not valid yet. It returns the transport.
func patient(t *http.Transport, now func() time.Time) *http.Transport {
	config := t.TLSClientConfig
	if config == nil {
		config = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	config = config.Clone()
	roots := config.RootCAs
	config.InsecureSkipVerify = true // VerifyConnection verifies the certificate instead
	config.VerifyConnection = func(s tls.ConnectionState) error { return verify(s, roots, now()) }
	t.TLSClientConfig = config
	return t
}

// errNoName is the error for a server without a certificate, or for a server whose name is an IP address. The TLS state does not contain
// an IP address, so verify cannot check it.
var errNoName = errors.New("the time is not set, and the server has no certificate for a name")

// verify verifies the certificates of a connection. If the server's own certificate is not valid yet, verify uses the time at which this
// certificate becomes valid.
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
