package flow

import (
	"slices"
	"strings"
	"testing"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/setup/words"
)

var misspelled = &about.Mistake{
	File: "settings.txt", Line: 14, Reason: "mistake.mean", Right: "wifi_password", More: 2,
	Rows: []about.Row{{Number: 14, Word: "wifi_passwort", After: " = ••••••••", Wrong: true}},
}

// A mistake on the card covers the wall for a minute after the first picture, or until the mistake is fixed. The code opens the page, or
// joins the access point if the board is in no network.
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
	if want := []string{"settings.txt", "DASHBOARD", "wifi_password"}; !slices.Equal(g.Bold, want) {
		t.Errorf("got %q in bold, want %q", g.Bold, want)
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

// While the board restarts because of a correction, the phone still needs the page. If the restart fails, the page goes on at the limit.
func TestFixRestarts(t *testing.T) {
	r := newRig(Options{})
	r.Link(true, false)
	r.Warn(misspelled, true)
	r.Opened("192.168.1.9", true)
	r.Fix("update = off")
	r.Warn(nil, true)
	for _, after := range []struct {
		pause time.Duration
		want  bool
	}{{1, true}, {RestartTime - time.Second, true}, {time.Second, false}} {
		r.after(after.pause)
		want(t, "restarts", r.View("").Restarts, after.want)
		want(t, "page", r.Fixing(), after.want)
	}
}

// After a correction, the board joins the networks of the card without a restart. To do this, the board closes the access point, but only
// after the phone has received the page. If the network cannot be joined, the access point opens again, and the page shows the reason.
func TestFixedNetwork(t *testing.T) {
	r := newRig(Options{}).after(PlugTime)
	r.Warn(misspelled, true)
	r.Addressed()
	r.Opened(phone, false)
	r.Applied(true)
	want(t, "without a correction", r.after(LeaveDelay).took(), "search, open")
	r.Fix("wifi_password = ••••••••")
	r.Applied(true)
	want(t, "page", r.View(phone).Renews, true)
	want(t, "before the phone has its page", r.after(LeaveDelay-time.Second).took(), "")
	want(t, "afterwards", r.after(time.Second).took(), "reload, close")
	want(t, "on the wall", r.title(), "The line is fixed.")
	r.Fails(home, Refused)
	want(t, "a wrong password", r.after(LookTime).took(), "open")
	v := r.View(phone)
	want(t, "page", v.Renews, false)
	want(t, "reason", v.Result, Refused)

	again := *misspelled
	again.Line++
	r.Warn(&again, true)
	r.Fix("wifi_password = ••••••••")
	r.Applied(true)
	r.after(LeaveDelay)
	r.Link(false, true)
	want(t, "joined", r.after(time.Second).title(), "wall")
}

// With a cable, the radio reads the networks at once. A network whose password is not in settings.txt stays known.
func TestFixedNetworkByCable(t *testing.T) {
	r := newRig(Options{Known: true, Worked: true, Draft: Draft{Done: true, Inside: true, Network: &home}})
	r.Link(true, false)
	r.Warn(misspelled, true)
	r.after(1)
	r.Fix("wifi_country = DE")
	r.Applied(true)
	want(t, "asked of the radio", r.took(), "reload, know "+home.Name)
	want(t, "the wall", r.State(), Running)
}

// If a line is corrected and the set-up then ends, the access point is not closed a second time for the changed networks. The set-up
// itself has changed these networks.
func TestFixedAndFinished(t *testing.T) {
	r := walked(Options{})
	r.Warn(misspelled, true)
	r.Fix("hostname = hall")
	r.Link(true, false)
	r.Settle("kitchen", "Europe/Berlin", "")
	r.Finish()
	r.took()
	r.Applied(true)
	want(t, "page", r.View(phone).Renews, false)
	want(t, "asked of the radio", r.after(CloseDelay).took(), "close")
}

// A correction that leaves no network does not close the access point.
func TestFixedWithoutNetwork(t *testing.T) {
	r := newRig(Options{}).after(PlugTime)
	r.Warn(misspelled, true)
	r.Opened(phone, false)
	r.took()
	r.Fix("")
	r.Applied(false)
	want(t, "asked of the radio", r.after(2*LeaveDelay).took(), "")
}

// For every reason of a mistake there is a sentence.
func TestReasons(t *testing.T) {
	for _, key := range []string{"mistake.mean", "mistake.unknown", "mistake.form", "mistake.as", "mistake.gateway", "mistake.file", "mistake.utf8", "password.short", "name.long"} {
		if got := Reason(words.In("de"), &about.Mistake{Reason: key}); got == key {
			t.Errorf("no sentence %s", key)
		}
	}
}
