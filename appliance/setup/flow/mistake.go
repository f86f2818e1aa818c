package flow

import (
	"strconv"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/setup/words"
)

// MistakeTime is the time for which the wall shows a mistake in a file of the card. It begins with the wall's first picture.
const MistakeTime = time.Minute

// Warn records the first mistake in the files of the card, or nil. painted is true if the wall has painted its first picture.
func (m *Machine) Warn(mistake *about.Mistake, painted bool) {
	m.mistake = mistake
	if painted && m.seen == 0 {
		m.seen = max(m.Clock(), 1)
	}
}

// Mistaken reports whether the wall shows a mistake. While a person uses the set-up, it shows the set-up instead.
func (m *Machine) Mistaken() bool {
	asks := m.state == Waiting || m.state == Inviting || m.state == Running
	return m.mistake != nil && asks && !m.later && (m.seen == 0 || m.Clock()-m.seen < MistakeTime)
}

// mistakeGuide returns the guide about a mistake. If the board is in a network, the code opens the page. Otherwise the code joins the
// access point. Before the access point is open, there is no code.
func (m *Machine) mistakeGuide(b words.Book, p Place) *about.Guide {
	line := strconv.Itoa(m.mistake.Line)
	g := &about.Guide{
		Icon: "file-alert-outline", Role: "bad", Title: b.Say("mistake", m.mistake.File, line), Rows: m.mistake.Rows, Right: Reason(b, m.mistake),
		List: []string{b.Say("laptop"), b.Say("laptop.1"), b.Say("laptop.2", m.mistake.File), b.Say("laptop.3", line)},
	}
	if m.mistake.More > 0 {
		g.Text = []string{b.Say("mistake.more", strconv.Itoa(m.mistake.More))}
	}
	switch {
	case p.Home != "":
		g.Codes = []about.Code{{Content: "HTTP://" + p.Home + ":" + p.Port + "/", Pairs: []about.Pair{{Label: b.Say("address"), Value: p.Home + ":" + p.Port}}}}
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
