package pages

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"dashboard/appliance/about"
	"dashboard/appliance/setup/flow"
	"dashboard/appliance/setup/words"
)

// A model contains the values for a page's template.
type model struct {
	Words   words.Book
	Base    string // path of the page, with the token
	Page    string // name of the page in the template
	Title   string
	Step    int
	Back    int // previous step, or 0
	Poll    bool
	Error   string // key of the sentence about a wrong field
	Failure string // message of the last error of writing the card

	Languages, More, Cities, Zones, Walls []choice
	Countries                             []land
	ZoneChosen, CountryChosen             bool // true if a person has chosen it. Otherwise the page chooses the phone's

	Networks              []network
	Searching, Slow       bool
	Searched              string // time since the last search as a sentence, or ""
	Age                   int    // the same time in seconds
	Filters               []choice
	Show                  string // tag of the chosen filter
	HiddenIcon, CableIcon string

	Hidden, IsOpen, Refused, Inside, CanAnyway bool // IsOpen is true for a network without a password
	Readable                                   bool // true if others can read along
	Network, NetworkText, Password, Result     string
	AlertIcon                                  string
	Stages                                     []stage

	Name, Host, Coordinates, Wall, WallName, Wallpage string
	Home, DoneIcon                                    string // Home: address in the joined network, or ""

	Mistake          *about.Mistake
	Line             string // number of the line with the mistake
	Wrong, Reason    string // wrong word or line, and the sentence about it
	Right, RightText string // setting that was meant, or "", and its meaning
	Fixed            string // proposed text of the line
	Own              bool   // true if a person has written the text in Fixed

	NowIcon, Limit string // Limit: time in minutes after which the page of a restart shows what to do

	Trouble *trouble // error in the files of the wall, or nil
}

// A choice is an entry of a list.
type choice struct {
	Tag, Name string
	Chosen    bool
}

// A land is an entry of the list of countries. Zones are the country's time zones, separated by blanks.
type land struct {
	choice
	Zones string
}

// A network is a row in the list of networks.
type network struct {
	Name, Text, Icon string
	Open             bool
	No               bool // true if the network cannot be joined
}

// A stage is a row in the list of a test's stages.
type stage struct {
	Text, Icon  string
	Done, Later bool
}

// Say returns a sentence in the page's language.
func (m *model) Say(key string, values ...any) string { return m.Words.Say(key, values...) }

// StepText returns the number of the step.
func (m *model) StepText() string { return strconv.Itoa(m.Step) }

// Bars returns the five bars of progress. A bar is true if its step is reached.
func (m *model) Bars() (bars [5]bool) {
	for i := range bars {
		bars[i] = i < m.Step
	}
	return bars
}

// languageOf returns the language and the region of a phone's browser.
func languageOf(r *http.Request) (language, region string) {
	first, _, _ := strings.Cut(r.Header.Get("Accept-Language"), ",")
	first, _, _ = strings.Cut(first, ";")
	parts := strings.Split(strings.TrimSpace(first), "-")
	if tag.MatchString(strings.ToLower(parts[0])) {
		language = strings.ToLower(parts[0])
	}
	if last := strings.ToUpper(parts[len(parts)-1]); len(parts) > 1 && country.MatchString(last) {
		region = last
	}
	return language, region
}

// asked() returns the page that requests the token.
func (s *Server) asked(r *http.Request) *model {
	language, _ := languageOf(r)
	b := words.In(language)
	return &model{Words: b, Page: "ask", Title: b.Say("code")}
}

// model returns the values of the page for a view. `problem` is the error in the files of the wall, or "".
func (s *Server) model(v flow.View, r *http.Request, base, problem string) *model {
	language, region := languageOf(r)
	language = cmp.Or(v.Draft.Language, language, "en")
	m := &model{Words: words.In(language), Base: base, Step: v.Draft.Step, AlertIcon: iconAlert, HiddenIcon: iconHidden, CableIcon: iconCable}
	m.Trouble = m.troubleOf(problem)
	q := r.URL.Query()
	m.Error = q.Get("error")
	if m.Step > flow.StepLanguage && m.Step < flow.StepDone && !v.Later {
		m.Back = m.Step - 1
	}
	if err := s.Machine.Err(); err != nil {
		m.Failure = err.Error()
	}
	switch {
	case v.Other:
		m.Page, m.Title, m.Step, m.Back = "other", m.Say("other"), 0, 0
	case v.State == flow.Trying:
		m.trying(v)
	case v.Restarts:
		m.Page, m.Title, m.Step, m.Back, m.Poll, m.NowIcon = "restarts", m.Say("fixed"), 0, 0, true, iconNow
		m.Limit = strconv.Itoa(int(flow.RestartTime.Minutes()))
	case v.Renews:
		m.Page, m.Title, m.Step, m.Back, m.Poll = "joins", m.Say("fixed"), 0, 0, true
	case v.Mistake != nil && v.State != flow.Finished:
		m.fix(v.Mistake, v.Written)
	case v.State == flow.Finished || v.State == flow.Running || v.State == flow.Waiting:
		s.done(m, v)
	case m.Step <= flow.StepLanguage:
		m.CountryChosen = v.Draft.Country != ""
		s.language(m, language, cmp.Or(v.Draft.Country, region))
	case m.Step == flow.StepWifi && q.Get("cable") != "":
		m.Page, m.Title, m.Poll = "cable", m.Say("cable"), true
	case m.Step == flow.StepWifi && (q.Get("network") != "" || q.Get("hidden") != "" || v.Result != flow.Worked):
		m.password(v, q.Get("network"), q.Get("hidden") != "")
	case m.Step == flow.StepWifi:
		m.list(v)
	case m.Step == flow.StepPlace:
		s.place(m, v, q)
	default:
		s.wall(m, v, q.Get("show"))
	}
	return m
}

