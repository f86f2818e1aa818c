package settings_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"dashboard/appliance/settings"
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
			with(func(s *settings.Settings) {
				s.Role, s.Hostname, s.Timezone, s.WifiCountry = "client", "kitchen", "Europe/Berlin", "DE"
				s.Wifi = []settings.Network{{Name: "My net", Password: `a#b="c" d`}}
			}), ""},
		{"updates", "update = Beta\nupdate_url = http://nas.lan/releases/\nupdate_window = 1:00 - 24:00", with(func(s *settings.Settings) {
			s.Update, s.UpdateURL, s.UpdateWindow = "beta", "http://nas.lan/releases/", "1:00 - 24:00"
		}), ""},
		{"a channel that is none", "update = nightly", def, "update must be stable, beta or off"},
		{"a window that is none", "update_window = at night", def, "update_window must be two times"},
		{"a file of releases", "update_url = ftp://nas.lan/releases", def, "update_url must be an address"},
		{"an editor of Windows", "\ufeffrole = client\r\nhostname = kitchen\r\n",
			with(func(s *settings.Settings) { s.Role, s.Hostname = "client", "kitchen" }), ""},
		{"capital name", "Role = client", with(func(s *settings.Settings) { s.Role = "client" }), ""},
		{"nothing written", "timezone =", def, ""},
		{"unknown", "weather = sunny", def, `settings.txt:1: there is no setting "weather"`},
		{"misspelled", "rolle = client", def, `settings.txt:1: there is no setting "rolle"; is role meant?`},
		{"misspelled secret", "wifi_passwort = Kirschbaum", with(wifi(settings.Network{Refused: true})), `settings.txt:1: there is no setting "wifi_passwort"; is wifi_password meant?`},
		{"no value", "\nclient", def, "settings.txt:2: a line has the form name = value"},
		{"unknown role", "role = server", def, "role must be dashboard or client"},
		{"a path for a time zone", "timezone = ../../etc/shadow", def, "timezone must be"},
		{"an absolute time zone", "timezone = /etc/shadow", def, "timezone must be"},
		{"a name in capitals", "hostname = Kitchen", with(func(s *settings.Settings) { s.Hostname = "kitchen" }), ""},
		{"devices", "use = Touch, gpio", with(func(s *settings.Settings) { s.Use = []string{"touch", "gpio"} }), ""},
		{"no devices", "use = none", with(func(s *settings.Settings) { s.Use = []string{} }), ""},
		{"all devices", "use = all", def, ""},
		{"an unknown device", "use = touch mouse", def, "settings.txt:1: use must be all, none, or some of"},
		{"a light sensor", "light_sensor = BH1750  0x23", with(func(s *settings.Settings) { s.LightSensor = "bh1750 0x23" }), ""},
		{"a light sensor without an address", "light_sensor = bh1750", def, "light_sensor must be the driver's name and the address"},
		{"a language", "locale = de-AT", with(func(s *settings.Settings) { s.Locale = "de-AT" }), ""},
		{"a word for a language", "locale = German, please", def, "locale must be a language"},
		{"a gateway elsewhere", "gateway = 192.168.2.1\naddress = 192.168.1.20/24", with(func(s *settings.Settings) {
			s.Gateway, s.Address = netip.MustParseAddr("192.168.2.1"), netip.MustParsePrefix("192.168.1.20/24")
		}), "settings.txt:1: gateway 192.168.2.1 is not in the network 192.168.1.0/24 of address"},
		{"a gateway alone", "\ngateway = 192.168.2.1", with(func(s *settings.Settings) { s.Gateway = netip.MustParseAddr("192.168.2.1") }),
			"settings.txt:2: gateway is ignored without address"},
		{"two labels", "hostname = wall.local", def, "hostname must be"},
		{"two networks", "wifi_name = a\nwifi_password = longenough\nwifi_name = b", with(wifi(settings.Network{Name: "a", Password: "longenough"}, settings.Network{Name: "b"})), ""},
		{"the password first", "wifi_password = longenough\nwifi_name = a", with(wifi(settings.Network{Name: "a", Password: "longenough"})), ""},
		{"quotes", "wifi_name = \"a b\"", with(wifi(settings.Network{Name: "a b"})), "wifi_name: the quotation marks around the value are left out"},
		{"small country", "wifi_country = de", with(func(s *settings.Settings) { s.WifiCountry = "DE" }), ""},
		{"long name", "wifi_name = " + strings.Repeat("n", 33), with(wifi(settings.Network{Name: strings.Repeat("n", 33), Refused: true})), "wifi_name must be at most 32 bytes"},
		{"an own address", "address = 10.0.0.2/8\ngateway = 10.0.0.1\ndns = 10.0.0.1 fd00::1\nntp = time.lan\nproxy = http://proxy.lan:3128\nca_file = house.crt", with(func(s *settings.Settings) {
			s.Address, s.Gateway = netip.MustParsePrefix("10.0.0.2/8"), netip.MustParseAddr("10.0.0.1")
			s.DNS = []netip.Addr{s.Gateway, netip.MustParseAddr("fd00::1")}
			s.NTP, s.Proxy, s.CAFile = []string{"time.lan"}, "http://proxy.lan:3128", "house.crt"
		}), ""},
		{"no bits", "address = 10.0.0.2", def, "address must be an address and the length of its network's prefix"},
		{"a name for name servers", "dns = router", def, "dns must be"},
		{"a proxy that ends the line", "proxy = http://a/ B=\"c\"", def, "proxy must be"},
		{"a proxy's socket", "proxy = socks5://a:1", def, "proxy must be"},
		{"a certificate elsewhere", "ca_file = ../etc/x", def, "ca_file must be"},
		{"a wall elsewhere", "config_url = https://cloud.example/s/a%20b/download?x=1", with(func(s *settings.Settings) { s.ConfigURL = "https://cloud.example/s/a%20b/download?x=1" }), ""},
		{"a wall anybody may change", "config_url = http://cloud.example/wall.zip", def, "settings.txt:1: config_url must be an https address"},
		{"far too long", strings.Repeat("#\n", 40<<10), def, "all of it is ignored"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, problems := settings.Parse([]byte(tt.file))
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
			if all := strings.Join(problems, "\n"); (tt.problem == "") != (all == "") || !strings.Contains(all, tt.problem) {
				t.Errorf("got problems %q, want %q", all, tt.problem)
			}
		})
	}
}

