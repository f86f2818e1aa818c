// Package view runs one view of the wall: its loop, themes, pages, notifications, screens and touches.
package view

import (
	"context"
	"fmt"
	"image"
	"log/slog"
	"sync/atomic"
	"time"

	"dashboard/config"
	"dashboard/control"
	"dashboard/control/power"
	"dashboard/internal/budget"
	"dashboard/internal/state"
	"dashboard/internal/whole"
	"dashboard/netstream"
	"dashboard/render"
	"dashboard/theme/sun"
	"dashboard/wall/outputs"
	"dashboard/wall/scene"
)

// Parts are what a view is made of.
type Parts struct {
	Name    string
	Memory  *budget.Memory // of the service
	Agent   string         // the User-Agent of uploads
	Log     *slog.Logger
	Started time.Time // the program's start
	Seat    scene.Seat
	Devices *outputs.Devices
	Keep    Keeping
	Note    *outputs.Note `optional:"true"` // is drawn over windows

	Resized   func()                       // is called when a screen has another size than its frames; it must not wait
	Ask       func(control.Action)         // has something done soon; it must not wait
	Sound     func(v *View, name string)   // notifies the players of sounds, and must not wait
	Passed    func(v *View, now time.Time) // is called after each pass of the loop
	TimeSet   func() bool                  // reports whether the machine's clock can be believed
	Touchable func() bool                  // reports whether there is a touchscreen or a key
}

// Keeping is the place where a view keeps its state for the next start.
type Keeping struct {
	Store *state.Store // nil keeps nothing
	Home  string       // the folder of the configuration, which distinguishes it from others
}

// A View is one wall of the service: its trees and the loop that paints them, and where its frames and notifications go.
// It outlives reloads. Shared parts of views belong to the builder.
type View struct {
	Parts
	scene.Seat
	Log    *slog.Logger      // names the view, unless it is the main one
	Stream *netstream.Stream // lives as long as the view, so that a reload keeps its clients
	Outs   *outputs.Set
	Notes  *notifier
	Themes *appearance
	Power  *power.Owner // of its screens

	named    atomic.Int64 // until when the sign shows, unix ns
	near     atomic.Bool  // a sensor sees a person
	switched atomic.Bool  // conf.yaml sets when the screens are on
	fingers
	Pins  pins               // of the board
	End   context.CancelFunc // of run
	Ended chan struct{}      // closed when run has returned
	painting
	showing
}

// A painting is how far a view is painted.
type painting struct {
	Asked    atomic.Int64 // from started to when a frame was last asked for, ns by the monotonic clock
	LastPass atomic.Int64 // from started to the newest pass of the loop, ns by the monotonic clock
	owes     atomic.Bool  // main has a tree without a painted frame
	paints   bool         // the pass that continues paints; the loop's
	behind   atomic.Bool  // passes have painted nothing since the newest frame
	catching Semaphore    // held while the frame of a view that is behind is waited for
}

// showing is the part of a view that holds its trees.
type showing struct {
	changing Semaphore             // held while a tree is put on the wall; only its holder stores shown
	Shown    atomic.Pointer[Shown] // nil until begin
}

// Shown is the shown part of a view: a scene of a generation, and one of its trees.
type Shown struct {
	*scene.Scene
	Gen  *scene.Generation
	mode sun.Mode // a key of trees
}

// Tree is the one on the wall.
func (s *Shown) Tree() *scene.Tree { return s.Trees[s.mode] }

// A Semaphore lets one at a time pass. Its zero value is not usable.
type Semaphore chan struct{}

func newSemaphore() Semaphore { return make(Semaphore, 1) }

