package server

import (
	"context"
	"crypto/rand"
	"hash/maphash"
	"iter"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"dashboard/control"
	"dashboard/control/fleet"
	"dashboard/control/pairing"
	"dashboard/control/wallkey"
	"dashboard/internal/loglimit"
	"dashboard/netstream"
	"dashboard/output/trmnl"
)

// Settings are the settings that a reload may change. Unset tokens are nil. An empty token is set and matches only itself.
type Settings struct {
	StreamOn     bool     // true if there is a stream output
	StreamToken  *string  // protects frames and events
	ControlToken *string  // protects notifications and the theme
	ConfigToken  *string  // protects editing. If nil, editing is allowed from this machine
	EditCodes    bool     // true if other devices may edit after a code that the wall shows
	CalmEvents   bool     // true if clients without tiles only get resting frames
	HTTPControl  bool     // true if the theme may be read and set
	Rate         Rate     // rate of control requests
	Names        []string // additional host names, see [AnyName]
	Announce     string   // kinds of messages that a page reads aloud: notifications, all, none. "" means notifications
}

// Deps are the parts that the server shows and controls. Streams is required. Other nil parts are missing.
type Deps struct {
	Streams  func(view string) *netstream.Stream // returns the stream of a view, nil if the view does not exist. "" is the main view
	Stream   func(view string) *netstream.Stream // like Streams, but without painting a current frame. nil means Streams
	Views    func() []string                     // names, main first; nil if there is only main
	Walls    *control.Walls                      // operations on the walls; may be nil
	Surveyor Surveyor
	Speaker  Speaker      // reads the walls; may be nil
	Fleet    *fleet.Fleet // the walls of the network; may be nil
	Panels   Panels
	Values   Values
	Editor   Editor                                  // may be nil
	Tasks    func() []TaskList                       // lists of tasks, may be nil
	Source   func() map[string]any                   // describes the origin of the files. nil, or a nil map, if they are in their folder
	Health   func() (report map[string]any, ok bool) // health of everything except the server. The server owns the map
	Measures iter.Seq2[string, float64]              // metrics of everything except the server, see [MetricName]
	Pairing  *pairing.Registry                       // paired screens; may be nil
	Readers  *trmnl.Readers                          // e-readers; may be nil
	Editors  *pairing.Registry                       // devices that may edit; may be nil
	// ShowCode shows the code of a device that requests permission to edit, or the name of a device that has it. "" removes it. It
	// may be nil.
	ShowCode func(code, name string)
	// Peers are the walls that may control this one. ShowPeer shows the code of a requesting wall, if HasScreen reports a screen. All
	// may be nil.
	Peers     *pairing.Registry
	ShowPeer  func(code, name string)
	HasScreen func() bool
	// PairingAsked may be nil. It is called when the waiting requests may have changed.
	PairingAsked func()
	Listening    func(net.Addr) // called once, when the server accepts requests
	Update       func() any     // state of updates, or nil. May be nil
	Version      string         // version for the Server header
	Name         func() string  // name of the wall; nil means Dashboard
}

// A Server answers HTTP requests. Its methods may be called from any goroutine.
type Server struct {
	deps     Deps
	log      *slog.Logger
	lines    *loglimit.Limit // limits log lines that callers cause
	settings atomic.Pointer[Settings]
	assets   assets
	remotes  chan struct{} // one token for each stream of /state
	editors  chan struct{} // one token for each running request of the editor
	handler  http.Handler
	table    []string     // routes as METHOD /path
	seed     maphash.Seed // seed of the tags of panels' pictures
	now      func() time.Time
	bind     func(ctx context.Context, network, address string) (net.Listener, error)

	signatures   *wallkey.Checker // checks signatures of other walls
	stats        *stats
	callers      *callers
	hub          *hub
	broadcasters broadcasters
	conns        atomic.Int64
}

// New returns a server with all routes. Every feature is off until Configure is called.
func New(d Deps, log *slog.Logger) *Server {
	s := &Server{
		seed: maphash.MakeSeed(),
		deps: d, log: log, lines: loglimit.New(), assets: newAssets(), remotes: make(chan struct{}, maxRemotes), editors: make(chan struct{}, maxEditing), now: time.Now, bind: new(net.ListenConfig).Listen,
		stats: newStats(), callers: newCallers(), hub: newHub(),
	}
	if s.deps.Name == nil {
		s.deps.Name = func() string { return "Dashboard" }
	}
	if s.deps.Walls == nil {
		s.deps.Walls = control.New(control.Parts{})
	}
	s.settings.Store(&Settings{})
	s.signatures = wallkey.NewChecker(rand.Text(), s.peerKey)
	s.broadcasters.make = func(stream *netstream.Stream) *broadcaster {
		return &broadcaster{
			stream: stream, hub: s.hub, last: &eventCache{}, gone: s.hungUp, lost: s.stats.lost,
			more: make(chan struct{}, 1),
		}
	}
	s.handler = s.routes()
	return s
}

// Configure applies the settings, at the start and after every reload. Streams stay open, unless the stream output was removed or
// its token has changed.
func (s *Server) Configure(c Settings) {
	old := s.settings.Swap(&c)
	s.callers.configure(c.Rate)
	if old.StreamOn && (!c.StreamOn || !sameToken(old.StreamToken, c.StreamToken)) {
		s.halt()
	}
}

// unasked returns the stream of a view without painting a frame for it.
func (s *Server) unasked(view string) *netstream.Stream {
	if s.deps.Stream != nil {
		return s.deps.Stream(view)
	}
	return s.deps.Streams(view)
}

// Handler returns the handler of all routes.
func (s *Server) Handler() http.Handler { return s.handler }

// Close ends all streams and waits for them. Handler keeps answering other requests. Serve calls Close.
func (s *Server) Close() { s.hub.close() }

// streamContext returns a context that ends with the request or with the server.
func (s *Server) streamContext(r *http.Request) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(r.Context())
	stop := context.AfterFunc(s.hub.life, cancel)
	return ctx, func() { stop(); cancel() }
}
