//go:build linux

package radio

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"dashboard/appliance/about"
	"dashboard/appliance/setup/flow"
)

// patience limits waits that are usually short.
const patience = 3 * time.Minute

// On a busy machine, the simulated wpa_supplicant may answer later than the product's answerTime allows.
func init() { answerTime = patience }

// inReach is wpa_supplicant's answer to SCAN_RESULTS.
const inReach = "bssid / frequency / signal level / flags / ssid\n" +
	"02:00:00:00:00:01\t2412\t-40\t[WPA2-PSK-CCMP][ESS]\twall-7k3f\n02:00:00:00:00:02\t2412\t-50\t[WPA2-SAE-CCMP][ESS]\tSonnenallee 12\n"

// A supplicant is a wpa_supplicant whose answers the test chooses.
type supplicant struct {
	t     *testing.T
	conn  *net.UnixConn
	asked chan string // every received command
	event chan *net.UnixAddr
}

func newSupplicant(t *testing.T, folder string) *supplicant {
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(folder, "wlan0"), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	s := &supplicant{t: t, conn: conn, asked: make(chan string, 100), event: make(chan *net.UnixAddr, 1)}
	go s.serve()
	return s
}

func (s *supplicant) serve() {
	buffer, id := make([]byte, 4096), byte('0')
	for {
		n, from, err := s.conn.ReadFromUnix(buffer)
		if err != nil {
			return
		}
		command, answer := string(buffer[:n]), "OK\n"
		switch {
		case command == "PING":
			answer = "PONG\n"
		case command == "ADD_NETWORK":
			answer = string(id) + "\n"
			id++
		case command == "SCAN_RESULTS":
			answer = inReach
		case strings.HasPrefix(command, "GET_CAPABILITY"):
			answer = "Mode[G] Channels:\n 1 = 2412 MHz\n 5 = 2432 MHz\n"
		}
		if command != "PING" && command != "ATTACH" {
			s.asked <- command
		}
		_, _ = s.conn.WriteToUnix([]byte(answer), from) // the radio may have closed its socket
		if command == "ATTACH" {
			s.event <- from // the test sends the event after the answer, because wpa_supplicant sends no event before it has answered
		}
	}
}

// wants() waits for a command and fails if another command comes first.
func (s *supplicant) wants(commands ...string) {
	s.t.Helper()
	for _, want := range commands {
		select {
		case got := <-s.asked:
			if got != want {
				s.t.Fatalf("got %q, want %q", got, want)
			}
		case <-time.After(patience):
			s.t.Fatalf("got nothing, want %q", want)
		}
	}
}

// A rig is a radio with its supplicant and with a machine that tests a network.
type rig struct {
	*Radio
	s       *supplicant
	reports chan func(*flow.Machine)
	events  *net.UnixAddr
	m       *flow.Machine
}

// silent implements flow.Radio and flow.Store and does nothing. The machine to which the tested radio reports uses it.
type silent struct{}

func (silent) Open()                            {}
func (silent) Close()                           {}
func (silent) Search(string)                    {}
func (silent) Try(flow.Network)                 {}
func (silent) Reload(*flow.Network)             {}
func (silent) Leave()                           {}
func (silent) Both() bool                       { return false }
func (silent) Save(flow.Draft) error            { return nil }
func (silent) Finish(flow.Draft) error          { return errors.New("not here") }
func (silent) Fix(*about.Mistake, string) error { return nil }

