package settings_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"dashboard/appliance/settings"
)

// A network that has passed the set-up's test becomes the first network of the file. Comments, other settings and other networks stay.
func TestSetNetwork(t *testing.T) {
	shipped, err := os.ReadFile("../../image/boot/settings.txt")
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]string{
		"a new card": string(shipped), "an empty file": "", "another network": "wifi_name = office\nwifi_password = longenough\nhostname = x",
		"the same network":      "hostname = x\r\nwifi_name = home\r\nwifi_password = an old one\r\nwifi_name = office\r\nwifi_password = longenough\r\n",
		"a misspelled password": "wifi_name = home\nwifi_passwort = an old one\n", "a colon": "wifi_name = home\nwifi_password: an old one\n",
		"a quoted name": "wifi_name = \"home\"\nwifi_password = an old one\n",
	} {
		for _, password := range []string{"Kirschbaum-0815", "", settings.Inside, ` " spaces " `} {
			before, _ := settings.Parse([]byte(file))
			text := settings.SetNetwork([]byte(file), "home", password)
			after, _ := settings.Parse(text)
			if len(after.Wifi) == 0 {
				t.Fatalf("%s: got no network in %q", name, text)
			}
			got := after.Wifi[0]
			want := settings.Network{Name: "home", Password: password}
			if password == settings.Inside {
				want = settings.Network{Name: "home", Inside: true}
			}
			if got != want || after.Hostname != before.Hostname {
				t.Errorf("%s, %q: got %+v of %q", name, password, got, text)
			}
			for _, n := range before.Wifi {
				if n.Name == "office" && !strings.Contains(string(text), "wifi_name = office") {
					t.Errorf("%s: the network office is gone: %q", name, text)
				}
			}
			if strings.Contains(string(text), "an old one") {
				t.Errorf("%s: the old password is still there: %q", name, text)
			}
			if again := settings.SetNetwork(text, "home", password); string(again) != string(text) {
				t.Errorf("%s: set twice: got %q, want %q", name, again, text)
			}
		}
	}
}

// If a password is stored on the data partition (Network.Inside), the board does not join an open network with the same name.
func TestKeptPassword(t *testing.T) {
	s, problems := settings.Parse([]byte("wifi_name = home\nwifi_password = (kept)\nwifi_country = DE\n"))
	if len(problems) > 0 || s.Supplicant() != nil || len(s.Wifi) != 1 || !s.Wifi[0].Inside {
		t.Errorf("got %+v, %q, %q", s.Wifi, s.Supplicant(), problems)
	}
	if got := string(s.Radio()); got != "ctrl_interface=DIR=/run/wpa_supplicant GROUP=netdev\ncountry=DE\n" {
		t.Errorf("got %q", got)
	}
}

// A password that stands before the name of its network stays with this network. Otherwise the network would become open.
func TestPasswordBeforeName(t *testing.T) {
	work, home := settings.Network{Name: "Work", Password: "work-password"}, settings.Network{Name: "Home", Password: "home-password"}
	for file, want := range map[string][]settings.Network{
		"wifi_password = home-password\nwifi_name = Home\n":                     {work, home},
		"wifi_password = old-password\nwifi_name = Work\nwifi_name = Guest\n":   {work, {Name: "Guest"}},
		"#wifi_name = x\nwifi_password = home-password\nwifi_name = Home\n#end": {work, home},
		"wifi_password = lonely-password\n":                                     {work},
	} {
		text := settings.SetNetwork([]byte(file), "Work", "work-password")
		if s, problems := settings.Parse(text); !slices.Equal(s.Wifi, want) || len(problems) > 0 {
			t.Errorf("%q: got %+v, %q", text, s.Wifi, problems)
		}
	}
	text := settings.SetNetwork([]byte("wifi_password = lonely-password\n"), "Café", "")
	if s, _ := settings.Parse(text); len(s.Wifi) != 1 || s.Wifi[0].Password != "" {
		t.Errorf("an open network: got %+v of %q", s.Wifi, text)
	}
}
