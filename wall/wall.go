// Package wall is one running service: it reads the files, runs the views, and takes requests and touches.
package wall

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"dashboard/appliance/about"
	"dashboard/config"
	"dashboard/control"
	"dashboard/control/device"
	"dashboard/control/fleet"
	"dashboard/control/light"
	"dashboard/control/pairing"
	"dashboard/control/timer"
	"dashboard/fb/evdev"
	"dashboard/internal/state"
	"dashboard/output/trmnl"
	"dashboard/render"
	"dashboard/systemd"
	"dashboard/theme/sun"
	"dashboard/wall/daemon"
	"dashboard/wall/draft"
	"dashboard/wall/excerpt"
	"dashboard/wall/input"
	"dashboard/wall/origin"
	"dashboard/wall/outputs"
	"dashboard/wall/reload"
	"dashboard/wall/scene"
	"dashboard/wall/view"
	"dashboard/wall/window"
	"dashboard/widgets/kit"
)

// ErrWrong ends a start with a configuration whose errors have been reported.
var ErrWrong = errors.New("the configuration is wrong")

// A Service is the running dashboard: its views, and what outlives reloads.
type Service struct {
	opts    Options
	log     *slog.Logger
	level   *slog.LevelVar
	builder *scene.Builder
	views   atomic.Pointer[map[string]*view.View] // by name
	life    context.Context                       // of run
	devices *outputs.Devices
	systemd *systemd.Watchdog
	started time.Time
	store   *state.Store  // kept values for the next start, nil keeps nothing
	note    *outputs.Note // over the windows of an appliance
	updates

	requests
	inputs
	reloading
}

// updates are what a service knows about updates of the card.
type updates struct {
	update    atomic.Pointer[about.Update] // nil on a machine without updates
	nearSince time.Time                    // somebody is near since then, while it is shown that an update was given up
	told      string                       // version of the update that the keeper was told is seen
}

// requests are the parts of a service that answer others: browsers, screens, e-readers, the broker.
type requests struct {
	web         *web
	verbs       *control.Walls
	screens     *pairing.Registry       // with their own tokens
	editors     *pairing.Registry       // devices that may edit
	peers       *pairing.Registry       // walls that may control this one
	drafts      *draft.Editor           // of changed files
	askedToEdit atomic.Pointer[askNote] // nil before the first device
	readers     *trmnl.Readers          // e-readers
	digits      atomic.Bool             // of a screen that asks for one are on the wall
	sounds      chan device.Sound       // not sent to the broker yet: capacity maxSounds
	previews    view.Semaphore          // of what panels show
	excerpts    excerpt.Excerpts        // of values, for /widgets
	speaker     speaker                 // of the views
	fleet       *fleet.Fleet            // the walls of the network
	ownToken    *string                 // for control, if conf.yaml has none; nil except on an appliance
}

// inputs are the parts of a service that follow people at its screens.
type inputs struct {
	hears   bool           // there is a machine to listen to, not a test
	input   *evdev.Watcher // of touchscreens and keys
	phones  phones
	asked   chan control.Action // by those at a screen
	leftOut input.LeftOut       // the dropped ones
	light   *input.RoomLight
}

// reloading is the part of a service that reads the files again.
type reloading struct {
	read      func() (*scene.Generation, *config.Report) // reads all files; it may hang
	reloads   chan reloadRequest                         // capacity 1: a reload is requested
	seen      [sha256.Size]byte                          // of the files when they were read at the start
	rewatch   chan struct{}                              // capacity 1: watching was set
	resized   atomic.Bool                                // a screen has another size since the last reading
	origin    *origin.Origin                             // of files from an address
	from      atomic.Pointer[scene.Folder]               // the files that were read last, nil before
	shown     reload.KeptConfig                          // the last shown files without a store, nil before
	instead   *fallback                                  // that the service began with, until the files are right; nil otherwise
	watching  atomic.Bool                                // saved files are taken over
	problem   atomic.Pointer[kit.Banner]                 // the errors of the files now, nil without errors
	typos     atomic.Pointer[kit.Banner]                 // keys that nothing reads, nil without them
	tolerated atomic.Pointer[tolerance]                  // the errors of the files on the walls, nil before they were read
	loadedAt  atomic.Int64                               // from started to when the generation on the walls was read, ns by the monotonic clock
}

// Options are the command line's settings of a service.
type Options struct {
	scene.Folder
	Version   string
	AskSocket string // of the card's keeper, "" is the usual one
	StateDir  string // the folder for kept values, "" is the usual one
	Listen    string // HOST:PORT in place of server.host and server.port
	Demo      bool   // the configuration is the built-in one
	KeepGoing bool   // begin with another wall where the files are wrong
	Watch     bool   // the files are watched unless conf.yaml turns it off
	Plain     []byte // general settings for a wall if the settings of the folder are wrong
}

