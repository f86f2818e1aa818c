package mqtt

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/url"

	"dashboard/internal/fetch"
)

// A Broker is the address of a connection, with its login.
type Broker struct {
	URL                string // mqtt://host or mqtts://host, with a port or the default port
	Secret             bool   // the address is never shown
	Username, Password string
	CAFile             string // certificates trusted for the broker, in addition to the system's
	ClientID           string
	// Will is the topic under which the broker publishes "offline", retained, when the connection ends in any way. "" is none.
	Will string
}

// Offline is the broker's message about a client that has disconnected.
const Offline = "offline"

// Check returns an error if the address is invalid.
func (b *Broker) Check() error {
	_, _, err := b.address()
	return err
}

// address returns the host and whether TLS is used.
func (b *Broker) address() (host string, secure bool, err error) {
	u, err := url.Parse(b.URL)
	if err != nil || u.Hostname() == "" {
		return "", false, errors.New("must be an address such as mqtt://broker.lan")
	}
	port := "1883"
	switch u.Scheme {
	case "mqtt", "tcp":
	case "mqtts", "ssl", "tls":
		port, secure = "8883", true
	default:
		return "", false, fmt.Errorf("begins with %q: a broker's begins with mqtt:// or mqtts://", u.Scheme)
	}
	if u.User != nil {
		return "", false, errors.New("has a user in it: write username and password beside it")
	}
	return net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), port)), secure, nil
}

// shown returns the address in the form that may be shown.
func (b *Broker) shown() string {
	if b.Secret {
		return "(secret address)"
	}
	return fetch.Redact(b.URL)
}

// Key identifies a connection without revealing passwords.
func (b *Broker) Key() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{b.URL, b.Username, b.Password, b.CAFile, b.ClientID, b.Will}))
	return "mqtt:" + hex.EncodeToString(sum[:16])
}
