package flow

import "time"

// wait waits for the first network after the start. If no network is known, the radio searches during this time, so that the access point
// opens without another search.
func (m *Machine) wait(now time.Duration) {
	patience := Patience
	if !m.Known && !m.plug {
		patience = PlugTime
	}
	if !m.Known && !m.early {
		m.early = true
		m.Radio.Search(m.Draft.Country)
	}
	switch {
	case m.cable || m.wifi:
		m.online()
	case now-m.since < patience:
	case m.Worked:
		m.become(Running) // the router may start more slowly than the wall. The badge appears only after LostTime
	default:
		m.invite(now)
	}
}

// online() shows the wall. If the draft has a tested network but is not done, online() continues the set-up in this network instead.
func (m *Machine) online() {
	if m.Draft.Network != nil && !m.Draft.Done {
		m.become(Moved)
		return
	}
	m.become(Running)
}

func (m *Machine) invite(now time.Duration) {
	m.openPoint(now)
	m.Draft.Step = max(m.Draft.Step, StepLanguage)
	if m.later {
		m.Draft.Step = StepWifi
	}
	m.become(Inviting)
}
