//go:build linux

package setup

import (
	"os"
	"path/filepath"
	"testing"

	"dashboard/appliance/about"
	"dashboard/appliance/settings"
	"dashboard/appliance/setup/flow"
)

// The password and the token are the same at the next start. Only the owner can read the file with these values. A damaged file is
// replaced.
func TestKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "setup.json")
	first, err := openKept(path)
	if err != nil || first.kept.Password == "" || first.kept.Token == "" {
		t.Fatalf("got %+v, %v", first.kept, err)
	}
	first.kept.Draft = flow.Draft{Step: flow.StepPlace, Network: &flow.Network{Name: "home", Password: "longenough"}}
	first.worked()
	second, err := openKept(path)
	if err != nil || second.kept.Password != first.kept.Password || second.kept.Token != first.kept.Token || !second.kept.Worked ||
		second.kept.Draft.Step != flow.StepPlace || *second.kept.Draft.Network != *first.kept.Draft.Network {
		t.Errorf("got %+v, %v, want %+v", second.kept, err, first.kept)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v, want mode 0600", info, err)
	}
	for _, text := range []string{"", "{", `{"password": "only"}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		third, _ := openKept(path)
		again, err := openKept(path)
		if err != nil || third.kept.Token == first.kept.Token || again.kept.Token != third.kept.Token {
			t.Errorf("%q: got %+v and then %+v, %v", text, third.kept, again.kept, err)
		}
	}
}

// If Draft.Inside is true, the wish does not contain the password. Values that were not chosen are empty.
func TestWish(t *testing.T) {
	network := &flow.Network{Name: "home", Password: "longenough"}
	all := flow.Draft{Language: "de", Country: "AT", Name: "kitchen", Zone: "Europe/Vienna", Place: "48.2, 16.4", Wall: "family", Network: network}
	want := about.Wish{
		Locale: "de-AT", Country: "AT", Name: "kitchen", Zone: "Europe/Vienna", Place: "48.2, 16.4", Wall: "family", Network: "home", Password: "longenough",
	}
	if got := wishOf(all); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	all.Inside, want.Password = true, settings.Inside
	if got := wishOf(all); got != want {
		t.Errorf("inside: got %+v, want %+v", got, want)
	}
	all.Language, want.Locale = "zh", "en-AT" // the card has no font for Chinese
	if got := wishOf(all); got != want {
		t.Errorf("Chinese: got %+v, want %+v", got, want)
	}
	open := flow.Draft{Inside: true, Network: &flow.Network{Name: "café"}}
	if got := wishOf(open); got != (about.Wish{Network: "café"}) {
		t.Errorf("an open network: got %+v", got)
	}
}

// The wall uses only languages whose letters its typeface has.
func TestDrawn(t *testing.T) {
	for language, want := range map[string]string{"de": "de", "zh": "en", "ar": "en", "it": "en", "es": "es"} {
		if got := drawn(language).Language; got != want {
			t.Errorf("%s: got %s, want %s", language, got, want)
		}
	}
}

// Only values that differ from those of a new card are proposed.
func TestCardValues(t *testing.T) {
	for name, tt := range map[string]struct {
		facts about.Facts
		zone  string
		want  flow.Draft
	}{
		"a new card":     {about.Facts{Name: settings.Default().Hostname}, "UTC", flow.Draft{}},
		"a written card": {about.Facts{Name: "kitchen", Country: "AT"}, "Europe/Vienna", flow.Draft{Name: "kitchen", Zone: "Europe/Vienna", Country: "AT"}},
	} {
		if got := cardValues(tt.facts, tt.zone); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", name, got, tt.want)
		}
	}
}

// After a restart that the page has caused, the page is served once more.
func TestReturned(t *testing.T) {
	path := filepath.Join(t.TempDir(), "setup.json")
	for i, want := range []bool{false, true, false} {
		f, err := openKept(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.returned(); got != want {
			t.Errorf("start %d: got %v", i+1, got)
		}
		if i == 0 {
			err = f.returns(true)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
