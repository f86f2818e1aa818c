package control

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"dashboard/control/notify"
	"dashboard/control/page"
	"dashboard/control/power"
	"dashboard/control/timer"
	"dashboard/control/verb"
	"dashboard/internal/loglimit"
	"dashboard/internal/testing/programtest"
)

func TestMain(m *testing.M) { programtest.MainWithoutLeaks(m) }

// A sky implements Themes for a wall with a day theme and a night theme.
type sky struct {
	mode, hold string
	located    bool
	err        error
}

func (s *sky) Theme(context.Context) (ThemeState, error) {
	return ThemeState{Mode: s.mode, Located: s.located}, nil
}

func (s *sky) SetTheme(_ context.Context, mode, hold string) (ThemeState, error) {
	s.mode, s.hold = mode, hold
	return ThemeState{Mode: mode}, s.err
}

// A notes implements Notices. It accepts every notification for one widget.
type notes struct {
	got   []string
	local bool
}

func (n *notes) Any() bool            { return true }
func (n *notes) Names() []string      { return []string{"wall"} }
func (n *notes) List() []notify.Entry { return nil }
func (n *notes) Notify(_ context.Context, body []byte, local bool) (string, error) {
	n.got, n.local = append(n.got, string(body)), local
	return "x", nil
}
func (n *notes) Choice(id string, at int) (notify.Choice, error) {
	if id == "kept" { // an earlier version stored this notification with an action that no longer exists
		return notify.Choice{Label: "Dance", Do: []byte(`{"dance": "now"}`)}, nil
	}
	if id != "bell" || at != 0 {
		return notify.Choice{}, notify.ErrNoAction
	}
	return notify.Choice{Label: "Open", Do: []byte(`{"action": "lock.open", "entity": "lock.door", "data": {"code": 7}}`)}, nil
}
func (n *notes) Delete(id, widget string) (int, error) {
	if id == "gone" {
		return 0, notify.ErrGone
	}
	return 2, nil
}

// A home holds walls with two views. The second view, bare, has no parts.
type home struct {
	*Walls
	sky        *sky
	notes      *notes
	identified time.Duration
	called     []Action
	log        strings.Builder
	reloading  Reloading
}

func newHome(t *testing.T) *home {
	t.Helper()
	h := &home{sky: &sky{mode: "day"}, notes: &notes{}, reloading: Reloading{OK: true}}
	pages := page.New(func() {})
	set := pages.Begin()
	set.Add("", []page.Page{{Name: "home", Dwell: time.Minute}, {Name: "solar", Dwell: time.Minute}})
	pages.Commit(set)
	timers := timer.New(func() {})
	kitchen := timers.Begin()
	kitchen.Timer("tea", "Tea", time.Minute)
	timers.Commit(kitchen)
	main := &Wall{Themes: h.sky, Notices: h.notes, Pages: pages, Power: power.NewOwner(), Identify: func(d time.Duration) { h.identified = d }}
	h.Walls = New(Parts{
		Wall:   func(view string) *Wall { return map[string]*Wall{"": main, "main": main, "bare": {}}[view] },
		Timers: timers, Reload: func(context.Context) (Reloading, error) { return h.reloading, nil },
		Call: func(_ context.Context, a Action) error { h.called = append(h.called, a); return nil },
		Log:  slog.New(slog.NewTextHandler(&h.log, nil)),
	})
	return h
}

var tester = Caller{Via: "test", From: "bench"}

// errUnknown in a test case means that any error is accepted.
var errUnknown = errors.New("any error")

