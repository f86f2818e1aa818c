//go:build linux

// Package setup guides a person with a phone through the first start of an appliance. It also helps when the wall has lost its network.
package setup

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/net/netutil"

	"dashboard/appliance/about"
	"dashboard/appliance/settings"
	"dashboard/appliance/setup/flow"
	"dashboard/appliance/setup/pages"
	"dashboard/appliance/setup/radio"
	"dashboard/appliance/setup/words"
	"dashboard/internal/folder"
)

// Paths and names of the board.
const (
	runFolder  = "/run/dashboard-setup"
	supplicant = "/run/wpa_supplicant"
	zoneinfo   = "/usr/share/zoneinfo"
	device     = "wlan0"
	pagePort   = "80"
)

// The access point's network. It must match image/root/etc/systemd/network/15-point.network.
var (
	pointAddress = netip.MustParseAddr("10.1.1.1")
	pointNetwork = netip.MustParsePrefix("10.1.1.0/24")
)

const (
	tickPause  = 250 * time.Millisecond
	restPause  = 2 * time.Second  // pause between two steps while the wall is running
	lastPage   = time.Minute      // time for which pages are served after the set-up, so that a phone receives the last page
	maxClients = 32               // maximum number of connections at a time
	headTime   = 10 * time.Second // time limit of a request. The answer may take three times as long
	maxHead    = 16 << 10
)

// A service is the running set-up.
type service struct {
	log    *slog.Logger
	mu     sync.Mutex // guards the machine
	m      *flow.Machine
	radio  *radio.Radio
	kept   *keptFile
	id     string
	began  time.Time
	seen   time.Time // last time at which the board had a network
	shown  *about.Guide
	needed time.Time          // last time at which pages were needed
	cable  netip.Addr         // address of the board by cable
	wifi   netip.Addr         // address in the joined wireless network
	codes  string             // content of CodesFile at the last check
	nets   string             // content of NetworksFile at the last check
	point  bool               // true if PointFile exists
	wall   wallFile           // general settings of the wall
	stop   context.CancelFunc // stops the listeners, or nil while there are none
	asked  atomic.Bool        // true from a name look-up until the machine has recorded it
}

