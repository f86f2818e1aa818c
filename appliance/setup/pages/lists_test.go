package pages

import (
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"dashboard/appliance/setup/flow"
)

// The list of networks shows the time since the last search.
func TestAgeOfTheSearch(t *testing.T) {
	f := newFixture(t)
	f.sends(t, guest, "speak", url.Values{"language": {"en"}, "country": {"DE"}})
	if list := f.asks(guest, "/"+token, nil).Body.String(); strings.Contains(list, "ago") {
		t.Error("a search that has not ended has an age")
	}
	f.Machine.Heard([]flow.Found{{Name: "Home", Signal: -50, Security: flow.WPA3}})
	for after, want := range map[time.Duration]string{20 * time.Second: "searched 20 s ago", 130 * time.Second: "searched 2 min ago"} {
		f.now += after
		has(t, want, f.asks(guest, "/"+token, nil).Body.String(), ">"+want+"</span></small>")
		f.now -= after
	}
	f.Machine.Slow = true
	has(t, "a radio without 5 GHz", f.asks(guest, "/"+token, nil).Body.String(), "</span> · 2.4 GHz only</small>")
}

// A filter shows some walls of the gallery and stays after a tap on a wall. A filter without walls is not offered.
func TestGalleryFilters(t *testing.T) {
	f := newFixture(t)
	f.Machine.Speak("en", "DE")
	f.Machine.Draft.Step = flow.StepWall
	f.Tables.Walls = []string{"family", "news"}
	has(t, "filters", f.asks(guest, "/"+token, nil).Body.String(), `?show=" aria-current="true">All 2</a>`, `?show=work">At work</a>`, `value="family"`, `value="news"`)
	page := f.sends(t, guest, "prefer", url.Values{"wall": {"news"}, "show": {"work"}})
	has(t, "at work", page, `?show=work" aria-current="true">`, "Use News")
	if strings.Contains(page, `name="wall" value="family"`) {
		t.Error("a wall for the home is shown at work")
	}
	f.Tables.Walls = []string{"family"}
	if page = f.asks(guest, "/"+token, nil).Body.String(); strings.Contains(page, "At work") || !strings.Contains(page, "At home") {
		t.Error("got a filter without walls, or lacks the other filter")
	}
	gallery, err := os.ReadFile("../../../tools/image/gallery.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(gallery), "var gallery = []string{")
	list, _, _ = strings.Cut(list, "}")
	for wall := range strings.SplitSeq(list, ", ") {
		if wall = strings.Trim(wall, `"`); !filters[0].shows(wall) && !filters[1].shows(wall) {
			t.Errorf("no filter shows the wall %s of the image", wall)
		}
	}
}
