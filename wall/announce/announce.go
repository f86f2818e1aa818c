// Package announce announces a wall on the local network while other machines can reach it.
package announce

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"reflect"
	"strings"
	"sync"

	"dashboard/config"
	"dashboard/internal/mdns"
)

// An Announcer announces the wall in the home network, while other hosts can reach it.
type Announcer struct {
	log    *slog.Logger
	counts mdns.Counts

	mu      sync.Mutex // guards what follows
	at      netip.AddrPort
	want    config.Announcement
	views   []string
	stream  bool          // there is something to show
	changed chan struct{} // capacity 1
}

// NewAnnouncer returns an announcer that announces nothing yet.
func NewAnnouncer(log *slog.Logger) *Announcer {
	return &Announcer{log: log, changed: make(chan struct{}, 1)}
}

// Listening notes where requests come to.
func (a *Announcer) Listening(at net.Addr) {
	if tcp, ok := at.(*net.TCPAddr); ok {
		a.set(func() { a.at = tcp.AddrPort() })
	}
}

// Configure takes over the settings of conf.yaml.
func (a *Announcer) Configure(want config.Announcement, views []string, stream bool) {
	a.set(func() { a.want, a.views, a.stream = want, views, stream })
}

func (a *Announcer) set(change func()) {
	a.mu.Lock()
	change()
	a.mu.Unlock()
	select {
	case a.changed <- struct{}{}:
	default:
	}
}

// Run announces until ctx ends, and again after each change.
func (a *Announcer) Run(ctx context.Context) {
	var told *mdns.Options
	stop := func() {}
	defer func() { stop() }()
	for {
		select {
		case <-ctx.Done():
			return
		case <-a.changed:
		}
		next := a.options()
		if sameAnnouncement(told, next) {
			continue
		}
		stop()
		told, stop = next, func() {}
		if next != nil {
			stop = a.begin(ctx, *next)
		}
	}
}

// begin announces until the returned function is called, which waits for the goodbye.
func (a *Announcer) begin(ctx context.Context, o mdns.Options) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() { mdns.Announce(ctx, o) })
	return func() {
		cancel()
		done.Wait()
	}
}

func sameAnnouncement(a, b *mdns.Options) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Name == b.Name && a.Host == b.Host && a.Port == b.Port && reflect.DeepEqual(a.Services, b.Services)
}

// options are the announced services, nil for none.
func (a *Announcer) options() *mdns.Options {
	a.mu.Lock()
	defer a.mu.Unlock()
	ip := a.at.Addr().Unmap()
	if a.want.Off || !a.stream || !a.at.IsValid() || ip.IsLoopback() {
		return nil
	}
	machine, err := os.Hostname()
	if err != nil {
		machine = ""
	}
	host := mdns.HostLabel(cmp.Or(a.want.Name, machine))
	o := &mdns.Options{
		Name: cmp.Or(a.want.Name, "Dashboard on "+host), Host: host, Port: int(a.at.Port()), Log: a.log, Counts: &a.counts,
		Services: []mdns.Service{{Type: Service, Text: viewTexts(a.views)}, {Type: "_http._tcp", Text: []string{"path=/"}}},
	}
	if all := ip.IsUnspecified(); !all || a.at.Addr().Is4() {
		// A listener on 0.0.0.0 has no IPv6; Go's on :: has both.
		o.Allows = func(b netip.Addr) bool { return b == ip || all && b.Is4() }
	}
	return o
}

// Measures are the metrics of messages to the home network.
func (a *Announcer) Measures(yield func(string, float64) bool) bool {
	return yield("dashboard_mdns_received_packets_total", float64(a.counts.Received.Load())) &&
		yield("dashboard_mdns_malformed_packets_total", float64(a.counts.Malformed.Load())) &&
		yield("dashboard_mdns_sent_packets_total", float64(a.counts.Sent.Load())) &&
		yield("dashboard_mdns_conflicts_total", float64(a.counts.Conflicts.Load()))
}

// Service is the type of the service of a wall.
const Service = "_dashboard._tcp"

// longestText is a string of TXT, bytes, less its key: RFC 1035 section 3.3.14.
const longestText = 255 - len("views2=")

// viewTexts are the names of the views in the service's record: views, then views2 and so on if they are too long.
func viewTexts(views []string) []string {
	all := []string{"txtvers=1", "path=/"}
	line, n := "", 1
	put := func() {
		if line != "" {
			all = append(all, fmt.Sprintf("views%s=%s", map[bool]string{true: "", false: fmt.Sprint(n)}[n == 1], line))
			line, n = "", n+1
		}
	}
	for _, v := range views {
		if len(line)+1+len(v) > longestText {
			put()
		}
		line = strings.TrimPrefix(line+","+v, ",")
	}
	put()
	return all
}
