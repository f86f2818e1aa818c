// Package wall contains the running service. The service reads the files, runs the views, and handles requests and touches.
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
	"dashboard/output/window"
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
	"dashboard/widgets/kit"
)

// ErrWrong means that the program cannot start because of errors in the configuration. These errors have been printed before.
var ErrWrong = errors.New("the configuration is wrong")

// A Service is the running dashboard. It contains the views and the parts that reloads do not replace.
type Service struct {
	opts    Options
	log     *slog.Logger
	level   *slog.LevelVar
	builder *scene.Builder
	views   atomic.Pointer[map[string]*view.View] // views by name
	life    context.Context                       // context of run
	devices *outputs.Devices
	systemd *systemd.Watchdog
	started time.Time
	store   *state.Store  // values that are stored for the next start, or nil
	note    *outputs.Note // note over the windows of this machine
	updates

	requests
	inputs
	reloading
}

// updates is the state of the appliance's updates.
type updates struct {
	update    atomic.Pointer[about.Update] // nil on a machine without updates
	nearSince time.Time                    // time since which a person has been near, while the note about a failed update is shown
	// `told` is the failed version for which askSeen was last called.
	told string
}

// requests are the parts of a service that answer browsers, screens, e-readers and the broker.
type requests struct {
	web         *web
	verbs       *control.Walls
	screens     *pairing.Registry       // paired screens, each with its token
	editors     *pairing.Registry       // devices that may edit
	peers       *pairing.Registry       // walls that may control this wall
	drafts      *draft.Editor           // drafts of changed files
	askedToEdit atomic.Pointer[askNote] // nil before a device has requested permission
	codesAt     atomic.Int64            // time of the last touch of the badge, in Unix nanoseconds
	readers     *trmnl.Readers          // e-readers
	digits      atomic.Bool             // true while the wall shows the digits of a screen that requests pairing
	sounds      chan device.Sound       // sounds that wait for the broker, at most maxSounds
	previews    view.Semaphore          // limits the previews of panels
	excerpts    excerpt.Excerpts        // excerpts of values for /widgets
	speaker     speaker                 // descriptions of the views
	fleet       *fleet.Fleet            // other walls of the network
	ownToken    *string                 // control token of an appliance, used if conf.yaml has none. It is nil on other machines
}

// inputs are the parts of a service that handle touches, keys and light at its screens.
type inputs struct {
	hears   bool           // true to use the machine's input devices, false in tests and without screens
	input   *evdev.Watcher // touchscreens and keys
	phones  phones
	asked   chan control.Action // actions of touches and keys
	leftOut input.LeftOut       // counts dropped actions
	light   *input.RoomLight
}

// reloading contains the parts of a service that read the files again.
type reloading struct {
	read      func() (*scene.Generation, *config.Report) // reads all files. It may hang
	reloads   chan reloadRequest                         // has the capacity 1. A value requests a reload
	seen      [sha256.Size]byte                          // fingerprint of the files that were read at the start of the program
	rewatch   chan struct{}                              // has the capacity 1. A value means that `watching` has changed
	resized   atomic.Bool                                // true if the size of a screen has changed since the last reading
	origin    *origin.Origin                             // origin of files from an address
	folderID  atomic.Pointer[string]                     // result of FolderID at the last reading, or nil before the first reading
	from      atomic.Pointer[scene.Folder]               // files that were read last, or nil before the first reading
	shown     reload.KeptConfig                          // files that were shown last; nil if the state folder contains them
	instead   *fallback                                  // fallback of the start, or nil after a load without errors
	watching  atomic.Bool                                // true if saved files are reloaded automatically
	problem   atomic.Pointer[kit.Banner]                 // current errors of the files, or nil
	typos     atomic.Pointer[kit.Banner]                 // unknown keys in the files, or nil
	tolerated atomic.Pointer[tolerance]                  // tolerated errors of the shown files, or nil before the first load
	// loadedAt is the time at which the shown generation was read, in nanoseconds after Service.started on the monotonic clock.
	loadedAt atomic.Int64
}

// Options are the options of a service from the command line.
type Options struct {
	scene.Folder
	Version   string
	AskSocket string // socket of the card's keeper, or "" for the default
	StateDir  string // state folder, or "" for the default
	Listen    string // HOST:PORT that replaces server.host and server.port
	Demo      bool   // true to show the built-in configuration
	KeepGoing bool   // true to start with another wall if the files have errors
	Watch     bool   // true to reload saved files automatically, unless conf.yaml turns it off
	Plain     []byte // general settings of a plain wall, if the settings of the folder have errors
}

// parts are the parameters of newService.
type parts struct {
	opts    Options
	stderr  io.Writer
	devices *outputs.Devices
	hears   bool  // true to use the machine's input devices, false in tests and without screens
	machine fs.FS `optional:"true"` // the machine's file system, or nil for the real one
	keeps   bool  // true to store values for the next start
}

