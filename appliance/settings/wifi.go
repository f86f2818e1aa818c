package settings

import (
	"crypto/pbkdf2"
	"crypto/sha1"
	"fmt"
	"strings"
)

// Supplicant returns the file by which wpa_supplicant joins the networks, wpa_supplicant.conf(5), or nil without
// networks. Names and keys are hexadecimal, because quotation marks do not allow every password. The first network is
// preferred.
func (s Settings) Supplicant() []byte {
	var b strings.Builder
	for i, n := range s.Wifi {
		if n.Refused || n.Name == "" {
			continue
		}
		// scan_ssid finds networks that hide their name.
		fmt.Fprintf(&b, "network={\n\tssid=%x\n\tscan_ssid=1\n\tpriority=%d\n%s}\n", n.Name, len(s.Wifi)-i, n.secret())
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

// secret returns the lines with the network's key: WPA3 (SAE) uses the password, WPA2 the key derived from it.
func (n Network) secret() string {
	switch {
	case n.Password == "":
		return "\tkey_mgmt=NONE\n"
	case key64.MatchString(n.Password):
		return fmt.Sprintf("\tkey_mgmt=WPA-PSK\n\tpsk=%s\n", strings.ToLower(n.Password))
	}
	// Management frames are protected where the access point can: SAE asks for it (IEEE 802.11, section 12.6.8).
	return fmt.Sprintf("\tkey_mgmt=WPA-PSK SAE\n\tieee80211w=1\n\tpsk=%x\n\tsae_password=%x\n", key(n.Name, n.Password), n.Password)
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
