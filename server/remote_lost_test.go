package server

import (
	"net"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// A frozenNetwork passes nothing on while it is held, and closes no connection.
type frozenNetwork struct {
	held sync.RWMutex
}

// serve passes connections on to an address, and returns its own.
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

// A network that passes nothing on, without an end of any connection, is reported within 5 s. Afterwards the page continues automatically.
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
	const slack = 2 * time.Second // of a busy machine
	if took > 5*time.Second+slack {
		t.Errorf("it took %v, want 5 s", took)
	}
	keep(t, ctx, "lost")
	frozen.held.Unlock()
	until(t, ctx, "document.querySelector('.dot') && window.same")
}