// Serve runs the dashboard until ctx ends. It prints errors of the start to `stderr`. After each signal on the channel `asked`, it reads
// the files again.
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
	if s.fresh() {
		s.log.Info("there is no wall in this folder yet: the editor begins with a plan", "folder", o.Home)
	} else {
		daemon.Log(s.log, report)
	}
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
	s.drafts.Reopen()
	return s.run(ctx, asked)
}

// newService returns a service that does not run and has no content.
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
	s.builder.Text.OnFonts(s.askReload) // a font that was loaded later changes the widths of texts, so the wall must be arranged again
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

// keep() opens the state folder and loads the stored values.
func (s *Service) keep() {
	s.store = s.keeper()
	s.devices.Cards.KeepModes(window.Modes{Store: s.store, Log: s.log})
	err := errors.Join(keepScreens(s.screens, s.store, devicesFile), keepScreens(s.editors, s.store, editorsFile),
		keepDigits(s.editors, s.store), keepScreens(s.peers, s.store, peersFile))
	if err != nil {
		s.log.Warn("paired screens are not stored for the next start", "reason", err)
	}
	if err := keepReaders(s.readers, s.store); err != nil {
		s.log.Warn("tokens of e-readers are not kept", "reason", err)
	}
}

// takeToken creates the control token of an appliance.
func (s *Service) takeToken() {
	if err := s.makeToken(); err != nil {
		s.log.Warn(err.Error())
	}
}

// wake makes every view check whether its values have changed.
func (s *Service) wake() {
	for _, v := range s.all() {
		v.Loop.Wake()
	}
}

// repaint makes every view paint its whole frame again.
func (s *Service) repaint() {
	for _, v := range s.all() {
		v.Loop.Repaint()
	}
}

// passed() sends systemd the message that the service is alive. It does so only if all views complete their passes.
func (s *Service) passed(_ *view.View, now time.Time) {
	for _, v := range s.all() {
		if v.LastPass.Load() == 0 || v.SincePass(now) >= alive {
			return
		}
	}
	s.systemd.Passed(now)
}

// load reads and builds the whole configuration. See [scene.Builder.Load].
func (s *Service) load() (*scene.Generation, *config.Report) {
	from := s.source()
	from.Phones = s.phones.views()
	return s.builder.Load(from, s.seatOf)
}

// wasWrong reports whether a provider had an error at the last load. Before the first load it returns true for every provider.
func (s *Service) wasWrong(name string) bool {
	shown := s.main().Shown.Load()
	return shown == nil || shown.Gen.Wrong[name]
}

// begin shows the first generation.
func (s *Service) begin(g *scene.Generation) {
	s.open(g)
	s.settings(g)
	for _, v := range s.all() {
		v.Begin(g)
	}
	s.builder.Providers.Commit(g.Sources)
	s.builder.Timers.Commit(g.Timers)
}

// settings() applies the general settings of g to the parts that all views use.
func (s *Service) settings(g *scene.Generation) {
	s.level.Set(daemon.Level(g.Conf.Logging.Level))
	s.web.configure(g)
	s.systemd.Says(statusOf(g, s.web.waiting()))
	s.watching.Store(watched(&s.opts, g.Conf))
	s.lookAgain()
	s.loadedAt.Store(int64(time.Since(s.started)))
}

// noWindow is the systemd status of a wall without a screen. The keeper program of the image searches for this text.
const noWindow = "no window"

// nextStart is the systemd status of a wall whose new address needs a restart. The keeper program of the image searches for this text.
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

// run runs the dashboard until ctx ends. It reads the files again after each signal on the channel `asked`.
func (s *Service) run(ctx context.Context, asked <-chan os.Signal) error {
	size := s.main().Size()
	s.log.Info("dashboard started", "version", s.opts.Version, "size", fmt.Sprintf("%dx%d", size.X, size.Y), "theme", string(s.main().Mode()))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.life = ctx
	var wg sync.WaitGroup
	wait := s.launch(ctx) // launch the views before the reloads begin, because a reload may end views
	for _, run := range []func(context.Context){
		wait, s.web.run, s.web.found.Run, s.fleet.Run, s.origin.Run,
		s.runReloads, s.keepAwake, s.watch, s.runTimers, s.awaitTime, s.runPermits, s.keepPasts, s.runReminders,
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

// launch runs the views until ctx ends. `wait` waits until the views have ended.
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

// keepAwake wakes the views as often as systemd's watchdog requires. It does nothing if the views wake often enough anyway.
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

// end closes the views, which restores the console. It waits until all parts have ended, but for at most daemon.StopTime, because a part
// may hang.
func (s *Service) end(wg *sync.WaitGroup) {
	ended := daemon.End(func() {
		for _, v := range s.all() {
			wg.Go(v.Close)
		}
		wg.Wait()
		s.drafts.End() // after the server has ended, so that the last change is stored
		for _, v := range s.all() {
			<-v.Ended
		}
	})
	if ended {
		s.log.Info("dashboard ended")
	} else {
		s.log.Warn("dashboard ended, although a part of it did not stop")
	}
}
