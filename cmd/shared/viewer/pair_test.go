package viewer

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/client"
	"dashboard/control/pairing"
	"dashboard/internal/mdns"
	"dashboard/internal/testing/homeassistanttest"
	"dashboard/netstream"
	"dashboard/server"
)

// TestWallMovesWhilePairing: a screen shows a code, and then the wall gets another address. The screen stops waiting for an answer from the
// old address, so that it can ask at the new address.
func TestWallMovesWhilePairing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stream, token := netstream.New(time.Now), "watch"
		wall := server.New(server.Deps{
			Streams: func(string) *netstream.Stream { return stream }, Pairing: pairing.New(),
		}, slog.New(slog.DiscardHandler))
		wall.Configure(server.Settings{StreamOn: true, StreamToken: &token})
		at := homeassistanttest.NewPipes()
		ctx, end := context.WithCancel(t.Context())
		served := make(chan struct{})
		go func() { defer close(served); wall.Serve(ctx, at) }()

		said := make(chan client.Notice, 9)
		line := &http.Transport{DialContext: func(d context.Context, network, address string) (net.Conn, error) {
			if ctx.Err() != nil {
				return nil, syscall.EHOSTUNREACH
			}
			return at.Dial(d, network, address)
		}}
		defer line.CloseIdleConnections()
		k := &seeker{
			self: "screen", log: slog.New(slog.DiscardHandler), http: &http.Client{Transport: line, Timeout: askTime},
			tell: func(s sighting) { said <- *s.notice },
		}
		again := make(chan time.Duration, 1)
		go func() {
			_, next := k.pair(t.Context(), mdns.Found{Name: "Den", Addresses: []netip.Addr{netip.MustParseAddr("10.0.0.9")}, Port: 80})
			again <- next
		}()
		if n := <-said; len(n.Code) != len("123 456") {
			t.Errorf("got %+v, want a code", n)
		}
		time.Sleep(pairing.WaitTime / 2) // takes no real time
		synctest.Wait()
		if len(again) > 0 {
			t.Error("the screen does not wait for the permission of a wall that answers")
		}
		end() // the wall leaves this address
		<-served
		time.Sleep(silentTime + askTime)
		synctest.Wait()
		select {
		case next := <-again:
			if next != againAfter || (<-said).Title != "Den does not answer" {
				t.Errorf("the next attempt is in %v", next)
			}
		default:
			t.Error("the screen still waits for a wall that is gone")
		}
	})
}
