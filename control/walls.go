package control

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"dashboard/control/notify"
	"dashboard/control/page"
	"dashboard/control/power"
	"dashboard/control/timer"
	"dashboard/control/verb"
	"dashboard/internal/loglimit"
)

// Notices holds the notifications of a wall.
type Notices interface {
	// Any reports whether the wall has a widget that can show notifications.
	Any() bool
	// Names lists the names of the widgets that show notifications.
	Names() []string
	// Notify checks the body of a request and queues the notification. It does not block. `local` reports whether the caller is on this
	// machine. Notify returns the ID of the notification, or "" if it has none. The error is notify.ErrNone, notify.ErrUnknown,
	// notify.ErrFull, or an error whose text is for the caller.
	Notify(ctx context.Context, body []byte, local bool) (id string, err error)
	// List returns all notifications.
	List() []notify.Entry
	// Delete ends the notifications with the given ID in a widget. An empty ID stands for all notifications, and an empty widget for all
	// widgets. Delete returns the number of ended notifications. The error is notify.ErrNone if no widget shows notifications,
	// notify.ErrUnknown for an unknown widget, and notify.ErrGone for an unknown ID.
	Delete(id, widget string) (int, error)
	// Choice returns the action with the number n of a notification. Numbers start at 0. It returns notify.ErrGone or notify.ErrNoAction.
	Choice(id string, n int) (notify.Choice, error)
}

// A Wall has the parts of one view that verbs control. A missing part is nil.
type Wall struct {
	Themes   Themes
	Notices  Notices
	Pages    *page.Pages
	Power    *power.Owner
	Identify func(lasts time.Duration)
}

// Timers holds the timers of all walls.
type Timers interface {
	// List returns the status of all timers at the time `now`.
	List(now time.Time) []timer.Status
	// Do runs an action on the timer with the given name. It returns timer.ErrUnknown, or an error whose text is for the caller.
	Do(name, action string, d time.Duration, now time.Time) (timer.Status, error)
}

// Parts are the dependencies of [Walls]. A missing part is nil.
type Parts struct {
	Wall   func(view string) *Wall // returns the parts of a view, or nil if the view does not exist. "" is the main view
	Timers Timers
	Reload func(context.Context) (Reloading, error)
	Ready  func(Action) error                  // returns ErrNoCall if Call cannot run the action. If Ready is nil, Call can run all actions
	Call   func(context.Context, Action) error // sends a request to another system; runs the verbs action, mqtt and url
	Own    map[string]Effect                   // effects of other verbs, by the name of the verb
	Now    func() time.Time                    // returns the current time; nil means time.Now
	Log    *slog.Logger                        // logs requests and their callers; nil logs nothing
}

// An Effect runs a verb. Its caller has checked the view and the arguments of the action.
type Effect func(ctx context.Context, a Action) (Result, error)

// Walls runs actions on the walls of a service. Any goroutine may call its methods.
type Walls struct {
	Parts
	effects map[string]effect
	under   chan struct{} // has a token for each running action
	lines   *loglimit.Limit
}

var _ Doer = (*Walls)(nil)

// New returns Walls with the given parts.
func New(p Parts) *Walls {
	if p.Wall == nil {
		p.Wall = func(string) *Wall { return nil }
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	all := effects()
	for name, own := range p.Own {
		all[name] = effect{do: func(ctx context.Context, _ *Walls, _ *Wall, a Action) (Result, error) { return own(ctx, a) }}
	}
	return &Walls{Parts: p, effects: all, under: make(chan struct{}, MaxAtOnce), lines: loglimit.New()}
}

// Do implements Doer. It also logs the caller, the action and the result.
func (w *Walls) Do(ctx context.Context, a Action) (Result, error) {
	v := verb.Find(a.Verb)
	if v == nil {
		return nil, ErrNothing
	}
	select {
	case w.under <- struct{}{}:
		defer func() { <-w.under }()
	default:
		return nil, ErrBusy
	}
	ctx, cancel := context.WithTimeout(ctx, VerbTime)
	defer cancel()
	return w.counted(ctx, v, a)
}

// counted() is like Do for an action that already counts as running.
func (w *Walls) counted(ctx context.Context, v *verb.Verb, a Action) (Result, error) {
	result, err := w.run(ctx, v, &a)
	w.logCall(v, a, err)
	return result, err
}

// Has reports whether the verb with the given name has an effect.
func (w *Walls) Has(name string) bool { return w.effects[name].do != nil }

// `inside` lists the origins whose actions come from the files or from a notification.
var inside = []string{"touch", "key", "gpio", "notification"}

// run checks an action and runs its effect.
func (w *Walls) run(ctx context.Context, v *verb.Verb, a *Action) (Result, error) {
	e := w.effects[v.Name]
	if v.Allow == verb.Inside && !slices.Contains(inside, a.By.Via) {
		return nil, ErrInside
	}
	if e.aim != nil {
		e.aim(a)
	}
	if len(a.View) > MaxName {
		return nil, ErrTooLong
	}
	var wall *Wall
	if !v.Whole {
		if wall = w.Wall(a.View); wall == nil {
			return nil, ErrNoView
		}
	}
	if e.do == nil {
		return nil, ErrNothing
	}
	if e.ready != nil {
		if err := e.ready(ctx, w, wall); err != nil {
			return nil, err
		}
	}
	if err := v.Check(a.Args); err != nil {
		return nil, err
	}
	return e.do(ctx, w, wall, *a)
}

// logCall logs the caller, the action and the result. It logs no secrets and no texts of notifications.
func (w *Walls) logCall(v *verb.Verb, a Action, err error) {
	fields, ok := w.lines.Next(w.Now(), "verb", v.Name, "via", a.By.Via)
	if !ok {
		return
	}
	what := ""
	if len(v.Params) > 0 && !v.Params[0].Secret {
		what = a.Args.Text(v.Params[0].Name)
	}
	for _, f := range [][2]string{{"from", a.By.From}, {"view", a.View}, {"what", what}} {
		if f[1] != "" && len(f[1]) <= MaxName {
			fields = append(fields, f[0], f[1])
		}
	}
	if err != nil {
		w.Log.Info("refused", append(fields, "reason", err.Error())...)
		return
	}
	w.Log.Info("done", fields...)
}
