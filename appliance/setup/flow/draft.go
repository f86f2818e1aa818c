package flow

import (
	"cmp"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// Steps of the set-up. The page and the wall show the numbers of the steps.
const (
	StepLanguage = 1 + iota
	StepWifi
	StepPlace
	StepWall
	StepDone
)

// A Network is the network that a person has chosen.
type Network struct {
	Name     string `json:"name"`
	Password string `json:"password,omitempty"` // password, or "" for an open network
	Hidden   bool   `json:"hidden,omitempty"`
	Enhanced bool   `json:"enhanced,omitempty"` // true for a network of the kind Enhanced
}

// Limits of a network's name and password (IEEE 802.11, section 9.4.2.2 and annex J.4).
const (
	maxName                  = 32 // in bytes
	minPassword, maxPassword = 8, 63
	keySize                  = 32 // in bytes
)

// Key reports whether the password is the key itself: 64 hexadecimal digits. No passphrase is that long.
func (n Network) Key() bool {
	key, err := hex.DecodeString(n.Password)
	return err == nil && len(key) == keySize
}

// Problem returns the key of the sentence with the reason why a network cannot be tried, or "".
func (n Network) Problem(open bool) string {
	control := func(r rune) bool { return r < ' ' || r == 0x7f || r == utf8.RuneError }
	switch {
	case n.Name == "" || len(n.Name) > maxName || strings.ContainsFunc(n.Name, control):
		return "name.long"
	case open && n.Password == "", n.Key():
		return ""
	case len(n.Password) < minPassword || len(n.Password) > maxPassword || strings.ContainsFunc(n.Password, control):
		return "password.short"
	}
	return ""
}

// A Draft holds the choices of the completed steps. It is saved at every step, but it has no effect before Finish.
type Draft struct {
	Step     int      `json:"step"`
	Language string   `json:"language,omitempty"`
	Country  string   `json:"country,omitempty"`
	Network  *Network `json:"network,omitempty"` // network that has passed the test
	Inside   bool     `json:"inside,omitempty"`  // true if the password is stored on the data partition and removed from settings.txt
	Name     string   `json:"name,omitempty"`
	Zone     string   `json:"zone,omitempty"`
	Place    string   `json:"place,omitempty"` // latitude and longitude, such as "48.52, 9.06"
	Wall     string   `json:"wall,omitempty"`  // name of a wall in the gallery
	Done     bool     `json:"done,omitempty"`
}

// settled() returns a finished draft without the values that Finish has written to the card. A person may change these values on the card
// later.
func (d Draft) settled() Draft {
	if !d.Done {
		return d
	}
	return Draft{Step: StepDone, Done: true, Language: d.Language, Network: d.Network, Inside: d.Inside}
}

// proposing returns a draft for the pages. If a person has not chosen a value yet, the value is the one on the card. Otherwise the pages
// would replace the values on the card by their own defaults.
func (d Draft) proposing(card Draft) Draft {
	if !d.Done {
		d.Name, d.Zone, d.Country = cmp.Or(d.Name, card.Name), cmp.Or(d.Zone, card.Zone), cmp.Or(d.Country, card.Country)
	}
	return d
}

// Found is a network in range.
type Found struct {
	Name     string
	Signal   int // signal in dBm
	Security Security
	Fast     bool // true if the network uses only 5 GHz, which this board does not support
}

// Security is the kind of protection of a network.
type Security int

// Kinds of protection.
const (
	Open Security = iota
	WPA2
	WPA3
	Enterprise  // the network requires a user name
	Unsupported // the network has an old or rare protection, such as WEP
	Enhanced    // the network has no password but encrypts (OWE, RFC 8110)
)

// A Result is the outcome of a test. Its value is the key of a sentence.
type Result string

// Results of a test of a network.
const (
	Worked     Result = ""
	Refused    Result = "result.refused"
	Missing    Result = "result.missing"
	NoAddress  Result = "result.address"
	NoInternet Result = "result.internet"
)

// A Stage is a step of a network's test.
type Stage int

// Stages of a test.
const (
	Begun Stage = iota
	Seen
	Accepted
	Addressed
	Reached
)

// failure returns the result of a test that has reached its time limit in this stage.
func (s Stage) failure() Result {
	return [...]Result{Begun: Missing, Seen: Refused, Accepted: NoAddress, Addressed: NoInternet, Reached: Worked}[s]
}
