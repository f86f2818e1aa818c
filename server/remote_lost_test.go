package server

import (
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"dashboard/control"
	"dashboard/internal/testing/programtest"
)

// A frozenNetwork is a proxy. While the lock `held` is locked, the proxy forwards no data, but keeps all connections open.
type frozenNetwork struct {
	held sync.RWMutex
}

// serve starts a proxy for the given address, and returns the address of the proxy.
func (n *frozenNetwork) serve(t *testing.T, to string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			onward, err := net.Dial("tcp", to)
			if err != nil {
				from.Close()
				continue
			}
			go n.pass(from, onward)
			go n.pass(onward, from)
		}
	}()
	return l.Addr().String()
}

func (n *frozenNetwork) pass(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buf := make([]byte, 32<<10)
	for {
		k, err := from.Read(buf)
		n.held.RLock()
		_, bad := to.Write(buf[:k])
		n.held.RUnlock()
		if err != nil || bad != nil {
			return
		}
	}
}

// If the network forwards no data but keeps all connections open, the page reports this after 5 s without data. When the network works
// again, the page continues automatically.
func TestRemoteLost(t *testing.T) {
	t.Parallel()
	needsLong(t)
	w := newWholeWall(t)
	address, _ := w.serve(t)
	var frozen frozenNetwork
	ctx := browser(t, 390, 844, 1)
	enter(t, ctx, frozen.serve(t, address))
	until(t, ctx, "window.same = window.longer = 1")
	until(t, ctx, "window.shortSilences > 0") // from now on, the page uses a timeout of 5 s
	frozen.held.Lock()
	began := time.Now()
	until(t, ctx, "document.querySelector('.link.lost')")
	t.Logf("the page reports the lost network after %v", time.Since(began).Round(100*time.Millisecond))
	keep(t, ctx, "lost")
	until(t, ctx, "window.longer = 60")
	frozen.held.Unlock()
	until(t, ctx, "document.querySelector('.dot') && window.same")
}

// Until the wall has painted its first frame, the remote shows why there is no picture.
func TestRemoteWithoutPicture(t *testing.T) {
	t.Parallel()
	needsLong(t)
	f := newFixture(t)
	f.Configure(Settings{StreamOn: true, HTTPControl: true})
	address, _ := f.serve(t)
	ctx := browser(t, 390, 844, 1)
	see(t, ctx, chromedp.Navigate("http://"+address+"/"))
	until(t, ctx, "document.querySelector('figcaption')?.textContent.trim() === 'The wall has not painted a picture yet.'")
	keep(t, ctx, "remote-without-picture")
	f.show(t, 90)
	until(t, ctx, "document.querySelector('canvas[data-shown]') && !document.querySelector('figcaption')")
}

// After a person has given consent on the page of a service, the browser returns to a page of the wall. This page looks like the other
// pages, and its link is a button.
func TestConnectedPage(t *testing.T) {
	t.Parallel()
	needsLong(t)
	f := newFixture(t)
	f.Server.deps.Editor = &fakeEditor{}
	f.Configure(Settings{StreamOn: true})
	address, _ := f.serve(t)
	ctx := browser(t, 390, 844, 1)
	see(t, ctx, chromedp.Navigate("http://"+address+"/edit/connected?state=x&code=y"))
	until(t, ctx, "document.querySelector('a.main').href.endsWith('/edit/') && document.querySelector('a.main').offsetHeight >= 44 && "+
		"getComputedStyle(document.querySelector('a.main')).textDecorationLine === 'none'")
	keep(t, ctx, "connected")
}

