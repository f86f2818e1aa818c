package viewer

import (
	"context"
	"image"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/client"
	"dashboard/control/pairing"
	"dashboard/internal/mdns"
	"dashboard/internal/state"
	"dashboard/internal/testing/homeassistanttest"
	"dashboard/internal/testing/programtest"
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

// A blind is a display without a screen.
type blind struct{}

func (blind) DrawFrame(*image.RGBA, []image.Rectangle) error { return nil }

// TestTokenIsAcceptedAgain: a wall that starts without its state folder rejects the tokens of its screens. When it accepts a token again, the
// screen stores the token again, so that it does not ask for another token after its next start.
func TestTokenIsAcceptedAgain(t *testing.T) {
	stream, token, other := netstream.New(time.Now), "watch", "x"
	wall := server.New(server.Deps{Streams: func(string) *netstream.Stream { return stream }}, slog.New(slog.DiscardHandler))
	at := httptest.NewServer(wall.Handler())
	defer at.Close()
	defer wall.Close()
	store, err := state.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	v := &viewer{
		opts: &options{home: "/", config: "client.yaml"}, store: store, log: slog.New(slog.DiscardHandler), seeks: func() {},
		wall: sighting{token: token, paired: true},
	}
	const pairing = `{"Name":"Den","Token":"watch"}`
	if err := store.Save(pairings, v.opts.key(), []byte(pairing)); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		accepts *string
		state   client.State
		kept    string
	}{{&other, client.Rejected, "{}"}, {&other, client.Rejected, "{}"}, {&token, client.Connected, pairing}, {&other, client.Rejected, "{}"}} {
		v.wall.paired = true // the search has found the wall again, with the token that it keeps in memory
		wall.Configure(server.Settings{StreamOn: true, StreamToken: step.accepts})
		o := client.Options{URL: at.URL, Token: token, Size: image.Pt(16, 16), Display: blind{}, ReconnectDelay: time.Second, StaleAfter: time.Second}
		if v.client, err = client.New(o); err != nil {
			t.Fatal(err)
		}
		ctx, end := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { v.client.Run(ctx) })
		programtest.Eventually(t, step.state.String(), func() bool { return v.client.Stats().State == step.state })
		v.noteRemoved()
		if kept, _ := store.Load(pairings, v.opts.key()); string(kept) != step.kept {
			t.Errorf("%v: the screen keeps %s, want %s", step.state, kept, step.kept)
		}
		end()
		running.Wait()
	}
}
