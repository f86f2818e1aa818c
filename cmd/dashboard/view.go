package main

import (
	"context"
	"fmt"
	"image"
	"log/slog"
	"sync/atomic"
	"time"

	"dashboard/config"
	"dashboard/control/notify"
	"dashboard/control/page"
	"dashboard/control/power"
	"dashboard/internal/state"
	"dashboard/internal/whole"
	"dashboard/netstream"
	"dashboard/provider"
	"dashboard/render"
	"dashboard/theme/sun"
	"dashboard/wall/outputs"
)

// viewParts are what a view is made of.
type viewParts struct {
	name    string
	home    string // the folder of the configuration
	agent   string // the User-Agent of uploads
	log     *slog.Logger
	started time.Time // the program's start
	seat    seat
	devices *outputs.Devices
	store   *state.Store  `optional:"true"` // keeps what panels show for the next start
	note    *outputs.Note `optional:"true"` // is drawn over windows

	resized   func()                       // is called when a screen has another size than its frames; it must not wait
	ask       func(wish)                   // has something done soon; it must not wait
	sound     func(v *view, name string)   // tells those who make sounds; it must not wait
	passed    func(v *view, now time.Time) // is called after each pass of the loop
	timeSet   func() bool                  // reports whether the machine's clock can be believed
	touchable func() bool                  // reports whether there is a touchscreen or a key
}

// A view is one wall of the service: its trees and the loop that paints them, and where its frames and notifications go.
// It outlives reloads. What views share is the builder's.
type view struct {
	viewParts
	seat
	log    *slog.Logger      // names the view, unless it is the main one
	stream *netstream.Stream // lives as long as the view, so that a reload keeps its clients
	outs   *outputs.Set
	notes  *notifier
	themes *appearance
	power  *power.Owner // of its screens

	named    atomic.Int64 // until when the sign shows, unix ns
	switched atomic.Bool  // conf.yaml says when the screens are on
	fingers
	pins  pins               // of the board
	end   context.CancelFunc // of run
	ended chan struct{}      // closed when run has returned
	painting
	showing
}

// A painting is how far a view is painted.
type painting struct {
	asked    atomic.Int64 // from started to when a frame was last asked for, ns by the monotonic clock
	lastPass atomic.Int64 // from started to the newest pass of the loop, ns by the monotonic clock
	owes     atomic.Bool  // main has a tree of which no frame was painted
	paints   bool         // the pass that goes on paints; the loop's
	behind   atomic.Bool  // passes have painted nothing since the newest frame
	catching semaphore    // held while the frame of a view that is behind is waited for
}

// showing is the part of a view that holds its trees.
type showing struct {
	changing semaphore             // held while a tree is put on the wall; only its holder stores shown
	shown    atomic.Pointer[shown] // nil until begin
}

// shown is what a view shows: a scene of a generation, and which of its trees.
type shown struct {
	*scene
	gen  *generation
	mode sun.Mode // a key of trees
}

// tree is the one on the wall.
func (s *shown) tree() *tree { return s.trees[s.mode] }

// A semaphore lets one at a time pass. Its zero value is not usable.
type semaphore chan struct{}

func newSemaphore() semaphore { return make(semaphore, 1) }

