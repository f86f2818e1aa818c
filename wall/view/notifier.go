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

// notifierParts are the parts of a notifier.
type notifierParts struct {
	board  *notify.Board
	memory *budget.Memory // memory account of the service
	log    *slog.Logger
	sound  func(name string) // sends a sound to its players
	store  *state.Store      `optional:"true"` // stores notifications for the next start, and the newest message of each server
	agent  string            // User-Agent of requests
	key    string            // name of the view in the store
}

// A notifier posts notifications to the board of a view. It implements control.Notices.
type notifier struct {
	notifierParts
	Poster *notify.Poster
	guard  atomic.Pointer[Guard]

	bridges []bridge.Source // running bridges
	stop    func()          // ends the bridges; nil if there are none
}

// A Guard checks whether pictures may be fetched from a literal IP address.
type Guard struct {
	*fetch.Guard
	Listed bool // true if server.notify.allow lists the allowed ranges
}

// newNotifier returns a notifier. The caller ends it with close. Until configure is called,
// pictures may come only from the addresses that are allowed by default.
func newNotifier(p notifierParts) *notifier {
	whole.Check(p)
	n := &notifier{notifierParts: p, Poster: notify.NewPoster(p.board, Guarded(p.agent, nil), p.memory, p.log)}
	n.Poster.SetLocal(Guarded(n.agent, loopback))
	n.guard.Store(&Guard{Guard: fetch.NewGuard(nil)})
	return n
}

// loopback are the addresses of this machine (RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3).
var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// Guarded returns an HTTP client for addresses that come from callers. `allow` lists the allowed address ranges. If `allow` is nil, public
// addresses and addresses of the local network are allowed.
func Guarded(agent string, allow []netip.Prefix) *fetch.Client {
	return fetch.New(&fetch.Options{Guard: fetch.NewGuard(allow), UserAgent: agent})
}

// configure applies server.notify.
func (n *notifier) configure(c config.ServerNotify) {
	allow := scene.Allowed(c)
	n.guard.Store(&Guard{fetch.NewGuard(allow), allow != nil})
	n.Poster.SetClient(Guarded(n.agent, allow))
}

// Any implements control.Notices.
func (n *notifier) Any() bool { return n.board.Any() }

// Names implements control.Notices.
func (n *notifier) Names() []string { return n.board.Names() }

// Notify implements control.Notices. If the URL of a picture contains a forbidden IP address, it returns an error at once. A host name is
// resolved and checked when the picture is fetched.
func (n *notifier) Notify(_ context.Context, body []byte, local bool) (id string, err error) {
	return n.notify(body, local, "")
}

// notify posts the notification in the body of a request. The parameter `from` is the name of the server that sent the notification, or
// "" for other callers.
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

// Keep loads the stored notifications and stores all later changes. The view must show its tree before this call.
func (n *notifier) Keep() {
	if n.store != nil {
		n.Poster.Keep(n.store, n.key, colorOf)
	}
}

// Judge returns an error if the URL of a picture contains a forbidden IP address. There is one exception: if server.notify.allow is not
// set, a caller on this machine may use a loopback address, because this caller could fetch the picture itself. onLoopback is true only
// for this exception.
func (g *Guard) Judge(key, address string, local bool) (onLoopback bool, err error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return false, nil // no picture
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

// listen shows the messages of the given servers. If the list has not changed, the connections stay
// open. Otherwise all connections are closed, and the new servers are connected.
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

// TimerOver is the time for which the notification about the end of a timer is shown.
const TimerOver = 30 * time.Second

// TellTimer posts a notification about the end of a timer to every widget that shows texts or cards. It skips widgets with a full queue.
func TellTimer(b *notify.Board, label string, length time.Duration) {
	text := fmt.Sprintf("%s\n%d:%02d", label, int(length.Minutes()), int(length.Seconds())%60)
	for _, name := range b.Names() {
		if in, err := b.Lookup(name); err == nil && (in.Kind == notify.Text || in.Kind == notify.Card) {
			_ = b.Post(name, &notify.Notification{Text: text, Duration: TimerOver})
		}
	}
}
