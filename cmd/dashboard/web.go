package main

import (
	"cmp"
	"context"
	"net"
	"os"
	"strconv"
	"sync"

	"dashboard/config"
	"dashboard/netstream"
	"dashboard/server"
	"dashboard/theme/sun"
)

// web is the HTTP side of the service. It starts when a configuration first has something to serve, and
// then stays: a feature that is turned off answers 404.
type web struct {
	service *service
	server  *server.Server

	mu      sync.Mutex // guards address
	address string     // empty until something is to be served
	begin   chan struct{}
}

func newWeb(s *service) *web {
	w := &web{service: s, begin: make(chan struct{})}
	w.server = server.New(server.Deps{
		Streams: s.streams, Notifier: s.main().notes, Themes: s, Surveyor: s, Health: s.health, Measures: s.measures, Version: version,
	}, s.log)
	return w
}

// streams implements server.Deps.Streams: "" is the main view.
func (s *service) streams(name string) *netstream.Stream {
	if v := s.views[cmp.Or(name, mainView)]; v != nil {
		return v.stream
	}
	return nil
}

// configure takes over what a generation says of the server.
func (w *web) configure(g *generation) {
	c := g.conf
	settings := server.Settings{
		StreamOn: g.anyScene((*scene).streams), StreamToken: c.Server.Auth.StreamToken, ControlToken: c.Server.Auth.ControlToken,
		CalmEvents:  !g.anyScene((*scene).debounced),
		HTTPControl: c.Appearance != nil && c.Appearance.HTTPControl, Rate: server.Rate(c.Server.Rate),
		Names: serverNames(c.Server.Names),
	}
	w.server.Configure(settings)
	if settings.StreamOn || settings.HTTPControl || g.anyScene((*scene).notifiable) {
		w.start(net.JoinHostPort(c.Server.Host, strconv.Itoa(c.Server.Port)))
		return
	}
	w.idle()
}

// serverNames are the configured names and the machine's own.
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

// idle tells why nobody listens, if nobody does.
func (w *web) idle() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.address == "" {
		w.service.log.Info("no HTTP server: neither a stream output nor a push widget nor appearance.http_control asks for one")
	}
}

// start lets run listen on the address, which stays until the end of the program.
func (w *web) start(address string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch w.address {
	case "":
		w.address = address
		close(w.begin)
	case address:
	default:
		w.service.log.Warn("server.host and server.port are taken over at the next start only", "listening", w.address, "configured", address)
	}
}

// run serves from the moment something is to be served until ctx ends.
func (w *web) run(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-w.begin:
		w.server.Run(ctx, w.address)
	}
}

// Theme implements server.Themes.
func (s *service) Theme(context.Context) (server.ThemeState, error) {
	v := s.main()
	shown := v.shown.Load()
	if shown.single() {
		return server.ThemeState{}, server.ErrOneTheme
	}
	return themeState(v.themes.holder.At(v.themes.now()), shown.gen.conf.Appearance.Located()), nil
}

// SetTheme implements server.Themes. The theme is on the wall when it returns.
func (s *service) SetTheme(ctx context.Context, mode, hold string) (server.ThemeState, error) {
	before, err := s.Theme(ctx)
	if err != nil {
		return before, err
	}
	v := s.main()
	now := v.themes.now()
	var st sun.State
	if mode == "auto" {
		if st, err = v.themes.holder.Auto(now); err != nil {
			return before, server.ErrNoPlace
		}
	} else {
		st = v.themes.holder.Set(sun.Mode(mode), sun.Hold(hold), now)
	}
	v.themes.look() // when it changes next is another time now
	return themeState(st, before.Located), v.activate(ctx)
}

func themeState(st sun.State, located bool) server.ThemeState {
	return server.ThemeState{
		Mode: string(st.Mode), FollowingSun: st.FollowingSun, HeldUntil: st.HeldUntil,
		NextChange: st.NextChange, NextMode: string(st.NextMode), Located: located,
	}
}
