package settings_test

import (
	"fmt"
	"strings"
	"testing"

	"dashboard/appliance/settings"
)

// Each mistake names the line, the wrong word and the right word. Dots replace every value that may be secret, also in the lines around the
// mistake.
func TestMistake(t *testing.T) {
	for _, tt := range []struct{ name, file, want string }{
		{"misspelled secret", "# mine\nwifi_name = Sonnenallee 12\n\n#wifi_password = old\nwifi_passwort = Kirschbaum\nwifi_country = DE\n",
			"mistake.mean wifi_password|2 wifi_name = Sonnenallee 12|5 [wifi_passwort] = ••••••••|6 wifi_country = DE"},
		{"unknown", "weather = sunny", "mistake.unknown |1 [weather] = ••••••••"},
		{"part of a password", "wifi_password = longenough\nA7=x9", "mistake.unknown |1 wifi_password = ••••••••|2 [••••••••] = ••••••••"},
		{"short password", "wifi_password = short", "password.short |1 wifi_password = [••••••••]"},
		{"latin-1", "wifi_password = gr\xfcnes Haus", "mistake.utf8 |1 wifi_password = [••••••••]"},
		{"long name", "wifi_name = " + strings.Repeat("ä", 17), "name.long |1 wifi_name = [" + strings.Repeat("ä", 17) + "]"},
		{"a word alone", "Kirschbaum", "mistake.form |1 [••••••••]"},
		{"a colon", "WIFI_password: Kirschbaum", "mistake.form |1 [WIFI_password: ••••••••]"},
		{"words", "my secret words", "mistake.form |1 [••••••••]"},
		{"value", "\r\naddress=here\r\nproxy = http://me:secret@p:1", "mistake.as address = 192.168.1.20/24|2 address = [here]|3 proxy = ••••••••"},
		{"secret value", "config_url = http://x/?token=1", "mistake.as config_url = https://example.org/wall.zip|1 config_url = [••••••••]"},
		{"role", "role = chef", "mistake.as role = dashboard|1 role = [chef]"},
		{"gateway", "address = 10.0.0.2/8\ngateway = 192.168.1.1", "mistake.gateway |1 address = 10.0.0.2/8|2 gateway = [192.168.1.1]"},
		{"long", "locale = " + strings.Repeat("x", 999), "mistake.as locale = de-DE|1 locale = [" + strings.Repeat("x", 500) + "…]"},
		{"quotes", "hostname = \"kitchen\"", ` |1 hostname = ["kitchen"]`},
		{"too long", strings.Repeat("#", 65<<10), " "},
	} {
		_, all := settings.Read(nil, []byte(tt.file))
		if len(all) != 1 {
			t.Errorf("%s: got %d mistakes", tt.name, len(all))
			continue
		}
		got := all[0].Reason + " " + all[0].Right
		for _, r := range all[0].Rows([]byte(tt.file)) {
			if r.Wrong {
				r.Word = "[" + r.Word + "]"
			}
			got += fmt.Sprintf("|%d %s%s%s", r.Number, r.Before, r.Word, r.After)
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A correction keeps the secret behind the dots. It never writes the secret as a value that the wall shows.
func TestFix(t *testing.T) {
	for _, tt := range []struct{ line, was, text, want string }{
		{"wifi_passwort=Kirschbaum", "wifi_passwort = ••••••••", "wifi_password = ••••••••", "wifi_password = Kirschbaum"},
		{"WIFI_password: Kirschbaum", "WIFI_password: ••••••••", "wifi_password = ••••••••", "wifi_password = Kirschbaum"},
		{"timzone = Europe/Berlin", "timzone = ••••••••", "timezone = ••••••••", "timezone = Europe/Berlin"},
		{"A7=x9", "•••••••• = ••••••••", "proxy = ••••••••", ""},
		{"wifi_passwort = Kirschbaum", "wifi_passwort = ••••••••", "update_url = ••••••••", ""},
		{"wifi_passwort = Kirschbaum", "wifi_passwort = ••••••••", "update_url = https://example.org/••••••••", ""},
		{"wifi_passwort = Kirschbaum", "wifi_passwort = ••••••••", "wifi_password = https://example.org/••••••••", ""},
		{"wifi_password = kurz", "wifi_password = ••••••••", "WIFI_PASSWORD = ••••••••", "WIFI_PASSWORD = kurz"},
		{"role = chef", "role = chef", "role = client", "role = client"},
		{"weather = sunny", "weather = ••••••••", "", "#weather = sunny"},
		{"wifi_passwort = Kirschbaum", "wifi_passwort = ••••••••", "hostname = ••••••••", ""},
		{"wifi_passwort = Kirschbaum", "wifi_passwort = ••••••••", "wifi_password = ••••••••\nrole = client", ""},
		{"wifi_password = Kirschbaum", "wifi_passwort = ••••••••", "wifi_password = short", ""},
		{"role = chef", "role = chef", "proxy = ••••••••", ""},
	} {
		file := "# mine\n" + tt.line + "\nlocale = de\n"
		want := ""
		if tt.want != "" {
			want = "# mine\n" + tt.want + "\nlocale = de\n"
		}
		if got, err := settings.Fix([]byte(file), 2, tt.was, tt.text); string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%q to %q: got %q, %v", tt.line, tt.text, got, err)
		}
	}
	if got, err := settings.Fix([]byte("role = chef"), 9, "role = chef", "x"); err == nil {
		t.Errorf("a missing line: got %q", got)
	}
}

// Each setting with a rule has an example that is valid.
func TestExamples(t *testing.T) {
	for _, name := range []string{
		"role", "hostname", "timezone", "locale", "use", "light_sensor", "config_url", "wifi_country", "address", "gateway", "dns", "ntp", "proxy",
		"update", "update_url", "update_window",
	} {
		m := settings.Wrong([]byte("#x\n"+name+" = ?\n"), name)
		if _, problems := settings.Parse([]byte("address = 192.168.1.2/24\n" + m.Right)); m.Line != 2 || len(problems) > 0 || !strings.HasPrefix(m.Right, name+" = ") {
			t.Errorf("%s: got %+v, %q", name, m, problems)
		}
	}
}

// The constant `open` lists the settings whose values may be shown.
const open = " role hostname timezone locale use light_sensor ca_file wifi_country wifi_name address gateway dns ntp update update_window "

// FuzzRows checks that the rows of a mistake never show a secret from the file, except in a setting of the list `open`.
func FuzzRows(f *testing.F) {
	const secret = "Zx9-Kirschbaum"
	f.Add("wifi_passwort = %s\nrole = x")
	f.Add("# %s\nrole = x\npassword: %s\nproxy=http://a:%s@b\n%s\nx=%s")
	f.Fuzz(func(t *testing.T, form string) {
		file := []byte(strings.ReplaceAll(form, "%s", secret))
		_, all := settings.Read(nil, file)
		for _, m := range all {
			for _, r := range m.Rows(file) {
				text := r.Before + r.Word + r.After
				if name, _, _ := strings.Cut(text, " = "); strings.Contains(text, secret) && !strings.Contains(open, " "+strings.ToLower(name)+" ") {
					t.Errorf("got %+v for %q", r, form)
				}
			}
		}
	})
}
