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
