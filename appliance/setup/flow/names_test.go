package flow

import (
	"slices"
	"strings"
	"testing"

	"dashboard/appliance/setup/words"
)

// The list contains each network once, strongest first, and has a maximum length.
func TestHeard(t *testing.T) {
	r := newRig(Options{})
	all := []Found{{Name: "weak", Signal: -80}, {Name: "home", Signal: -70}, {Name: "", Signal: -10}, {Name: "home", Signal: -40}}
	for i := range 100 {
		all = append(all, Found{Name: strings.Repeat("x", i+1), Signal: -90})
	}
	r.Heard(all)
	names := []string{}
	for _, f := range r.View("").Found {
		names = append(names, f.Name)
	}
	if len(names) != 32 || !slices.Equal(names[:2], []string{"home", "weak"}) {
		t.Errorf("got %d networks %q, want 32 and home first", len(names), names)
	}
}

func TestProblem(t *testing.T) {
	for _, c := range []struct {
		n    Network
		open bool
		want string
	}{
		{home, false, ""},
		{Network{Name: "café"}, true, ""},
		{Network{Name: "home"}, false, "password.short"},
		{Network{Name: "home", Password: "1234567"}, true, "password.short"},
		{Network{Name: "home", Password: strings.Repeat("x", 64)}, false, "password.short"},
		{Network{Name: "home", Password: strings.Repeat("aF", 32)}, false, ""},
		{Network{Name: "home", Password: "line\nbreak"}, false, "password.short"},
		{Network{Name: "", Password: home.Password}, false, "name.long"},
		{Network{Name: strings.Repeat("x", 33), Password: home.Password}, false, "name.long"},
		{Network{Name: "a\nssid", Password: home.Password}, false, "name.long"},
	} {
		want(t, c.n.Name, c.n.Problem(c.open), c.want)
	}
}

// The names of access points differ between boards, and the name of one board never changes. The words that a person types have no
// letters that look alike.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, id := range []string{"board a", "board b", "board c"} {
		seen[Name(id)] = true
		want(t, id, Name(id), Name(id))
	}
	want(t, "different names", len(seen), 3)
	for range 200 {
		name, password, token := Name(NewToken()), NewPassword(), NewToken()
		if len(name) != len("wall-7k3f") || strings.ContainsAny(name[len("wall-"):], "01loiIO") {
			t.Errorf("got the name %s", name)
		}
		if len(password) != len("maple-otter-42") || strings.ContainsAny(password[len("maple-otter-"):], "01") {
			t.Errorf("got the password %s", password)
		}
		if len(token) != tokenSize || strings.ContainsAny(token, "01OIl") {
			t.Errorf("got the token %s", token)
		}
	}
}

// The QR code for joining escapes the characters with a special meaning.
func TestCodes(t *testing.T) {
	want(t, "join", place.joinCode(), "WIFI:T:WPA;S:wall-7k3f;P:maple-otter-42;;")
	odd := Place{Point: `a;b\`, Password: `"x",:`}
	want(t, "escaped", odd.joinCode(), `WIFI:T:WPA;S:a\;b\\;P:\"x\"\,\:;;`)
	want(t, "page", place.pageCode("10.1.1.1"), "HTTP://10.1.1.1/K7QM42XA")
}

// The last screen contains the board's name and its address, because some networks do not resolve the name.
func TestDoneWithAddress(t *testing.T) {
	r := newRig(Options{}).after(PlugTime)
	r.Opened(phone, false)
	r.Finish()
	p := place
	p.Home = "192.168.1.23"
	g := r.Guide(words.In("en"), p)
	values := ""
	for _, pair := range g.Pairs {
		values += pair.Value + " "
	}
	want(t, "addresses", values, p.Host+".local:"+p.Port+" 192.168.1.23:"+p.Port+" ")
}

// In a network with IPv6 only, the last screen contains the board's name once.
func TestDoneWithNameOnly(t *testing.T) {
	r := newRig(Options{}).after(PlugTime)
	r.Opened(phone, false)
	r.Finish()
	p := place
	p.Home = p.Host + ".local"
	g := r.Guide(words.In("en"), p)
	if len(g.Pairs) != 1 || len(g.Codes) != 1 {
		t.Errorf("got %+v, want one address and one code", g)
	}
}
