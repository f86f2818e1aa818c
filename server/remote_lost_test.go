package server

import (
	"net"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// A frozenNetwork is a proxy. While it is held, it passes no data on, but it keeps all connections open.
type frozenNetwork struct {
	held sync.RWMutex
}

// serve starts the proxy for an address. It returns the address of the proxy.
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

// If the network passes no data on but keeps all connections open, the page reports this within 5 s. When the network works again, the page
// continues automatically.
func TestRemoteLost(t *testing.T) {
	t.Parallel()
	needsLong(t)
	w := newWholeWall(t)
	address, _ := w.serve(t)
	var frozen frozenNetwork
	ctx := browser(t, 390, 844, 1)
	enter(t, ctx, frozen.serve(t, address))
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("window.same = true")); err != nil {
		t.Fatal(err)
	}
	frozen.held.Lock()
	began := time.Now()
	until(t, ctx, "document.querySelector('.link.lost')")
	took := time.Since(began)
	t.Logf("the page reports the lost network after %v", took.Round(100*time.Millisecond))
	const slack = 2 * time.Second // for a busy machine
	if took > 5*time.Second+slack {
		t.Errorf("it took %v, want 5 s", took)
	}
	keep(t, ctx, "lost")
	frozen.held.Unlock()
	until(t, ctx, "document.querySelector('.dot') && window.same")
}
