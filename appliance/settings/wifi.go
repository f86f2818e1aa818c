package settings

import (
	"bytes"
	"crypto/pbkdf2"
	"crypto/sha1"
	"fmt"
	"slices"
	"strings"
)

// Supplicant returns the file wpa_supplicant.conf(5) with the networks to join, or nil if there are none. Names and keys are hexadecimal,
// because some passwords cannot be written in quotation marks. The first network has the highest priority.
func (s Settings) Supplicant() []byte {
	var b strings.Builder
	for i, n := range s.Wifi {
		if n.Refused || n.Inside || n.Name == "" {
			continue
		}
		// scan_ssid finds networks that hide their name.
		priority := 2 * (len(s.Wifi) - i)
		fmt.Fprintf(&b, "network={\n\tssid=%x\n\tscan_ssid=1\n\tpriority=%d\n%s}\n", n.Name, priority, n.secret())
		if n.Password == "" { // the network may be an enhanced open one (OWE, RFC 8110). Some radios cannot join it, so open comes first
			fmt.Fprintf(&b, "network={\n\tssid=%x\n\tpriority=%d\n\tkey_mgmt=OWE\n\tieee80211w=2\n\towe_only=1\n}\n", n.Name, priority-1)
		}
	}
	if b.Len() == 0 {
		return nil
	}
	head := ""
	if s.WifiCountry != "" {
		head = "country=" + s.WifiCountry + "\n"
	}
	return []byte(head + b.String())
}

// secret() returns the lines with the network's key. WPA3 (SAE) uses the password. WPA2 uses a key that is derived from the password.
func (n Network) secret() string {
	switch {
	case n.Password == "":
		return "\tkey_mgmt=NONE\n"
	case key64.MatchString(n.Password):
		return fmt.Sprintf("\tkey_mgmt=WPA-PSK\n\tpsk=%s\n", strings.ToLower(n.Password))
	}
	// Management frames are protected if the access point supports the protection, because SAE
	// requires protected frames (IEEE 802.11, section 12.6.8).
	return fmt.Sprintf("\tkey_mgmt=WPA-PSK SAE\n\tieee80211w=1\n\tpsk=%x\n\tsae_password=%x\n", key(n.Name, n.Password), n.Password)
}

// key derives a network's key from its name and passphrase (IEEE 802.11 annex J.4.1).
func key(name, passphrase string) []byte {
	const iterations, size = 4096, 32
	k, err := pbkdf2.Key(sha1.New, passphrase, []byte(name), iterations, size)
	if err != nil {
		panic("settings: " + err.Error()) // these sizes are always valid
	}
	return k
}

// controlled is the line of wpa_supplicant.conf(5) that lets the set-up control wpa_supplicant. The set-up uses wpa_supplicant to open its
// access point and to test networks.
const controlled = "ctrl_interface=DIR=/run/wpa_supplicant GROUP=netdev\n"

// Radio returns the file wpa_supplicant.conf(5) for a board with a set-up. It contains the control socket and the networks.
func (s Settings) Radio() []byte {
	file := s.Supplicant()
	if file == nil && s.WifiCountry != "" {
		file = []byte("country=" + s.WifiCountry + "\n")
	}
	return append([]byte(controlled), file...)
}

// SetNetwork returns a copy of the file in which the given network is the first network. It replaces a network with the same name. The
// other lines do not change, except that a password before the name of its network moves behind this name.
func SetNetwork(file []byte, name, password string) []byte {
	end := "\n"
	if bytes.Contains(file, []byte("\r\n")) {
		end = "\r\n"
	}
	block := "wifi_name = " + Quote(name) + end
	if password != "" {
		block += "wifi_password = " + Quote(password) + end
	}
	var out []string
	at, same := -1, false
	for line := range strings.Lines(passwordsLast(feeds(file))) {
		plain := strings.TrimPrefix(strings.TrimSpace(line), "#")
		isName, isPassword := named(line, "wifi_name"), named(line, "wifi_password") || misspelled(line)
		example := !isName && named(plain, "wifi_name")
		if isName {
			_, value, _ := strings.Cut(line, "=")
			value, _ = unquoted(strings.TrimSpace(value))
			same = value == name
		}
		if (isName || example) && at < 0 {
			at = len(out)
		}
		if isName && same || isPassword && same {
			continue
		}
		out = append(out, strings.TrimRight(line, "\r\n")+end)
	}
	if at < 0 {
		at = len(out)
	}
	return []byte(strings.Join(slices.Insert(out, at, block), ""))
}

// passwordsLast moves the passwords before the first wifi_name behind this line. Without wifi_name they become comments, because they
// belong to no network.
func passwordsLast(text string) string {
	var out, early []string
	lines := slices.Collect(strings.Lines(text))
	first := slices.IndexFunc(lines, func(line string) bool { return named(line, "wifi_name") })
	for i, line := range lines {
		switch {
		case (i < first || first < 0) && named(line, "wifi_password"):
			if first < 0 {
				out = append(out, "#"+line)
				continue
			}
			early = append(early, line)
		case i == first:
			out = append(append(out, strings.TrimRight(line, "\r\n")+"\n"), early...)
		default:
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}

// misspelled() reports whether a line is not understood and may be a password.
func misspelled(line string) bool {
	_, m := new(Settings).line(line)
	return (m.Reason == "mistake.mean" || m.Reason == "mistake.form") && meant(line, "wifi_password")
}

// Quote puts quotation marks around a value that Parse would change.
func Quote(v string) string {
	if plain, quoted := unquoted(strings.TrimSpace(v)); quoted || plain != v {
		return `"` + v + `"`
	}
	return v
}