func (s *Server) language(m *model, language, where string) {
	m.Page, m.Title, m.Step = "language", m.Say("hello"), flow.StepLanguage
	for _, l := range words.Languages {
		chosen := l == words.In(language).Language && (l == language || l == "en")
		m.Languages = append(m.Languages, choice{l, words.In(l).Say("language.name"), chosen})
	}
	for _, l := range words.More {
		m.More = append(m.More, choice{l[0], l[1], l[0] == language})
	}
	for _, c := range s.Tables.Countries {
		m.Countries = append(m.Countries, land{choice{c.Tag, c.Name, c.Tag == where}, c.Zones})
	}
}

// list fills the page with the list of networks.
func (m *model) list(v flow.View) {
	m.Page, m.Title = "list", m.Say("wifi")
	m.Searching = v.Searching || !v.Heard
	m.Poll, m.Slow = m.Searching, v.Slow
	const minute = 60
	switch m.Age = int(v.Age.Seconds()); {
	case m.Searching:
	case m.Age < minute:
		m.Searched = m.Say("searched", strconv.Itoa(m.Age))
	default:
		m.Searched = m.Say("searched.min", strconv.Itoa(m.Age/minute))
	}
	for _, f := range v.Found {
		m.Networks = append(m.Networks, m.network(f))
	}
}

// Minimum signals of strong and good networks, in dBm.
const (
	strong = -60
	good   = -72
)

// strength returns the words for a signal, and the digit at the end of its icon's name.
func (m *model) strength(f flow.Found) (text, digit string) {
	switch {
	case f.Signal >= strong:
		return m.Say("signal.strong"), "4"
	case f.Signal >= good:
		return m.Say("signal.good"), "3"
	}
	return m.Say("signal.weak"), "2"
}

// securities maps the kinds of protection to their names.
var securities = map[flow.Security]string{flow.WPA2: "WPA2", flow.WPA3: "WPA3", flow.Enhanced: "Enhanced Open"}

func (m *model) network(f flow.Found) network {
	strength, digit := m.strength(f)
	n := network{Name: f.Name, Text: strength + " · " + securities[f.Security], Icon: iconLocked + digit}
	switch {
	case !utf8.ValidString(f.Name): // a page cannot send such a name
		n.Text, n.No = m.Say("name.bytes"), true
	case f.Security == flow.Enterprise:
		n.Text, n.No = m.Say("enterprise"), true
	case f.Security == flow.Unsupported:
		n.Text, n.No = m.Say("unsupported"), true
	case f.Fast:
		n.Text, n.No = m.Say("fast"), true
	case f.Security == flow.Open:
		n.Text, n.Open, n.Icon = m.Say("open"), true, iconOpen+digit
	case f.Security == flow.Enhanced:
		n.Icon = iconOpen + digit
	}
	return n
}

// password() fills the page that asks for the password of a network. After a failed test, the page also shows the reason and the tested
// password.
func (m *model) password(v flow.View, name string, hidden bool) {
	m.Page, m.Network, m.Hidden, m.Inside = "password", name, hidden, true
	if v.Result != flow.Worked && (name == "" || name == v.Try.Name) {
		m.Network, m.Password, m.Hidden = v.Try.Name, v.Try.Password, v.Try.Hidden
		m.Result, m.Refused, m.CanAnyway, m.Inside = string(v.Result), v.Result == flow.Refused, v.Result == flow.NoInternet, v.Draft.Inside
	}
	m.Title = m.Say("password.of", m.Network)
	if i := slices.IndexFunc(v.Found, func(f flow.Found) bool { return f.Name == m.Network }); i >= 0 && !m.Hidden {
		m.Readable = v.Found[i].Security == flow.Open
		m.IsOpen = m.Readable || v.Found[i].Security == flow.Enhanced
		m.NetworkText = m.network(v.Found[i]).Text
	}
}

