package flow

import (
	"strings"
	"unicode/utf8"
)

// Steps of the set-up, as the page and the wall count them.
const (
	StepLanguage = 1 + iota
	StepWifi
	StepPlace
	StepWall
	StepDone
)

// A Network is what a person chose.
type Network struct {
	Name     string `json:"name"`
	Password string `json:"password,omitempty"` // "" for an open network
	Hidden   bool   `json:"hidden,omitempty"`
}

// Bounds of a network, IEEE 802.11: section 9.4.2.2 and annex J.4.
const (
	maxName                  = 32 // bytes
	minPassword, maxPassword = 8, 63
)

// Problem returns the key of the sentence that describes why a network cannot be tried, or "".
func (n Network) Problem(open bool) string {
	control := func(r rune) bool { return r < ' ' || r == 0x7f || r == utf8.RuneError }
	switch {
	case n.Name == "" || len(n.Name) > maxName || strings.ContainsFunc(n.Name, control):
		return "name.long"
	case open && n.Password == "":
		return ""
	case len(n.Password) < minPassword || len(n.Password) > maxPassword || strings.ContainsFunc(n.Password, control):
		return "password.short"
	}
	return ""
}

// A Draft holds the choices made so far. It is kept at every step, and no choice takes effect before Finish.
type Draft struct {
	Step     int      `json:"step"`
	Language string   `json:"language,omitempty"`
	Country  string   `json:"country,omitempty"`
	Network  *Network `json:"network,omitempty"` // proved to work
	Inside   bool     `json:"inside,omitempty"`  // the password stays inside the wall and leaves the card
	Name     string   `json:"name,omitempty"`
	Zone     string   `json:"zone,omitempty"`
	Place    string   `json:"place,omitempty"` // latitude and longitude, as "48.52, 9.06"
	Wall     string   `json:"wall,omitempty"`  // name of a wall of the gallery
	Done     bool     `json:"done,omitempty"`
}

// settled is a finished draft without what is on the card by now: a person may have changed it there since.
func (d Draft) settled() Draft {
	if !d.Done {
		return d
	}
	return Draft{Step: StepDone, Done: true, Language: d.Language, Network: d.Network, Inside: d.Inside}
}

// Found is a network in reach.
type Found struct {
	Name     string
	Signal   int // dBm
	Security Security
	Fast     bool // only at 5 GHz, which this board cannot
}

// Security is the kind of a network's protection.
type Security int

// Kinds of protection.
const (
	Open Security = iota
	WPA2
	WPA3
	Enterprise // requests a user name
)

// A Result is the outcome of a test. Its text is the key of its sentence.
type Result string

// Results of a test of a network.
const (
	Worked     Result = ""
	Refused    Result = "result.refused"
	Missing    Result = "result.missing"
	NoAddress  Result = "result.address"
	NoInternet Result = "result.internet"
)

// A Stage is how far a test has come.
type Stage int

// Stages of a test.
const (
	Begun Stage = iota
	Seen
	Accepted
	Addressed
	Reached
)

// failure is the result of a test that ended at a stage, because of its limit of time.
func (s Stage) failure() Result {
	return [...]Result{Begun: Missing, Seen: Refused, Accepted: NoAddress, Addressed: NoInternet, Reached: Worked}[s]
}
