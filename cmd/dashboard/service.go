package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"dashboard/internal/daemon"
	"dashboard/render"
	"dashboard/systemd"
	"dashboard/theme/sun"
)

// errWrong ends a start with a configuration whose errors have been told.
var errWrong = errors.New("the configuration is wrong; 'dashboard check' tells it in full")

// A service is the running dashboard: what outlives reloads, and the generation on the wall.
type service struct {
	opts    *options
	log     *slog.Logger
	level   *slog.LevelVar
	shop    *workshop
	loop    *render.Loop
	outs    *outputs
	web     *web
	themes  *appearance
	systemd *systemd.Watchdog
	started time.Time

	notes    *notifier
	lastPass atomic.Int64 // from started to the newest pass of the loop, ns by the monotonic clock

	problem  atomic.Pointer[string] // what is wrong with the files now, nil if nothing
	loadedAt atomic.Int64           // from started to when the generation on the wall was read, ns by the monotonic clock

	wall chan struct{} // capacity 1: full while somebody puts something on the wall, who alone stores what follows
	live atomic.Pointer[generation]
	mode atomic.Value // sun.Mode, of the tree on the wall
}

// worn is the theme on the wall.
func (s *service) worn() sun.Mode { return s.mode.Load().(sun.Mode) }

// serve runs the dashboard until ctx ends.
func serve(ctx context.Context, o *options, stderr io.Writer, reload <-chan os.Signal) error {
	s := newService(o, stderr)
	defer s.shop.providers.Close()
	defer s.notes.close()
	g, report := s.shop.load(o)
	daemon.Log(s.log, report)
	if g == nil {
		return errWrong
	}
	s.begin(g)
	return s.run(ctx, reload)
}

func newService(o *options, stderr io.Writer) *service {
	s := &service{opts: o, level: &slog.LevelVar{}, started: time.Now(), wall: make(chan struct{}, 1)}
	s.log = slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: s.level}))
	s.loop = render.NewLoop(nil, 0)
	s.shop = newWorkshop(s.loop.Wake, s.log)
	s.notes = newNotifier(s.shop)
	s.web = newWeb(s)
	s.outs = newOutputs(s.log, s.web.stream)
	s.themes = newAppearance(s.log, s.wear)
	s.systemd = systemd.NewWatchdog()
	s.loop.Show = s.outs.show
	s.loop.Passed = s.passed
	s.loop.Crashed = func(v any) {
		s.log.Error("painting failed; the next frame is painted whole", "reason", fmt.Sprint(v))
	}
	return s
}

// passed notes a completed pass of the render loop.
func (s *service) passed(now time.Time) {
	s.lastPass.Store(int64(now.Sub(s.started)))
	s.systemd.Passed(now)
}

// begin puts the first generation on the wall. Nothing runs yet.
func (s *service) begin(g *generation) {
	s.live.Store(g)
	mode := s.themes.adopt(g.conf, g.single(), s.themes.now())
	s.mode.Store(mode)
	s.settings(g)
	s.loop.SetRenderer(g.renderer(mode))
	s.shop.board.Commit(g.trees[mode].inboxes)
	s.shop.providers.Commit(g.sources)
	s.outs.apply(g)
}

// settings makes everything follow the general settings of g.
func (s *service) settings(g *generation) {
	s.level.Set(daemon.Level(g.conf.Logging.Level))
	s.loop.SetInterval(g.frameInterval())
	s.notes.configure(g.conf.Server.Notify)
	s.web.configure(g)
	s.loadedAt.Store(int64(time.Since(s.started)))
}

// run keeps the dashboard going until ctx ends, and reloads on request.
func (s *service) run(ctx context.Context, reload <-chan os.Signal) error {
	size := s.live.Load().size
	s.log.Info("dashboard started", "version", version, "size", fmt.Sprintf("%dx%d", size.X, size.Y), "theme", string(s.worn()))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	for _, run := range []func(context.Context){s.loop.Run, s.themes.run, s.web.run} {
		wg.Go(func() { run(ctx) })
	}
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-reload:
			s.reload(ctx)
		}
	}
	s.systemd.Stopping()
	cancel()
	s.end(&wg)
	return nil
}

// end waits for everything to end. The console is given back at once, and what hangs is left behind.
func (s *service) end(wg *sync.WaitGroup) {
	if daemon.End(func() { s.outs.close(); wg.Wait() }) {
		s.log.Info("dashboard ended")
	} else {
		s.log.Warn("dashboard ended, leaving behind what hung")
	}
}

// enter waits until nobody else puts something on the wall.
func (s *service) enter(ctx context.Context) (leave func(), err error) {
	select {
	case s.wall <- struct{}{}:
		return func() { <-s.wall }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// wear puts the tree of the moment's theme on the wall. It asks for the theme when nobody else can change it, so that of
// two who do the later one wins, and the earlier one never shows.
func (s *service) wear(ctx context.Context) error {
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	st := s.themes.holder.At(s.themes.now())
	t := s.live.Load().trees[st.Mode]
	if t == nil || st.Mode == s.worn() {
		return nil
	}
	err = s.loop.Do(ctx, func(r *render.Renderer) {
		r.SetRoot(t.root)
		s.shop.board.Commit(t.inboxes)
	})
	if err != nil {
		return err
	}
	s.mode.Store(st.Mode)
	s.log.Info("theme changed", "theme", string(st.Mode), "until", until(st))
	return nil
}

// until says for the log how long a theme stays.
func until(st sun.State) string {
	end := st.HeldUntil
	if st.FollowingSun {
		end = st.NextChange
	}
	if end.IsZero() {
		return "told otherwise"
	}
	return end.Local().Format(time.DateTime)
}