// acquire waits until nobody else holds it, or returns ctx's error.
func (s semaphore) acquire(ctx context.Context) (release func(), err error) {
	select {
	case s <- struct{}{}:
		return func() { <-s }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// A seat is what the trees of a view are built for. It is there before the view, and costs nothing if that never comes.
type seat struct {
	loop  *render.Loop
	board *notify.Board
	pages *page.Pages
	sign  *provider.Cell // a widgets.Sign: the wall says its name
}

func newSeat() seat {
	loop := render.NewLoop(nil, 0)
	return seat{loop, notify.NewBoard(loop.Wake), page.New(loop.Wake), provider.NewCell(loop.Wake)}
}

// newView returns a view that has nothing to show and does not run. It ends with close.
func newView(p viewParts) *view {
	whole.Check(p)
	v := &view{viewParts: p, seat: p.seat, log: p.log, end: func() {}, ended: make(chan struct{})}
	if p.name != config.MainView {
		v.log = p.log.With("view", p.name)
	}
	v.changing, v.catching, v.stream = newSemaphore(), newSemaphore(), netstream.New(time.Now)
	v.asked.Store(int64(time.Since(p.started) - lingers)) // never
	v.behind.Store(true)
	close(v.ended) // it does not run
	v.notes = newNotifier(notifierParts{board: v.board, log: v.log, sound: func(name string) { p.sound(v, name) }, store: p.store, key: p.home + "\x00" + p.name})
	v.themes = newAppearance(v.log, v.activate, p.timeSet)
	v.power = v.newOwner()
	v.outs = outputs.New(outputs.Parts{
		View: p.name, Agent: p.agent, Log: v.log, Stream: v.stream, Devices: p.devices, Store: p.store, Note: p.note,
		Dark: func() bool { return !v.power.On() }, Again: v.power.Again, Repaint: v.loop.Repaint, Resized: p.resized,
	})
	v.power.Screens = v.outs.Screens
	v.loop.Show, v.loop.Regions = v.outs.Show, v.outs.Mark
	v.loop.Watched, v.loop.Began, v.loop.Passed, v.loop.Crashed = v.wantsPaint, v.handle, v.afterPass, v.crashed
	return v
}

// crashed has the next frame painted whole after painting one has failed.
func (v *view) crashed(reason any) {
	v.owe()
	v.log.Error("painting failed; the next frame is painted whole", "reason", fmt.Sprint(reason))
}

// afterPass notes a completed pass of the loop.
func (v *view) afterPass(now time.Time) {
	v.lastPass.Store(int64(now.Sub(v.started)))
	if v.paints {
		v.behind.Store(false)
	}
	v.lookAtScreen()
	v.passed(v, now)
}

// sincePass is how long ago the newest pass of the loop was.
func (v *view) sincePass(now time.Time) time.Duration {
	return now.Sub(v.started) - time.Duration(v.lastPass.Load())
}

// mode is the theme on the wall.
func (v *view) mode() sun.Mode { return v.shown.Load().mode }

// size is that of the frames, px.
func (v *view) size() image.Point { return v.shown.Load().size }

// begin makes the scene of the first generation the one that run will paint.
func (v *view) begin(g *generation) {
	sc := g.scenes[v.name]
	mode := v.themes.adopt(g, sc.single(), sc.start, v.themes.now())
	v.shown.Store(&shown{sc, g, mode})
	v.settings(g)
	v.switches(sc)
	v.loop.SetRenderer(sc.renderer(mode))
	v.commit(sc.trees[mode])
	v.owe()
	v.outs.Apply(sc.plan())
}

// commit makes what a tree was built with that of the wall.
func (v *view) commit(t *tree) {
	v.board.Commit(t.inboxes)
	v.pages.Commit(t.pages)
}

// settings makes the view follow the general settings of g.
func (v *view) settings(g *generation) {
	v.loop.SetInterval(g.frameInterval())
	v.notes.configure(g.conf.Server.Notify)
	v.notes.listen(g.scenes[v.name].bridges)
}

// run paints until ctx ends.
func (v *view) run(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		v.themes.run(ctx)
	}()
	switching := make(chan struct{})
	go func() {
		defer close(switching)
		v.power.Run(ctx)
	}()
	v.loop.Run(ctx)
	<-done
	<-switching
}

// replace puts the view's scene of a generation on the wall in place of the one there.
func (v *view) replace(ctx context.Context, g *generation) error {
	release, err := v.changing.acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	old, sc := v.shown.Load(), g.scenes[v.name]
	mode := v.themes.adopt(g, sc.single(), sc.start, v.themes.now())
	err = v.loop.Do(ctx, func(r *render.Renderer) {
		if old.size == sc.size {
			r.SetRoot(sc.trees[mode].root)
		} else {
			*r = *sc.renderer(mode)
		}
		v.commit(sc.trees[mode])
		v.shown.Store(&shown{sc, g, mode})
		v.owe()
	})
	if err != nil {
		return err
	}
	v.settings(g)
	v.switches(sc)
	defer v.power.Again()
	if v.outs.Apply(sc.plan()) {
		err = v.loop.Do(ctx, func(r *render.Renderer) {
			r.Repaint()
			v.owe()
		})
	}
	return err
}

// themeFade is how long one theme takes to turn into the other.
const themeFade = time.Second

// activate puts the tree of the moment's theme on the wall. It asks for the theme when nobody else can change it, so that
// of two who do the later one wins, and the earlier one never shows.
func (v *view) activate(ctx context.Context) error {
	release, err := v.changing.acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	st, old := v.themes.holder.At(v.themes.now()), v.shown.Load()
	t := old.trees[st.Mode]
	if t == nil || st.Mode == old.mode || st.FollowingSun && !v.themes.timeSet() {
		return nil
	}
	err = v.loop.Do(ctx, func(r *render.Renderer) {
		if !old.reduced() {
			r.CrossFade(themeFade)
		}
		r.SetRoot(t.root)
		v.commit(t)
		v.shown.Store(&shown{old.scene, old.gen, st.Mode})
	})
	if err == nil {
		v.log.Info("theme changed", "theme", string(st.Mode), "until", until(st))
	}
	return err
}

// until says for the log how long a theme stays.
func until(st sun.State) string {
	if st.FollowingSun {
		return told(st.NextChange)
	}
	return told(st.HeldUntil)
}

// told is a moment for the log; zero is none.
func told(end time.Time) string {
	if end.IsZero() {
		return "told otherwise"
	}
	return end.Local().Format(time.DateTime)
}

// close ends the outputs and gives the console back; the stream's clients were ended by the server.
func (v *view) close() {
	v.pins.close()
	v.outs.Close()
	v.notes.close()
}