// The file may have any encoding that an editor of a laptop writes.
func TestEncodings(t *testing.T) {
	const text = "hostname = küche\nwifi_name = Grüße 🏠\n"
	units := utf16.Encode([]rune(text))
	little, large := make([]byte, 0, 2*len(units)), make([]byte, 0, 2*len(units))
	for _, u := range units {
		little, large = binary.LittleEndian.AppendUint16(little, u), binary.BigEndian.AppendUint16(large, u)
	}
	for name, file := range map[string][]byte{
		"UTF-8": []byte(text), "UTF-8 with a mark": []byte("\ufeff" + text),
		"UTF-16 little endian": little, "UTF-16 big endian": large,
		"with a mark, little": append([]byte{0xff, 0xfe}, little...), "with a mark, big": append([]byte{0xfe, 0xff}, large...),
	} {
		s, problems := settings.Parse(file)
		if len(s.Wifi) != 1 || s.Wifi[0].Name != "Grüße 🏠" {
			t.Errorf("%s: got networks %+v", name, s.Wifi)
		}
		if len(problems) != 1 || !strings.HasPrefix(problems[0], "settings.txt:1: hostname must be") {
			t.Errorf("%s: got problems %q, want one with the umlaut", name, problems)
		}
	}
}

// The wall's language comes from locale. Without locale, it comes from the time zone's country or from wifi_country.
func TestLanguage(t *testing.T) {
	const zones = "# comment\nDE\t+5230+01322\tEurope/Berlin\tmost of Germany\nCH\t+4723+00832\tEurope/Zurich\nUS\t+404251-0740023\tAmerica/New_York\n"
	for _, tt := range []struct{ file, want string }{
		{"", ""}, {"timezone = Europe/Berlin", "de_DE.UTF-8"}, {"timezone = europe/berlin", "de_DE.UTF-8"}, {"timezone = Europe/Zurich", "en_CH.UTF-8"},
		{"timezone = America/New_York", "en_US.UTF-8"}, {"wifi_country = fr", "fr_FR.UTF-8"}, {"timezone = Europe/Berlin\nwifi_country = FR", "de_DE.UTF-8"},
		{"timezone = Europe/Berlin\nlocale = en-GB", "en_GB.UTF-8"}, {"locale = fr", "fr.UTF-8"},
	} {
		if s, _ := settings.Parse([]byte(tt.file)); s.Language(zones) != tt.want {
			t.Errorf("%q: got %q, want %q", tt.file, s.Language(zones), tt.want)
		}
	}
}