// Acquire waits until it is free, or returns ctx's error.
func (s Semaphore) Acquire(ctx context.Context) (release func(), err error) {
	select {
	case s <- struct{}{}:
		return func() { <-s }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// New returns a view that has nothing to show and does not run. It ends with close.
func New(p Parts) *View {
	whole.Check(p)
	v := &View{Parts: p, Seat: p.Seat, Log: p.Log, End: func() {}, Ended: make(chan struct{})}
	if p.Name != config.MainView {
		v.Log = p.Log.With("view", p.Name)
	}
	v.changing, v.catching, v.Stream = newSemaphore(), newSemaphore(), netstream.New(time.Now)
	v.Asked.Store(int64(time.Since(p.Started) - Lingers)) // never
	v.behind.Store(true)
	close(v.Ended) // it does not run
	v.Notes = newNotifier(notifierParts{board: v.Board, memory: p.Memory, log: v.Log, sound: func(name string) { p.Sound(v, name) }, store: p.Keep.Store, agent: p.Agent, key: p.Keep.Home + "\x00" + p.Name})
	v.Themes = NewAppearance(v.Log, v.activate, p.TimeSet)
	v.Power = v.newOwner()
	v.Outs = outputs.New(outputs.Parts{
		View: p.Name, Agent: p.Agent, Log: v.Log, Stream: v.Stream, Devices: p.Devices, Store: p.Keep.Store, Note: p.Note,
		Dark: func() bool { return !v.Power.On() }, Again: v.Power.Again, Repaint: v.Loop.Repaint, Resized: p.Resized,
	})
	v.Power.Screens = v.Outs.Screens
	v.Loop.Show, v.Loop.Regions, v.Loop.Settled = v.Outs.Show, v.Outs.Mark, v.Outs.Settled
	v.Loop.Watched, v.Loop.Began, v.Loop.Passed, v.Loop.Crashed = v.wantsPaint, v.handle, v.afterPass, v.crashed
	return v
}

// crashed has the next frame painted whole after painting one has failed.
func (v *View) crashed(reason any) {
	v.owe()
	v.Log.Error("painting failed; the next frame is painted whole", "reason", fmt.Sprint(reason))
}

// afterPass notes a completed pass of the loop.
func (v *View) afterPass(now time.Time) {
	v.LastPass.Store(int64(now.Sub(v.Started)))
	if v.paints {
		v.behind.Store(false)
	}
	v.lookAtScreen()
	v.Passed(v, now)
}

// SincePass is how long ago the newest pass of the loop was.
func (v *View) SincePass(now time.Time) time.Duration {
	return now.Sub(v.Started) - time.Duration(v.LastPass.Load())
}

// Mode is the theme on the wall.
func (v *View) Mode() sun.Mode { return v.Shown.Load().mode }

// Size is the size of the frames, px.
func (v *View) Size() image.Point { return v.Shown.Load().Size }

// Begin makes the scene of the first generation the painted one.
func (v *View) Begin(g *scene.Generation) {
	sc := g.Scenes[v.Name]
	mode := v.Themes.Adopt(g, sc.Single(), sc.Start, v.Themes.Now())
	v.Shown.Store(&Shown{sc, g, mode})
	v.settings(g)
	v.Switches(sc)
	v.Loop.SetRenderer(sc.Renderer(mode))
	v.commit(sc.Trees[mode])
	v.owe()
	v.Outs.Apply(sc.Plan())
}

// commit makes the parts of a new tree the wall's parts.
func (v *View) commit(t *scene.Tree) {
	v.Board.Commit(t.Inboxes)
	v.Pages.Commit(t.Pages)
}

// settings makes the view follow the general settings of g.
func (v *View) settings(g *scene.Generation) {
	v.Loop.SetInterval(g.FrameInterval())
	v.Notes.configure(g.Conf.Server.Notify)
	v.Notes.listen(g.Scenes[v.Name].Bridges)
}

// run paints until ctx ends.
func (v *View) run(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		v.Themes.run(ctx)
	}()
	switching := make(chan struct{})
	go func() {
		defer close(switching)
		v.Power.Run(ctx)
	}()
	v.Loop.Run(ctx)
	<-done
	<-switching
}

// Replace puts the view's scene of a generation on the wall in place of the one there.
func (v *View) Replace(ctx context.Context, g *scene.Generation) error {
	release, err := v.changing.Acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	old, sc := v.Shown.Load(), g.Scenes[v.Name]
	mode := v.Themes.Adopt(g, sc.Single(), sc.Start, v.Themes.Now())
	err = v.Loop.Do(ctx, func(r *render.Renderer) {
		if old.Size == sc.Size {
			r.SetRoot(sc.Trees[mode].Root)
		} else {
			*r = *sc.Renderer(mode)
		}
		v.commit(sc.Trees[mode])
		v.Shown.Store(&Shown{sc, g, mode})
		v.owe()
	})
	if err != nil {
		return err
	}
	v.settings(g)
	v.Switches(sc)
	defer v.Power.Again()
	if v.Outs.Apply(sc.Plan()) {
		err = v.Loop.Do(ctx, func(r *render.Renderer) {
			r.Repaint()
			v.owe()
		})
	}
	return err
}

// themeFade is how long one theme takes to turn into the other.
const themeFade = 360 * time.Millisecond

// activate puts the tree of the present theme on the wall. It reads the theme under the lock, so that of two callers
// the later one wins, and the earlier one never shows.
func (v *View) activate(ctx context.Context) error {
	release, err := v.changing.Acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	st, old := v.Themes.holder.At(v.Themes.Now()), v.Shown.Load()
	t := old.Trees[st.Mode]
	if t == nil || st.Mode == old.mode || st.FollowingSun && !v.Themes.TimeSet() {
		return nil
	}
	err = v.Loop.Do(ctx, func(r *render.Renderer) {
		if !old.Reduced() {
			r.CrossFade(themeFade)
		}
		r.SetRoot(t.Root)
		v.commit(t)
		v.Shown.Store(&Shown{old.Scene, old.Gen, st.Mode})
	})
	if err == nil {
		v.Log.Info("theme changed", "theme", string(st.Mode), "until", until(st))
	}
	return err
}

// until formats for the log how long a theme stays.
func until(st sun.State) string {
	if st.FollowingSun {
		return told(st.NextChange)
	}
	return told(st.HeldUntil)
}

// told formats a moment for the log, with zero as none.
func told(end time.Time) string {
	if end.IsZero() {
		return "told otherwise"
	}
	return end.Local().Format(time.DateTime)
}

// Close ends the outputs and gives the console back. The stream's clients were ended by the server.
func (v *View) Close() {
	v.Pins.Close()
	v.Outs.Close()
	v.Notes.close()
}