// parts are what a service is made of.
type parts struct {
	opts    Options
	stderr  io.Writer
	devices *outputs.Devices
	hears   bool  // there is a machine to listen to, not a test
	machine fs.FS `optional:"true"` // the machine's file system; nil is this one's
	keeps   bool  // values are kept for the next start
}

// Serve runs the dashboard until ctx ends.
func Serve(ctx context.Context, o Options, stderr io.Writer, asked <-chan os.Signal) error {
	s := newService(parts{opts: o, stderr: stderr, devices: outputs.ThisMachine(), hears: !o.Screenless, keeps: true})
	defer s.builder.Providers.Close()
	defer s.savePasts()
	release, alone := lock(o.Home)
	defer release()
	if !alone {
		s.log.Warn("another dashboard runs with this folder: both use its screens, its port and its state; end one of them", "folder", o.Home)
	}
	s.seen = reload.Fingerprint(o.Home)
	g, report := s.readAll()
	daemon.Log(s.log, report)
	switch {
	case g != nil:
		s.tolerate(report)
		s.begin(g)
		s.setTypos(report)
		s.keepGood(s.seen)
	case !o.KeepGoing || !s.beginFallback(report):
		return ErrWrong
	}
	for _, v := range s.all() {
		v.Notes.Keep()
	}
	return s.run(ctx, asked)
}

// newService returns a service that shows nothing and does not run.
func newService(p parts) *Service {
	s := &Service{opts: p.opts, devices: p.devices, level: &slog.LevelVar{}, started: time.Now()}
	s.hears, s.previews = p.hears, make(view.Semaphore, maxPreviews)
	s.reloads, s.rewatch = make(chan reloadRequest, 1), make(chan struct{}, 1)
	s.log = slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: s.level}))
	s.systemd = systemd.NewWatchdog()
	s.sounds = make(chan device.Sound, maxSounds)
	s.asked = make(chan control.Action, view.MaxAsked)
	s.screens, s.editors, s.peers = pairing.New(), pairing.New(), pairing.New()
	s.readers = trmnl.New(trmnl.Parts{Paint: s.paintReader, Log: s.log})
	if p.keeps {
		s.keep()
	}
	timers := timer.New(s.wake)
	s.verbs = s.newVerbs(timers)
	s.builder = scene.NewBuilder(scene.Parts{
		Permits: Permissions(s.opts.StateDir),
		Version: s.opts.Version, Wake: s.wake, Log: s.log, Store: s.store, Home: s.opts.Home, Machine: p.machine, Timers: timers,
		Serving: &scene.Serving{
			Found: s.askReload, Tolerates: s.wasWrong, Doer: s.verbs, OnBroker: &deviceWalls{service: s, sounds: s.sounds}, Screen: s.screenSize,
		},
	})
	s.builder.Text.OnFonts(s.askReload) // a text with its letters has another width, so the wall is laid out again
	s.light = &input.RoomLight{Log: s.log, Dir: light.Dir, Screens: s.owners}
	s.input = &evdev.Watcher{Listen: s.listen, Wanted: s.wantsInput, Log: s.log}
	s.note = &outputs.Note{Cache: s.builder.Text, Night: func() bool { return s.main().Mode() == sun.Night }}
	if p.keeps {
		s.takeToken()
	}
	s.views.Store(&map[string]*view.View{})
	s.add(config.MainView, scene.NewSeat())
	s.read = s.readAll
	s.fleet = newFleet(s.store)
	s.origin = s.newOrigin()
	s.drafts = s.newEditor()
	s.web = newWeb(s)
	return s
}

// keep starts keeping values for the next start, and loads the kept ones.
func (s *Service) keep() {
	s.store = s.keeper()
	s.devices.Cards.KeepModes(window.Modes{Store: s.store, Log: s.log})
	err := errors.Join(
		keepScreens(s.screens, s.store, devicesFile), keepScreens(s.editors, s.store, editorsFile), keepScreens(s.peers, s.store, peersFile))
	if err != nil {
		s.log.Warn("paired screens are not kept", "reason", err)
	}
	if err := keepReaders(s.readers, s.store); err != nil {
		s.log.Warn("tokens of e-readers are not kept", "reason", err)
	}
}

// takeToken gives an appliance its own token for control.
func (s *Service) takeToken() {
	if err := s.makeToken(); err != nil {
		s.log.Warn(err.Error())
	}
}