func TestRights(t *testing.T) {
	for _, tt := range []struct {
		file string
		want []string
	}{
		{"", []string{"backlight", "cec", "ddc", "gpio", "panel", "touch"}},
		{"use = gpio touch", []string{"gpio", "touch"}},
		{"use = none", []string{}},
		{"role = client", []string{"backlight", "cec", "ddc", "touch"}},
		{"role = client\nuse = touch gpio", []string{"touch"}},
	} {
		if s, _ := settings.Parse([]byte(tt.file)); !slices.Equal(s.Rights(), tt.want) {
			t.Errorf("%q: got %q, want %q", tt.file, s.Rights(), tt.want)
		}
	}
}

// The kernel drives a light sensor when udev has written the sensor's name and address to the bus.
func TestSensorRule(t *testing.T) {
	s, _ := settings.Parse([]byte("light_sensor = bh1750 0x23"))
	if got, want := string(s.SensorRule()), `ACTION=="add", SUBSYSTEM=="i2c", KERNEL=="i2c-1", ATTR{new_device}="bh1750 0x23"`+"\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := settings.Default().SensorRule(); got != nil {
		t.Errorf("without a sensor: got %q", got)
	}
}

func TestProblemsKeepPasswords(t *testing.T) {
	_, problems := settings.Parse([]byte("wifi_password = tooshrt\nwifi_pasword = hunter22222"))
	if all := strings.Join(problems, " "); strings.Contains(all, "tooshrt") || strings.Contains(all, "hunter2") {
		t.Errorf("got %q, want no password in it", all)
	}
}

// The settings file of a new card sets nothing.
func TestShippedFileSetsNothing(t *testing.T) {
	file, err := os.ReadFile("../../image/boot/settings.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got, problems := settings.Parse(file); !reflect.DeepEqual(got, settings.Default()) || len(problems) > 0 {
		t.Errorf("got %+v, %q, want %+v", got, problems, settings.Default())
	}
}

func wifi(all ...settings.Network) func(*settings.Settings) {
	return func(s *settings.Settings) { s.Wifi = all }
}

// exampleKey is the standard's own example of a key, IEEE 802.11 annex J.4.2.
const exampleKey = "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e"

