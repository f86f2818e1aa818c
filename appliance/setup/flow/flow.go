// Package flow decides the next step of the set-up with a phone: when the access point opens, what the wall shows, and which
// network is tried.
package flow

import (
	"slices"
	"time"

	"dashboard/appliance/about"
	"dashboard/internal/stable"
)

// Times of the set-up.
const (
	Patience = 30 * time.Second // time to wait for a cable's address or a known network after the start
	PlugTime = 4 * time.Second  // time to wait for a cable if no network is known. Ethernet needs about 3 s to detect a cable
	// Time from the moment when the last phone leaves the access point until the wall shows the two QR codes again.
	PageWait   = time.Minute
	TryTime    = 40 * time.Second // time limit for a network's test
	LeaveDelay = 2 * time.Second  // delay of the test, so that the phone gets the page about the test before the access point closes
	DoneTime   = time.Minute      // time for which the last screen is shown
	CloseDelay = 5 * time.Second  // delay from the last step until the access point closes, so that the phone gets the page
	IdleTime   = 10 * time.Minute // time without a request. Then a set-up in a joined network ends. In the access point any phone may go on
	LostTime   = 10 * time.Minute // time without a network after which a wall in use opens its access point
	SecretTime = 10 * time.Minute // time for which the badge, a small note on the wall, shows the password
	ShowTime   = 5 * time.Minute  // time for which the QR codes are shown after a touch of the badge
	LookPause  = 2 * time.Minute  // time between two searches for the known networks while no phone is connected
	LookTime   = 30 * time.Second // duration of a search for the known networks
	// RestartTime is the time for which a page waits for the board after a restart. A Raspberry Pi needs about 30 s, and up to 40 s for its
	// network.
	RestartTime = 3 * time.Minute
)

// A State is the current activity of the set-up.
type State int

// States of the set-up.
const (
	Waiting  State = iota // waits for a cable or a known network
	Inviting              // the access point is open
	Greeting              // a phone has joined the access point
	Walking               // the page is open
	Trying                // a network is tested
	Returned              // the test has failed, and the access point is open again
	Moved                 // the wall has joined the new network and waits there for the phone
	Finished              // the last screen is shown
	Running               // the wall is shown
)

// A Radio does slow work in the background. It reports the progress of a test with Machine.At, and the result with Machine.End.
type Radio interface {
	Open()                 // opens the access point
	Close()                // closes the access point. The board then joins known networks
	Search(country string) // searches for networks, and reports them with Heard
	Try(n Network)         // joins a network. If Both returns false, the access point closes first
	Leave()                // leaves the network that Try has joined
	Reload(n *Network)     // makes the radio read the card's networks again. n is a network that is not in settings.txt, or nil
	Both() bool            // reports whether the access point stays open while the radio joins a network
}

// A Store saves the draft. Finish writes the draft to the card. Fix corrects a line of a file on the card.
type Store interface {
	Save(Draft) error
	Finish(Draft) error
	Fix(*about.Mistake, string) error
}

// Options are the parameters of a machine.
type Options struct {
	Clock  func() time.Duration // returns the time since the start of the set-up program
	Radio  Radio
	Store  Store
	Draft  Draft
	Card   Draft // name, country and time zone in settings.txt, which the pages propose
	Known  bool  // true if the card contains networks
	Worked bool  // true if a known network was joined at an earlier start. The wall is then in use
	Remote bool  // true if the board shows the wall of another machine, so no wall is chosen
	Slow   bool  // true if the radio does not support 5 GHz
}

// A Machine is the state of the set-up. Only one goroutine at a time calls its methods.
type Machine struct {
	Options
	state  State
	since  time.Duration // time at which the state began
	cable  bool
	wifi   bool
	plug   bool          // true if a cable is plugged in, even if the board has no address
	early  bool          // true after the first search was started, before the access point opens
	linked time.Duration // last time at which the board was in a network
	later  bool          // true if the wall is in use, so that the set-up shows only a badge (a small note on the wall)
	lost   time.Duration // time at which the badge appeared
	shown  time.Duration // time of the last touch of the badge, or 0
	open   bool          // true while the access point is open
	looked time.Duration // time of the last search for the known networks
	looks  bool          // true while the board searches for known networks
	reboot time.Duration // time of a correction that restarts the board, or 0
	refit  bool          // true from the correction of a line on the card until the card's networks have changed
	renew  time.Duration // time at which the card's networks have changed, or 0. The access point closes after LeaveDelay
	renews bool          // true while the board searches for the changed networks
	phones int
	asked  time.Duration // time of the last request of a phone
	owner  string        // address of the phone that does the set-up
	try    Network
	asks   bool // true from the request of a test until the radio begins the test
	anyway bool // true if a person has accepted a network without internet access
	stage  Stage
	result Result
	failed time.Duration // time at which the test failed
	found  []Found
	heard  time.Duration
	search bool  // true while the radio searches for networks
	err    error // error of the store

	mistake *about.Mistake
	seen    time.Duration // time at which the machine learned that the wall has painted its first picture, or 0
	fixed   *about.Mistake
	written string // text of a correction that was refused
	skipped bool   // true if a person goes on without correcting the line
}

