package flow

import (
	"testing"
	"time"

	"dashboard/appliance/setup/words"
)

// Without a cable and a known network, the access point opens after PlugTime, because a cable would be detected within this time. During
// this time, the radio searches for networks.
func TestFirstStart(t *testing.T) {
	r := newRig(Options{}).after(PlugTime - time.Second)
	want(t, "before", r.title()+": "+r.took(), "wall: search")
	r.after(time.Second)
	want(t, "after the wait", r.title()+": "+r.took(), "join: open")
	r.Addressed()
	want(t, "a phone has an address", r.title(), "Your phone is connected.")
	r.Opened(phone, false)
	want(t, "the page is open", r.Guide(words.In("en"), place).Step, StepLanguage)
	r.Speak("de", "DE")
	want(t, "the radio searches after the country is chosen", r.took(), "search")
	want(t, "the step of the page", r.Guide(words.In("en"), place).Step, StepWifi)
	want(t, "searching", r.View(phone).Searching, true)
	r.Heard(nil)
	want(t, "searched", r.View(phone).Searching, false)
}

// A board with a plugged cable waits 30 s for an address. If the address comes after the access point has opened, the wall is shown.
func TestSlowCable(t *testing.T) {
	r := newRig(Options{})
	r.Plug(true)
	want(t, "before", r.after(Patience-time.Second).title()+": "+r.took(), "wall: search")
	want(t, "without an address", r.after(time.Second).title()+": "+r.took(), "join: open")
	r.Link(true, false)
	want(t, "with an address", r.after(time.Second).title()+": "+r.took(), "wall: close")
}

// If a cable works, or the card contains a network that works, there is no set-up.
func TestKnownNetwork(t *testing.T) {
	for name, link := range map[string][2]bool{"cable": {true, false}, "Wi-Fi": {false, true}} {
		r := newRig(Options{Known: link[1]})
		r.Plug(link[0])
		r.after(20 * time.Second)
		r.took()
		r.Link(link[0], link[1])
		want(t, name, r.after(5*time.Minute).title()+r.took(), "wall")
	}
}