// If the wall's files have errors, the remote shows the first error and its position until the error is corrected.
func TestRemoteMistake(t *testing.T) {
	t.Parallel()
	needsLong(t)
	f := newFixture(t)
	f.show(t, 90)
	var problem atomic.Pointer[string]
	f.Server.deps.Problem = func() string { return *problem.Load() }
	problem.Store(pointer("widgets.yaml:7:15: widget: unknown widget 'clok'; near: clock"))
	f.Configure(Settings{StreamOn: true, HTTPControl: true})
	address, _ := f.serve(t)
	for _, width := range []int{390, 1280} {
		ctx := browser(t, width, 844, 1)
		see(t, ctx, chromedp.Navigate("http://"+address+"/"))
		until(t, ctx, "document.querySelector('.bad-card b')?.textContent === 'widgets.yaml:7:15' && document.querySelector('.bad-card').textContent.includes('near: clock')")
		keep(t, ctx, fmt.Sprintf("remote-mistake-%d", width))
		if width == 1280 {
			problem.Store(pointer(""))
			until(t, ctx, "!document.querySelector('.bad-card')")
		}
	}
}

// While the card restarts during an update, each part of the page shows the time since the restart began. If the wall does not return in
// time, the page shows what to check. When the wall answers again, the page goes on by itself, with the new version. If the connection is
// lost during a download, the page does not report a restart.
func TestRemoteRestarts(t *testing.T) {
	t.Parallel()
	needsLong(t)
	axe := axeCore(t)
	c := &aCard{}
	card := func() *fixture {
		f := newFixture(t)
		f.parts.Own = map[string]control.Effect{"update": c.do}
		f.control()
		f.Server.deps.Update = func() any { return *c.state.Load() }
		f.show(t, 90)
		return f
	}
	const shows = "document.querySelector('main').innerText.includes(%q)"
	for _, from := range []string{"update", "back"} {
		c.set(cardStates()["offer"])
		address, stop := card().serveAt(t, ownPort(t))
		ctx := browser(t, 390, 844, 1)
		see(t, ctx, chromedp.Navigate("http://"+address+"/"))
		until(t, ctx, "document.querySelector('button[aria-label=More]')")
		openPart(t, ctx, "Updates")
		if from == "update" {
			c.set(cardStates()["trial"])
			until(t, ctx, fmt.Sprintf(shows, "restarts into it"))
		} else { // the card may restart before the page receives its last state
			until(t, ctx, "[...document.querySelectorAll('main button')].some((b) => b.innerText.trim() === 'Go back' && (b.click(), true))")
			until(t, ctx, fmt.Sprintf(shows, "for good?"))
			until(t, ctx, "[...document.querySelectorAll('main button')].some((b) => b.innerText.trim() === 'Go back' && (b.click(), true))")
			programtest.Eventually(t, "asked", func() bool { return c.last() == "back" })
			until(t, ctx, "!document.querySelector('[aria-busy=true]')")
		}
		until(t, ctx, "window.longer = 1")
		stop()
		until(t, ctx, fmt.Sprintf(shows, "Restarting")+" && /\\d:\\d\\d/.test(document.querySelector('[aria-label=Restart] b').innerText)")
		checkAxe(t, ctx, axe, 390)
		keep(t, ctx, "updates-restarting-"+from)
		press(t, ctx, "button.back")
		until(t, ctx, fmt.Sprintf(shows, "Restarting")+" && document.querySelector('.link.lost').innerText.trim() === 'restarting'")
		keep(t, ctx, "remote-restarting-"+from)
		until(t, ctx, "(Date.now = ((real) => () => real() + 240000)(Date.now)) && true")
		until(t, ctx, fmt.Sprintf(shows, "The wall does not answer")+" && "+fmt.Sprintf(shows, "unplug the wall")+" && !"+fmt.Sprintf(shows, "goes on"))
		keep(t, ctx, "remote-restart-failed-"+from)
		c.set(map[string]any{"version": "1.6.0"})
		_, stop = card().serveAt(t, address)
		until(t, ctx, "document.querySelector('.dot')")
		openPart(t, ctx, "Updates")
		until(t, ctx, fmt.Sprintf(shows, "This wall has 1.6.0"))
		c.set(cardStates()["writes"])
		until(t, ctx, fmt.Sprintf(shows, "fetches and writes it"))
		stop()
		until(t, ctx, fmt.Sprintf(shows, "The wall does not answer")+" && document.querySelector('main').innerText.includes('goes on') && !"+fmt.Sprintf(shows, "Restarting"))
	}
}
