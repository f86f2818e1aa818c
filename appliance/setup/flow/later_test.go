package flow

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"dashboard/appliance/setup/words"
)

// If a known network is missing at the start, the set-up does not begin again. After ten minutes the badge appears, and it shows the
// password for ten more minutes.
func TestLostNetwork(t *testing.T) {
	r := newRig(Options{Known: true, Worked: true, Draft: Draft{Done: true}})
	want(t, "a slow router", r.after(LostTime-time.Second).title()+r.took(), "wall")
	r.after(time.Second)
	want(t, "after ten minutes", r.title(), "badge: To fix it, join wall-7k3f, password maple-otter-42")
	want(t, "emphasized", fmt.Sprint(r.Guide(words.In("en"), place).Pairs), "[{ wall-7k3f} { maple-otter-42}]")
	want(t, "asked of the radio", r.took(), "open")
	want(t, "the password leaves", r.after(SecretTime).title(), "badge: To fix it, join wall-7k3f")
	want(t, "then emphasized", fmt.Sprint(r.Guide(words.In("en"), place).Pairs), "[{ wall-7k3f}]")
	r.Show()
	want(t, "after a touch", r.title(), "join")
	r.Show()
	want(t, "after another touch", r.title(), "badge: To fix it, join wall-7k3f")
	r.Show()
	want(t, "later", r.after(ShowTime).title(), "badge: To fix it, join wall-7k3f")
}

// While no phone is connected, the board searches for the known network. When the network returns, the badge disappears and the access
// point closes.
func TestNetworkReturns(t *testing.T) {
	r := newRig(Options{Known: true, Worked: true, Draft: Draft{Done: true}}).after(LostTime)
	r.took()
	want(t, "looks", r.after(LookPause+LookTime).took(), "close, open")
	r.Phones(1)
	want(t, "not with a phone", r.after(2*LookPause).took(), "")
	r.Phones(0)
	want(t, "after the last phone", r.after(time.Second).took(), "close")
	r.Link(false, true)
	want(t, "is back", r.after(time.Second).title(), "wall")
	want(t, "access point", r.Open(), false)
}

// After a change of the network's password, the page begins with the step for the password, and the wall keeps its picture.
func TestChangedPassword(t *testing.T) {
	r := newRig(Options{Known: true, Worked: true, Draft: Draft{Done: true, Name: "kitchen", Wall: "family"}})
	r.after(time.Minute)
	r.Fails(home, Refused)
	r.after(LostTime)
	r.Opened(phone, false)
	v := r.View(phone)
	want(t, "reason", v.Result, Refused)
	want(t, "network", v.Try.Name, home.Name)
	want(t, "step", v.Draft.Step, StepWifi)
	r.Try(Network{Name: home.Name, Password: "a new password"}, false)
	if got := r.title(); !strings.HasPrefix(got, "badge") {
		t.Errorf("during the test: got %s, want the badge", got)
	}
	r.w.full = true
	r.At(Reached)
	want(t, "a card that cannot be written", r.State(), Returned)
	r.w.full = false
	r.Opened(phone, false)
	r.Try(Network{Name: home.Name, Password: "a new password"}, false)
	r.At(Reached)
	r.Link(false, true)
	want(t, "afterwards", r.title(), "wall")
	want(t, "on the card", r.w.card.Network.Password, "a new password")
	want(t, "the wall on the card stays as it is", r.w.card.Wall+r.w.card.Name, "")
}
