package control

import (
	"context"
	"log/slog"
	"math"
	"slices"
	"time"

	"dashboard/control/notify"
	"dashboard/control/page"
	"dashboard/control/power"
	"dashboard/control/timer"
	"dashboard/internal/loglimit"
)

// Notices are the notifications of a wall.
type Notices interface {
	// Any reports whether any widget takes notifications.
	Any() bool
	// Names lists the widgets that take notifications.
	Names() []string
	// Notify checks a body and queues the notification without blocking. local means that the caller is on this machine. It returns
	// notify.ErrNone, notify.ErrUnknown or notify.ErrFull. The text of any other error is for the caller. It returns the body's id,
	// or "".
	Notify(ctx context.Context, body []byte, local bool) (id string, err error)
	// List returns all notifications.
	List() []notify.Entry
	// Delete ends the notifications with an id, or all if it is empty, of a widget, or of all if its name is empty. It returns
	// their number, or notify.ErrNone, notify.ErrUnknown, or notify.ErrGone for an unknown id.
	Delete(id, widget string) (int, error)
	// Choice is an action of a notification, counted from 0. It returns notify.ErrGone or notify.ErrNoAction.
	Choice(id string, n int) (notify.Choice, error)
}

// A Wall is the parts of one view. Nil parts are missing.
type Wall struct {
	Themes   Themes
	Notices  Notices
	Pages    *page.Pages
	Power    *power.Owner
	Identify func(lasts time.Duration)
}

// Timers are the timers of all walls.
type Timers interface {
	// List is all timers at a moment.
	List(now time.Time) []timer.Status
	// Do does something with the timer of a name. It returns timer.ErrUnknown, or an error whose text is for the caller.
	Do(name, action string, d time.Duration, now time.Time) (timer.Status, error)
}

// Parts are the parts of [Walls]. Nil parts are missing.
type Parts struct {
	Wall   func(view string) *Wall // returns a view, "" for the main one; nil if it does not exist
	Timers Timers
	Reload func(context.Context) (Reloading, error)
	Call   func(context.Context, Call) error
	Now    func() time.Time // clock; nil means time.Now
	Log    *slog.Logger     // logs requests and callers; nil logs nothing
}

// Walls are the verbs of a service. Their methods may be called from any goroutine.
type Walls struct {
	Parts
	under chan struct{} // a token for each verb under way
	lines *loglimit.Limit
}

var _ Verbs = (*Walls)(nil)

// New returns the verbs of a service.
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
	return &Walls{Parts: p, under: make(chan struct{}, MaxAtOnce), lines: loglimit.New()}
}

// asked is a verb with its object, for the log. Texts of notifications stay out of the log.
type asked struct {
	verb, view, what string
}

// do calls f within the limits of all verbs and logs it.
func do[T any](ctx context.Context, w *Walls, by Caller, a asked, f func(context.Context) (T, error)) (answer T, err error) {
	select {
	case w.under <- struct{}{}:
		defer func() { <-w.under }()
	default:
		return answer, ErrBusy
	}
	if len(a.view) > MaxName || len(a.what) > MaxName {
		a.view, a.what = "", ""
		w.logCall(by, a, ErrTooLong)
		return answer, ErrTooLong
	}
	ctx, cancel := context.WithTimeout(ctx, VerbTime)
	defer cancel()
	answer, err = f(ctx)
	w.logCall(by, a, err)
	return answer, err
}

// on is [do] with the wall of a view.
func on[T any](ctx context.Context, w *Walls, by Caller, a asked, f func(context.Context, *Wall) (T, error)) (T, error) {
	return do(ctx, w, by, a, func(ctx context.Context) (none T, err error) {
		wall := w.Wall(a.view)
		if wall == nil {
			return none, ErrNoView
		}
		return f(ctx, wall)
	})
}

// logCall logs the caller, the request and its result.
func (w *Walls) logCall(by Caller, a asked, err error) {
	fields, ok := w.lines.Next(w.Now(), "verb", a.verb, "via", by.Via)
	if !ok {
		return
	}
	for _, f := range [][2]string{{"from", by.From}, {"view", a.view}, {"what", a.what}} {
		if f[1] != "" {
			fields = append(fields, f[0], f[1])
		}
	}
	if err != nil {
		w.Log.Info("refused", append(fields, "reason", err.Error())...)
		return
	}
	w.Log.Info("done", fields...)
}

// Page implements Verbs.
func (w *Walls) Page(ctx context.Context, by Caller, view, what string, hold time.Duration) (page.Status, error) {
	return on(ctx, w, by, asked{"page", view, what}, func(_ context.Context, wall *Wall) (page.Status, error) {
		if wall.Pages == nil {
			return page.Status{}, page.ErrNone
		}
		return wall.Pages.Show(what, hold, w.Now())
	})
}

