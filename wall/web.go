package wall

import (
	"cmp"
	"context"
	"net"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"dashboard/config"
	"dashboard/server"
	"dashboard/wall/address"
	"dashboard/wall/announce"
	"dashboard/wall/scene"
)

// web is the HTTP part of the service. It starts when a configuration needs a server for the first time. From then on it runs until the
// program ends. If a feature is turned off, its paths answer 404.
type web struct {
	service *Service
	server  *server.Server
	found   *announce.Announcer

	mu      sync.Mutex // guards the fields below
	told    string     // address for opening the wall in a browser, or "" if there is no listener
	address string     // address to listen on, or "" until a server is needed
	waits   bool       // true if the configuration has another address, which needs a restart
	begin   chan struct{}

	configured atomic.Bool // true if conf.yaml has a control token
	fixed      atomic.Bool // true if the port must not change: it is configured, or the program runs as a service
}

// hasToken reports whether conf.yaml has a token for control.
func (w *web) hasToken() bool { return w.configured.Load() }

// listening() returns the host and port of the server. Until a server is needed, it returns "".
func (w *web) listening() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.address
}

func newWeb(s *Service) *web {
	w := &web{service: s, begin: make(chan struct{}), found: announce.NewAnnouncer(s.log, identity(s.store, s.opts.Home))}
	w.server = server.New(server.Deps{
		Streams: s.streams, Stream: s.stream, Views: s.names, Walls: s.verbs, Surveyor: s, Speaker: s, Panels: s, Values: s, Editor: s.drafts,
		Fleet: s.fleet, Editors: s.editors, ShowCode: s.showEditCode,
		Tasks: s.tasks, Peers: s.peers, Source: s.sourceReport, ShowPeer: s.showPeerCode, HasScreen: s.hasScreen,
		Health: s.health, Problem: s.problemText, Measures: s.measures, Pairing: s.screens, Readers: s.readers, PairingAsked: s.showPairing,
		Listening: w.tellURL, Update: s.updateState, Version: s.opts.Version, Name: hostName,
	}, s.log)
	return w
}

// configure applies the server settings of a generation.
func (w *web) configure(g *scene.Generation) {
	c := g.Conf
	settings := server.Settings{
		StreamOn: g.AnyScene((*scene.Scene).Streams), StreamToken: c.Server.Auth.StreamToken,
		ControlToken: cmp.Or(c.Server.Auth.ControlToken, w.service.ownToken),
		ConfigToken:  c.Server.Auth.ConfigToken, EditCodes: w.service.ownToken != nil,
		CalmEvents:  !g.AnyScene((*scene.Scene).Debounced),
		HTTPControl: c.Appearance != nil && c.Appearance.HTTPControl, Rate: server.Rate(c.Server.Rate),
		Names: serverNames(c.Server.Names), Announce: c.Accessibility.Announce,
	}
	w.configured.Store(c.Server.Auth.ControlToken != nil)
	o := &w.service.opts
	w.fixed.Store(o.Listen != "" || !o.Screenless && !o.Demo && (!o.Watch || c.Get("server").Has("port")))
	w.server.Configure(settings)
	w.service.fleet.Configure(listedWalls(c.Walls))
	readers := g.Readers(w.service.builder.AskTime)
	w.service.readers.Configure(readers)
	announced := c.Server.Announce
	if o.Screenless {
		announced = config.Announcement{Off: true}
	}
	w.found.Configure(announced, slices.DeleteFunc(c.ViewNames(), scene.IsPhone), settings.StreamOn)
	if settings.StreamOn || settings.HTTPControl || readers.On || g.Pushed() || g.Timers.Expected() || g.AnyScene((*scene.Scene).Notifiable) {
		host := c.Server.Host
		if o.Screenless {
			host = "127.0.0.1"
		}
		w.start(cmp.Or(o.Listen, net.JoinHostPort(host, strconv.Itoa(c.Server.Port))))
		return
	}
	w.idle()
}

// hostName returns the name of this machine. People use it as the name of the wall.
func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return "Dashboard"
	}
	return name
}

// serverNames returns the configured names of the server and the name of this machine.
func serverNames(configured []config.HostName) []string {
	names := make([]string, 0, len(configured)+1)
	for _, n := range configured {
		names = append(names, string(n))
	}
	if own, err := os.Hostname(); err == nil {
		names = append(names, own)
	}
	return names
}

// idle() logs why there is no server.
func (w *web) idle() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.address == "" {
		w.service.log.Info("no HTTP server: neither a stream nor a trmnl output nor a push widget nor notifications nor appearance.http_control asks for one")
	}
}

// waiting reports whether a new address in the configuration needs a restart.
func (w *web) waiting() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.waits
}

// start makes the server listen on an address until the program ends. If the server already has another address, start logs that the
// change needs a restart.
func (w *web) start(address string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch w.address {
	case "":
		w.address = address
		close(w.begin)
	case address:
		w.waits = false
	default:
		w.waits = true
		w.service.log.Warn("a change of server.host or server.port requires a restart", "listening", w.address, "configured", address)
	}
}

// run waits until a server is needed. Then it serves until ctx ends.
func (w *web) run(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-w.begin:
		w.server.Run(ctx, w.free(ctx))
	}
}

// free() returns the address to listen on, which is the result of listening(). If w.fixed is false and another program uses the port,
// free() returns an address with the next free port instead.
func (w *web) free(ctx context.Context) string {
	at := w.listening()
	if w.fixed.Load() {
		return at
	}
	free := freeAddress(ctx, at)
	if free != at {
		w.service.log.Warn("another program uses the port: the wall takes the next free one", "port", at, "instead", free)
	}
	return free
}

// demoPorts is the number of ports that freeAddress tries. On many machines another program uses port 5000, which is the default.
const demoPorts = 20

// freeAddress returns the address with the first free port, beginning with the port of `address`.
func freeAddress(ctx context.Context, address string) string {
	host, port, _ := net.SplitHostPort(address)
	first, _ := strconv.Atoi(port)
	for n := range demoPorts {
		at := net.JoinHostPort(host, strconv.Itoa(first+n))
		if l, err := new(net.ListenConfig).Listen(ctx, "tcp", at); err == nil {
			l.Close()
			return at
		}
	}
	return address // the server will report the error
}

// url returns the address for opening the wall in a browser. If there is no listener, it returns "".
func (w *web) url() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.told
}

// tellURL logs and announces the wall's address.
func (w *web) tellURL(at net.Addr) {
	w.found.Listening(at)
	host, port, err := net.SplitHostPort(at.String())
	if err != nil {
		return
	}
	// The server may listen on all addresses of this machine. People then use the name of the machine.
	if own, err := os.Hostname(); err == nil && address.Reachable(host) != host {
		host = own
	}
	url := "http://" + net.JoinHostPort(host, port) + "/"
	w.mu.Lock()
	w.told = url
	w.mu.Unlock()
	w.service.log.Info("open the wall in a browser: " + url)
	if w.service.opts.Screenless {
		w.service.log.Info("edit it in a browser: " + url + "edit/")
	}
}