// TestVerbs: each verb accepts arguments within its limits and rejects other arguments with an error.
func TestVerbs(t *testing.T) {
	h := newHome(t)
	ctx := t.Context()
	ask := func(view, name string, args verb.Args) error {
		for k, v := range args {
			if v == "" || v == time.Duration(0) {
				delete(args, k)
			}
		}
		_, err := h.Do(ctx, Action{By: tester, View: view, Verb: name, Args: args})
		return err
	}
	theme := func(view, mode, hold string) error { return ask(view, "theme", verb.Args{"mode": mode, "hold": hold}) }
	show := func(view, what string, hold time.Duration) error {
		return ask(view, "page", verb.Args{"page": what, "hold": hold})
	}
	screen := func(view, state string, lasts time.Duration) error {
		return ask(view, "power", verb.Args{"state": state, "for": lasts})
	}
	bright := func(view string, level float64) error { return ask(view, "brightness", verb.Args{"brightness": level}) }
	tell := func(view, body string) error { return ask(view, "notify", verb.Args{"body": json.RawMessage(body)}) }
	dismiss := func(view, id string) error { return ask(view, "dismiss", verb.Args{"id": id}) }
	clock := func(name, action string, d time.Duration) error {
		return ask("", "timer", verb.Args{"name": name, "action": action, "duration": d})
	}
	name := func(view string, lasts time.Duration) error { return ask(view, "identify", verb.Args{"for": lasts}) }
	choose := func(view, id string, n int) error { return ask(view, "choose", verb.Args{"id": id, "action": n}) }
	long := strings.Repeat("x", MaxName+1)
	for name, tt := range map[string]struct{ got, want error }{
		"theme":                   {theme("", "night", ""), nil},
		"theme of main":           {theme("main", "toggle", "forever"), nil},
		"theme of nobody":         {theme("attic", "day", ""), ErrNoView},
		"theme of a bare wall":    {theme("bare", "day", ""), ErrOneTheme},
		"theme pink":              {theme("", "pink", ""), verb.ErrMode},
		"theme without a word":    {theme("", "", ""), verb.ErrMode},
		"theme held a while":      {theme("", "day", "a while"), verb.ErrThemeHold},
		"theme without a place":   {theme("", "auto", ""), ErrNoPlace},
		"theme of a long name":    {theme(long, "day", ""), ErrTooLong},
		"theme of a long word":    {theme("", long, ""), ErrTooLong},
		"page":                    {show("", "solar", 0), nil},
		"page unknown":            {show("", "solr", 0), page.ErrUnknown},
		"page for ever and a day": {show("", "home", page.MaxHold+1), page.ErrHold},
		"page before now":         {show("", "home", -1), page.ErrHold},
		"page of a bare wall":     {show("bare", "home", 0), page.ErrNone},
		"page of nobody":          {show("attic", "home", 0), ErrNoView},
		"power":                   {screen("", "off", time.Minute), nil},
		"power toggled":           {screen("", "toggle", 0), nil},
		"power of no word":        {screen("", "dim", 0), verb.ErrPower},
		"power for too long":      {screen("", "on", verb.MaxPower+1), verb.ErrFor},
		"power auto for a time":   {screen("", "auto", time.Minute), verb.ErrFor},
		"power of a bare wall":    {screen("bare", "on", 0), ErrNoScreen},
		"brightness":              {bright("", 0.4), nil},
		"brightness auto":         {bright("", -1), nil},
		"brightness too much":     {bright("", 1.1), verb.ErrBrightness},
		"brightness of no number": {bright("", math.NaN()), verb.ErrBrightness},
		"notify":                  {tell("", `{"text":"x"}`), nil},
		"notify too much":         {tell("", strings.Repeat("x", verb.MaxBody+1)), ErrTooLong},
		"notify a bare wall":      {tell("bare", `{}`), notify.ErrNone},
		"dismiss":                 {dismiss("", "a"), nil},
		"dismiss what is gone":    {dismiss("", "gone"), notify.ErrGone},
		"dismiss on a bare wall":  {dismiss("bare", ""), notify.ErrNone},
		"timer":                   {clock("tea", "start", 0), nil},
		"timer of nobody":         {clock("coffee", "start", 0), timer.ErrUnknown},
		"timer for ever":          {clock("tea", "start", timer.MaxDuration+1), timer.ErrDuration},
		"timer of no word":        {clock("tea", "stir", 0), timer.ErrAction},
		"identify":                {name("", 0), nil},
		"identify for ever":       {name("", verb.MaxIdentify+1), verb.ErrIdentify},
		"identify a bare wall":    {name("bare", 0), ErrNoScreen},
		"choose":                  {choose("", "bell", 1), nil},
		"choose what is not":      {choose("", "bell", 2), notify.ErrNoAction},
		"choose what is no verb":  {choose("", "kept", 1), ErrNothing},
		"choose on a bare wall":   {choose("bare", "bell", 1), notify.ErrNone},
		"choose on no wall":       {choose("attic", "bell", 1), ErrNoView},
		"call":                    {ask("", "action", verb.Args{"action": "light.turn_on"}), ErrInside},
		"unknown parameter":       {ask("", "page", verb.Args{"page": "home", "speed": "slow"}), errUnknown},
		"wrong type":              {ask("", "page", verb.Args{"page": 7}), errUnknown},
		"no verb":                 {ask("", "sing", nil), ErrNothing},
	} {
		if tt.want == errUnknown && tt.got != nil {
			continue
		}
		if !errors.Is(tt.got, tt.want) || tt.want == nil && tt.got != nil {
			t.Errorf("%s: got %v, want %v", name, tt.got, tt.want)
		}
	}
	if h.sky.mode == "" || h.identified != DefaultIdentify || len(h.called) != 1 || len(h.notes.got) != 1 || h.notes.local {
		t.Errorf("done: %+v %v %v %q", h.sky, h.identified, h.called, h.notes.got)
	}
}

