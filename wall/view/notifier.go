package view

import (
	"context"
	"fmt"
	"image/color"
	"log/slog"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"dashboard/config"
	"dashboard/control/bridge"
	"dashboard/control/notify"
	"dashboard/internal/budget"
	"dashboard/internal/fetch"
	"dashboard/internal/state"
	"dashboard/internal/whole"
	"dashboard/theme"
	"dashboard/wall/scene"
)

// notifierParts are what a notifier is made of.
type notifierParts struct {
	board  *notify.Board
	memory *budget.Memory // of the service
	log    *slog.Logger
	sound  func(name string) // notifies the players of sounds
	store  *state.Store      `optional:"true"` // keeps notifications and the newest message of each server for the next start
	agent  string            // the User-Agent of requests
	key    string            // distinguishes the view from others in the store
}

// A notifier takes the bodies of notification requests to the board. It implements control.Notices.
type notifier struct {
	notifierParts
	Poster *notify.Poster
	guard  atomic.Pointer[Guard]

	bridges []bridge.Source // that run
	stop    func()          // ends them; nil for none
}

// A Guard decides from which literal addresses pictures may come.
type Guard struct {
	*fetch.Guard
	Listed bool // exactly the ranges of server.notify.allow
}

// newNotifier returns a notifier, to be ended with close. Before configure it fetches from nowhere unsafe.
func newNotifier(p notifierParts) *notifier {
	whole.Check(p)
	n := &notifier{notifierParts: p, Poster: notify.NewPoster(p.board, Guarded(p.agent, nil), p.memory, p.log)}
	n.Poster.SetLocal(Guarded(n.agent, loopback))
	n.guard.Store(&Guard{Guard: fetch.NewGuard(nil)})
	return n
}

// loopback is this machine (RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3).
var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// Guarded is a client for untrusted addresses. A nil list allows public and LAN ranges.
func Guarded(agent string, allow []netip.Prefix) *fetch.Client {
	return fetch.New(&fetch.Options{Guard: fetch.NewGuard(allow), UserAgent: agent})
}

// configure takes over server.notify.
func (n *notifier) configure(c config.ServerNotify) {
	allow := scene.Allowed(c)
	n.guard.Store(&Guard{fetch.NewGuard(allow), allow != nil})
	n.Poster.SetClient(Guarded(n.agent, allow))
}

// Any implements control.Notices.
func (n *notifier) Any() bool { return n.board.Any() }

// Names implements control.Notices.
func (n *notifier) Names() []string { return n.board.Names() }

// Notify implements control.Notices. A picture's forbidden address is reported at once. A name is resolved, and
// checked, when the picture is fetched.
func (n *notifier) Notify(_ context.Context, body []byte, local bool) (id string, err error) {
	return n.notify(body, local, "")
}

// notify posts a request of a caller, or of the server with the name from.
func (n *notifier) notify(body []byte, local bool, from string) (id string, err error) {
	r, err := n.board.Parse(body, colorOf)
	if err != nil {
		return "", err
	}
	r.From = from
	if r.Local, err = n.guard.Load().Judge("url", r.URL, local); err != nil {
		return "", err
	}
	if r.LocalIcon, err = n.guard.Load().Judge("icon", r.Icon, local); err != nil {
		return "", err
	}
	if err = n.Poster.Post(r); err == nil && r.Sound != "" {
		n.sound(r.Sound)
	}
	return r.ID, err
}

// List implements control.Notices.
func (n *notifier) List() []notify.Entry { return n.board.List() }

// Delete implements control.Notices.
func (n *notifier) Delete(id, widget string) (int, error) { return n.Poster.Delete(id, widget) }

// Keep starts keeping held notifications for the next start. The tree must be on the wall.
func (n *notifier) Keep() {
	if n.store != nil {
		n.Poster.Keep(n.store, n.key, colorOf)
	}
}

// Judge returns an error if a picture's address is a forbidden IP address. It reports whether the address belongs to
// this machine. That is allowed for a caller on this machine, which could fetch it too.
func (g *Guard) Judge(key, address string, local bool) (onLoopback bool, err error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return false, nil // there is no picture
	}
	host := u.Hostname()
	if host == "localhost" {
		host = "127.0.0.1"
	}
	addr, err := netip.ParseAddr(host)
	if err != nil || g.CheckAddr(addr) == nil {
		return false, nil
	}
	if local && !g.Listed && addr.Unmap().IsLoopback() {
		return true, nil
	}
	return false, &notify.KeyError{Key: key, Problem: fmt.Sprintf(
		"names %s, from which no pictures are fetched; server.notify.allow in conf.yaml lists the addresses that may be asked", addr)}
}

func (n *notifier) close() {
	n.listen(nil)
	n.Poster.Close()
}

// listen shows messages of other servers from now on, instead of the former servers' messages. Servers that stay the same
// keep their connections.
func (n *notifier) listen(sources []bridge.Source) {
	if slices.Equal(sources, n.bridges) {
		return
	}
	if n.stop != nil {
		n.stop()
	}
	n.bridges, n.stop = sources, nil
	if len(sources) == 0 {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	network := fetch.Environment(os.Getenv)
	network.UserAgent = n.agent
	client := fetch.New(network)
	var wg sync.WaitGroup
	for _, s := range sources {
		b := &bridge.Bridge{Source: s, Client: client, Log: n.log, Post: func(body []byte) error {
			_, err := n.notify(body, false, string(s.Kind))
			return err
		}}
		b.Kept, b.Key = n.store, n.key
		wg.Go(func() { b.Run(ctx) })
	}
	n.stop = func() {
		cancel()
		wg.Wait()
		client.CloseIdle()
	}
}

func colorOf(v any) (color.NRGBA, error) {
	c, err := theme.ColorOfJSON(v)
	return c.NRGBA, err
}

// Choice implements control.Notices.
func (n *notifier) Choice(id string, at int) (notify.Choice, error) { return n.board.Choice(id, at) }

// TimerOver is how long a timer's end is shown.
const TimerOver = 30 * time.Second

// TellTimer posts the end of a timer to every widget of a board that shows texts. A widget with too many waiting misses
// it.
func TellTimer(b *notify.Board, label string, length time.Duration) {
	text := fmt.Sprintf("%s\n%d:%02d", label, int(length.Minutes()), int(length.Seconds())%60)
	for _, name := range b.Names() {
		if in, err := b.Lookup(name); err == nil && (in.Kind == notify.Text || in.Kind == notify.Card) {
			_ = b.Post(name, &notify.Notification{Text: text, Duration: TimerOver})
		}
	}
}
