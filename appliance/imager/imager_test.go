package imager

import (
	"strings"
	"testing"

	"dashboard/appliance/settings"
)

// userData and networkConfig are the files that Imager 2 writes if every option is chosen.
const userData = `#cloud-config
hostname: kitchen
manage_etc_hosts: true
packages:
- avahi-daemon
apt:
  preserve_sources_list: true
  conf: |
    Acquire {
      Check-Date "false";
      hostname: wrong
    };
timezone: Europe/Berlin
keyboard:
  model: pc105
  layout: "de"
user:
  name: anna
  shell: /bin/bash
  lock_passwd: false
  passwd: "$6$salt$hash"
  ssh_authorized_keys:
    - "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAID2r9m62Y64raeBGZEnvqvG80Hqfwfyg3ECX8k1/c5E9 anna@laptop"
    - "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAID2r9m62Y64raeBGZEnvqvG80Hqfwfyg3ECX8k1/c5E9 second"
  sudo: null
ssh_pwauth: false
runcmd:
  - [ systemctl, enable, --now, ssh ]
`

const networkConfig = `network:
  version: 2
  ethernets:
    eth0:
      dhcp4: true
      dhcp6: true
      optional: true
  wifis:
    wlan0:
      dhcp4: true
      regulatory-domain: "DE"
      access-points:
        "Caf\xc3\xa9: \"Mira\" \\":
          hidden: true
          password: "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e"
      optional: true
`

func TestLines(t *testing.T) {
	s, problems := settings.Parse([]byte(Lines([]byte(userData), []byte(networkConfig))))
	if len(problems) > 0 {
		t.Errorf("got %q", problems)
	}
	want := settings.Network{Name: `Café: "Mira" \`, Password: "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e"}
	if s.Hostname != "kitchen" || s.Timezone != "Europe/Berlin" || s.WifiCountry != "DE" || len(s.Wifi) != 1 || s.Wifi[0] != want || len(s.SSHKeys) != 2 {
		t.Errorf("got %+v", s)
	}
}

// TestOtherForms checks an open network with other line ends, a locale, and files that give no settings.
func TestOtherForms(t *testing.T) {
	for name, c := range map[string]struct{ user, network, want string }{
		"an open network": {"", "network:\r\n  wifis:\r\n    wlan0:\r\n      access-points:\r\n        \"Guest\":\r\n          auth:\r\n            key-management: none\r\n", "wifi_name = Guest\n"},
		"a locale":        {"locale: de_DE.UTF-8\n", "", "locale = de-DE\n"},
		"an example":      {"#cloud-config\n# hostname: raspberrypi\n\nusers:\n- name: pi\n", "", ""},
		"a long file":     {"hostname: x\n" + strings.Repeat("#", maxFile), "", ""},
		"no YAML":         {"\x00\xff: {[\n\"a\n- \n-\n:::", "\"", ""},
		"too deep":        {"", "a:\n b:\n  c:\n   d:\n    e:\n     f:\n      g:\n       h:\n        i: j\n", ""},
		"a line break":    {"", "network:\n wifis:\n  wlan0:\n   access-points:\n    \"a\\nrole = client\":\n     password: \"longenough\"\n", ""},
	} {
		if got := Lines([]byte(c.user), []byte(c.network)); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// FuzzLines checks that Lines never panics, and that its result has only settings that Imager can write.
func FuzzLines(f *testing.F) {
	f.Add([]byte(userData), []byte(networkConfig))
	f.Fuzz(func(t *testing.T, user, network []byte) {
		for line := range strings.Lines(Lines(user, network)) {
			name, _, ok := strings.Cut(line, " = ")
			switch name {
			case "hostname", "timezone", "locale", "ssh_key", "wifi_country", "wifi_name", "wifi_password":
			default:
				ok = false
			}
			if !ok {
				t.Errorf("got the line %q", line)
			}
		}
	})
}