// trying() fills the page with the four stages of a test.
func (m *model) trying(v flow.View) {
	m.Page, m.Network, m.Step, m.Back, m.Poll = "trying", v.Try.Name, flow.StepWifi, 0, true
	m.Title = m.Say("trying", v.Try.Name)
	for i, key := range []string{"stage.found", "stage.accepted", "stage.address", "stage.internet"} {
		one := stage{Text: m.Say(key), Icon: iconCircle, Done: int(v.Stage) > i, Later: int(v.Stage) < i}
		switch {
		case one.Done:
			one.Icon = iconDone
		case !one.Later:
			one.Icon = iconNow
		}
		m.Stages = append(m.Stages, one)
	}
}

// place fills the page for the name, the place and the time zone. After an error of this page, q contains everything that a person has
// entered.
func (s *Server) place(m *model, v flow.View, q url.Values) {
	m.Page, m.Title = "place", m.Say("name")
	m.Name = cmp.Or(v.Draft.Name, strings.ToLower(m.Say("step.4")))
	if !host.MatchString(m.Name) {
		m.Name = "wall"
	}
	m.Host, m.Coordinates = m.Name+".local", v.Draft.Place
	zone, city := v.Draft.Zone, ""
	again := q.Has("name")
	if again {
		m.Name, m.Coordinates, zone, city = q.Get("name"), q.Get("coordinates"), q.Get("zone"), q.Get("place")
	}
	zones := s.zonesWith(v.Draft.Zone)
	if m.ZoneChosen = slices.Contains(zones, zone); !m.ZoneChosen {
		zone = "UTC"
	}
	for _, own := range []bool{true, false} { // cities of the chosen country come first
		for _, c := range s.Tables.Cities {
			if (c.Country == v.Draft.Country) == own {
				chosen := c.Zone == city || !again && v.Draft.Place == c.At && c.At != ""
				m.Cities = append(m.Cities, choice{c.Zone, c.Name + ", " + s.countryName(c.Country), chosen})
			}
		}
	}
	for _, z := range zones {
		m.Zones = append(m.Zones, choice{z, z, z == zone})
	}
	if !again && slices.ContainsFunc(m.Cities, func(c choice) bool { return c.Chosen }) {
		m.Coordinates = ""
	}
}

func (s *Server) countryName(tag string) string {
	i := slices.IndexFunc(s.Tables.Countries, func(c Country) bool { return c.Tag == tag })
	if i < 0 {
		return tag
	}
	return s.Tables.Countries[i].Name
}

// wall fills the page with the gallery. `show` is the tag of a filter.
func (s *Server) wall(m *model, v flow.View, show string) {
	m.Page, m.Title, m.Wall, m.Show = "wall", m.Say("wall"), v.Draft.Wall, show
	m.Filters = []choice{{"", m.Say("walls.all", strconv.Itoa(len(s.Tables.Walls))), show == ""}}
	for _, f := range filters {
		if slices.ContainsFunc(s.Tables.Walls, f.shows) {
			m.Filters = append(m.Filters, choice{f.tag, m.Say("walls." + f.tag), show == f.tag})
		}
	}
	at := slices.IndexFunc(filters, func(f filter) bool { return f.tag == show })
	for _, w := range s.Tables.Walls {
		one := choice{w, strings.ToUpper(w[:1]) + strings.ReplaceAll(w[1:], "-", " "), w == v.Draft.Wall}
		if one.Chosen {
			m.WallName = one.Name
		}
		if at < 0 || filters[at].shows(w) {
			m.Walls = append(m.Walls, one)
		}
	}
}

func (s *Server) done(m *model, v flow.View) {
	m.Page, m.Step, m.Back = "done", flow.StepDone, 0
	p := s.Place()
	m.Host, m.Home, m.DoneIcon = cmp.Or(v.Draft.Name, p.Host), p.Home, iconDone
	if m.Home == m.Host+".local" { // a network with IPv6 only has just the name
		m.Home = ""
	}
	m.Title = m.Say("done", m.Host)
	if !v.Remote {
		m.Wallpage = "http://" + m.Host + ".local:" + p.Port + "/"
	}
	if v.Draft.Network != nil {
		m.Network = v.Draft.Network.Name
	}
	if slices.Contains(s.Tables.Walls, v.Draft.Wall) {
		m.Wall = v.Draft.Wall
	}
}