// TestSupplicant checks the networks in the file for wpa_supplicant: their order, keys and country.
func TestSupplicant(t *testing.T) {
	enhanced := func(ssid string, priority int) string {
		return fmt.Sprintf("network={\n\tssid=%s\n\tpriority=%d\n\tkey_mgmt=OWE\n\tieee80211w=2\n\towe_only=1\n}\n", ssid, priority)
	}
	const closed = "network={\n\tssid=49454545\n\tscan_ssid=1\n\tpriority=2\n\tkey_mgmt=WPA-PSK SAE\n\tieee80211w=1\n" +
		"\tpsk=" + exampleKey + "\n\tsae_password=70617373776f7264\n}\n"
	for _, tt := range []struct{ name, file, want string }{
		{"none", "wifi_country = DE\nwifi_password = longenough", ""},
		{"open", "wifi_name = a b", "network={\n\tssid=612062\n\tscan_ssid=1\n\tpriority=2\n\tkey_mgmt=NONE\n}\n" + enhanced("612062", 1)},
		{"closed", "wifi_name = IEEE\nwifi_password = password\nwifi_country = DE", "country=DE\n" + closed},
		{"a key", "wifi_name = IEEE\nwifi_password = " + strings.ToUpper(exampleKey),
			"network={\n\tssid=49454545\n\tscan_ssid=1\n\tpriority=2\n\tkey_mgmt=WPA-PSK\n\tpsk=" + exampleKey + "\n}\n"},
		{"two", "wifi_name = a\nwifi_name = b", "network={\n\tssid=61\n\tscan_ssid=1\n\tpriority=4\n\tkey_mgmt=NONE\n}\n" +
			enhanced("61", 3) + "network={\n\tssid=62\n\tscan_ssid=1\n\tpriority=2\n\tkey_mgmt=NONE\n}\n" + enhanced("62", 1)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := settings.Parse([]byte(tt.file))
			if got := string(s.Supplicant()); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// If the key wifi_password is misspelled, the network is not joined as an open network. If the file also has the correct key, the network
// is joined.
func TestMisspelledPasswordIsNotOpen(t *testing.T) {
	for file, joined := range map[string]bool{
		"wifi_name = home\nwifi_passwort = longenough":                             false,
		"wifi_passwort = longenough\nwifi_name = home":                             false,
		"wifi_name = home\nwifi_password: longenough":                              false,
		"wifi_name = home\nwifi_passwort = x\nwifi_password = longenough":          true,
		"wifi_name = home\nwifi_password = longenough\nwifi_passwort = longenough": true,
		"wifi_name = home\nweather = sunny":                                        true,
	} {
		s, problems := settings.Parse([]byte(file))
		if got := s.Supplicant() != nil; got != joined || len(problems) != 1 {
			t.Errorf("%q: got joined %v, want %v; problems %q", file, got, joined, problems)
		}
	}
}

// A network with an invalid password is never joined as an open network, because an attacker could open a network with the same name.
func TestRefusedPasswordIsNotOpen(t *testing.T) {
	for name, tt := range map[string]struct {
		password string
		joined   bool
	}{
		"5 characters":          {"abcde", false},
		"7 characters, quoted":  {`"abcdefg"`, false},
		"64 letters":            {strings.Repeat("x", 64), false},
		"65 hexadecimal digits": {strings.Repeat("a", 65), false},
		"a control character":   {"longenough\x01x", false},
		"latin-1":               {"gr\xfcnes Haus", false},
		"64 hexadecimal digits": {strings.Repeat("aB", 32), true},
		"an umlaut":             {"gr\u00fcnes Haus", true},
	} {
		for order, file := range map[string]string{
			"":        "wifi_name = home\nwifi_password = " + tt.password,
			", first": "wifi_password = " + tt.password + "\nwifi_name = home",
		} {
			s, problems := settings.Parse([]byte(file))
			got := string(s.Supplicant())
			if strings.Contains(got, "NONE") || (got != "") != tt.joined {
				t.Errorf("%s%s: got %q, want joined %v", name, order, got, tt.joined)
			}
			if !tt.joined && !strings.Contains(strings.Join(problems, "\n"), "wifi_password must be 8 to 63") {
				t.Errorf("%s%s: got problems %q", name, order, problems)
			}
		}
	}
}

func TestNetworkFiles(t *testing.T) {
	if s := settings.Default(); s.Static() != nil || s.Resolver() != nil || s.TimeServers() != nil || s.Environment() != nil {
		t.Error("an untouched card: got files, want none")
	}
	s, problems := settings.Parse([]byte("address = 10.0.0.2/8\ngateway = 10.0.0.1\ndns = 10.0.0.1 10.0.0.3\nntp = a.lan b.lan\nproxy = http://p:3128"))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, tt := range []struct{ name, got, want string }{
		{"address", string(s.Static()), "[Match]\nType=ether\nKind=!*\n\n[Network]\nAddress=10.0.0.2/8\nMulticastDNS=yes\nGateway=10.0.0.1\nDNS=10.0.0.1\nDNS=10.0.0.3\n"},
		{"name servers", string(s.Resolver()), "[Resolve]\nDNS=10.0.0.1 10.0.0.3\n"},
		{"time servers", string(s.TimeServers()), "[Time]\nNTP=a.lan b.lan\n"},
		{"proxy", string(s.Environment()), "[Service]\nEnvironment=HTTP_PROXY=http://p:3128 HTTPS_PROXY=http://p:3128 NO_PROXY=localhost,127.0.0.0/8,::1,.local,.lan,.home.arpa\n"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, tt.got, tt.want)
		}
	}
	s.Wifi = []settings.Network{{Name: "home"}}
	if got := string(s.Static()); !strings.HasPrefix(got, "[Match]\nType=wlan\n") {
		t.Errorf("with Wi-Fi: got %q, want it for Wi-Fi", got)
	}
}

// wpa_supplicant can read the file that Settings.Supplicant returns.
func TestSupplicantReadsIt(t *testing.T) {
	program, err := exec.LookPath("wpa_supplicant")
	switch {
	case err != nil && os.Getenv("DASHBOARD_CI") != "":
		t.Fatal(err)
	case err != nil:
		t.Skip("needs wpa_supplicant:", err)
	}
	s, _ := settings.Parse([]byte("wifi_name = Caf\u00e9 \"x\"\nwifi_password = gr\u00fcnes \"Haus\"\nwifi_name = key\nwifi_password = " + exampleKey + "\nwifi_name = open\nwifi_country = de"))
	path := filepath.Join(t.TempDir(), "conf")
	if err := os.WriteFile(path, s.Supplicant(), 0o600); err != nil {
		t.Fatal(err)
	}
	// wpa_supplicant ends with an error after it has read the file, because there is no driver with the name none.
	out, _ := exec.Command(program, "-Dnone", "-inone", "-dd", "-c"+path).CombinedOutput()
	for _, want := range []string{"country='DE'", "key_mgmt: 0x402", "sae_password - hexdump_ascii(len=14)", "Caf"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("got no %q in %s", want, out)
		}
	}
	for _, bad := range []string{"failed to parse", "unknown network field", "Failed to read"} {
		if strings.Contains(string(out), bad) {
			t.Errorf("got %q in %s", bad, out)
		}
	}
}

// FuzzParse checks that no value in settings.txt can add a line to the file for wpa_supplicant.
func FuzzParse(f *testing.F) {
	f.Add([]byte("role = client\nwifi_name = x\nwifi_password = longenough\nwifi_country = DE"))
	f.Add([]byte("\ufeffhostname=a\r\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		s, _ := settings.Parse(file)
		if s.Role != settings.Dashboard && s.Role != settings.Client || strings.Contains(s.Timezone, "..") || s.Hostname == "" {
			t.Errorf("got %+v", s)
		}
		if lines := strings.Count(string(s.Supplicant()), "\n"); lines > 9*len(s.Wifi)+1 {
			t.Errorf("got %d lines in %q for %d networks", lines, s.Supplicant(), len(s.Wifi))
		}
		for _, part := range [][]byte{s.Resolver(), s.TimeServers(), s.Environment()} {
			if bytes.Count(part, []byte("\n")) > 2 {
				t.Errorf("got %q, want a heading and a line", part)
			}
		}
	})
}
