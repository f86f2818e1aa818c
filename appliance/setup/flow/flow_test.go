package flow

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/setup/words"
)

// The type world replaces the radio and the card of a machine. It records the calls of the radio.
type world struct {
	both bool
	did  []string
	kept Draft // draft that was saved last
	card *Draft
	full bool // true if nothing can be written
}

func (w *world) Open()         { w.did = append(w.did, "open") }
func (w *world) Close()        { w.did = append(w.did, "close") }
func (w *world) Search(string) { w.did = append(w.did, "search") }
func (w *world) Try(n Network) { w.did = append(w.did, "try "+n.Name) }
func (w *world) Leave()        { w.did = append(w.did, "leave") }
func (w *world) Reload(n *Network) {
	w.did = append(w.did, "reload")
	if n != nil {
		w.did = append(w.did, "know "+n.Name)
	}
}
func (w *world) Both() bool { return w.both }

func (w *world) Save(d Draft) error {
	w.kept = d
	return nil
}

func (w *world) Finish(d Draft) error {
	if w.full {
		return errors.New("no space left on the drive")
	}
	w.card, w.kept = &d, d
	return nil
}

func (w *world) Fix(*about.Mistake, string) error { return nil }

// A rig is a machine with a clock that the test moves.
type rig struct {
	*Machine
	w   *world
	now time.Duration
}

// newRig starts a board with the options o. The field o.Draft is the draft that an earlier start has saved.
func newRig(o Options) *rig {
	r := &rig{w: &world{kept: o.Draft}}
	o.Clock, o.Radio, o.Store = func() time.Duration { return r.now }, r.w, r.w
	r.Machine = New(o)
	return r
}

// after() moves the clock in steps of one second, as the unit's loop does.
func (r *rig) after(d time.Duration) *rig {
	for end := r.now + d; r.now < end; {
		r.now += time.Second
		r.Tick()
	}
	return r
}

// Try requests a test and moves the clock to the time at which the radio begins the test.
func (r *rig) Try(n Network, inside bool) {
	r.Machine.Try(n, inside)
	r.after(LeaveDelay)
}

// took() returns the calls of the radio since the last call of took().
func (r *rig) took() string {
	all := strings.Join(r.w.did, ", ")
	r.w.did = nil
	return all
}

const phone = "10.1.1.20"

var home = Network{Name: "Sonnenallee 12", Password: "Kirschbaum-0815"}

// walked() returns a board whose page is at the step for the Wi-Fi.
func walked(o Options) *rig {
	r := newRig(o).after(Patience)
	r.Addressed()
	r.Opened(phone, false)
	r.Speak("de", "DE")
	r.Heard([]Found{{Name: home.Name, Signal: -50, Security: WPA3}})
	r.took()
	return r
}

var place = Place{
	Point: "wall-7k3f", Password: "maple-otter-42", Token: "K7QM42XA", Address: "10.1.1.1", Home: "192.168.1.42", Host: "kitchen", Port: "5000",
	Since: "9:12", Gallery: "/gallery",
}

// title returns a text that identifies the picture on the wall: the title, or "wall" for the wall itself, "badge: " and the badge's text,
// "join" for two codes, or the name of a picture.
func (r *rig) title() string {
	g := r.Guide(words.In("en"), place)
	switch {
	case g == nil:
		return "wall"
	case g.Badge:
		return "badge: " + g.Text[0]
	case g.Title == "" && len(g.Codes) == 2:
		return "join"
	case g.Picture != "":
		return g.Picture
	}
	return g.Title
}

