package flow

import (
	"strings"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/setup/words"
)

// A Place has the addresses, names and passwords that the guides show.
type Place struct {
	Point    string // name of the access point
	Password string
	Token    string
	Address  string // IP address of the board in the access point's network
	Home     string // address of the board in the network it has joined, or ""
	Host     string // name of the board in the joined network, without .local
	Port     string // port of the wall's own page in the joined network
	Since    string // time when the network was lost, in hours and minutes
	Gallery  string // folder with the pictures of the walls
}

// Until a person chooses a language, the wall shows each language for TurnTime.
const TurnTime = 8 * time.Second

// escaped() puts a backslash before each special character in the QR code of a wireless network.
var escaped = strings.NewReplacer(`\`, `\\`, `;`, `\;`, `,`, `\,`, `:`, `\:`, `"`, `\"`)

// joinCode returns the content of the QR code that a phone scans to join the access point.
func (p Place) joinCode() string {
	return "WIFI:T:WPA;S:" + escaped.Replace(p.Point) + ";P:" + escaped.Replace(p.Password) + ";;"
}

// pageCode returns the content of the QR code that opens the page at an address. The URL is in capital letters, because capital letters
// need less space in a QR code.
func (p Place) pageCode(address string) string {
	return "HTTP://" + strings.ToUpper(address) + "/" + p.Token
}

// spaced() returns the token in two groups, as a person types it.
func (p Place) spaced() string { return p.Token[:tokenSize/2] + " " + p.Token[tokenSize/2:] }

// Guide returns the picture for the wall, or nil if the wall itself is shown.
func (m *Machine) Guide(b words.Book, p Place) *about.Guide {
	now := m.Clock()
	if m.later {
		return m.laterGuide(b, p, now)
	}
	if m.Mistaken() {
		return m.mistakeGuide(b, p)
	}
	if m.renews {
		return &about.Guide{Icon: "wifi-sync", Role: "accent", Title: b.Say("fixed"), Text: []string{b.Say("leaves")}}
	}
	switch m.state {
	case Inviting:
		return invitation(b, p)
	case Greeting, Walking:
		return m.walkGuide(b, p)
	case Trying:
		g := m.walkGuide(b, p)
		g.Icon, g.Role, g.Title, g.Text = "wifi-sync", "accent", b.Say("trying", m.try.Name), []string{b.Say("leaves")}
		g.Pairs, g.Hint, g.Codes = nil, "", nil
		return g
	case Returned:
		return m.returnGuide(b, p)
	case Moved:
		g := m.homeGuide(b, p, b.Say("moved", m.Draft.Network.Name), b.Say("moved.text", m.Draft.Network.Name))
		g.Codes = []about.Code{{Content: p.pageCode(p.Home)}}
		g.Pairs = []about.Pair{{Label: b.Say("address"), Value: p.Home}, {Label: b.Say("code"), Value: p.spaced()}}
		return g
	case Finished:
		return m.doneGuide(b, p)
	}
	return nil
}

// invitation returns the guide with two codes. The first code joins the access point, and the second code opens the page.
func invitation(b words.Book, p Place) *about.Guide {
	return &about.Guide{Codes: []about.Code{
		{Content: p.joinCode(), Sentence: b.Say("join.scan"), Pairs: pointPairs(b, p)},
		{Content: p.pageCode(p.Address), Sentence: b.Say("join.open"), Pairs: pagePairs(b, p)},
	}}
}

func pointPairs(b words.Book, p Place) []about.Pair {
	return []about.Pair{{Label: b.Say("network"), Value: p.Point}, {Label: b.Say("password"), Value: p.Password}}
}

func pagePairs(b words.Book, p Place) []about.Pair {
	return []about.Pair{{Label: b.Say("address"), Value: p.Address}, {Label: b.Say("code"), Value: p.spaced()}}
}

// steps() adds the names of the steps to the guide.
func (m *Machine) steps(b words.Book, g *about.Guide) *about.Guide {
	for _, k := range []string{"step.1", "step.2", "step.3", "step.4", "step.5"} {
		g.Steps = append(g.Steps, b.Say(k))
	}
	g.Step = max(m.Draft.Step, StepLanguage)
	return g
}

// walkGuide returns the guide for a person who uses the page. The guide contains the QR code of the page and the current step. At the
// step in which a wall is chosen, the guide is a picture of the chosen wall instead.
func (m *Machine) walkGuide(b words.Book, p Place) *about.Guide {
	if m.state == Walking && m.Draft.Step == StepWall && m.Draft.Wall != "" {
		return &about.Guide{Picture: p.Gallery + "/" + m.Draft.Wall + "/wall.png"}
	}
	g := &about.Guide{
		Icon: "cellphone-check", Role: "good", Title: b.Say("connected"), Text: []string{b.Say("connected.text")}, Hint: b.Say("stay"),
	}
	if m.state == Walking {
		g.Text, g.Hint = []string{b.Say("onphone"), b.Say("back.scan")}, ""
	}
	g.Pairs, g.Codes = pagePairs(b, p), []about.Code{{Content: p.pageCode(p.Address)}}
	if !m.open && p.Home != "" {
		g.Pairs[0].Value, g.Codes[0].Content = p.Home, p.pageCode(p.Home)
	}
	return m.steps(b, g)
}

// returnGuide returns the guide after a failed test. It contains the reason and the next step.
func (m *Machine) returnGuide(b words.Book, p Place) *about.Guide {
	return m.steps(b, &about.Guide{
		Icon: "wifi-alert", Role: "bad", Over: m.try.Name, Title: b.Say(string(m.result)),
		Text:  []string{b.Say("back.text"), b.Say("back.scan")},
		Pairs: pointPairs(b, p), Codes: []about.Code{{Content: p.joinCode()}},
	})
}

// homeGuide returns the beginning of a guide for a board that is in a network. The caller adds the addresses.
func (m *Machine) homeGuide(b words.Book, p Place, title, text string) *about.Guide {
	return m.steps(b, &about.Guide{Icon: "check-circle", Role: "good", Title: title, Text: []string{text}, Bold: m.network()})
}

// network returns the name of the chosen network as the only item, or nil without a network.
func (m *Machine) network() []string {
	if m.Draft.Network == nil || m.Draft.Network.Name == "" {
		return nil
	}
	return []string{m.Draft.Network.Name}
}

func (m *Machine) doneGuide(b words.Book, p Place) *about.Guide {
	network := m.network()
	g := m.homeGuide(b, p, b.Say("ready", p.Host), b.Say("ready.text", strings.Join(network, "")))
	if network == nil { // without a wireless network the connection is by cable
		g.Text = nil
	}
	g.Quiet = b.Say("ready.starts")
	if m.Remote { // the board itself serves no page
		g.Text = nil
		return g
	}
	g.Pairs = []about.Pair{{Label: b.Say("address"), Value: p.Host + ".local:" + p.Port}}
	if p.Home != "" && p.Home != p.Host+".local" { // a network with IPv6 only has just the name
		g.Pairs = append(g.Pairs, about.Pair{Label: b.Say("or"), Value: p.Home + ":" + p.Port})
	}
	if p.Home != "" {
		g.Codes = []about.Code{{Content: p.pageCode(p.Home)}}
	}
	return g
}

// laterGuide returns the badge of a wall in use. After a touch of the badge it returns the codes instead.
func (m *Machine) laterGuide(b words.Book, p Place, now time.Duration) *about.Guide {
	if m.shown > 0 && now-m.shown < ShowTime {
		return invitation(b, p)
	}
	secret := now < SecretTime || now-m.lost < SecretTime
	g := &about.Guide{Badge: true, Icon: "wifi-off", Role: "warn", Title: b.Say("badge", p.Since)}
	g.Text, g.Pairs = []string{b.Say("badge.name", p.Point)}, []about.Pair{{Value: p.Point}}
	if secret {
		g.Text, g.Pairs = []string{b.Say("badge.join", p.Point, p.Password)}, append(g.Pairs, about.Pair{Value: p.Password})
	}
	return g
}
