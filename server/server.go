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

// Settings are the settings that a reload may change. A token that is not set is nil. An empty token is set, and only an empty token
// matches it.
type Settings struct {
	StreamOn     bool     // true if there is a stream output
	StreamToken  *string  // protects frames and events
	ControlToken *string  // protects the requests that control the wall
	ConfigToken  *string  // protects editing. If it is nil, callers on this machine may edit, and other devices may edit if EditCodes is true
	EditCodes    bool     // true if a device can receive the permission to edit with a code that the wall shows
	CalmEvents   bool     // true if clients without tiles get calm lines (see calmFor)
	HTTPControl  bool     // true if the theme may be read and set
	Rate         Rate     // rate of control requests
	Names        []string // additional host names, see [AnyName]
	Announce     string   // kinds of messages that a page reads aloud: notifications, all or none. "" means notifications
}

// Deps are the parts that the server shows and controls. Only Streams is required. If any other part is nil, the server does not offer
// the feature of this part.
type Deps struct {
	Streams  func(view string) *netstream.Stream // returns the stream of a view, or nil if the view does not exist. "" is the main view
	Stream   func(view string) *netstream.Stream // like Streams, but does not make the view paint a current frame. nil means Streams
	Views    func() []string                     // returns the names of the views, main first. nil means that there is only main
	Walls    *control.Walls                      // operations on the walls, or nil
	Surveyor Surveyor
	Speaker  Speaker      // describes walls as text, or nil
	Fleet    *fleet.Fleet // other walls of the network, or nil
	Panels   Panels
	Values   Values
	Editor   Editor            // may be nil
	Tasks    func() []TaskList // returns the lists of tasks. May be nil
	// Source returns a description of the origin of the wall's files, or nil if the files are in the wall's own folder. Source may be
	// nil.
	Source   func() map[string]any
	Problem  func() string                           // first error in the wall's files, with its position, or ""
	Health   func() (report map[string]any, ok bool) // health of all parts except the server. The server may change the map
	Measures iter.Seq2[string, float64]              // metrics of all parts except the server (see [MetricName])
	Pairing  *pairing.Registry                       // paired screens, or nil
	Readers  *trmnl.Readers                          // e-readers, or nil
	Editors  *pairing.Registry                       // devices that may edit, or nil
	// ShowCode shows the code of the request `id` of a device that asks for permission to edit. If `code` is empty, ShowCode removes this
	// code and shows the name of the device with the new permission, if any. The code of another request stays. ShowCode may be nil.
	ShowCode func(id, code, name string)
	// Peers are the walls that may control this wall. ShowPeer shows the code of a wall that requests this permission, or the name of a
	// wall that has received it. If `code` and `name` are empty, ShowPeer removes the code. HasScreen reports whether there is a screen
	// for the code. Peers, ShowPeer and HasScreen may be nil.
	Peers     *pairing.Registry
	ShowPeer  func(code, name string)
	HasScreen func() bool
	// PairingAsked is called when the list of waiting requests may have changed. It may be nil.
	PairingAsked func()
	Listening    func(net.Addr) // called once, when the server accepts requests
	Update       func() any     // returns the state of updates, or nil. The function may be nil
	Version      string         // version for the Server header
	Name         func() string  // returns the name of the wall. nil means the name Dashboard
}

// A Server answers HTTP requests. Its methods may be called from any goroutine.
type Server struct {
	deps     Deps
	log      *slog.Logger
	lines    *loglimit.Limit // limits the log lines that callers can cause
	settings atomic.Pointer[Settings]
	assets   assets
	remotes  chan struct{} // has one slot for each stream of /state
	editors  chan struct{} // has one slot for each running request of the editor
	handler  http.Handler
	table    []string     // routes in the form METHOD /path
	seed     maphash.Seed // seed for the ETags of panels' pictures
	now      func() time.Time
	bind     func(ctx context.Context, network, address string) (net.Listener, error)

	headerTime, bodyTime time.Duration // time limits for sending a header and a body

	signatures   *wallkey.Checker // checks the signatures of other walls
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
		stats: newStats(), callers: newCallers(), hub: newHub(), headerTime: headerTime, bodyTime: bodyTime,
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

// Configure applies the settings, at the start and after every reload. Streams stay open, unless the stream output is removed or the
// stream token changes.
func (s *Server) Configure(c Settings) {
	old := s.settings.Swap(&c)
	s.callers.configure(c.Rate)
	if old.StreamOn && (!c.StreamOn || !sameToken(old.StreamToken, c.StreamToken)) {
		s.halt()
	}
}

// unasked() returns the stream of a view. It does not make the view paint a frame.
func (s *Server) unasked(view string) *netstream.Stream {
	if s.deps.Stream != nil {
		return s.deps.Stream(view)
	}
	return s.deps.Streams(view)
}

// Handler returns the handler of all routes.
func (s *Server) Handler() http.Handler { return s.handler }

// Close ends all streams and waits until they have ended. Handler still answers other requests. Serve calls Close itself.
func (s *Server) Close() { s.hub.close() }

// streamContext returns a context that ends when the request or the server ends.
func (s *Server) streamContext(r *http.Request) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(r.Context())
	stop := context.AfterFunc(s.hub.life, cancel)
	return ctx, func() { stop(); cancel() }
}
