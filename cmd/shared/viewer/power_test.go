package viewer

import (
	"image"
	"image/color"
	"net/http"
	"strings"
	"testing"

	"dashboard/internal/testing/programtest"
)

// power switches the wall's screens with a request to the service.
func (w *wall) power(state string) {
	w.t.Helper()
	w.post("/power", `{"state": "`+state+`"}`)
}

// brightness() requests a brightness from the service.
func (w *wall) brightness(level string) {
	w.t.Helper()
	w.post("/brightness", `{"brightness": "`+level+`"}`)
}

func (w *wall) post(path, body string) {
	w.t.Helper()
	r, err := http.Post(w.url()+path, "application/json", strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		w.t.Fatalf("POST %s %s: %s", path, body, r.Status)
	}
}

// switched() waits until the screen was switched on the given number of times. If `on` is not "true", it waits for switching off instead.
func (v *viewerProcess) switched(on string, times int) {
	v.t.Helper()
	programtest.Eventually(v.t, "the wall's screen on="+on, func() bool {
		return v.Log.Count("the wall's screen was switched\" on="+on) == times
	})
}

// TestScreenFollowsWall checks a remote screen that follows its wall. While the wall's screens are off, the remote screen is off, and the
// client does not draw on it. When the remote screen is switched on, it shows the current picture of the wall. A screen that does not
// follow the wall stays on.
func TestScreenFollowsWall(t *testing.T) {
	t.Parallel()
	w := startWall(t, plain("red"), "")
	follows := startViewer(t, conf(w.url(), "", "logging: {level: debug}\n"))
	stays := startViewer(t, conf(w.url(), "", "display: {follow: false}\n"))
	place := image.Pt(190, 110) // outside of the panel in the middle of the screen
	follows.shows(place, red)
	stays.shows(middle, red)
	follows.Says("msg=connected")
	stays.Says("msg=connected")
	w.power("off")
	follows.switched("false", 1)
	follows.Says(`"screen switched" on=false`)
	w.change(plain("blue"))
	stays.shows(middle, blue)
	programtest.Eventually(t, "the second frame", func() bool { return follows.Log.Count("msg=frame") >= 2 })
	if got := follows.pixel(place); got != red {
		t.Errorf("a screen that is off was drawn on: %v", got)
	}
	w.power("on")
	follows.switched("true", 1)
	follows.shows(place, blue)
}

// TestScreenOfDarkWall checks a remote screen that connects while the wall's screens are off. It is switched off at once and stays off
// while the service is down. The service then returns with other settings, which switch the screen on.
func TestScreenOfDarkWall(t *testing.T) {
	t.Parallel()
	w := startWall(t, plain("red"), "display: {when: false}\n")
	v := startViewer(t, conf(w.url(), ", stale_after: 1", ""))
	v.switched("false", 1)
	outage(w)
	programtest.Eventually(t, "the outage", func() bool { return v.outages() > 0 })
	text := strings.Replace(w.conf(), "when: false", "when: true", 1)
	programtest.Write(t, w.dir, map[string]string{"conf.yaml": text})
	if n := v.Log.Count("on=true"); n != 0 {
		t.Errorf("switched on %d times while nobody knew", n)
	}
	w.start()
	v.switched("true", 1)
	v.shows(middle, red)
}

// TestScreenFollowsLight checks that a remote screen has the brightness and the warmth of its wall
// from the beginning. When the brightness is no longer requested, the screen returns to its
// original brightness. A screen that does not follow the wall does not change.
func TestScreenFollowsLight(t *testing.T) {
	t.Parallel()
	w := startWall(t, plain("white"), "display: {warmth: 100%}\ntheme: calm\nappearance: {default: night}\n")
	follows := startViewer(t, conf(w.url(), "", ""))
	stays := startViewer(t, conf(w.url(), "", "display: {follow: false}\n"))
	stays.shows(middle, white)
	warm := func() (c color.RGBA) {
		programtest.Eventually(t, "a warm picture", func() bool { c = follows.pixel(middle); return c.R > 200 && c.B > 0 && c.B < c.R-40 })
		return c
	}
	full := warm()
	w.brightness("30%")
	programtest.Eventually(t, "a dim picture", func() bool { c := follows.pixel(middle); return c.R > 0 && c.R < full.R-60 })
	later := startViewer(t, conf(w.url(), "", ""))
	programtest.Eventually(t, "a picture that is dim from the beginning", func() bool { c := later.pixel(middle); return c.R > 0 && c.R < full.R-60 && c.B < c.R })
	if got := stays.pixel(middle); got != white {
		t.Errorf("a screen that does not follow: got %v", got)
	}
	w.brightness("auto")
	programtest.Eventually(t, "as bright as it was", func() bool { return follows.pixel(middle) == full })
}

// TestDarkWallIsSeen checks a wall whose screens were off when a remote screen connected. When the wall's screens are switched on, the
// remote screen shows the wall at once. The test checks a remote screen that follows the wall and a remote screen that does not.
func TestDarkWallIsSeen(t *testing.T) {
	t.Parallel()
	w := startWall(t, plain("red"), "")
	w.power("off")
	stays := startViewer(t, conf(w.url(), "", "display: {follow: false}\n"))
	follows := startViewer(t, conf(w.url(), "", ""))
	stays.shows(middle, red)
	follows.switched("false", 1)
	follows.Says(`"screen switched" on=false`)
	w.power("on")
	follows.shows(middle, red)
}