func want(t *testing.T, what string, got, want any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// The QR codes appear again if the phone has left the access point and requests no page within a minute.
func TestPhoneLeaves(t *testing.T) {
	r := newRig(Options{}).after(Patience)
	r.Phones(1)
	r.Addressed()
	r.after(5 * time.Minute)
	want(t, "the phone stays", r.title(), "Your phone is connected.")
	r.Phones(0)
	want(t, "the phone has left", r.after(PageWait-time.Second).title(), "Your phone is connected.")
	want(t, "for a minute", r.after(time.Second).title(), "join")
}

// TestWalk checks the whole set-up with two radios. The first radio has to close the access point to join a network. The second radio can
// keep the access point open.
func TestWalk(t *testing.T) {
	for _, both := range []bool{false, true} {
		r := walked(Options{})
		r.w.both = both
		r.Try(home, true)
		want(t, "the wall", r.title(), "Trying Sonnenallee 12")
		for _, s := range []Stage{Seen, Accepted, Addressed, Reached} {
			r.At(s)
		}
		want(t, "asked of the radio", r.took(), "try Sonnenallee 12")
		if from := phone; !both {
			want(t, "the wall", r.title(), "The wall is in Sonnenallee 12 now.")
			from = "192.168.1.7"
			want(t, "the phone goes on in the network", r.Opened(from, true), true)
		}
		want(t, "access point", r.Open(), both)
		r.Settle("kitchen", "Europe/Berlin", "48.52, 9.06")
		r.Prefer("family")
		want(t, "the wall shows the choice", r.title(), "/gallery/family/wall.png")
		if r.w.card != nil {
			t.Error("the card was written before the last step")
		}
		r.Finish()
		want(t, "the wall", r.title(), "kitchen is ready.")
		want(t, "the network in bold", strings.Join(r.Guide(words.In("en"), place).Bold, ","), "Sonnenallee 12")
		want(t, "network on the card", *r.w.card.Network, home)
		want(t, "name on the card", r.w.card.Name, "kitchen")
		r.after(CloseDelay)
		want(t, "access point after the last step", r.Open(), false)
		r.Link(false, true)
		want(t, "after a minute", r.after(DoneTime).title(), "wall")
	}
}

// When the phone opens the page in the home network after the last step, the wall starts.
func TestOpenedAtHome(t *testing.T) {
	r := walked(Options{})
	r.Try(home, false)
	r.At(Reached)
	r.Opened("192.168.1.7", true)
	r.Finish()
	r.Opened("192.168.1.7", true)
	want(t, "the wall", r.title(), "wall")
}

// After each failure the access point opens again. The wall and the page show the same sentence, and the page keeps what was typed.
func TestFailures(t *testing.T) {
	for _, c := range []struct {
		name  string
		stage Stage
		ends  bool // true if the radio reports the end of the test. Otherwise the test reaches its time limit
		want  Result
		says  string
	}{
		{"wrong password", Seen, true, Refused, "The network refused the password."},
		{"a refusal without a report", Seen, false, Refused, "The network refused the password."},
		{"not in reach", Begun, false, Missing, "The network was not found."},
		{"no DHCP answer", Accepted, false, NoAddress, "The network gave no address."},
		{"no internet", Addressed, false, NoInternet, "No internet behind the network."},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := walked(Options{})
			r.Try(home, true)
			r.At(c.stage)
			if c.ends {
				r.End(c.want)
			} else {
				want(t, "before the limit", r.after(TryTime-LeaveDelay-time.Second).State(), Trying)
				r.after(time.Second)
			}
			want(t, "asked of the radio", r.took(), "try Sonnenallee 12, leave, open")
			want(t, "the wall", r.title(), c.says)
			want(t, "the network's name", r.Guide(words.In("en"), place).Over, home.Name)
			want(t, "the page", r.View(phone).Result, c.want)
			want(t, "what was typed", r.View(phone).Try, home)
			if r.w.kept.Network != nil || r.w.card != nil {
				t.Error("a network that failed was kept")
			}
			r.Addressed()
			want(t, "the phone is back", r.title(), "Your phone is connected.")
			r.Opened(phone, false)
			r.Try(Network{Name: home.Name, Password: "kirschbaum-0815"}, true)
			want(t, "again", r.State(), Trying)
			want(t, "no old reason", r.View(phone).Result, Worked)
		})
	}
}

// A person can use a network that has no internet access.
func TestAnyway(t *testing.T) {
	r := walked(Options{})
	r.Anyway()
	want(t, "without a failure", r.State(), Walking)
	r.Try(home, false)
	r.At(Addressed)
	r.after(TryTime)
	r.Opened(phone, false)
	r.Anyway()
	r.At(Addressed)
	want(t, "state", r.State(), Moved)
	want(t, "network", *r.w.kept.Network, home)
}

// The phone receives the page about the test before the access point closes.
func TestPageBeforeTheTest(t *testing.T) {
	r := walked(Options{})
	r.Machine.Try(home, false)
	want(t, "at once", r.after(LeaveDelay-time.Second).took(), "")
	want(t, "the wall", r.title(), "Trying Sonnenallee 12")
	want(t, "then", r.after(time.Second).took(), "try Sonnenallee 12")
	r.Stop()
	r.Machine.Try(home, false)
	r.Stop()
	r.took()
	want(t, "stopped before", r.after(LeaveDelay).took(), "")
}

// A person can stop a test. The page then shows the list of networks again.
func TestStop(t *testing.T) {
	r := walked(Options{})
	r.Try(home, false)
	r.Stop()
	want(t, "asked of the radio", r.took(), "try Sonnenallee 12, leave, open")
	want(t, "state", r.State(), Walking)
	r.At(Reached)
	want(t, "a late report", r.State(), Walking)
}

// If the person plugs in a cable instead of choosing a network, the page continues automatically.
func TestCableInstead(t *testing.T) {
	r := walked(Options{})
	r.Link(true, false)
	r.after(time.Second)
	want(t, "step", r.View(phone).Draft.Step, StepPlace)
	want(t, "access point", r.Open(), true)
}

