package flow

import (
	"slices"
	"time"

	"dashboard/appliance/about"
)

// A View is the state of the set-up as a page shows it.
type View struct {
	State     State
	Later     bool
	Draft     Draft
	Found     []Found
	Heard     bool          // true if a search has ended
	Age       time.Duration // time since the last search
	Searching bool
	Try       Network
	Stage     Stage
	Result    Result
	Failed    time.Duration // time since the last test failed
	Other     bool          // true if another phone does the set-up
	Stays     bool          // true if the access point stays open during a test
	Cable     bool
	Mistake   *about.Mistake // line to correct, or nil
	Written   string         // text of a correction that was refused, or ""
	Renews    bool           // true if the board joins the corrected networks of the card
	Restarts  bool           // true if the board restarts because of a correction
	Remote    bool           // true if the board shows the wall of another machine
	Slow      bool           // true if the radio does not support 5 GHz
}

// View returns the contents of the page for a phone. `from` is the phone's address.
func (m *Machine) View(from string) View {
	now := m.Clock()
	mistake := m.mistake
	if m.skipped {
		mistake = nil
	}
	return View{
		Mistake: mistake, Written: m.written, Remote: m.Remote, Slow: m.Slow, Renews: m.renew > 0 || m.renews,
		State: m.state, Later: m.later, Draft: m.Draft.proposing(m.Card), Found: m.found, Heard: m.heard >= 0, Age: now - m.heard, Searching: m.search,
		Try: m.try, Stage: m.stage, Result: m.result, Failed: now - m.failed, Other: m.owner != "" && m.owner != from,
		Stays: m.Radio.Both(), Cable: m.cable, Restarts: m.restarts(),
	}
}

// Opened records that a phone has requested the page. `home` is true if the phone is not in the access point. Opened returns true if this
// phone may do the set-up.
func (m *Machine) Opened(from string, home bool) bool {
	m.asked = m.Clock()
	if m.owner == "" {
		m.owner = from
	}
	if m.owner != from {
		return false
	}
	switch m.state {
	case Inviting, Greeting, Returned, Moved:
		m.become(Walking)
	case Finished:
		if home {
			m.becomeWall()
		}
	}
	return true
}

// Take lets the phone at the address `from` do the set-up, instead of another phone.
func (m *Machine) Take(from string) { m.owner = from }

// Speak sets the language and the country. After that, the radio searches for networks again, because the allowed channels depend on the
// country.
func (m *Machine) Speak(language, country string) {
	m.Draft.Language, m.Draft.Country = language, country
	m.step(StepWifi)
	if m.cable || m.Draft.Network != nil {
		m.step(StepPlace)
	}
	m.Seek()
}

// Seek searches for networks.
func (m *Machine) Seek() {
	if m.state != Walking || m.search {
		return
	}
	m.search = true
	m.Radio.Search(m.Draft.Country)
}

// Try tests a network. The caller must have checked n with Network.Problem.
func (m *Machine) Try(n Network, inside bool) {
	if m.state != Walking {
		return
	}
	m.anyway = false
	m.Draft.Inside = inside
	m.begin(n)
}

// Anyway accepts a network without internet access.
func (m *Machine) Anyway() {
	if m.state != Walking || m.result != NoInternet {
		return
	}
	m.anyway = true
	m.begin(m.try)
}

func (m *Machine) begin(n Network) {
	at := slices.IndexFunc(m.found, func(f Found) bool { return f.Name == n.Name })
	n.Enhanced = n.Password == "" && at >= 0 && m.found[at].Security == Enhanced
	m.try, m.stage, m.result, m.search = n, Begun, Worked, false
	m.asks = true
	m.become(Trying)
}

// Stop ends a test.
func (m *Machine) Stop() {
	if m.state != Trying {
		return
	}
	m.Radio.Leave()
	m.openPoint(m.Clock())
	m.become(Walking)
}

// Forget clears the failure of the last test.
func (m *Machine) Forget() { m.result = Worked }

// Settle sets the name, the place and the time zone. On a remote screen this is the last step.
func (m *Machine) Settle(name, zone, place string) {
	m.Draft.Name, m.Draft.Zone, m.Draft.Place = name, zone, place
	if m.Remote {
		m.Finish()
		return
	}
	m.step(StepWall)
}

// Prefer selects a wall of the gallery. The guide then shows this wall.
func (m *Machine) Prefer(wall string) {
	m.Draft.Wall = wall
	m.save()
}

// Back returns to an earlier step.
func (m *Machine) Back(step int) {
	if m.state == Walking && step >= StepLanguage && step < m.Draft.Step {
		m.Draft.Step = step
		m.save()
	}
}

func (m *Machine) step(to int) {
	m.Draft.Step = to
	m.save()
}

// Finish writes everything to the card and shows the last screen. After an error the set-up stays at the present step.
func (m *Machine) Finish() {
	m.refit = false // so that Applied does nothing, because Finish itself changes the networks
	done := m.Draft
	done.Step, done.Done = StepDone, true
	if m.err = m.Store.Finish(done); m.err != nil {
		m.asked = m.Clock() // IdleTime begins again. Finish is called again after IdleTime, or when a person requests it
		return
	}
	m.Draft = done
	m.Worked = m.Worked || done.Network != nil
	m.become(Finished)
}
