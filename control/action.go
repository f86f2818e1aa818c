package control

import "context"

// An Action is what a touch, a key or a button is to do. One of its fields is set, beside Length for Timer.
type Action struct {
	Page       string // the name of a page, next, previous or auto
	Theme      string // day, night, auto or toggle
	Dismiss    string // all, or the id of a notification
	Timer      string // the name of a timer, which is started or stopped
	Notify     []byte // a JSON object as POST /notify takes it
	Power      string // on, off, toggle or auto
	Brightness *float64
	Reload     bool
	Identify   bool
	Call       *Call
}

// Do does it to a view. A theme is held until the sun's next turn.
func (a Action) Do(ctx context.Context, v Verbs, by Caller, view string) (err error) {
	switch {
	case a.Page != "":
		_, err = v.Page(ctx, by, view, a.Page, 0)
	case a.Theme != "":
		_, err = v.Theme(ctx, by, view, a.Theme, "next")
	case a.Dismiss == "all":
		_, err = v.Dismiss(ctx, by, view, "", "")
	case a.Dismiss != "":
		_, err = v.Dismiss(ctx, by, view, "", a.Dismiss)
	case a.Timer != "":
		_, err = v.Timer(ctx, by, a.Timer, "toggle", 0)
	case len(a.Notify) > 0:
		_, err = v.Notify(ctx, by, view, a.Notify)
	case a.Power != "":
		_, err = v.Power(ctx, by, view, a.Power, 0)
	case a.Brightness != nil:
		_, err = v.Brightness(ctx, by, view, *a.Brightness)
	case a.Reload:
		err = reloaded(v.Reload(ctx, by))
	case a.Identify:
		err = v.Identify(ctx, by, view, 0)
	case a.Call != nil:
		err = v.Call(ctx, by, *a.Call)
	default:
		err = ErrNothing
	}
	return err
}

// reloaded is what came of a reload, as an error.
func reloaded(r Reloading, err error) error {
	if err == nil && !r.OK {
		return ErrWrong
	}
	return err
}
