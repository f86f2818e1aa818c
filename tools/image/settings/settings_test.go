package settings_test

import (
	"os"
	"strings"
	"testing"

	"dashboard/tools/image/settings"
)

func TestParse(t *testing.T) {
	def := settings.Default()
	with := func(f func(*settings.Settings)) settings.Settings {
		s := def
		f(&s)
		return s
	}
	for _, tt := range []struct {
		name, file string
		want       settings.Settings
		problem    string
	}{
		{"empty", "", def, ""},
		{"comments", "# role = client\n\n  # x\n", def, ""},
		{"all", "role=client\nhostname = kitchen\ntimezone=Europe/Berlin\nwifi_name= My net \nwifi_password=a#b=\"c\" d\nwifi_country=DE\n",
			settings.Settings{Role: "client", Hostname: "kitchen", Timezone: "Europe/Berlin", WifiName: "My net", WifiPassword: `a#b="c" d`, WifiCountry: "DE"}, ""},
		{"an editor of Windows", "\ufeffrole = client\r\nhostname = kitchen\r\n",
			with(func(s *settings.Settings) { s.Role, s.Hostname = "client", "kitchen" }), ""},
		{"capital name", "Role = client", with(func(s *settings.Settings) { s.Role = "client" }), ""},
		{"nothing written", "timezone =", def, ""},
		{"unknown", "rolle = client", def, `settings.txt:1: there is no setting "rolle"`},
		{"no value", "\nclient", def, "settings.txt:2: a line is written as name = value"},
		{"unknown role", "role = server", def, "role must be dashboard or client"},
		{"a path for a time zone", "timezone = ../../etc/shadow", def, "timezone must be"},
		{"an absolute time zone", "timezone = /etc/shadow", def, "timezone must be"},
		{"two labels", "hostname = wall.local", def, "hostname must be"},
		{"short password", "wifi_password = secret", def, "wifi_password must be 8 to 63"},
		{"password of two lines", "wifi_password = longenough\x01x", def, "wifi_password must be"},
		{"long name", "wifi_name = " + strings.Repeat("n", 33), def, "wifi_name must be at most 32 bytes"},
		{"far too long", strings.Repeat("#\n", 40<<10), def, "nothing of it is used"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, problems := settings.Parse([]byte(tt.file))
			if got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
			if all := strings.Join(problems, "\n"); (tt.problem == "") != (all == "") || !strings.Contains(all, tt.problem) {
				t.Errorf("got problems %q, want %q", all, tt.problem)
			}
		})
	}
}

func TestProblemsKeepPasswords(t *testing.T) {
	_, problems := settings.Parse([]byte("wifi_password = tooshrt\nwifi_pasword = hunter22222"))
	if all := strings.Join(problems, " "); strings.Contains(all, "tooshrt") || strings.Contains(all, "hunter2") {
		t.Errorf("got %q, want no password in it", all)
	}
}

// What is on every new card must be what an untouched card does.
func TestShippedFileSetsNothing(t *testing.T) {
	file, err := os.ReadFile("../../../image/boot/settings.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got, problems := settings.Parse(file); got != settings.Default() || len(problems) > 0 {
		t.Errorf("got %+v, %q, want %+v", got, problems, settings.Default())
	}
}

func TestSupplicant(t *testing.T) {
	for _, tt := range []struct {
		name string
		s    settings.Settings
		want string
	}{
		{"none", settings.Settings{WifiCountry: "DE", WifiPassword: "longenough"}, ""},
		{"open", settings.Settings{WifiName: "a b"}, "network={\n\tssid=612062\n\tscan_ssid=1\n\tkey_mgmt=NONE\n}\n"},
		// The key is the standard's own example, IEEE 802.11 annex J.4.2.
		{"closed", settings.Settings{WifiName: "IEEE", WifiPassword: "password", WifiCountry: "DE"},
			"country=DE\nnetwork={\n\tssid=49454545\n\tscan_ssid=1\n\tkey_mgmt=WPA-PSK\n" +
				"\tpsk=f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e\n}\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(tt.s.Supplicant()); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Whatever is in the file, no value can add a line to the supplicant's.
func FuzzParse(f *testing.F) {
	f.Add([]byte("role = client\nwifi_name = x\nwifi_password = longenough\nwifi_country = DE"))
	f.Add([]byte("\ufeffhostname=a\r\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		s, _ := settings.Parse(file)
		if s.Role != settings.Dashboard && s.Role != settings.Client || strings.Contains(s.Timezone, "..") || s.Hostname == "" {
			t.Errorf("got %+v", s)
		}
		if lines := strings.Count(string(s.Supplicant()), "\n"); lines > 7 {
			t.Errorf("got %d lines in %q, want at most 7", lines, s.Supplicant())
		}
	})
}