// Notify implements Verbs.
func (w *Walls) Notify(ctx context.Context, by Caller, view string, body []byte) (id string, err error) {
	if len(body) > MaxBody {
		return "", ErrTooLong
	}
	if view == "" {
		view = notify.ViewOf(body)
	}
	return on(ctx, w, by, asked{verb: "notify", view: view}, func(ctx context.Context, wall *Wall) (string, error) {
		if wall.Notices == nil {
			return "", notify.ErrNone
		}
		return wall.Notices.Notify(ctx, body, by.Local)
	})
}

// Dismiss implements Verbs.
func (w *Walls) Dismiss(ctx context.Context, by Caller, view, widget, id string) (int, error) {
	return on(ctx, w, by, asked{"dismiss", view, id}, func(_ context.Context, wall *Wall) (int, error) {
		if wall.Notices == nil || !wall.Notices.Any() {
			return 0, notify.ErrNone
		}
		return wall.Notices.Delete(id, widget)
	})
}

// Choose implements Verbs.
func (w *Walls) Choose(ctx context.Context, by Caller, view, id string, n int) error {
	_, err := on(ctx, w, by, asked{"choose", view, id}, func(ctx context.Context, wall *Wall) (struct{}, error) {
		if wall.Notices == nil {
			return struct{}{}, notify.ErrNone
		}
		c, err := wall.Notices.Choice(id, n)
		if err != nil {
			return struct{}{}, err
		}
		a, err := actionOf(c.Do)
		if err == nil {
			err = a.Do(ctx, w, by, view)
		}
		if err == nil && !c.Stays {
			_, _ = wall.Notices.Delete(id, "") // it may have ended
		}
		return struct{}{}, err
	})
	return err
}

// Power implements Verbs.
func (w *Walls) Power(ctx context.Context, by Caller, view, state string, lasts time.Duration) (power.State, error) {
	return on(ctx, w, by, asked{"power", view, state}, func(_ context.Context, wall *Wall) (power.State, error) {
		switch {
		case !slices.Contains(PowerStates(), state):
			return power.State{}, ErrPower
		case lasts < 0 || lasts > MaxPower || lasts > 0 && state == "auto":
			return power.State{}, ErrFor
		case wall.Power == nil:
			return power.State{}, ErrNoScreen
		case state == "toggle":
			return wall.Power.Toggle(lasts), nil
		}
		hand := map[string]power.Hand{"on": power.On, "off": power.Off, "auto": power.Auto}[state]
		return wall.Power.Ask(hand, lasts), nil
	})
}

// Brightness implements Verbs.
func (w *Walls) Brightness(ctx context.Context, by Caller, view string, level float64) (power.State, error) {
	return on(ctx, w, by, asked{verb: "brightness", view: view}, func(_ context.Context, wall *Wall) (power.State, error) {
		switch {
		case math.IsNaN(level) || level > 1:
			return power.State{}, ErrBrightness
		case wall.Power == nil:
			return power.State{}, ErrNoScreen
		}
		return wall.Power.AskLevel(level), nil
	})
}

// Reload implements Verbs.
func (w *Walls) Reload(ctx context.Context, by Caller) (Reloading, error) {
	return do(ctx, w, by, asked{verb: "reload"}, func(ctx context.Context) (Reloading, error) {
		if w.Parts.Reload == nil {
			return Reloading{}, ErrNoReload
		}
		return w.Parts.Reload(ctx)
	})
}

// Identify implements Verbs.
func (w *Walls) Identify(ctx context.Context, by Caller, view string, lasts time.Duration) error {
	_, err := on(ctx, w, by, asked{verb: "identify", view: view}, func(_ context.Context, wall *Wall) (struct{}, error) {
		switch {
		case lasts < 0 || lasts > MaxIdentify:
			return struct{}{}, ErrIdentify
		case wall.Identify == nil:
			return struct{}{}, ErrNoScreen
		case lasts == 0:
			lasts = DefaultIdentify
		}
		wall.Identify(lasts)
		return struct{}{}, nil
	})
	return err
}

// Timer implements Verbs.
func (w *Walls) Timer(ctx context.Context, by Caller, name, action string, length time.Duration) (timer.Status, error) {
	return do(ctx, w, by, asked{"timer", "", name}, func(context.Context) (timer.Status, error) {
		if w.Timers == nil {
			return timer.Status{}, timer.ErrUnknown
		}
		return w.Timers.Do(name, action, length, w.Now())
	})
}

// Call implements Verbs.
func (w *Walls) Call(ctx context.Context, by Caller, c Call) error {
	_, err := do(ctx, w, by, asked{verb: "call", what: c.what()}, func(ctx context.Context) (struct{}, error) {
		if w.Parts.Call == nil {
			return struct{}{}, ErrNoCall
		}
		return struct{}{}, w.Parts.Call(ctx, c)
	})
	return err
}

// what names a call in the log. An address may have a secret in it, and is not told.
func (c Call) what() string {
	switch {
	case c.Service != "":
		return c.Service
	case c.Topic != "":
		return c.Topic
	}
	return "url"
}