func newRig(t *testing.T, address, online bool) *rig {
	folder, err := os.MkdirTemp("", "wpa") // this path is short, because the path of a socket may have at most 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	r := &rig{s: newSupplicant(t, folder), reports: make(chan func(*flow.Machine), 100)}
	now := time.Duration(0)
	r.m = flow.New(flow.Options{Clock: func() time.Duration { return now }, Radio: silent{}, Store: silent{}})
	now = flow.Patience
	r.m.Tick()
	r.m.Opened("phone", false)
	r.m.Try(flow.Network{Name: "home", Password: "longenough"}, false)
	r.Radio = New(Options{
		Interface: "wlan0", Sockets: folder, Folder: folder, Name: "wall-7k3f", Password: "maple-otter-42", Log: slog.New(slog.DiscardHandler),
		Report: func(do func(*flow.Machine)) { r.reports <- do }, Addresses: func() bool { return address },
		Internet: func(context.Context) bool { return online },
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { r.Run(ctx); close(done) }()
	t.Cleanup(func() { cancel(); r.s.conn.Close(); <-done })
	select {
	case r.events = <-r.s.event:
	case <-time.After(patience):
		t.Fatal("the radio does not listen")
	}
	return r
}

// sends() sends an event to the radio.
func (r *rig) sends(event string) {
	if _, err := r.s.conn.WriteToUnix([]byte("<3>"+event), r.events); err != nil {
		r.s.t.Fatal(err)
	}
}

// report waits for the next report and gives it to the machine.
func (r *rig) report() {
	r.s.t.Helper()
	select {
	case do := <-r.reports:
		do(r.m)
	case <-time.After(patience):
		r.s.t.Fatal("got no report")
	}
}

// tries() begins a test of a network and checks the commands of the radio.
func (r *rig) tries() {
	r.s.t.Helper()
	r.Try(flow.Network{Name: "home", Password: "longenough"})
	r.s.wants("ADD_NETWORK", "SET_NETWORK 0 ieee80211w 1", "SET_NETWORK 0 key_mgmt WPA-PSK SAE", `SET_NETWORK 0 psk "longenough"`,
		`SET_NETWORK 0 sae_password "longenough"`, "SET_NETWORK 0 scan_ssid 1", "SET_NETWORK 0 ssid 686f6d65", "SELECT_NETWORK 0")
}

// The access point has a password, and it closes before a network is tried.
func TestPoint(t *testing.T) {
	r := newRig(t, false, false)
	r.sends("CTRL-EVENT-SCAN-RESULTS ") // the search ends
	r.s.wants("SCAN_RESULTS", "GET_CAPABILITY freq")
	r.Open()
	r.s.wants("ADD_NETWORK", "SET_NETWORK 0 frequency 2437", "SET_NETWORK 0 group CCMP", "SET_NETWORK 0 key_mgmt WPA-PSK", "SET_NETWORK 0 mode 2",
		"SET_NETWORK 0 pairwise CCMP", "SET_NETWORK 0 proto RSN", `SET_NETWORK 0 psk "maple-otter-42"`, "SET_NETWORK 0 ssid 77616c6c2d376b3366",
		"SELECT_NETWORK 0")
	r.Try(flow.Network{Name: "open"})
	r.s.wants("REMOVE_NETWORK 0", "ADD_NETWORK", "SET_NETWORK 1 key_mgmt NONE", "SET_NETWORK 1 scan_ssid 1", "SET_NETWORK 1 ssid 6f70656e", "SELECT_NETWORK 1")
	r.Leave()
	r.s.wants("REMOVE_NETWORK 1")
	r.Close()
	r.s.wants("ENABLE_NETWORK all", "REASSOCIATE")
}

// After a correction of the card, wpa_supplicant reads its file again. This renumbers the networks, so the access point is removed first,
// and no old number is used. A network that is not on the card is added again.
func TestReload(t *testing.T) {
	r := newRig(t, false, false)
	r.sends("CTRL-EVENT-SCAN-RESULTS ")
	r.s.wants("SCAN_RESULTS", "GET_CAPABILITY freq")
	r.Open()
	for range 10 {
		<-r.s.asked // skip the commands that open the access point
	}
	r.Reload(&flow.Network{Name: "open"})
	r.Close()
	r.s.wants("REMOVE_NETWORK 0", "RECONFIGURE", "ADD_NETWORK", "SET_NETWORK 1 key_mgmt NONE", "SET_NETWORK 1 scan_ssid 1", "SET_NETWORK 1 ssid 6f70656e",
		"ENABLE_NETWORK 1", "ENABLE_NETWORK all", "REASSOCIATE")
}

// The radio searches before it opens the first access point, because many radios cannot search while the access point is open. The
// machine keeps the list of the networks that were found.
func TestSurvey(t *testing.T) {
	r := newRig(t, false, false)
	r.Open()
	r.s.wants("SCAN")
	r.sends("CTRL-EVENT-SCAN-RESULTS ")
	r.s.wants("SCAN_RESULTS", "GET_CAPABILITY freq", "ADD_NETWORK")
	r.report()
	if found := r.m.View("").Found; len(found) != 1 || found[0].Name != "Sonnenallee 12" {
		t.Errorf("got %+v", found)
	}
}

// A successful test passes all stages.
func TestWorks(t *testing.T) {
	r := newRig(t, true, true)
	r.tries()
	for _, e := range []string{"SME: Trying to authenticate with 02:00:00:00:01:00", "CTRL-EVENT-CONNECTED - Connection to 02:00:00:00:01:00 completed"} {
		r.sends(e)
	}
	for _, want := range []flow.Stage{flow.Seen, flow.Accepted, flow.Addressed, flow.Reached} {
		r.report()
		if got := r.m.View("").Stage; got != want {
			t.Errorf("got the stage %v, want %v", got, want)
		}
	}
	if r.m.State() != flow.Moved {
		t.Errorf("got the state %v, want %v", r.m.State(), flow.Moved)
	}
}

// TestFails checks the result of a network's test after each event with which wpa_supplicant reports a failure, for WPA2 and WPA3.
func TestFails(t *testing.T) {
	for name, c := range map[string]struct {
		events []string
		want   flow.Result
	}{
		"WPA2": {[]string{`CTRL-EVENT-SSID-TEMP-DISABLED id=0 ssid="home" auth_failures=1 duration=10 reason=WRONG_KEY`}, flow.Refused},
		"WPA3": {[]string{"CTRL-EVENT-AUTH-REJECT 02:00:00:00:01:00 auth_type=3 auth_transaction=2 status_code=15"}, flow.Refused},
		"gone": {[]string{"CTRL-EVENT-NETWORK-NOT-FOUND", "CTRL-EVENT-NETWORK-NOT-FOUND", "CTRL-EVENT-NETWORK-NOT-FOUND"}, flow.Missing},
	} {
		r := newRig(t, false, false)
		r.tries()
		for _, e := range c.events {
			r.sends(e)
		}
		r.report()
		if got := r.m.View("").Result; got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// WPA3 reports a wrong password without the name of the network. The name is in the event before. Without a name, nothing is reported.
func TestRefusedKnownNetwork(t *testing.T) {
	const refusal = "CTRL-EVENT-AUTH-REJECT 02:00:00:00:01:00 auth_type=3 auth_transaction=2 status_code=15"
	r := newRig(t, false, false)
	r.m = flow.New(flow.Options{Clock: func() time.Duration { return 0 }, Radio: silent{}, Store: silent{}})
	r.sends(refusal)
	r.sends("SME: Trying to authenticate with 02:00:00:00:01:00 (SSID='Mira's \\\"home\\\"' freq=2437 MHz)")
	r.sends(refusal)
	r.report()
	if v := r.m.View(""); v.Result != flow.Refused || v.Try.Name != `Mira's "home"` {
		t.Errorf("got %q, %+v", v.Result, v.Try)
	}
}

// The name of a network in an event may contain quotation marks and blanks.
func TestNameInEvent(t *testing.T) {
	for ssid, want := range map[string]string{
		`home`: "home", `a\" b`: `a" b`, `\"`: `"`, `x\\`: `x\`, `a\\\" reason=x`: `a\" reason=x`, `caf\xc3\xa9`: "café",
	} {
		event := `CTRL-EVENT-SSID-TEMP-DISABLED id=0 ssid="` + ssid + `" auth_failures=1 duration=10 reason=WRONG_KEY`
		if s, got := signOf(event); s != refused || got != want {
			t.Errorf("%s: got %v, %q, want %q", event, s, got, want)
		}
	}
}

// A search sets the country first. The list does not contain the radio's own access point.
func TestSearch(t *testing.T) {
	r := newRig(t, false, false)
	r.Search("DE")
	r.s.wants("SET country DE", "SCAN", "SCAN_RESULTS", "GET_CAPABILITY freq")
	r.report()
	found := r.m.View("").Found
	if !r.m.View("").Slow {
		t.Error("a radio without frequencies of 5 GHz counts as fast")
	}
	if len(found) != 1 || found[0] != (flow.Found{Name: "Sonnenallee 12", Signal: -50, Security: flow.WPA3}) {
		t.Errorf("got %+v", found)
	}
}

func TestHeard(t *testing.T) {
	const answer = "bssid / frequency / signal level / flags / ssid\n" +
		"a\t5180\t-40\t[WPA2-PSK-CCMP][ESS]\tboth\na\t2412\t-60\t[WPA2-PSK-CCMP][ESS]\tboth\na\t5180\t-40\t[WPA2-PSK+SAE-CCMP][ESS]\tfast\n" +
		"a\t2412\t-60\t[ESS]\tCaf\\xc3\\xa9 \\\"x\\\"\na\t2412\t-60\t[WPA2-EAP-CCMP][ESS]\teduroam\na\t2412\t-60\t[WEP][ESS]\told\n" +
		"a\t2412\t-60\t[WPA2-OWE-CCMP][ESS]\tcafe\na\t2412\t-60\t[OWE-TRANS-OPEN][ESS]\tcafe open\na\t2412\t-60\t[ESS]\t\\x00\\x00\n" +
		"broken\na\tx\t-1\t[ESS]\tn\n"
	want := []flow.Found{
		{Name: "both", Signal: -40, Security: flow.WPA2}, {Name: "both", Signal: -60, Security: flow.WPA2},
		{Name: "fast", Signal: -40, Security: flow.WPA3, Fast: true}, {Name: `Café "x"`, Signal: -60},
		{Name: "eduroam", Signal: -60, Security: flow.Enterprise}, {Name: "old", Signal: -60, Security: flow.Unsupported},
		{Name: "cafe", Signal: -60, Security: flow.Enhanced}, {Name: "cafe open", Signal: -60},
	}
	if got := heard(answer, true); !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// The answer to a question for the IPv4 address of any name is the board's address. Other questions get an empty answer. Data that is not
// a question has no answer.
func TestNames(t *testing.T) {
	address := netip.MustParseAddr("10.1.1.1")
	ask := func(typ dnsmessage.Type) []byte {
		b := dnsmessage.NewBuilder(nil, dnsmessage.Header{ID: 7, RecursionDesired: true})
		if err := errors.Join(b.StartQuestions(), b.Question(dnsmessage.Question{
			Name: dnsmessage.MustNewName("captive.apple.com."), Type: typ, Class: dnsmessage.ClassINET,
		})); err != nil {
			t.Fatal(err)
		}
		m, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for typ, want := range map[dnsmessage.Type]int{dnsmessage.TypeA: 1, dnsmessage.TypeAAAA: 0, dnsmessage.TypeHTTPS: 0} {
		var m dnsmessage.Message
		if err := m.Unpack(answerTo(ask(typ), address)); err != nil || m.ID != 7 || !m.Response || len(m.Answers) != want {
			t.Errorf("%v: got %+v, %v, want %d answers", typ, m, err, want)
		}
	}
	answer := answerTo(ask(dnsmessage.TypeA), address)
	for _, bad := range [][]byte{nil, {1, 2, 3}, answer, ask(dnsmessage.TypeA)[:20]} {
		if got := answerTo(bad, address); got != nil {
			t.Errorf("%x: got an answer %x", bad, got)
		}
	}
}

// FuzzNames checks that answerTo accepts data of any form, and that an answer has at most 2*maxQuestion bytes.
func FuzzNames(f *testing.F) {
	f.Add([]byte{0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 'a', 0, 0, 1, 0, 1})
	f.Fuzz(func(t *testing.T, question []byte) {
		if got := answerTo(question, netip.MustParseAddr("10.1.1.1")); len(got) > 2*maxQuestion {
			t.Errorf("got %d bytes", len(got))
		}
	})
}

// A key of 64 hexadecimal digits is used as it is. WPA3 derives its key from a password, so WPA3 is not possible with a key.
func TestKey(t *testing.T) {
	n := flow.Network{Name: "home", Password: strings.Repeat("aF", 32)}
	s := networkSettings(n)
	if got, want := s["psk"], strings.Repeat("af", 32); got != want || s["key_mgmt"] != "WPA-PSK" || s["sae_password"] != "" || s["ieee80211w"] != "" {
		t.Errorf("got %v, want WPA-PSK with psk=%s", s, want)
	}
}
