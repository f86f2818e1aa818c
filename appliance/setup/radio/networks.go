//go:build linux

package radio

import (
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"dashboard/appliance/setup/flow"
)

// pointSettings returns the settings of an access point with WPA2 (wpa_supplicant.conf(5), mode=2).
func pointSettings(name, password string) map[string]string {
	return map[string]string{
		"ssid": hex.EncodeToString([]byte(name)), "mode": "2", "frequency": fmt.Sprint(pointFrequency), "key_mgmt": "WPA-PSK",
		"proto": "RSN", "pairwise": "CCMP", "group": "CCMP", "psk": `"` + password + `"`,
	}
}

// networkSettings returns the settings of a network to join. If n has a password, WPA2 and WPA3 are allowed. If n has a key, only WPA2 is
// allowed. If n has neither, only an open network is allowed, or only an enhanced open one.
func networkSettings(n flow.Network) map[string]string {
	s := map[string]string{"ssid": hex.EncodeToString([]byte(n.Name)), "scan_ssid": "1", "key_mgmt": "NONE"}
	switch {
	case n.Key():
		s["key_mgmt"], s["psk"] = "WPA-PSK", strings.ToLower(n.Password)
	case n.Enhanced:
		s["key_mgmt"], s["ieee80211w"] = "OWE", "2"
	case n.Password != "":
		s["key_mgmt"], s["ieee80211w"] = "WPA-PSK SAE", "1"
		s["psk"] = `"` + n.Password + `"`
		s["sae_password"] = `"` + n.Password + `"`
	}
	return s
}

// add adds a network to wpa_supplicant and returns its number.
func add(c *control, settings map[string]string) (string, error) {
	id, err := c.ask("ADD_NETWORK")
	if err != nil {
		return "", err
	}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		if err := c.order("SET_NETWORK " + id + " " + name + " " + settings[name]); err != nil {
			return "", errors.Join(fmt.Errorf("%s: %w", name, err), c.order("REMOVE_NETWORK "+id))
		}
	}
	return id, nil
}

// forget removes the access point and the network of a test.
func (r *Radio) forget(c *control) {
	r.mu.Lock()
	ids := []string{r.point, r.tried}
	r.point, r.tried, r.absent = "", "", 0
	if r.ends != nil {
		r.ends()
		r.ends = nil
	}
	r.mu.Unlock()
	for _, id := range ids {
		if id != "" {
			_, _ = c.ask("REMOVE_NETWORK " + id) // this command fails if wpa_supplicant was restarted in the meantime
		}
	}
}

// Reload implements flow.Radio. It removes the access point first, because RECONFIGURE makes wpa_supplicant forget every network that is
// not in its file.
func (r *Radio) Reload(n *flow.Network) {
	r.queue(func(c *control) error {
		r.forget(c)
		return c.order("RECONFIGURE")
	})
	if n != nil {
		r.Know(*n)
	}
}

// Know adds a network whose password is not in wpa_supplicant's file.
func (r *Radio) Know(n flow.Network) {
	r.queue(func(c *control) error {
		id, err := add(c, networkSettings(n))
		if err != nil {
			return err
		}
		return c.order("ENABLE_NETWORK " + id)
	})
}