// TestCallerIsLogged: the log contains the caller, but not the text of a notification. The number of log lines for a flood of requests is
// limited.
func TestCallerIsLogged(t *testing.T) {
	h, began := newHome(t), time.Now()
	for range 1000 {
		if _, err := h.Do(t.Context(), Action{By: tester, Verb: "notify", Args: verb.Args{"body": json.RawMessage(`{"text":"the key is under the mat"}`)}}); err != nil {
			t.Fatal(err)
		}
	}
	got := h.log.String()
	if !strings.Contains(got, "verb=notify via=test from=bench") || strings.Contains(got, "mat") {
		t.Errorf("got %.300s", got)
	}
	if n, most := strings.Count(got, "\n"), 5*loglimit.AtOnce+loglimit.PerSecond*int(time.Since(began)/time.Second); n > most {
		t.Errorf("%d lines for 1000 notifications, want at most %d", n, most)
	}
}

// TestReason: the reason why a theme change failed is in the log, but the caller does not get it.
func TestReason(t *testing.T) {
	h := newHome(t)
	h.sky.err = errors.New("disk /dev/sda1 is on fire")
	if _, err := h.Do(t.Context(), Action{By: tester, Verb: "theme", Args: verb.Args{"mode": "day"}}); !errors.Is(err, ErrThemeFailed) || strings.Contains(err.Error(), "fire") {
		t.Errorf("got %v", err)
	}
	if !strings.Contains(h.log.String(), "fire") {
		t.Errorf("the log does not say why: %s", h.log.String())
	}
}

