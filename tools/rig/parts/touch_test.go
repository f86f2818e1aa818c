//go:build linux

package parts

import (
	"fmt"
	"image"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"dashboard/internal/testing/programtest"
)

// quarters is a wall with four colors. A tap on a color opens the color's page, which is nw for red.
var quarters = programtest.FourToTouch([4]string{
	"{widget: empty, color: red, on_tap: {page: nw}, on_double_tap: {page: two}}", "{widget: empty, color: green, on_tap: {page: sw}}",
	"{widget: empty, color: blue, on_tap: {page: ne}}", "{widget: empty, color: white, on_tap: {page: se}}",
}, "nw", "ne", "sw", "se", "two")

// glassSize is the size of the machine's screen.
var glassSize = image.Pt(800, 480)

// pixel returns the color of a pixel of the framebuffer in the kernel's format, XRGB8888 without padding.
func pixel(t *testing.T, p image.Point) string {
	t.Helper()
	f, err := os.Open(screen)
	must(t, err)
	defer f.Close()
	b := make([]byte, 4)
	_, err = f.ReadAt(b, int64(4*(p.Y*glassSize.X+p.X)))
	must(t, err)
	return fmt.Sprintf("%02x%02x%02x", b[2], b[1], b[0])
}

// page returns the name of the current page.
func (p *program) page() string {
	p.t.Helper()
	var answer struct{ Page string }
	p.get("/pages", &answer)
	return answer.Page
}

func (p *program) turns(to string) {
	p.t.Helper()
	eventually(p.t, "page "+to, func() bool { return p.page() == to })
}

// home shows the first page, and waits until the screen shows it.
func (p *program) home() {
	p.t.Helper()
	p.post("/page", `{"page": "home"}`)
	p.turns("home")
}

// quarters() shows the wall with four colors, with the given settings. It first removes the earlier content of the screen.
func (p *program) quarters(settings string) {
	p.t.Helper()
	p.reload(settings, plainWall)
	eventually(p.t, "one color", func() bool { return pixel(p.t, glassSize.Div(2)) == "008080" })
	p.reload(settings, quarters)
	p.home()
}

// corners() returns a pixel of each of the four colors. The keys are the names of the pages that open after a tap on the color.
func corners(t *testing.T) map[string]image.Point {
	t.Helper()
	pages := map[string]string{"ff0000": "nw", "00ff00": "sw", "0000ff": "ne", "ffffff": "se"}
	var seen map[string]image.Point
	eventually(t, "the four colors", func() bool {
		seen = map[string]image.Point{}
		for _, at := range []image.Point{{345, 185}, {455, 185}, {345, 295}, {455, 295}} {
			if page := pages[pixel(t, at)]; page != "" {
				seen[page] = at
			}
		}
		return len(seen) == 4
	})
	return seen
}

func listening(p *program, n int) {
	p.t.Helper()
	eventually(p.t, "the touchscreen is heard", func() bool { return p.log.Count("A Great Glass") >= n })
}

// swiped() makes a swipe and waits for the following page. It returns the time from the end of the touch until HTTP reports the page. If
// the emulated machine is too slow for a swipe, swiped() repeats it.
func (p *program) swiped(g *glass, from, to image.Point, page string) time.Duration {
	p.t.Helper()
	more := from.Sub(to).Div(2) // twice the distance, because the single distance is hardly longer than the shortest swipe
	for range 20 {
		sure := g.swipe(from.Add(more), to.Sub(more))
		for began := time.Now(); sure || time.Since(began) < quiet; time.Sleep(again) {
			if p.page() == page {
				return time.Since(began)
			}
			if time.Since(began) > patience {
				p.t.Fatalf("a swipe does not turn to %s", page)
			}
		}
	}
	p.t.Fatal("the machine is too slow for a swipe")
	return 0
}

// doubled() makes a double tap on the first page and waits for a page. If the touches were slow, they may count as two taps. In this case
// doubled() begins again.
func (p *program) doubled(g *glass, at image.Point, page string) {
	p.t.Helper()
	for range 20 {
		if g.twice(at) {
			p.turns(page)
			return
		}
		time.Sleep(2 * atOnce)
		p.home()
		corners(p.t)
	}
	p.t.Fatal("the machine is too slow for a double tap")
}

