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

// Parts are the parameters of a view.
type Parts struct {
	Name    string
	Memory  *budget.Memory // memory account of the service
	Agent   string         // User-Agent of uploads
	Log     *slog.Logger
	Started time.Time // time at which the program started
	Seat    scene.Seat
	Devices *outputs.Devices
	Keep    Keeping
	Note    *outputs.Note `optional:"true"` // note over windows

	Resized   func()                       // called when the size of a screen differs from its frames. It must not block
	Ask       func(control.Action)         // requests an action. It must not block
	Sound     func(v *View, name string)   // sends a sound to its players. It must not block
	Passed    func(v *View, now time.Time) // called after each pass of the loop
	TimeSet   func() bool                  // reports whether the machine's clock is right
	Touchable func() bool                  // reports whether a touchscreen or a device with keys is open
}

// Keeping is the place where a view stores its state for the next start.
type Keeping struct {
	Store *state.Store // nil if nothing is stored
	Home  string       // folder of the configuration. It distinguishes this wall from other walls with the same store
}

// A View is one wall of the service. It contains the trees, the loop that paints them, the outputs and the notifications. A reload
// replaces its content, but not the View. Parts that several views share are in scene.Builder.
type View struct {
	Parts
	scene.Seat
	Log    *slog.Logger      // log with the name of the view, except for main
	Stream *netstream.Stream // stream of the view. It exists as long as the view, so its clients stay connected during a reload
	Outs   *outputs.Set
	Notes  *notifier
	Themes *appearance
	Power  *power.Owner // decides when the screens of this view are on, and how bright

	named    atomic.Int64 // time until which the sign is shown, in Unix ns
	near     atomic.Bool  // result of Near
	switched atomic.Bool  // true if conf.yaml sets when the screens are on
	fingers
	Pins  pins               // GPIO lines of the board that the view watches
	End   context.CancelFunc // ends the loop
	Ended chan struct{}      // closed when the loop has ended
	painting
	showing
}

// A painting contains the state of the loop of a view.
type painting struct {
	Asked    atomic.Int64 // time of the last request for a frame, in ns after Started on the monotonic clock
	LastPass atomic.Int64 // time of the last pass, in ns after Started on the monotonic clock
	owes     atomic.Bool  // true if the view is main and its new tree was not painted yet
	paints   bool         // true if the current pass paints; used by the loop
	behind   atomic.Bool  // true if the newest frame is outdated, because later passes did not paint
	catching Semaphore    // held by a request that waits for a new frame
}

// showing contains the trees of a view.
type showing struct {
	changing Semaphore             // held while a tree is replaced. Only its holder may store Shown
	Shown    atomic.Pointer[Shown] // nil until Begin
}

// Shown is the content that a view shows: a scene of a generation, and one of its trees.
type Shown struct {
	*scene.Scene
	Gen  *scene.Generation
	mode sun.Mode // mode of the shown tree
}

// Tree returns the tree that the view shows.
func (s *Shown) Tree() *scene.Tree { return s.Trees[s.mode] }

// A Semaphore can have one holder at a time. Its zero value cannot be used.
type Semaphore chan struct{}

func newSemaphore() Semaphore { return make(Semaphore, 1) }

// Acquire waits until there is no other holder. If ctx ends first, it returns the error of ctx. The caller must call `release` at the end.
func (s Semaphore) Acquire(ctx context.Context) (release func(), err error) {
	select {
	case s <- struct{}{}:
		return func() { <-s }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// New returns a view without content that does not run yet. The caller ends it with Close.
func New(p Parts) *View {
	whole.Check(p)
	v := &View{Parts: p, Seat: p.Seat, Log: p.Log, End: func() {}, Ended: make(chan struct{})}
	if p.Name != config.MainView {
		v.Log = p.Log.With("view", p.Name)
	}
	v.changing, v.catching, v.Stream = newSemaphore(), newSemaphore(), netstream.New(time.Now)
	v.Asked.Store(int64(time.Since(p.Started) - Lingers)) // so long ago that wanted() does not count this as a request
	v.behind.Store(true)
	close(v.Ended) // closed, because no loop is running yet
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

// crashed() handles a panic during painting. The next pass paints the whole frame.
func (v *View) crashed(reason any) {
	v.owe()
	v.Log.Error("painting failed; the next frame is painted whole", "reason", fmt.Sprint(reason))
}

// afterPass records a completed pass of the loop.
func (v *View) afterPass(now time.Time) {
	v.LastPass.Store(int64(now.Sub(v.Started)))
	if v.paints {
		v.behind.Store(false)
	}
	v.lookAtScreen()
	v.Passed(v, now)
}

// SincePass returns the time since the last pass of the loop.
func (v *View) SincePass(now time.Time) time.Duration {
	return now.Sub(v.Started) - time.Duration(v.LastPass.Load())
}

// Mode returns the mode of the theme on the wall.
func (v *View) Mode() sun.Mode { return v.Shown.Load().mode }

// Size returns the size of the frames, in px.
func (v *View) Size() image.Point { return v.Shown.Load().Size }

// Begin shows the view's scene of the first generation.
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

// commit activates the notification widgets and the pages of a new tree.
func (v *View) commit(t *scene.Tree) {
	v.Board.Commit(t.Inboxes)
	v.Pages.Commit(t.Pages)
}

// settings() applies the general settings of g to the view.
func (v *View) settings(g *scene.Generation) {
	v.Loop.SetInterval(g.FrameInterval())
	v.Notes.configure(g.Conf.Server.Notify)
	v.Notes.listen(g.Scenes[v.Name].Bridges)
}

// run runs the loop, the changes of the theme, and the owner of the screens, until ctx ends.
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

// Replace replaces the shown scene by the view's scene of another generation.
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

// themeFade is the duration of the fade from one theme to the other.
const themeFade = 360 * time.Millisecond

// activate shows the tree of the theme that is due. It determines the theme while it holds the semaphore `changing`. Therefore, an earlier
// call cannot overwrite the result of a later call.
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

// until() returns the time until which a theme stays, as text for the log.
func until(st sun.State) string {
	if st.FollowingSun {
		return told(st.NextChange)
	}
	return told(st.HeldUntil)
}

// told() returns a time as text for the log. A zero time means that the theme remains until a person changes it.
func told(end time.Time) string {
	if end.IsZero() {
		return "a person changes it"
	}
	return end.Local().Format(time.DateTime)
}

// Close closes the outputs and restores the console. The caller must disconnect the clients of the stream first.
func (v *View) Close() {
	v.Pins.Close()
	v.Outs.Close()
	v.Notes.close()
}