// TestAtOnce: each verb runs with a deadline, and further verbs are rejected while MaxAtOnce verbs are running.
func TestAtOnce(t *testing.T) {
	begun, end := make(chan struct{}), make(chan struct{})
	w := New(Parts{Reload: func(ctx context.Context) (Reloading, error) {
		if _, bounded := ctx.Deadline(); !bounded {
			t.Error("a verb has no bound")
		}
		begun <- struct{}{}
		<-end
		return Reloading{OK: true}, nil
	}})
	done := make(chan error, MaxAtOnce)
	for range MaxAtOnce {
		go func() {
			_, err := w.Do(context.Background(), Action{By: tester, Verb: "reload"})
			done <- err
		}()
		<-begun
	}
	if _, err := w.Do(t.Context(), Action{By: tester, Verb: "timer", Args: verb.Args{"name": "tea", "action": "start"}}); !errors.Is(err, ErrBusy) {
		t.Errorf("got %v", err)
	}
	close(end)
	for range MaxAtOnce {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if _, err := w.Do(t.Context(), Action{By: tester, Verb: "timer", Args: verb.Args{"name": "tea", "action": "start"}}); !errors.Is(err, timer.ErrUnknown) {
		t.Errorf("afterwards: got %v", err)
	}
}

// TestChooseAtOnce: a button of a notification and the action that this button runs count together as one running verb.
func TestChooseAtOnce(t *testing.T) {
	h := newHome(t)
	for range MaxAtOnce - 1 {
		h.under <- struct{}{}
	}
	a := Action{By: tester, Verb: "choose", Args: verb.Args{"id": "bell", "action": 1}}
	if _, err := h.Do(t.Context(), a); err != nil || len(h.called) != 1 {
		t.Errorf("got %v, and the actions %v", err, h.called)
	}
	if len(h.under) != MaxAtOnce-1 {
		t.Errorf("%d verbs still count as running, want %d", len(h.under), MaxAtOnce-1)
	}
}

// TestActions: each short form belongs to one verb, in files and on buttons, and is logged without secrets.
func TestActions(t *testing.T) {
	h := newHome(t)
	for written, want := range map[string]string{
		`{"page": "solar"}`: "verb=page via=touch from=bench what=solar", `{"theme": "toggle"}`: "verb=theme",
		`{"dismiss": "a"}`: "verb=dismiss via=touch from=bench what=a", `{"dismiss": "all"}`: "verb=dismiss", `{"timer": "tea"}`: "verb=timer",
		`{"notify": {}}`: "verb=notify via=touch from=bench\n", `{"power": "toggle"}`: "verb=power", `{"brightness": "30%"}`: "verb=brightness",
		`{"url": "http://u:secret@h/"}`: "verb=url via=touch from=bench\n", `{"action": "light.toggle", "entity": "light.hall"}`: "verb=action via=touch from=bench what=light.toggle",
		`{"mqtt": "a/b", "payload": "ON"}`: "verb=mqtt via=touch from=bench what=a/b",
	} {
		h.log.Reset()
		h.lines = loglimit.New()
		a, err := pressed([]byte(written))
		if err != nil {
			t.Errorf("%s: got %v", written, err)
			continue
		}
		a.By = Caller{Via: "touch", From: "bench"}
		if _, err := h.Do(t.Context(), a); err != nil || !strings.Contains(h.log.String(), "msg=done "+want) {
			t.Errorf("%s: got %v, %s", written, err, h.log.String())
		}
	}
	h.reloading = Reloading{Diagnostics: []string{"x"}}
	if r, err := h.Do(t.Context(), Action{By: tester, Verb: "reload"}); !errors.Is(err, ErrWrong) || r["diagnostics"] == nil {
		t.Errorf("a reload that was refused: got %v, %v", r, err)
	}
	for _, written := range []string{`{}`, `{"label": "x"}`, `[]`, `{"page": 7}`, `{"page": "x", "theme": "day"}`, `{"brightness": 2}`} {
		if _, err := pressed([]byte(written)); err == nil {
			t.Errorf("%s is read as an action", written)
		}
	}
}

// TestMoment: times in answers are in UTC. A missing time is null, and microseconds appear only if there are some.
func TestMoment(t *testing.T) {
	east := time.FixedZone("", 2*60*60)
	for _, tt := range []struct {
		at   time.Time
		want any
	}{
		{time.Time{}, nil}, {time.Date(2026, 5, 4, 12, 8, 0, 0, east), "2026-05-04T10:08:00+00:00"},
		{time.Date(2026, 5, 4, 12, 8, 0, 1_999, east), "2026-05-04T10:08:00.000001+00:00"},
		{time.Date(2026, 5, 4, 12, 8, 0, 999, east), "2026-05-04T10:08:00+00:00"},
	} {
		if got := Moment(tt.at); got != tt.want {
			t.Errorf("%v: got %v, want %v", tt.at, got, tt.want)
		}
	}
}
