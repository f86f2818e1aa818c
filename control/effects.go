package control

import (
	"context"
	"encoding/json"

	"dashboard/control/notify"
	"dashboard/control/page"
	"dashboard/control/power"
	"dashboard/control/timer"
	"dashboard/control/verb"
)

// An effect runs a verb. The wall is nil if the verb applies to all views.
type effect struct {
	aim   func(a *Action)                                       // completes the action, for example with a view; may be nil
	ready func(ctx context.Context, w *Walls, wall *Wall) error // check that runs before the arguments are checked; may be nil
	do    func(ctx context.Context, w *Walls, wall *Wall, a Action) (Result, error)
}

// effects() returns the effects of the declared verbs, by name.
func effects() map[string]effect {
	return map[string]effect{
		"page": {do: showPage}, "theme": {ready: themed, do: setTheme}, "power": {do: switchScreens}, "brightness": {do: dim},
		"identify": {do: identify}, "notify": {aim: aimNotice, do: postNotice}, "dismiss": {do: dismiss}, "choose": {do: choose},
		"timer": {do: runTimer}, "reload": {do: reload}, "action": {do: call}, "mqtt": {do: call}, "url": {do: call},
	}
}

// done() returns the result of an effect, or only the error if there is one.
func done(r Result, err error) (Result, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

func showPage(_ context.Context, w *Walls, wall *Wall, a Action) (Result, error) {
	if wall.Pages == nil {
		return nil, page.ErrNone
	}
	st, err := wall.Pages.Show(a.Args.Text("page"), a.Args.Time("hold"), w.Now())
	return done(PageFields(st), err)
}

// aimNotice sets the view that the notification names, unless the action already has a view.
func aimNotice(a *Action) {
	if a.View == "" {
		a.View = notify.ViewOf(a.Args.JSON("body"))
	}
}

func postNotice(ctx context.Context, w *Walls, wall *Wall, a Action) (Result, error) {
	if wall.Notices == nil {
		return nil, notify.ErrNone
	}
	if err := w.offers(a.Args.JSON("body")); err != nil {
		return nil, err
	}
	id, err := wall.Notices.Notify(ctx, a.Args.JSON("body"), a.By.Local)
	if id == "" {
		return nil, err
	}
	return done(Result{"id": id}, err)
}

func dismiss(_ context.Context, _ *Walls, wall *Wall, a Action) (Result, error) {
	if wall.Notices == nil || !wall.Notices.Any() {
		return nil, notify.ErrNone
	}
	id := a.Args.Text("id")
	if id == "all" {
		id = ""
	}
	n, err := wall.Notices.Delete(id, a.Args.Text("widget"))
	return done(Result{"deleted": n}, err)
}

// choose runs an action that a notification offers. If the action succeeds, choose ends the notification, unless the action contains clear:
// false.
func choose(ctx context.Context, w *Walls, wall *Wall, a Action) (Result, error) {
	if wall.Notices == nil {
		return nil, notify.ErrNone
	}
	id := a.Args.Text("id")
	c, err := wall.Notices.Choice(id, a.Args.Int("action")-1)
	if err != nil {
		return nil, err
	}
	next, err := pressed(c.Do)
	if err != nil {
		return nil, err
	}
	next.By, next.View = a.By, a.View
	next.By.Via = "notification"
	_, err = w.counted(ctx, verb.Find(next.Verb), next)
	if err == nil && !c.Stays {
		_, _ = wall.Notices.Delete(id, "") // the notification may already have ended
	}
	return nil, err
}

// pressed() returns the Action that a button of a notification runs. `do` is the field Do of the button's Choice.
func pressed(do []byte) (Action, error) {
	var keys map[string]json.RawMessage
	if json.Unmarshal(do, &keys) != nil {
		return Action{}, ErrNothing
	}
	for _, name := range verb.Shorts(true) {
		if _, given := keys[name]; given {
			args, err := verb.Find(name).Brief(keys)
			return Action{Verb: name, Args: args}, err
		}
	}
	return Action{}, ErrNothing
}

func switchScreens(_ context.Context, _ *Walls, wall *Wall, a Action) (Result, error) {
	state, lasts := a.Args.Text("state"), a.Args.Time("for")
	switch {
	case lasts > 0 && state == "auto":
		return nil, verb.ErrFor
	case wall.Power == nil:
		return nil, ErrNoScreen
	case state == "toggle":
		return PowerFields(wall.Power.Toggle(lasts)), nil
	}
	hand := map[string]power.Hand{"on": power.On, "off": power.Off, "auto": power.Auto}[state]
	return PowerFields(wall.Power.Ask(hand, lasts)), nil
}

func dim(_ context.Context, _ *Walls, wall *Wall, a Action) (Result, error) {
	if wall.Power == nil {
		return nil, ErrNoScreen
	}
	return PowerFields(wall.Power.AskLevel(a.Args.Float("brightness"))), nil
}

func identify(_ context.Context, _ *Walls, wall *Wall, a Action) (Result, error) {
	lasts := a.Args.Time("for")
	switch {
	case wall.Identify == nil:
		return nil, ErrNoScreen
	case lasts == 0:
		lasts = DefaultIdentify
	}
	wall.Identify(lasts)
	return nil, nil
}

func runTimer(_ context.Context, w *Walls, _ *Wall, a Action) (Result, error) {
	if w.Timers == nil {
		return nil, timer.ErrUnknown
	}
	st, err := w.Timers.Do(a.Args.Text("name"), a.Args.Text("action"), a.Args.Time("duration"), w.Now())
	return done(TimerFields(st), err)
}

func reload(ctx context.Context, w *Walls, _ *Wall, _ Action) (Result, error) {
	if w.Reload == nil {
		return nil, ErrNoReload
	}
	r, err := w.Reload(ctx)
	switch {
	case err != nil:
		return nil, LaterError{err}
	case !r.OK:
		err = ErrWrong
	}
	return Result{"diagnostics": r.Diagnostics}, err
}

// call sends a request to another system, such as Home Assistant.
func call(ctx context.Context, w *Walls, _ *Wall, a Action) (Result, error) {
	if w.Call == nil {
		return nil, ErrNoCall
	}
	return nil, w.Call(ctx, a)
}
