// Package settings reads settings.txt, the file on the card by which a person without keyboard or network
// tells an appliance what it is: one "name = value" on a line.
//
// A line that cannot be used is reported and otherwise as good as absent: a wall with the wrong time zone is
// better than none.
package settings

import (
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Roles of an appliance, and the units that play them.
const (
	Dashboard = "dashboard" // draws itself
	Client    = "client"    // shows the frames of a dashboard elsewhere
)

// A Settings is what can be set. Strings that are not set are empty.
type Settings struct {
	Role        string // Dashboard or Client
	Hostname    string // one label, without .local
	Timezone    string // of the IANA database, as Europe/Berlin
	WifiCountry string // two letters, ISO 3166
	Wifi        []Network
	Address     netip.Prefix // of the wall, instead of one that is given to it
	Gateway     netip.Addr
	DNS         []netip.Addr
	NTP         []string // names or addresses of time servers
	Proxy       string   // URL
	CAFile      string   // name of a file beside settings.txt
	ConfigURL   string   // https address of a zip file with the wall's files
	SSHKeys     []string // public keys that may log in, as in authorized_keys, without options
}

// A Network is one that may be joined.
type Network struct {
	Name     string // SSID
	Password string // or 64 hexadecimal digits, which are the key itself; empty for an open network
	// Refused has the network left out: its password cannot be one, and without it another network of that name would be
	// joined that asks for none.
	Refused bool
}

// Default is what an untouched card does.
func Default() Settings { return Settings{Role: Dashboard, Hostname: "dashboard", Timezone: "UTC"} }

const (
	maxFile = 64 << 10 // far beyond what a person writes into the file
	maxSSID = 32       // bytes, IEEE 802.11, section 9.4.2.2
	// A passphrase, IEEE 802.11 annex J.4. The standard has ASCII only; routers take the bytes of any text.
	minPassword, maxPassword = 8, 63
	maxServers               = 4
	maxKeys                  = 8
)

var (
	label    = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`) // RFC 1123, section 2.1
	host     = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$`)
	timezone = regexp.MustCompile(`^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,2}$`)
	country  = regexp.MustCompile(`^[A-Z]{2}$`)
	key64    = regexp.MustCompile(`^[0-9A-Fa-f]{64}$`)
	fileName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$`)
)

// An entry is one line that may be written. set reports whether it took the value over.
type entry struct {
	name, rule string
	set        func(*Settings, string) bool
}

func entries() []entry {
	return []entry{
		{"role", "dashboard or client", func(s *Settings, v string) bool {
			return take(&s.Role, v, v == Dashboard || v == Client)
		}},
		{"hostname", "lower-case letters, digits and hyphens", func(s *Settings, v string) bool { return take(&s.Hostname, v, label.MatchString(v)) }},
		{"timezone", "a name such as Europe/Berlin", func(s *Settings, v string) bool { return take(&s.Timezone, v, timezone.MatchString(v)) }},
		{"wifi_country", "two letters, as DE", func(s *Settings, v string) bool {
			v = strings.ToUpper(v)
			return take(&s.WifiCountry, v, country.MatchString(v))
		}},
		{"wifi_name", "at most 32 bytes", (*Settings).addNetwork},
		{"wifi_password", "8 to 63 characters or 64 hex digits: not joined", (*Settings).setPassword},
		{"address", "an address with its network's bits, as 192.168.1.20/24", func(s *Settings, v string) (ok bool) {
			s.Address, ok = parsed(netip.ParsePrefix(v))
			return ok
		}},
		{"gateway", "an address, as 192.168.1.1", func(s *Settings, v string) (ok bool) {
			s.Gateway, ok = parsed(netip.ParseAddr(v))
			return ok
		}},
		{"dns", "up to 4 addresses, with blanks between them", (*Settings).setDNS},
		{"ntp", "up to 4 names or addresses of time servers, with blanks between them", func(s *Settings, v string) bool {
			names := strings.Fields(v)
			ok := len(names) <= maxServers && !slices.ContainsFunc(names, func(n string) bool { return !isHost(n) })
			if ok {
				s.NTP = names
			}
			return ok
		}},
		{"proxy", "an address as http://proxy.lan:3128", func(s *Settings, v string) bool { return take(&s.Proxy, v, isProxy(v)) }},
		{"ssh_key", "a public key as ssh-keygen writes it: ssh-ed25519 AAAA...", (*Settings).addKey},
		{"config_url", "an https address, as https://example.org/wall.zip", func(s *Settings, v string) bool { return take(&s.ConfigURL, v, isAddress(v)) }},
		{"ca_file", "the name of a file beside settings.txt", func(s *Settings, v string) bool { return take(&s.CAFile, v, fileName.MatchString(v)) }},
	}
}

// take sets a field if the value fits it.
func take(field *string, v string, fits bool) bool {
	if fits {
		*field = v
	}
	return fits
}

// parsed returns a value, or its zero if it could not be read.
func parsed[T any](v T, err error) (T, bool) { return v, err == nil }

func isHost(v string) bool {
	_, err := netip.ParseAddr(v)
	return err == nil || host.MatchString(v)
}

// isProxy reports whether a URL can be a proxy's. It is written into a unit, where % and quotation marks mean something.
func isProxy(v string) bool {
	u, err := url.Parse(v)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && isHost(u.Hostname()) && !strings.ContainsAny(v, "%\"'\\ \t$")
}

// isAddress reports whether a wall can be fetched from an address.
func isAddress(v string) bool {
	u, err := url.Parse(v)
	return err == nil && u.Scheme == "https" && u.Hostname() != ""
}

// addNetwork begins a network; its password follows, or stood before the first name.
func (s *Settings) addNetwork(v string) bool {
	fits := len(v) <= maxSSID && !strings.ContainsRune(v, 0)
	if n := len(s.Wifi); n == 1 && s.Wifi[0].Name == "" {
		s.Wifi[0].Name = v
	} else {
		s.Wifi = append(s.Wifi, Network{Name: v})
	}
	if !fits {
		s.Wifi[len(s.Wifi)-1].Refused = true // and the password behind it belongs to no other
	}
	return fits
}

// setPassword sets that of the network before it. What cannot be one makes the network one that is not joined.
func (s *Settings) setPassword(v string) bool {
	if len(s.Wifi) == 0 {
		s.Wifi = []Network{{}} // the name comes later
	}
	n := &s.Wifi[len(s.Wifi)-1]
	control := func(r rune) bool { return r < ' ' || r == 0x7f || r == utf8.RuneError }
	fits := len(v) >= minPassword && len(v) <= maxPassword && !strings.ContainsFunc(v, control)
	if n.Password = v; !fits && !key64.MatchString(v) {
		n.Password, n.Refused = "", true
	}
	return !n.Refused
}

func (s *Settings) setDNS(v string) bool {
	var all []netip.Addr
	for _, word := range strings.Fields(v) {
		a, err := netip.ParseAddr(word)
		if err != nil || len(all) == maxServers {
			return false
		}
		all = append(all, a)
	}
	s.DNS = all
	return true
}

// Parse reads the file. Problems are sentences that name the line; passwords are not in them.
func Parse(file []byte) (s Settings, problems []string) {
	s = Default()
	if len(file) > maxFile {
		return s, []string{fmt.Sprintf("settings.txt has more than %d bytes: nothing of it is used", maxFile)}
	}
	text := strings.TrimPrefix(string(file), "\ufeff") // what some editors put first
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	number := 0
	for line := range strings.SplitSeq(text, "\n") {
		number++
		if problem := s.line(line); problem != "" {
			problems = append(problems, fmt.Sprintf("settings.txt:%d: %s", number, problem))
		}
	}
	return s, problems
}

// line takes over one line and returns what is wrong with it.
func (s *Settings) line(line string) string {
	line = strings.TrimSpace(line)
	if line == "" || line[0] == '#' {
		return ""
	}
	name, value, ok := strings.Cut(line, "=")
	if !ok {
		return "a line is written as name = value"
	}
	name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
	all := entries()
	i := slices.IndexFunc(all, func(e entry) bool { return e.name == name })
	plain, quoted := unquoted(value)
	switch {
	case i < 0:
		return fmt.Sprintf("there is no setting %q", name)
	case value == "":
		return ""
	case !all[i].set(s, plain):
		return fmt.Sprintf("%s must be %s", name, all[i].rule)
	case quoted:
		return fmt.Sprintf("%s: the quotation marks around it are left out; if they belong to it, write them twice", name)
	}
	return ""
}

// unquoted takes quotation marks away that are around a value.
func unquoted(v string) (plain string, quoted bool) {
	if n := len(v); n > 2 && (v[0] == '"' || v[0] == '\'') && v[n-1] == v[0] {
		return v[1 : n-1], true
	}
	return v, false
}