// A tap and a double tap affect the content at the touched place, and a swipe opens the next page. The test uses each rotation of the
// screen, with and without graphics.flip.
func TestTouch(t *testing.T) {
	need(t)
	g := newGlass(t, glassSize)
	tells(t, "A Great Glass, several fingers: yes")
	var p *program
	slowest := time.Duration(0)
	for _, rotate := range []int{0, 90, 180, 270} {
		for _, flip := range []bool{false, true} {
			settings := strings.Replace(conf("", fmt.Sprintf(", rotate: %d", rotate)), "motion: reduced", fmt.Sprintf("motion: reduced, flip: %v", flip), 1)
			if p == nil {
				p = run(t, settings, plainWall)
				listening(p, 1)
			}
			p.quarters(settings)
			t.Logf("rotate %d, flip %v", rotate, flip)
			at := corners(t)
			for _, page := range []string{"nw", "ne", "sw", "se"} {
				g.tap(at[page])
				p.turns(page)
				p.home()
				corners(t)
			}
			p.doubled(g, at["nw"], "two")
			p.home()
			corners(t)
			slowest = max(slowest, p.swiped(g, at["ne"], at["nw"], "nw")) // from right to left on the rotated wall, to the page after home
			p.swiped(g, at["nw"], at["ne"], "home")
		}
	}
	t.Logf("measured: a swipe turned the page within %v of the finger's going, as HTTP tells, at the slowest of 8", slowest.Round(time.Millisecond))
}

// The first touch of a dark screen switches it on and has no other effect. The second touch affects the wall.
func TestTouchWakes(t *testing.T) {
	need(t)
	g := newGlass(t, glassSize)
	settings := conf("display: {backends: [fb]}", "")
	p := run(t, settings, plainWall)
	listening(p, 1)
	p.quarters(settings)
	at := corners(t)
	p.power(false, "fb")
	g.down(at["ne"], true) // do not call tap, because it repeats a slow touch
	g.up()
	eventually(t, "on by a touch", func() bool { return p.by(true, "fb") })
	time.Sleep(quiet)
	if got := p.page(); got != "home" {
		t.Errorf("the touch that wakes turned to page %s", got)
	}
	g.tap(at["ne"])
	p.turns("ne")

	t.Log("the touchscreen is pulled out and plugged in")
	p.home()
	g.unplug()
	g = newGlass(t, glassSize)
	listening(p, 2)
	g.tap(at["sw"])
	p.turns("sw")

	t.Log("a thousand packets are not read")
	p.home()
	must(t, p.cmd.Process.Signal(syscall.SIGSTOP))
	g.down(at["nw"], true)
	for i := range 1000 {
		g.down(image.Pt(100+i%600, 100+i%300), false)
	}
	g.up()
	g.tap(at["se"]) // the program is stopped, and the kernel keeps only the newest events
	must(t, p.cmd.Process.Signal(syscall.SIGCONT))
	time.Sleep(quiet)
	p.home()
	for _, page := range []string{"nw", "se"} {
		eventually(t, "page "+page, func() bool { // the last of the unread touches may come late and turn a page
			p.home()
			g.tap(at[page])
			for began := time.Now(); time.Since(began) < quiet; time.Sleep(again) {
				if p.page() == page {
					return true
				}
			}
			return false
		})
	}
}

// A signal on a GPIO line of the board wakes the screen. Without further signals, the screen goes off again. A signal that is shorter
// than min_on is ignored.
func TestLine(t *testing.T) {
	need(t)
	const keys = "display: {presence: {gpio: 3, min_on: %s}, off_after: 2s, backends: [fb]}"
	p := run(t, conf(fmt.Sprintf(keys, "10ms"), ""), plainWall)
	eventually(t, "off: nobody is there", func() bool { return p.by(false, "fb") })
	var pressed time.Time
	eventually(t, "on: somebody came", func() bool {
		if time.Since(pressed) > 5*time.Second { // a busy machine may miss a short pulse
			pressed = time.Now()
			t.Log("PRESS")
		}
		return p.by(true, "fb")
	})
	eventually(t, "off: nobody is there any more", func() bool { return p.by(false, "fb") })
	const on = `"screen switched" on=true`
	p.reload(conf(fmt.Sprintf(keys, "30s"), ""), plainWall) // the reload may read the line again and switch the screen on
	before, since := -1, time.Now()
	eventually(t, "off after a reload, for longer than it takes to go off", func() bool {
		if n := p.log.Count(on); n != before || !p.by(false, "fb") {
			before, since = n, time.Now()
		}
		return time.Since(since) > 3*time.Second
	})
	t.Log("PRESS")
	time.Sleep(2 * quiet)
	if p.log.Count(on) != before {
		t.Error("a pulse of a tenth of a second switched it on, with min_on: 30s")
	}
	tells(t, "Pins ")
}