// New returns a machine that waits for a network.
func New(o Options) *Machine {
	m := &Machine{Options: o}
	m.Draft = m.Draft.settled()
	m.since, m.linked, m.looked, m.heard = m.Clock(), m.Clock(), m.Clock(), -1
	return m
}

// State returns the state.
func (m *Machine) State() State { return m.state }

// Later reports whether the wall is in use.
func (m *Machine) Later() bool { return m.later }

// Open reports whether the access point is open.
func (m *Machine) Open() bool { return m.open }

// Err returns the error of the last write of the store, or nil.
func (m *Machine) Err() error { return m.err }

func (m *Machine) become(s State) {
	if s != m.state {
		m.state, m.since = s, m.Clock()
	}
}

func (m *Machine) save() { m.err = m.Store.Save(m.Draft) }

// Tick does the steps that are due.
func (m *Machine) Tick() {
	now := m.Clock()
	if m.cable || m.wifi {
		m.linked = now
	}
	switch m.state {
	case Waiting:
		m.wait(now)
	case Inviting, Greeting, Walking, Returned:
		m.host(now)
	case Trying:
		m.test(now)
	case Moved:
		if now-max(m.since, m.asked) >= IdleTime {
			m.Finish()
		}
	case Finished:
		m.end(now)
	case Running:
		if now-m.linked >= LostTime {
			m.later, m.lost, m.Draft = true, now, m.Draft.settled()
			m.invite(now)
		}
	}
}

// test() begins and ends the test of a network. The test begins after LeaveDelay, so that the phone can receive the page about the test. It
// ends at the latest when its time limit is reached.
func (m *Machine) test(now time.Duration) {
	if m.asks && now-m.since >= LeaveDelay {
		m.asks = false
		m.open = m.open && m.Radio.Both()
		m.Radio.Try(m.try)
	}
	if now-m.since >= TryTime {
		m.End(m.stage.failure())
	}
}

func (m *Machine) openPoint(now time.Duration) {
	m.open, m.looked, m.looks, m.renews, m.phones = true, now, false, false, 0
	m.Radio.Open()
}

func (m *Machine) closePoint() {
	m.open, m.looks, m.renew, m.phones = false, false, 0, 0
	m.Radio.Close()
}

// host() handles the states with an open access point. It closes the access point if a cable works, to search for known networks, and to
// join networks that a person has corrected on the card.
func (m *Machine) host(now time.Duration) {
	if m.looks {
		m.look(now)
		return
	}
	if m.renew > 0 && now-m.renew >= LeaveDelay {
		m.reload()
		m.closePoint()
		m.looked, m.looks, m.renews = now, true, true
		return
	}
	if m.cable && m.cabled() {
		return
	}
	switch {
	case m.state == Greeting && m.phones == 0 && now-m.asked >= PageWait:
		m.become(Inviting)
	case m.state == Walking && m.open && m.phones == 0 && now-m.asked >= IdleTime:
		m.owner = ""
		m.become(Inviting)
	case m.state == Walking && !m.open && now-m.asked >= IdleTime:
		m.Finish()
	}
	if m.Known && m.open && m.phones == 0 && m.state == Inviting && now-m.looked >= LookPause {
		m.closePoint()
		m.looked, m.looks = now, true
	}
}

// look waits for a known network while the access point is closed.
func (m *Machine) look(now time.Duration) {
	switch {
	case m.wifi || m.cable:
		m.looks, m.renews = false, false
		m.back()
	case now-m.looked >= LookTime:
		m.openPoint(now)
	}
}

