// Package settings reads settings.txt, the file on the card with which an owner sets up an appliance without a keyboard or a
// network. Each line is "name = value".
//
// Parse reports and ignores lines that it cannot use, because a wall with the wrong time zone is better than no wall.
package settings

import (
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Roles of an appliance.
const (
	Dashboard = "dashboard" // draws its own wall
	Client    = "client"    // shows the wall of another machine
)

// Settings are the values of the file. A text is empty if the file does not set it.
type Settings struct {
	Role        string // Dashboard or Client
	Hostname    string // host name in lower case, without .local
	Timezone    string // IANA name such as Europe/Berlin, with upper and lower case as the user wrote it
	Locale      string // language and region such as de-DE
	WifiCountry string // two letters, ISO 3166
	Wifi        []Network
	Address     netip.Prefix // static address, or the zero value for DHCP
	Gateway     netip.Addr
	DNS         []netip.Addr
	NTP         []string // names or addresses of time servers
	Proxy       string   // URL
	CAFile      string   // name of a file with certificates next to settings.txt
	ConfigURL   string   // https address of a zip file with the wall's files
	SSHKeys     []string // public keys that may log in, as in authorized_keys, without options
	Use         []string // kinds of devices from Devices that the wall may use, or nil for all kinds
	LightSensor string   // driver and address of a light sensor on the board's I2C bus, such as "bh1750 0x23"

	Update       string // channel of releases: stable, beta or off
	UpdateURL    string // address of the releases' folder
	UpdateWindow string // hours for installations, such as 03:00-04:00
}

// A Network is a wireless network to join.
type Network struct {
	Name     string // SSID
	Password string // passphrase, or the key as 64 hexadecimal digits, or empty for an open network
	// Refused is true if the network must not be joined. Either its name or password is not valid, or a line that is not understood may
	// contain its password. Without a password the board would join any open network with the same name.
	Refused bool
	// Inside is true if settings.txt does not contain the network's password. The set-up stores the password on the data partition and joins
	// the network itself.
	Inside bool
}

// Inside is the value of wifi_password if the password is stored on the data partition and not in settings.txt. The value is too short
// for a password. Older images therefore refuse it and do not join an open network with the same name.
const Inside = "(kept)"

// Default returns the settings of an untouched card.
func Default() Settings {
	return Settings{Role: Dashboard, Hostname: "dashboard", Timezone: "UTC", Update: "stable", UpdateWindow: "03:00-04:00"}
}

// MaxFile is the maximum size of settings.txt in bytes. It is much larger than any real file.
const MaxFile = 64 << 10

const (
	// maxMistakes is the maximum number of mistakes. A file with more mistakes is not a settings file. A slow board would need minutes to look
	// for similar names in it, and the watchdog would restart the board in the meantime.
	maxMistakes = 64
	maxSSID     = 32 // maximum length in bytes (IEEE 802.11, section 9.4.2.2)
	// Length of a passphrase (IEEE 802.11 annex J.4). The standard allows only ASCII, but routers accept the bytes of any text.
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
	language = regexp.MustCompile(`^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$`) // RFC 5646, section 2.1
	sensor   = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,18} 0x[0-7][0-9a-f]$`) // name of the i2c_client and an address of seven bits
)

// An entry is one setting. `set` returns false if the value is not valid.
type entry struct {
	name, rule string
	set        func(*Settings, string) bool
}

func entries() []entry {
	return slices.Concat(machineEntries(), networkEntries(), updateEntries())
}

// machineEntries returns the settings of the board itself.
func machineEntries() []entry {
	return []entry{
		{"role", "dashboard or client", func(s *Settings, v string) bool {
			v = strings.ToLower(v)
			return take(&s.Role, v, v == Dashboard || v == Client)
		}},
		{"hostname", "letters, digits and hyphens", func(s *Settings, v string) bool {
			v = strings.ToLower(v) // names do not depend on case (RFC 1035, section 2.3.3)
			return take(&s.Hostname, v, label.MatchString(v))
		}},
		{"timezone", "a name such as Europe/Berlin", func(s *Settings, v string) bool { return take(&s.Timezone, v, timezone.MatchString(v)) }},
		{"locale", "a language, as de or de-DE", func(s *Settings, v string) bool { return take(&s.Locale, v, language.MatchString(v)) }},
		{"use", "all, none, or some of backlight, cec, ddc, gpio, panel and touch, with blanks between them", (*Settings).setUse},
		{"light_sensor", "the driver's name and the address on the I2C bus, as bh1750 0x23", func(s *Settings, v string) bool {
			v = strings.ToLower(strings.Join(strings.Fields(v), " "))
			return take(&s.LightSensor, v, sensor.MatchString(v))
		}},
		{"ssh_key", "a public key as ssh-keygen writes it: ssh-ed25519 AAAA...", (*Settings).addKey},
		{"config_url", "an https address, as https://example.org/wall.zip", func(s *Settings, v string) bool { return take(&s.ConfigURL, v, isAddress(v)) }},
		{"ca_file", "the name of a file next to settings.txt", func(s *Settings, v string) bool { return take(&s.CAFile, v, fileName.MatchString(v)) }},
	}
}

// networkEntries returns the settings of the network.
func networkEntries() []entry {
	return []entry{
		{"wifi_country", "two letters, as DE", func(s *Settings, v string) bool {
			v = strings.ToUpper(v)
			return take(&s.WifiCountry, v, country.MatchString(v))
		}},
		{"wifi_name", "at most 32 bytes", (*Settings).addNetwork},
		{"wifi_password", "8 to 63 characters or 64 hex digits: not joined", (*Settings).setPassword},
		{"address", "an address and the length of its network's prefix, as 192.168.1.20/24", func(s *Settings, v string) (ok bool) {
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
	}
}

// take sets *field to v if `fits` is true. It returns `fits`.
func take(field *string, v string, fits bool) bool {
	if fits {
		*field = v
	}
	return fits
}

// parsed() returns v, and true if err is nil.
func parsed[T any](v T, err error) (T, bool) { return v, err == nil }

func isHost(v string) bool {
	_, err := netip.ParseAddr(v)
	return err == nil || host.MatchString(v)
}

// isProxy reports whether v is the URL of a proxy. The URL becomes part of a systemd unit, so it must not contain characters that have a
// special meaning there, such as % and quotation marks.
func isProxy(v string) bool {
	u, err := url.Parse(v)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && isHost(u.Hostname()) && isPort(u.Port()) &&
		!strings.ContainsAny(v, "%\"'\\ \t$")
}

// isPort reports whether v is empty or a port. [url.Parse] accepts any digits.
func isPort(v string) bool {
	_, err := strconv.ParseUint(v, 10, 16)
	return v == "" || err == nil
}

// isAddress reports whether v is valid for config_url.
func isAddress(v string) bool {
	u, err := url.Parse(v)
	return err == nil && u.Scheme == "https" && u.Hostname() != "" && isPort(u.Port())
}

// isName reports whether v is valid for the name of a network.
func isName(v string) bool { return len(v) <= maxSSID && !strings.ContainsRune(v, 0) }

// addNetwork adds a network. Its password follows on a later line. The password of the first network may also be on an earlier line.
func (s *Settings) addNetwork(v string) bool {
	fits := isName(v)
	if n := len(s.Wifi); n == 1 && s.Wifi[0].Name == "" {
		s.Wifi[0].Name = v
	} else {
		s.Wifi = append(s.Wifi, Network{Name: v})
	}
	if !fits {
		s.Wifi[len(s.Wifi)-1].Refused = true // the network stays in the list, so that its password is not stored in the previous network
	}
	return fits
}

// setPassword sets the password of the most recently added network. If the password is not valid, the network becomes Refused.
func (s *Settings) setPassword(v string) bool {
	if len(s.Wifi) == 0 {
		s.Wifi = []Network{{}} // the name follows on a later line
	}
	n := &s.Wifi[len(s.Wifi)-1]
	if v == Inside {
		n.Password, n.Inside = "", true
		return true
	}
	control := func(r rune) bool { return r < ' ' || r == 0x7f || r == utf8.RuneError }
	fits := len(v) >= minPassword && len(v) <= maxPassword && !strings.ContainsFunc(v, control)
	if fits = fits || key64.MatchString(v); !fits {
		v = ""
	}
	n.Password, n.Refused = v, !fits || !isName(n.Name)
	return fits
}

// refuse excludes the last network if a line that is not understood may be its password.
func (s *Settings) refuse(line string) {
	if !meant(line, "wifi_password") {
		return
	}
	if len(s.Wifi) == 0 {
		s.Wifi = []Network{{}} // the name follows on a later line
	}
	if n := &s.Wifi[len(s.Wifi)-1]; n.Password == "" && !n.Inside {
		n.Refused = true
	}
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

// Parse reads the file. Each problem is a sentence with the line's number. The sentence does not contain a password.
func Parse(file []byte) (s Settings, problems []string) { return ParseOver(nil, file) }

// ParseOver parses two files. Settings in the parameter `file` override settings in the parameter `other`. Problems in `other` are not
// reported. The networks of `file` come first.
func ParseOver(other, file []byte) (s Settings, problems []string) {
	s, all := Read(other, file)
	for _, m := range all {
		problems = append(problems, m.String())
	}
	return s, problems
}

// Read does the same as ParseOver, but returns the problems in `file` as Mistake values.
func Read(other, file []byte) (s Settings, all []Mistake) {
	s = Default()
	for line := range strings.Lines(string(other)) {
		s.line(strings.TrimRight(line, "\n"))
	}
	below := s.Wifi
	s.Wifi = nil
	all = s.read(file)
	s.Wifi = append(s.Wifi, below...)
	return s, all
}

// TooLong is the problem of a file with more than MaxFile bytes.
var TooLong = fmt.Sprintf("settings.txt has more than %d bytes: all of it is ignored", MaxFile)

// read reads all lines of the file.
func (s *Settings) read(file []byte) (all []Mistake) {
	if len(file) > MaxFile {
		return []Mistake{{Text: TooLong}}
	}
	gateway := 0
	for i, line := range linesOf(file) {
		name, m := s.line(line)
		if m.Line = i + 1; m.Text != "" {
			all = append(all, m)
		}
		if len(all) == maxMistakes {
			text := fmt.Sprintf("settings.txt has more than %d mistakes: the lines after line %d are ignored", maxMistakes-1, i+1)
			return append(all, Mistake{Text: text})
		}
		if name == "gateway" {
			gateway = i + 1
		}
	}
	if problem := s.unreachable(); problem != "" {
		all = append(all, Mistake{Line: gateway, Reason: "mistake.gateway", Text: problem})
	}
	return all
}

// unreachable() returns a problem if a gateway is set without a static address, or if the gateway is not in the board's network. Otherwise
// it returns "".
func (s *Settings) unreachable() string {
	switch {
	case !s.Gateway.IsValid():
		return ""
	case !s.Address.IsValid():
		return "gateway is ignored without address"
	case !s.Address.Masked().Contains(s.Gateway):
		return fmt.Sprintf("gateway %v is not in the network %v of address: nothing outside of that network can be reached", s.Gateway, s.Address.Masked())
	}
	return ""
}

// line() reads one line. It returns the name of the setting and the mistake. If the line has no mistake, the field Text is empty.
func (s *Settings) line(line string) (name string, m Mistake) {
	line = strings.TrimSpace(line)
	if line == "" || line[0] == '#' {
		return "", m
	}
	name, value, ok := strings.Cut(line, "=")
	if !ok {
		s.refuse(line)
		return "", Mistake{Reason: "mistake.form", Text: "a line has the form name = value"}
	}
	name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
	all := entries()
	i := slices.IndexFunc(all, func(e entry) bool { return e.name == name })
	plain, quoted := unquoted(value)
	switch {
	case i < 0:
		s.refuse(line)
		return name, unknown(name, all)
	case value == "":
		return name, m
	case !all[i].set(s, plain):
		m = all[i].wrong()
		if !utf8.ValidString(plain) {
			m.Reason, m.Right, m.Text = "mistake.utf8", "", m.Text+"; the line is not UTF-8"
		}
		return name, m
	case quoted:
		m.Text = name + ": the quotation marks around the value are left out; if they belong to it, write them twice"
	}
	return name, m
}

// unquoted() removes the quotation marks around a value. `quoted` is true if there were quotation marks.
func unquoted(v string) (plain string, quoted bool) {
	if n := len(v); n > 2 && (v[0] == '"' || v[0] == '\'') && v[n-1] == v[0] {
		return v[1 : n-1], true
	}
	return v, false
}
