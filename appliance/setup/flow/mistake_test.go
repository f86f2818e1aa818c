package flow

import (
	"strings"
	"testing"

	"dashboard/appliance/about"
	"dashboard/appliance/setup/words"
)

var misspelled = &about.Mistake{
	File: "settings.txt", Line: 14, Reason: "mistake.mean", Right: "wifi_password", More: 2,
	Rows: []about.Row{{Number: 14, Word: "wifi_passwort", After: " = ••••••••", Wrong: true}},
}

// A mistake on the card covers the wall for a minute after the first picture, or until it is fixed. The code opens the page, or joins the
// access point if the board is in no network.
func TestMistake(t *testing.T) {
	const said = "settings.txt, line 14 is not understood."
	far := place
	far.Home = ""
	r := newRig(Options{Known: true})
	r.Warn(misspelled, false)
	g := r.after(Patience/2).Guide(words.In("en"), far)
	if g == nil || g.Title != said || len(g.Codes) != 0 || g.Right != "Did you mean wifi_password?" || g.Text[0] != "and 2 more" || len(g.Rows) != 1 {
		t.Fatalf("before the access point: got %+v", g)
	}
	r.after(Patience)
	if g = r.Guide(words.In("en"), far); g.Title != said || !strings.HasPrefix(g.Codes[0].Content, "WIFI:") {
		t.Errorf("with the access point: got %+v", g)
	}
	r.Warn(misspelled, true)
	r.after(MistakeTime)
	want(t, "after a minute", r.title(), "join")

	r = newRig(Options{})
	r.Link(true, false)
	r.Warn(misspelled, true)
	if g = r.after(1).Guide(words.In("de"), place); g.Title != "settings.txt, Zeile 14 ist nicht verständlich." || g.Codes[0].Content != "HTTP://192.168.1.42/K7QM42XA" {
		t.Errorf("with a network: got %+v", g)
	}
	r.Warn(nil, true)
	want(t, "after the repair", r.title(), "wall")

	r = newRig(Options{}).after(Patience)
	r.Warn(misspelled, true)
	want(t, "with an access point", r.title(), said)
	r.Addressed()
	want(t, "with a phone", r.title(), "Your phone is connected.")
}

// A corrected mistake disappears from the wall at once, although the old facts stay until the file is read again. Then the next mistake
// is shown.
func TestFix(t *testing.T) {
	r := newRig(Options{})
	r.Link(true, false)
	r.Warn(misspelled, true)
	r.after(1)
	r.Opened("192.168.1.9", true)
	want(t, "line on the page", r.View("").Mistake, misspelled)
	r.Fix("wifi_password = ••••••••")
	r.Warn(&about.Mistake{File: misspelled.File, Line: 14, Reason: "mistake.mean", Right: "wifi_password", More: 2, Rows: misspelled.Rows}, true)
	want(t, "after the repair", r.title(), "wall")
	r.Warn(&about.Mistake{File: misspelled.File, Line: 15, Reason: "mistake.form"}, true)
	want(t, "the next mistake", r.title(), "settings.txt, line 15 is not understood.")
	want(t, "page", r.Fixing(), true)
	r.Skip()
	want(t, "line on the page after a skip", r.View("").Mistake, (*about.Mistake)(nil))
}

// Each reason of a mistake is a sentence.
func TestReasons(t *testing.T) {
	for _, key := range []string{"mistake.mean", "mistake.unknown", "mistake.form", "mistake.as", "mistake.gateway", "mistake.file", "mistake.utf8", "password.short", "name.long"} {
		if got := Reason(words.In("de"), &about.Mistake{Reason: key}); got == key {
			t.Errorf("no sentence %s", key)
		}
	}
}