// cabled() handles an address by cable. If the wall is in use, or the set-up has not begun, it closes the access point when no phone is
// connected, and returns true. At the step for the Wi-Fi, it goes to the next step.
func (m *Machine) cabled() bool {
	switch {
	case m.later || m.state == Inviting:
		if m.phones == 0 {
			m.closePoint()
			m.back()
			return true
		}
	case m.state == Walking && m.Draft.Step == StepWifi:
		m.Draft.Step = StepPlace
		m.save()
	}
	return false
}

// back() ends the set-up in the access point, because the board has joined a network. Usually the wall is shown again.
func (m *Machine) back() {
	m.later, m.owner, m.result = false, "", Worked
	m.online()
}

// end ends the set-up.
func (m *Machine) end(now time.Duration) {
	if m.open && now-m.since >= CloseDelay {
		m.closePoint()
	}
	if now-m.since >= DoneTime {
		m.becomeWall()
	}
}

func (m *Machine) becomeWall() {
	if m.open {
		m.closePoint()
	}
	m.later, m.owner = false, ""
	m.linked = m.Clock()
	m.become(Running)
}

// Link records whether the board has an address by cable and by Wi-Fi. An address in the board's own access point does not count.
func (m *Machine) Link(cable, wifi bool) { m.cable, m.wifi = cable, wifi }

// Plug records whether a cable is plugged in, even if the board has no address.
func (m *Machine) Plug(in bool) { m.plug = in }

// Phones records the number of phones in the access point.
func (m *Machine) Phones(n int) {
	if n < m.phones {
		m.asked = max(m.asked, m.Clock()) // PageWait begins when the last phone disconnects
	}
	m.phones = n
}

// Addressed records that a phone uses the IP address that it received in the access point.
func (m *Machine) Addressed() {
	m.asked = m.Clock()
	m.phones = max(m.phones, 1)
	if m.state == Inviting || m.state == Returned {
		m.become(Greeting)
	}
}

// Heard records the networks in range, strongest first. Each name appears once.
func (m *Machine) Heard(all []Found) {
	m.search, m.heard = false, m.Clock()
	stable.Sort(all, func(a, b Found) int { return b.Signal - a.Signal })
	const most = 32 // maximum length of the list, because a person has to read it
	m.found = m.found[:0]
	for _, f := range all {
		known := slices.ContainsFunc(m.found, func(g Found) bool { return g.Name == f.Name })
		if f.Name != "" && !known && len(m.found) < most {
			m.found = append(m.found, f)
		}
	}
}

// At records the current stage of a network's test.
func (m *Machine) At(s Stage) {
	if m.state != Trying {
		return
	}
	m.stage = max(m.stage, s)
	if s == Reached || s == Addressed && m.anyway {
		m.End(Worked)
	}
}

// End records the result of a test.
func (m *Machine) End(r Result) {
	if m.state != Trying {
		return
	}
	if r != Worked {
		m.result, m.failed = r, m.Clock()
		m.Radio.Leave()
		m.openPoint(m.Clock())
		m.become(Returned)
		return
	}
	m.result, m.stage, m.Known = Worked, Reached, true
	tried := m.try
	m.Draft.Network = &tried
	if m.later {
		m.keepLater()
		return
	}
	m.Draft.Step = max(m.Draft.Step, StepPlace)
	m.save()
	if m.open = m.open && m.Radio.Both(); m.open {
		m.become(Walking)
		return
	}
	m.owner = "" // the phone will have another address in the new network
	m.become(Moved)
}

// keepLater saves the new network of a wall in use. If the card cannot be written, the access point opens again.
func (m *Machine) keepLater() {
	if m.Finish(); m.err != nil {
		m.Radio.Leave()
		m.openPoint(m.Clock())
		m.become(Returned)
		return
	}
	m.becomeWall()
}

// Fails records the reason why a known network cannot be joined. The page shows this reason.
func (m *Machine) Fails(n Network, r Result) {
	if m.state == Waiting || m.state == Running || m.state == Inviting || m.renews {
		m.try, m.result, m.failed = n, r, m.Clock()
	}
}

// Show shows the QR codes of the access point on the wall for ShowTime. It is called after a touch of the badge. A second call hides the
// codes again.
func (m *Machine) Show() {
	switch now := m.Clock(); {
	case !m.later:
	case m.shown > 0 && now-m.shown < ShowTime:
		m.shown = 0
	default:
		m.shown = now
	}
}
