package viewer

import (
	"context"
	"encoding/json"
	"image"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
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

// TestRenamedWall: a screen recognizes its wall by the announced identity after the wall was renamed, even if another wall has the old
// name now. The screen keeps the new name.
func TestRenamedWall(t *testing.T) {
	store, err := state.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	found := func(name, id string) mdns.Found {
		return mdns.Found{Name: name, Addresses: []netip.Addr{netip.MustParseAddr("10.0.0.9")}, Port: 80, Text: map[string]string{"id": id}}
	}
	for _, c := range []struct {
		name string // wall in client.yaml
		kept pairedWall
		all  []mdns.Found
		want string // name of the wall, "" for none
		then pairedWall
	}{
		{"", pairedWall{Name: "Den", Token: "t"}, []mdns.Found{found("Den", "A"), found("Hall", "B")}, "Den", pairedWall{Name: "Den", Token: "t", ID: "A"}},
		{"", pairedWall{Name: "Den", Token: "t", ID: "A"}, []mdns.Found{found("Den", "B"), found("Study", "A")}, "Study", pairedWall{Name: "Study", Token: "t", ID: "A"}},
		{"", pairedWall{Name: "Den", Token: "t", ID: "A"}, []mdns.Found{found("Attic", "A"), found("Den", "A")}, "Den", pairedWall{Name: "Den", Token: "t", ID: "A"}},
		{"", pairedWall{Name: "Den", Token: "t", ID: "A"}, []mdns.Found{found("Hall", "B"), found("Study", "")}, "", pairedWall{Name: "Den", Token: "t", ID: "A"}},
		{"", pairedWall{Name: "Den", Token: "t", ID: "A"}, []mdns.Found{found("Den", "B")}, "Den", pairedWall{Name: "Den", Token: "t", ID: "B"}},
		{"Study", pairedWall{Name: "Den", Token: "t", ID: "A"}, []mdns.Found{found("Den", "B"), found("Study", "A")}, "Study", pairedWall{Name: "Study", Token: "t", ID: "A"}},
	} {
		var got sighting
		k := &seeker{name: c.name, store: store, key: "k", log: slog.New(slog.DiscardHandler), tell: func(s sighting) { got = s }}
		k.keep(c.kept)
		f, ok := k.choose(c.all, k.kept())
		if ok != (c.want != "") || f.Name != c.want {
			t.Errorf("%+v: got %q, want %q", c.kept, f.Name, c.want)
			continue
		}
		if ok && (k.join(t.Context(), f, k.kept()) != 0 || got.token != "t" || !got.paired) {
			t.Errorf("%+v: got %+v, want the kept token", c.kept, got)
		}
		if k.kept() != c.then {
			t.Errorf("%+v: then kept %+v, want %+v", c.kept, k.kept(), c.then)
		}
	}
}

// TestRenamedAfterRejection: if the wall is renamed after it has rejected the token, the token is not stored again. If the wall accepts the
// token later, the screen stores it with the new name.
func TestRenamedAfterRejection(t *testing.T) {
	store, err := state.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	v := &viewer{wall: sighting{token: "t"}, revoked: []byte(`{"Name":"Den","Token":"t"}`)}
	k := &seeker{store: store, key: "k", log: slog.New(slog.DiscardHandler), tell: v.noteWall}
	k.keep(pairedWall{}) // the wall has rejected the token during the search
	f := mdns.Found{Name: "Study", Addresses: []netip.Addr{netip.MustParseAddr("10.0.0.9")}, Port: 80, Text: map[string]string{"id": "A"}}
	k.join(t.Context(), f, pairedWall{Name: "Den", Token: "t", ID: "A"})
	if got := k.kept(); got != (pairedWall{}) {
		t.Errorf("stored %+v, although the wall has rejected the token", got)
	}
	var got pairedWall
	if want := (pairedWall{Name: "Study", Token: "t", ID: "A"}); json.Unmarshal(v.revoked, &got) != nil || got != want {
		t.Errorf("for a wall that accepts the token again: got %s, want %+v", v.revoked, want)
	}
	k.tell(sighting{token: "other"})
	if v.revoked != nil {
		t.Errorf("with another token: got %s, want none", v.revoked)
	}
}

// TestSearchFails: if the machine cannot search, the screen shows a text, unless it has already found a wall. Only one goroutine shows texts,
// which the race detector checks.
func TestSearchFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		found, fails := make(chan []mdns.Found), make(chan error)
		var said []string
		k := &seeker{name: "Den", token: "t", log: slog.New(slog.DiscardHandler)}
		k.tell = func(s sighting) {
			if s.notice == nil {
				said = append(said, s.url)
			} else {
				said = append(said, s.notice.Title)
			}
		}
		k.search = func(ctx context.Context, _ string, changed func([]mdns.Found)) error {
			for {
				select {
				case <-ctx.Done():
					return nil
				case err := <-fails:
					return err
				case all := <-found:
					changed(all)
				}
			}
		}
		ctx, end := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { k.run(ctx) })
		fails <- syscall.EADDRINUSE
		found <- []mdns.Found{{Name: "Den", Addresses: []netip.Addr{netip.MustParseAddr("10.0.0.9")}, Port: 80}}
		time.Sleep(settleTime) // takes no real time
		fails <- syscall.EADDRINUSE
		synctest.Wait()
		end()
		running.Wait()
		if want := []string{"Looking for Den", "This machine cannot look for a dashboard", "Looking for a dashboard", "http://10.0.0.9"}; !slices.Equal(said, want) {
			t.Errorf("got %q, want %q", said, want)
		}
	})
}