// A second phone cannot change anything until a person chooses this phone.
func TestSecondPhone(t *testing.T) {
	r := walked(Options{})
	want(t, "another phone", r.Opened("10.1.1.21", false), false)
	want(t, "its page", r.View("10.1.1.21").Other, true)
	want(t, "the first", r.View(phone).Other, false)
	r.Take("10.1.1.21")
	want(t, "takes over", r.Opened("10.1.1.21", false), true)
	want(t, "the first is the other now", r.View(phone).Other, true)
}

// The power fails after each step. After the next start, the setup knows the network that passed its test, and an unfinished test is
// forgotten.
func TestPowerCuts(t *testing.T) {
	steps := []struct {
		name  string
		do    func(*rig)
		step  int
		state State // state after the next start, when the network works
	}{
		{"language", func(r *rig) { r.Speak("de", "DE") }, StepWifi, Inviting},
		{"a test begins", func(r *rig) { r.Try(home, true) }, StepWifi, Inviting},
		{"password accepted", func(r *rig) { r.At(Accepted) }, StepWifi, Inviting},
		{"network joined", func(r *rig) { r.At(Reached) }, StepPlace, Moved},
		{"page in the network", func(r *rig) { r.Opened("192.168.1.7", true) }, StepPlace, Moved},
		{"name and place", func(r *rig) { r.Settle("kitchen", "Europe/Berlin", "") }, StepWall, Moved},
		{"a wall", func(r *rig) { r.Prefer("family") }, StepWall, Moved},
		{"done", func(r *rig) { r.Finish() }, StepDone, Running},
	}
	for cut := range steps {
		r := walked(Options{})
		for _, s := range steps[:cut+1] {
			s.do(r)
		}
		s := steps[cut]
		data, err := json.Marshal(r.w.kept)
		if err != nil {
			t.Fatal(err)
		}
		var kept Draft
		if err := json.Unmarshal(data, &kept); err != nil {
			t.Fatal(err)
		}
		if (r.w.card != nil) != (s.name == "done") {
			t.Errorf("%s: the card is written at the last step only", s.name)
		}
		next := newRig(Options{Draft: kept, Known: kept.Network != nil})
		next.Link(false, kept.Network != nil)
		next.after(Patience)
		want(t, s.name+": state", next.State(), s.state)
		want(t, s.name+": step", next.View(phone).Draft.Step, s.step)
	}
}

// If the phone sends no request for IdleTime, the set-up ends automatically with the values chosen so far.
func TestNobodyGoesOn(t *testing.T) {
	r := walked(Options{})
	r.Try(home, false)
	r.At(Reached)
	r.Link(false, true)
	r.w.full = true
	r.after(IdleTime + time.Minute)
	want(t, "a card that cannot be written", r.State(), Moved)
	r.w.full = false
	want(t, "afterwards", r.after(IdleTime+DoneTime).title(), "wall")
	want(t, "network", *r.w.card.Network, home)
}

// If the card's network has never worked, the access point opens after 30 s, and the board continues to search for the network. The page
// shows the reason.
func TestWrongCard(t *testing.T) {
	r := newRig(Options{Known: true}).after(Patience / 2)
	r.Fails(home, Refused)
	r.after(Patience / 2)
	want(t, "the wall", r.title(), "join")
	r.Opened(phone, false)
	want(t, "reason on the page", r.View(phone).Result, Refused)
	want(t, "network on the page", r.View(phone).Try.Name, home.Name)
	r.become(Inviting)
	want(t, "looks", r.after(LookPause).took(), "open, close")
	r.Link(false, true)
	want(t, "is there", r.after(time.Second).title(), "wall")
}

// Every screen has words in every language. No screen shows the password of a person's network.
func TestGuides(t *testing.T) {
	for _, l := range words.Languages {
		r := walked(Options{})
		r.Try(home, true)
		guides := []*about.Guide{r.Guide(words.In(l), place)}
		r.End(Refused)
		guides = append(guides, r.Guide(words.In(l), place))
		r.Opened(phone, false)
		guides = append(guides, r.Guide(words.In(l), place))
		r.Try(home, true)
		r.At(Reached)
		guides = append(guides, r.Guide(words.In(l), place))
		r.Finish()
		guides = append(guides, r.Guide(words.In(l), place))
		for i, g := range guides {
			data, err := json.Marshal(g)
			if err != nil || g.Title == "" || len(g.Steps) != 5 || strings.Contains(string(data), home.Password) || strings.Contains(string(data), "%!") {
				t.Errorf("%s: screen %d: got %s, %v", l, i, data, err)
			}
		}
	}
}
