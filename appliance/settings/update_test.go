package settings_test

import (
	"testing"

	"dashboard/appliance/settings"
)

// Set changes only the line of its setting.
func TestSet(t *testing.T) {
	for name, tt := range map[string]struct{ file, want string }{
		"there":         {"role = client\nUpdate=stable\n# x\n", "role = client\nupdate = beta\n# x\n"},
		"twice":         {"update = off\nupdate = stable\n", "update = off\nupdate = beta\n"},
		"commented out": {"# update it\n#update = stable\nrole = client\n", "# update it\nupdate = beta\nrole = client\n"},
		"both":          {"#update = stable\nupdate = off\n", "#update = stable\nupdate = beta\n"},
		"missing":       {"role = client", "role = client\nupdate = beta\n"},
		"Windows":       {"role = client\r\n#update = stable\r\n", "role = client\r\nupdate = beta\r\n"},
		"old Macintosh": {"update = off\rrole = client\r", "update = beta\nrole = client\n"},
		"empty":         {"", "update = beta\n"},
		"similar names": {"update_url = http://x/\n", "update_url = http://x/\nupdate = beta\n"},
	} {
		got := string(settings.Set([]byte(tt.file), "update", "beta"))
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
		if s, problems := settings.Parse([]byte(got)); s.Update != "beta" || len(problems) > 0 {
			t.Errorf("%s: read as %q, %v", name, s.Update, problems)
		}
	}
}

// Times and ports that do not exist are mistakes. Otherwise updates would be installed at any hour, or never.
func TestUpdateValues(t *testing.T) {
	for line, ok := range map[string]bool{
		"update_window = 03:00-04:00": true, "update_window = 22:00 - 24:00": true,
		"update_window = 24:30-01:00": false, "update_window = 23:00-24:01": false,
		"update_url = https://h:8443/r": true, "update_url = https://h:99999/r": false,
	} {
		if _, problems := settings.Parse([]byte(line)); (len(problems) == 0) != ok {
			t.Errorf("%s: got %q", line, problems)
		}
	}
}
