// Package settings reads settings.txt, the file on the card by which a person without keyboard or network
// tells an appliance what it is: one "name = value" on a line.
//
// A line that cannot be used is reported and otherwise as good as absent: a wall with the wrong time zone is
// better than none.
package settings

import (
	"crypto/pbkdf2"
	"crypto/sha1"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Roles of an appliance, and the units that play them.
const (
	Dashboard = "dashboard" // draws itself
	Client    = "client"    // shows the frames of a dashboard elsewhere
)

// A Settings is what can be set.
type Settings struct {
	Role         string // Dashboard or Client
	Hostname     string // one label, without .local
	Timezone     string // of the IANA database, as Europe/Berlin
	WifiName     string // SSID; empty for none
	WifiPassword string // of 8 to 63 characters; empty for an open network
	WifiCountry  string // two letters, ISO 3166
}

// Default is what an untouched card does.
func Default() Settings { return Settings{Role: Dashboard, Hostname: "dashboard", Timezone: "UTC"} }

// maxFile is far beyond what a person writes into the file.
const maxFile = 64 << 10

var (
	hostname = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`) // RFC 1123, section 2.1
	timezone = regexp.MustCompile(`^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,2}$`)
	country  = regexp.MustCompile(`^[A-Z]{2}$`)
	printed  = regexp.MustCompile(`^[ -~]{8,63}$`) // a passphrase, IEEE 802.11 annex J.4
)

// maxSSID is the longest name of a network, bytes (IEEE 802.11, section 9.4.2.2).
const maxSSID = 32

// An entry is one line that may be written.
type entry struct {
	name, rule string
	fits       func(string) bool
	set        func(*Settings, string)
}

func entries() []entry {
	return []entry{
		{"role", "dashboard or client", isRole, func(s *Settings, v string) { s.Role = v }},
		{"hostname", "lower-case letters, digits and hyphens", hostname.MatchString, func(s *Settings, v string) { s.Hostname = v }},
		{"timezone", "a name such as Europe/Berlin", timezone.MatchString, func(s *Settings, v string) { s.Timezone = v }},
		{"wifi_name", "at most 32 bytes", isSSID, func(s *Settings, v string) { s.WifiName = v }},
		{"wifi_password", "8 to 63 ASCII characters", printed.MatchString, func(s *Settings, v string) { s.WifiPassword = v }},
		{"wifi_country", "two capital letters, as DE", country.MatchString, func(s *Settings, v string) { s.WifiCountry = v }},
	}
}

func isRole(v string) bool { return v == Dashboard || v == Client }
func isSSID(v string) bool { return len(v) <= maxSSID && !strings.ContainsRune(v, 0) }

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
	switch {
	case i < 0:
		return fmt.Sprintf("there is no setting %q", name)
	case value == "":
		return ""
	case !all[i].fits(value):
		return fmt.Sprintf("%s must be %s", name, all[i].rule)
	}
	all[i].set(s, value)
	return ""
}

// Supplicant returns the file by which wpa_supplicant joins the network, wpa_supplicant.conf(5), or nil if
// there is none to join. Name and key are in hexadecimal: in quotation marks not every password can be written.
func (s Settings) Supplicant() []byte {
	if s.WifiName == "" {
		return nil
	}
	var b strings.Builder
	if s.WifiCountry != "" {
		fmt.Fprintf(&b, "country=%s\n", s.WifiCountry)
	}
	// scan_ssid finds networks that hide their name.
	fmt.Fprintf(&b, "network={\n\tssid=%x\n\tscan_ssid=1\n", s.WifiName)
	if s.WifiPassword == "" {
		b.WriteString("\tkey_mgmt=NONE\n}\n")
	} else {
		fmt.Fprintf(&b, "\tkey_mgmt=WPA-PSK\n\tpsk=%x\n}\n", key(s.WifiName, s.WifiPassword))
	}
	return []byte(b.String())
}

// key derives a network's key from its name and passphrase, IEEE 802.11 annex J.4.1.
func key(name, passphrase string) []byte {
	const iterations, size = 4096, 32
	k, err := pbkdf2.Key(sha1.New, passphrase, []byte(name), iterations, size)
	if err != nil {
		panic("settings: " + err.Error()) // only for sizes that are not these
	}
	return k
}
