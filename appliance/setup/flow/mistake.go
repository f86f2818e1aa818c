package flow

import (
	"reflect"
	"strconv"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/setup/words"
)

// MistakeTime is the time for which the wall shows a mistake in a file of the card. This time begins with the wall's first picture.
const MistakeTime = time.Minute

// Warn records the first mistake in the files of the card, or nil. `painted` is true if the wall has painted its first picture.
func (m *Machine) Warn(mistake *about.Mistake, painted bool) {
	if m.mistake = mistake; reflect.DeepEqual(mistake, m.fixed) {
		m.mistake = nil // the corrected file is not read yet
	}
	if painted && m.seen == 0 {
		m.seen = max(m.Clock(), 1)
	}
}

// Mistaken reports whether the wall shows a mistake. While a person uses the set-up, the wall shows the set-up instead of the mistake.
func (m *Machine) Mistaken() bool {
	asks := m.state == Waiting || m.state == Inviting || m.state == Running
	return m.mistake != nil && asks && !m.later && (m.seen == 0 || m.Clock()-m.seen < MistakeTime)
}

// Fixing reports whether the wall shows a mistake, or a phone may still show the page about the mistake or about the restart.
func (m *Machine) Fixing() bool {
	return m.Mistaken() || m.restarts() || m.mistake != nil && m.asked > 0 && m.Clock()-m.asked < IdleTime
}

// restarts reports whether the board restarts because of a correction.
func (m *Machine) restarts() bool { return m.reboot > 0 && m.Clock()-m.reboot < RestartTime }

// Fix corrects the line of the mistake. Dots in the text stand for the secret in the old line.
func (m *Machine) Fix(text string) {
	if m.mistake == nil {
		return
	}
	m.written = ""
	if m.err = m.Store.Fix(m.mistake, text); m.err != nil {
		m.written = text
	} else {
		if about.WishOf(m.mistake, text).Restarts() {
			m.reboot = max(m.Clock(), 1)
		}
		m.fixed, m.mistake, m.refit = m.mistake, nil, true // Warn sets the next mistake
	}
}

// Applied records that the networks on the card have changed. `known` is true if there are any networks. After a correction, the board
// joins the changed networks without a restart. If the access point is open, it is closed first.
func (m *Machine) Applied(known bool) {
	if !m.refit || m.state == Trying {
		return
	}
	m.refit, m.Known = false, known || m.Draft.Network != nil
	switch {
	case !m.open:
		m.reload()
		if m.state == Waiting {
			m.since = m.Clock()
		}
	case m.Known:
		m.renew = max(m.Clock(), 1)
	}
}

// reload makes the radio read the networks in settings.txt. It also passes the network whose password is not in settings.txt
// (Draft.Inside).
func (m *Machine) reload() {
	m.renew = 0
	if m.Draft.Network != nil && (m.Draft.Inside || !m.Draft.Done) {
		m.Radio.Reload(m.Draft.Network)
		return
	}
	m.Radio.Reload(nil)
}

// Skip goes on without correcting the line.
func (m *Machine) Skip() { m.skipped = true }

// mistakeGuide returns the guide about a mistake. If the board is in a network, the code opens the page. Otherwise the code joins the
// access point. Before the access point is open, there is no code.
func (m *Machine) mistakeGuide(b words.Book, p Place) *about.Guide {
	line := strconv.Itoa(m.mistake.Line)
	g := &about.Guide{
		Icon: "file-alert-outline", Role: "bad", Title: b.Say("mistake", m.mistake.File, line), Rows: m.mistake.Rows, Right: Reason(b, m.mistake),
		Bold: []string{m.mistake.File, "DASHBOARD"},
		List: []string{b.Say("laptop"), b.Say("laptop.1"), b.Say("laptop.2", m.mistake.File), b.Say("laptop.3", line)},
	}
	if m.mistake.Reason == "mistake.mean" {
		g.Bold = append(g.Bold, m.mistake.Right)
	}
	if m.mistake.More > 0 {
		g.Text = []string{b.Say("mistake.more", strconv.Itoa(m.mistake.More))}
	}
	switch {
	case p.Home != "":
		pairs := pagePairs(b, p)
		pairs[0].Value = p.Home
		g.Codes = []about.Code{{Content: p.pageCode(p.Home), Pairs: pairs}}
	case m.open:
		g.Codes = []about.Code{{Content: p.joinCode(), Pairs: pointPairs(b, p)}}
	}
	for i := range g.Codes {
		g.Codes[i].Sentence = b.Say("mistake.scan")
	}
	return g
}

// Reason returns the sentence about a mistake.
func Reason(b words.Book, mistake *about.Mistake) string {
	if mistake.Right == "" {
		return b.Say(mistake.Reason)
	}
	return b.Say(mistake.Reason, mistake.Right)
}
