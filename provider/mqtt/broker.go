package mqtt

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"

	"dashboard/internal/fetch"
)

// A Broker is the address of a broker, with the login and other settings of the connection.
type Broker struct {
	URL                string // mqtt://host or mqtts://host; a port is optional
	Secret             bool   // whether the address must never be shown
	Username, Password string
	CAFile             string // file of certificates that are trusted in addition to the system's certificates
	ClientID           string
	// Will is a topic. When the connection ends for any reason, the broker publishes the retained message "offline" on this topic. If
	// Will is "", no message is published.
	Will string
}

// Offline is the message that the broker publishes after a client has disconnected.
const Offline = "offline"

// Check returns an error if the address is invalid.
func (b *Broker) Check() error {
	_, _, err := b.address()
	return err
}

// address returns the host with its port, and whether the connection uses TLS.
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
	if _, err := strconv.ParseUint(cmp.Or(u.Port(), port), 10, 16); err != nil {
		return "", false, fmt.Errorf("has the port %s: a port is at most 65535", u.Port())
	}
	if u.User != nil {
		return "", false, errors.New("has a user in it: write username and password beside it")
	}
	return net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), port)), secure, nil
}

// shown() returns the address in a form that may be shown to users.
func (b *Broker) shown() string {
	if b.Secret {
		return "(secret address)"
	}
	return fetch.Redact(b.URL)
}

// Key returns a text that identifies the connection. It does not reveal passwords.
func (b *Broker) Key() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{b.URL, b.Username, b.Password, b.CAFile, b.ClientID, b.Will}))
	return "mqtt:" + hex.EncodeToString(sum[:16])
}