// Run runs the set-up until ctx ends.
func Run(ctx context.Context, log *slog.Logger) error {
	s := &service{log: log, began: time.Now(), seen: time.Now(), codes: signal(about.CodesFile), nets: signal(about.NetworksFile)}
	s.wall = wallFile{root: folder.Dir(wallFolder), log: log}
	id, err := os.ReadFile("/etc/machine-id")
	if err != nil {
		return err
	}
	s.id = strings.TrimSpace(string(id))
	if s.kept, err = openKept(filepath.Join(os.Getenv("STATE_DIRECTORY"), "setup.json")); err != nil {
		log.Warn("nothing is kept for the next start", "error", err)
	}
	if s.kept.returned() {
		s.needed = s.began.Add(flow.RestartTime - lastPage) // the phone that has caused the restart still asks for its page
	}
	k := s.kept.kept
	s.radio = radio.New(radio.Options{
		Interface: device, Sockets: supplicant, Folder: runFolder, Name: flow.Name(s.id), Password: k.Password, Log: log,
		Report:    s.locked,
		Addresses: func() bool { _, wifi, _ := links(); return wifi.IsValid() },
		Internet:  internet,
	})
	facts, _ := about.Read(os.DirFS("/")) // without the file no networks are known
	s.m = flow.New(flow.Options{
		Clock: func() time.Duration { return time.Since(s.began) }, Radio: s.radio, Store: s, Draft: k.Draft,
		Card:  cardValues(facts, localZone()),
		Known: len(facts.Networks) > 0 || k.Draft.Network != nil, Worked: k.Worked,
		Remote: facts.Role == settings.Client,
	})
	if n := k.Draft.Network; n != nil && (k.Draft.Inside || !k.Draft.Done) {
		s.radio.Know(*n)
	}
	go s.radio.Run(ctx)
	for {
		pause := s.step(ctx)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

// locked() runs the function `do` in another goroutine while the machine is locked.
func (s *service) locked(do func(*flow.Machine)) {
	go func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		do(s.m)
	}()
}

// addressed records that a phone has looked up a name. Only one report waits for the lock, because Finish holds the lock for up to
// grantTime and a phone may send thousands of look-ups in this time.
func (s *service) addressed() {
	if s.asked.CompareAndSwap(false, true) {
		s.locked(func(m *flow.Machine) {
			s.asked.Store(false)
			m.Addressed()
		})
	}
}

// step does the work that is due, and returns the time until the next step. Without a radio there is no access point. In this case
// a note on the wall shows the problem with the network.
func (s *service) step(ctx context.Context) time.Duration {
	cable, wifi, plug := links()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cable, s.wifi = cable, wifi
	s.m.Link(cable.IsValid(), wifi.IsValid())
	s.m.Plug(plug)
	if cable.IsValid() || wifi.IsValid() {
		s.seen = time.Now()
		s.kept.worked()
	}
	facts, _ := about.Read(os.DirFS("/")) // the facts change when the card is written
	_, err := os.Stat("/" + about.PaintedFile)
	s.m.Remote = facts.Role == settings.Client
	mistake := facts.Mistake
	if mistake == nil {
		mistake = s.wall.look(facts)
	}
	s.m.Warn(mistake, err == nil)
	if s.radio.Ready() {
		if at := signal(about.CodesFile); at != s.codes {
			s.codes = at
			s.m.Show()
		}
		if at := signal(about.NetworksFile); at != s.nets {
			s.nets = at
			facts, _ = about.Read(os.DirFS("/")) // the facts may have been written between the first reading and the signal
			s.m.Applied(len(facts.Networks) > 0)
		}
		s.m.Tick()
	}
	s.show()
	if s.m.Open() || s.m.Fixing() || s.m.State() != flow.Waiting && s.m.State() != flow.Running {
		s.needed = time.Now()
	}
	listens := time.Since(s.needed) < lastPage
	if listens && s.stop == nil {
		s.listen(ctx)
	} else if !listens && s.stop != nil {
		s.stop()
		s.stop = nil
	}
	if s.m.State() == flow.Running || !s.radio.Ready() {
		return restPause
	}
	return tickPause
}

// signal returns the content of a signal file, which changes at each signal. Before the first signal it returns "".
func signal(file string) string {
	const most = 64                                   // maximum size in bytes
	data, _ := folder.Read(os.DirFS("/"), file, most) // before the first signal there is no file
	return string(data)
}

// place returns the current values for the guides.
func (s *service) place() flow.Place {
	host, _ := os.Hostname() // the kernel always has a host name
	home := homeOf(host, s.wifi, s.cable)
	if d := s.m.View("").Draft; d.Done && d.Name != "" {
		host = d.Name
	}
	facts, _ := about.Read(os.DirFS("/")) // the facts change when the set-up has written a wall
	return flow.Place{
		Point: flow.Name(s.id), Password: s.kept.kept.Password, Token: s.kept.kept.Token, Address: pointAddress.String(), Home: home,
		Host: host, Port: facts.Port, Since: s.seen.Format("15:04"), Gallery: "/" + about.GalleryFolder,
	}
}

// book returns the sentences in the language that the person has chosen. If no language was chosen, it uses the card's language. If the
// card has no language either, it uses the languages in turn, each for flow.TurnTime.
func (s *service) book() words.Book {
	if l := s.m.View("").Draft.Language; l != "" {
		return drawn(l)
	}
	if l, _, _ := strings.Cut(os.Getenv("LANG"), "_"); l != "" {
		return drawn(l)
	}
	all := slices.DeleteFunc(slices.Clone(words.Languages), func(l string) bool { return words.OnWall(l) != l })
	return words.In(all[int(time.Since(s.began)/flow.TurnTime)%len(all)])
}

func drawn(language string) words.Book {
	return words.In(words.OnWall(words.In(language).Language))
}

// show writes the guide for the wall if the guide has changed.
func (s *service) show() {
	p := s.place()
	g := s.m.Guide(s.book(), p)
	if reflect.DeepEqual(g, s.shown) {
		return
	}
	s.shown = g
	file := "/" + about.GuideFile
	if g == nil {
		_ = os.Remove(file) // the file may be missing
		s.report(p)
		return
	}
	data, err := json.Marshal(g)
	if err == nil {
		err = os.WriteFile(file+".new", data, 0o644)
	}
	if err = errors.Join(err, os.Chmod(file+".new", 0o644)); err == nil {
		err = os.Rename(file+".new", file)
	}
	if err != nil {
		s.log.Warn("the wall does not show the set-up", "error", err)
	}
	s.report(p)
}

// report writes PointFile when the access point opens, and removes the file when the access point closes. The report on the card includes
// the contents of this file.
func (s *service) report(p flow.Place) {
	if s.point == s.m.Open() {
		return
	}
	s.point = s.m.Open()
	file := "/" + about.PointFile
	var err error
	if s.point {
		err = os.WriteFile(file, []byte(p.Point+", password "+p.Password+"\n"), 0o600)
	} else {
		err = os.Remove(file)
	}
	if err != nil {
		s.log.Warn("the report lacks the access point", "error", err)
	}
}

// listen serves pages and answers name look-ups until stop is called.
func (s *service) listen(ctx context.Context) {
	ctx, s.stop = context.WithCancel(ctx)
	gallery := os.DirFS("/" + about.GalleryFolder)
	handler := &pages.Server{
		Lock: &s.mu, Machine: s.m, Place: s.place, Point: pointNetwork, Gallery: gallery,
		Tables: pages.ReadTables(os.DirFS(zoneinfo), gallery),
		Problem: func() string {
			facts, _ := about.Read(os.DirFS("/")) // the port changes when the set-up has written a wall
			s.mu.Lock()
			cable, wifi := s.cable, s.wifi
			s.mu.Unlock()
			return wallProblem(ctx, facts.Port, netip.AddrFrom4([4]byte{127, 0, 0, 1}), cable, wifi)
		},
	}
	go s.serve(ctx, handler)
	go s.names(ctx)
}

func (s *service) serve(ctx context.Context, handler http.Handler) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", ":"+pagePort)
	if err != nil {
		s.log.Error("no pages", "error", err)
		return
	}
	srv := &http.Server{
		Handler: handler, MaxHeaderBytes: maxHead,
		ReadHeaderTimeout: headTime, ReadTimeout: headTime, WriteTimeout: 3 * headTime, IdleTimeout: headTime,
	}
	stop := context.AfterFunc(ctx, func() { _ = srv.Close() }) // closing srv makes Serve return
	defer stop()
	if err := srv.Serve(netutil.LimitListener(l, maxClients)); !errors.Is(err, http.ErrServerClosed) {
		s.log.Error("no pages", "error", err)
	}
}

// names() answers name look-ups while the access point has its address. If it cannot listen, it tries again, because the address appears
// later.
func (s *service) names(ctx context.Context) {
	for ctx.Err() == nil {
		conn, err := (&net.ListenConfig{}).ListenPacket(ctx, "udp4", net.JoinHostPort(pointAddress.String(), "53"))
		if err == nil {
			err = radio.ServeNames(ctx, conn, pointAddress, s.addressed)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(tickPause):
		}
		_ = err // ignore the error. Usually the access point has no address yet, and no phone can join it
	}
}