// wake has every view look at its values.
func (s *Service) wake() {
	for _, v := range s.all() {
		v.Loop.Wake()
	}
}

// repaint has every view paint all of its frame.
func (s *Service) repaint() {
	for _, v := range s.all() {
		v.Loop.Repaint()
	}
}

// passed reports to systemd that the service lives, as long as all its views do.
func (s *Service) passed(_ *view.View, now time.Time) {
	for _, v := range s.all() {
		if v.LastPass.Load() == 0 || v.SincePass(now) >= alive {
			return
		}
	}
	s.systemd.Passed(now)
}

// load reads and builds everything; see [builder.load].
func (s *Service) load() (*scene.Generation, *config.Report) {
	from := s.source()
	from.Phones = s.phones.views()
	return s.builder.Load(from, s.seatOf)
}

// wasWrong reports whether a provider had a mistake when the files were last taken over. At the start every one may have.
func (s *Service) wasWrong(name string) bool {
	shown := s.main().Shown.Load()
	return shown == nil || shown.Gen.Wrong[name]
}

// begin makes the first generation the shown one.
func (s *Service) begin(g *scene.Generation) {
	s.open(g)
	s.settings(g)
	for _, v := range s.all() {
		v.Begin(g)
	}
	s.builder.Providers.Commit(g.Sources)
	s.builder.Timers.Commit(g.Timers)
}

// settings makes everything that views share follow the general settings of g.
func (s *Service) settings(g *scene.Generation) {
	s.level.Set(daemon.Level(g.Conf.Logging.Level))
	s.web.configure(g)
	s.systemd.Says(statusOf(g, s.web.waiting()))
	s.watching.Store(watched(&s.opts, g.Conf))
	s.lookAgain()
	s.loadedAt.Store(int64(time.Since(s.started)))
}

// noWindow is the status for systemd of a wall without a screen of the machine: the image's keeper looks for it.
const noWindow = "no window"

// nextStart is the status for systemd of an address that counts from the next start on: the image's keeper looks for it
// too.
const nextStart = "server.host and server.port wait for a restart"

func statusOf(g *scene.Generation, waits bool) string {
	if waits {
		return nextStart
	}
	windows := func(s *scene.Scene) bool { return outputs.FirstWindow(s.Outputs) != nil }
	if !g.AnyScene(windows) {
		return noWindow
	}
	return "on the screen"
}

// run keeps the dashboard going until ctx ends, and reloads on request.
func (s *Service) run(ctx context.Context, asked <-chan os.Signal) error {
	size := s.main().Size()
	s.log.Info("dashboard started", "version", s.opts.Version, "size", fmt.Sprintf("%dx%d", size.X, size.Y), "theme", string(s.main().Mode()))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.life = ctx
	var wg sync.WaitGroup
	wait := s.launch(ctx) // before reloads, which may end views
	for _, run := range []func(context.Context){
		wait, s.web.run, s.web.found.Run, s.fleet.Run, s.origin.Run,
		s.runReloads, s.keepAwake, s.watch, s.runTimers, s.awaitTime, s.keepPasts, s.runReminders,
		s.runInput, s.runAsked, s.runPhones, s.light.Run, s.runNote, s.runGuide, s.runUpdates,
	} {
		wg.Go(func() { run(ctx) })
	}
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-asked:
			s.askReload()
		}
	}
	s.systemd.Stopping()
	cancel()
	s.end(&wg)
	return nil
}

// launch runs the views until ctx ends. It returns a function that waits for their end.
func (s *Service) launch(ctx context.Context) (wait func(context.Context)) {
	views := s.all()
	for _, v := range views {
		v.Launch(ctx)
	}
	return func(context.Context) {
		for _, v := range views {
			<-v.Ended
		}
	}
}

// keepAwake makes the views pass as often as systemd's watchdog requires, if that is more often than their own passes.
func (s *Service) keepAwake(ctx context.Context) {
	period := s.systemd.Period()
	if period <= 0 || period > render.MaxSleep {
		return
	}
	tick := time.NewTicker(period / 2)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.wake()
		}
	}
}

// end waits for everything to end. The console is given back at once, and what hangs is left behind.
func (s *Service) end(wg *sync.WaitGroup) {
	ended := daemon.End(func() {
		for _, v := range s.all() {
			wg.Go(v.Close)
		}
		wg.Wait()
		for _, v := range s.all() {
			<-v.Ended
		}
	})
	if ended {
		s.log.Info("dashboard ended")
	} else {
		s.log.Warn("dashboard ended, leaving behind what hung")
	}
}
