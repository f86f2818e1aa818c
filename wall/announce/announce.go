// Package announce announces a wall in the local network. It does so only while other machines can reach the wall.
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

// An Announcer announces the wall in the local network by multicast DNS. It does so only while other machines can reach the wall.
type Announcer struct {
	log    *slog.Logger
	id     string // identity of the wall, or ""
	counts mdns.Counts

	mu      sync.Mutex // guards the fields below
	at      netip.AddrPort
	want    config.Announcement
	views   []string
	stream  bool          // true if the wall has a stream. A wall without a stream is not announced
	changed chan struct{} // has the capacity 1
}

// NewAnnouncer returns an announcer. It announces nothing until Run is called. A paired screen recognizes the wall by its identity `id`,
// even if the wall is renamed.
func NewAnnouncer(log *slog.Logger, id string) *Announcer {
	return &Announcer{log: log, id: id, changed: make(chan struct{}, 1)}
}

// Listening sets the address at which the server listens.
func (a *Announcer) Listening(at net.Addr) {
	if tcp, ok := at.(*net.TCPAddr); ok {
		a.set(func() { a.at = tcp.AddrPort() })
	}
}

// Configure applies the settings of conf.yaml.
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

// Run announces the wall until ctx ends. If the announced data changes, Run ends the announcement and begins a new one.
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

// begin starts an announcement. The caller ends it with `stop`, which waits until the goodbye is sent.
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

// options() returns the services to announce, or nil if nothing must be announced.
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
		Services: []mdns.Service{{Type: Service, Text: texts(a.id, a.views)}, {Type: "_http._tcp", Text: []string{"path=/"}}},
	}
	if all := ip.IsUnspecified(); !all || a.at.Addr().Is4() {
		// Announce only addresses that the listener accepts. A listener on 0.0.0.0 accepts only IPv4, and a listener on one address
		// accepts only this address. Go's listener on :: accepts IPv4 and IPv6.
		o.Allows = func(b netip.Addr) bool { return b == ip || all && b.Is4() }
	}
	return o
}

// Measures yields the metrics of multicast DNS messages.
func (a *Announcer) Measures(yield func(string, float64) bool) bool {
	return yield("dashboard_mdns_received_packets_total", float64(a.counts.Received.Load())) &&
		yield("dashboard_mdns_malformed_packets_total", float64(a.counts.Malformed.Load())) &&
		yield("dashboard_mdns_sent_packets_total", float64(a.counts.Sent.Load())) &&
		yield("dashboard_mdns_conflicts_total", float64(a.counts.Conflicts.Load()))
}

// Service is the DNS-SD service type of a wall.
const Service = "_dashboard._tcp"

// longestText is the maximum length of the view names in one TXT string, in bytes. A TXT string
// with its key has at most 255 bytes (RFC 1035 section 3.3.14).
const longestText = 255 - len("views2=")

// texts returns the TXT strings with the identity of the wall and the names of the views. Names that do not fit in the key
// views follow in the keys views2, views3 and so on.
func texts(id string, views []string) []string {
	all := []string{"txtvers=1", "path=/"}
	if id != "" {
		all = append(all, "id="+id)
	}
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
