package control

import (
	"context"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// An Action is the effect of a touch, a key or a button. Exactly one field is set, with Length in addition for Timer.
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

// actionOf reads an action as notifications have it.
func actionOf(do []byte) (Action, error) {
	var f struct {
		Page, Theme, Dismiss, Timer, Power string
		Brightness                         any
		Notify                             json.RawMessage
		Action, Entity                     string
		Data                               map[string]any
		MQTT, Payload                      string
		URL, Body                          string
	}
	if json.Unmarshal(do, &f) != nil {
		return Action{}, ErrNothing
	}
	a := Action{Page: f.Page, Theme: f.Theme, Dismiss: f.Dismiss, Timer: f.Timer, Notify: f.Notify, Power: f.Power}
	switch {
	case f.Brightness != nil:
		level, ok := Share(f.Brightness)
		if !ok {
			return Action{}, ErrBrightness
		}
		a.Brightness = &level
	case f.Action != "":
		a.Call = &Call{Service: f.Action, Entity: f.Entity, Data: f.Data}
	case f.MQTT != "":
		a.Call = &Call{Topic: f.MQTT, Payload: f.Payload}
	case f.URL != "":
		a.Call = &Call{URL: f.URL, Body: f.Body}
	}
	return a, nil
}

// Share reads a caller's brightness, from 0 to 1. It returns a negative level for auto.
func Share(v any) (level float64, ok bool) {
	switch v := v.(type) {
	case float64:
		return v, v >= 0 && v <= 1
	case string:
		if v == "auto" {
			return -1, true
		}
		bare, cut := strings.CutSuffix(v, "%")
		x, err := strconv.ParseFloat(strings.TrimSpace(bare), 64)
		x /= 100
		return x, cut && err == nil && !math.IsNaN(x) && x >= 0 && x <= 1
	}
	return 0, false
}
