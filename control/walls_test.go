package control

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"dashboard/control/notify"
	"dashboard/control/page"
	"dashboard/control/power"
	"dashboard/control/timer"
	"dashboard/internal/loglimit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// sky has a day and a night.
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

// notes take everything for one widget.
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

// home is walls of two views, the second bare.
type home struct {
	*Walls
	sky        *sky
	notes      *notes
	identified time.Duration
	called     []Call
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
		Call: func(_ context.Context, c Call) error { h.called = append(h.called, c); return nil },
		Log:  slog.New(slog.NewTextHandler(&h.log, nil)),
	})
	return h
}

var tester = Caller{Via: "test", From: "bench"}

// TestVerbs: each verb works within its limits and reports problems.
func TestVerbs(t *testing.T) {
	h := newHome(t)
	ctx := t.Context()
	theme := func(view, mode, hold string) error {
		_, err := h.Theme(ctx, tester, view, mode, hold)
		return err
	}
	show := func(view, what string, hold time.Duration) error {
		_, err := h.Page(ctx, tester, view, what, hold)
		return err
	}
	screen := func(view, state string, lasts time.Duration) error {
		_, err := h.Power(ctx, tester, view, state, lasts)
		return err
	}
	bright := func(view string, level float64) error {
		_, err := h.Brightness(ctx, tester, view, level)
		return err
	}
	tell := func(view, body string) error {
		_, err := h.Notify(ctx, tester, view, []byte(body))
		return err
	}
	dismiss := func(view, id string) error {
		_, err := h.Dismiss(ctx, tester, view, "", id)
		return err
	}
	clock := func(name, action string, d time.Duration) error {
		_, err := h.Timer(ctx, tester, name, action, d)
		return err
	}
	long := strings.Repeat("x", MaxName+1)
	for name, tt := range map[string]struct{ got, want error }{
		"theme":                   {theme("", "night", ""), nil},
		"theme of main":           {theme("main", "toggle", "forever"), nil},
		"theme of nobody":         {theme("attic", "day", ""), ErrNoView},
		"theme of a bare wall":    {theme("bare", "day", ""), ErrOneTheme},
		"theme pink":              {theme("", "pink", ""), ErrMode},
		"theme without a word":    {theme("", "", ""), ErrMode},
		"theme held a while":      {theme("", "day", "a while"), ErrThemeHold},
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
		"power of no word":        {screen("", "dim", 0), ErrPower},
		"power for too long":      {screen("", "on", MaxPower+1), ErrFor},
		"power auto for a time":   {screen("", "auto", time.Minute), ErrFor},
		"power of a bare wall":    {screen("bare", "on", 0), ErrNoScreen},
		"brightness":              {bright("", 0.4), nil},
		"brightness auto":         {bright("", -1), nil},
		"brightness too much":     {bright("", 1.1), ErrBrightness},
		"brightness of no number": {bright("", math.NaN()), ErrBrightness},
		"notify":                  {tell("", `{"text":"x"}`), nil},
		"notify too much":         {tell("", strings.Repeat("x", MaxBody+1)), ErrTooLong},
		"notify a bare wall":      {tell("bare", `{}`), notify.ErrNone},
		"dismiss":                 {dismiss("", "a"), nil},
		"dismiss what is gone":    {dismiss("", "gone"), notify.ErrGone},
		"dismiss on a bare wall":  {dismiss("bare", ""), notify.ErrNone},
		"timer":                   {clock("tea", "start", 0), nil},
		"timer of nobody":         {clock("coffee", "start", 0), timer.ErrUnknown},
		"timer for ever":          {clock("tea", "start", timer.MaxDuration+1), timer.ErrDuration},
		"timer of no word":        {clock("tea", "stir", 0), timer.ErrAction},
		"identify":                {h.Identify(ctx, tester, "", 0), nil},
		"identify for ever":       {h.Identify(ctx, tester, "", MaxIdentify+1), ErrIdentify},
		"identify a bare wall":    {h.Identify(ctx, tester, "bare", 0), ErrNoScreen},
		"choose":                  {h.Choose(ctx, tester, "", "bell", 0), nil},
		"choose what is not":      {h.Choose(ctx, tester, "", "bell", 1), notify.ErrNoAction},
		"choose on a bare wall":   {h.Choose(ctx, tester, "bare", "bell", 0), notify.ErrNone},
		"choose on no wall":       {h.Choose(ctx, tester, "attic", "bell", 0), ErrNoView},
		"call":                    {h.Call(ctx, tester, Call{Service: "light.turn_on"}), nil},
	} {
		if !errors.Is(tt.got, tt.want) || tt.want == nil && tt.got != nil {
			t.Errorf("%s: got %v, want %v", name, tt.got, tt.want)
		}
	}
	if h.sky.mode == "" || h.identified != DefaultIdentify || len(h.called) != 2 || len(h.notes.got) != 1 || h.notes.local {
		t.Errorf("done: %+v %v %v %q", h.sky, h.identified, h.called, h.notes.got)
	}
}

// TestCallerIsLogged: the log has the caller, but not the text of a notification. A flood is counted.
func TestCallerIsLogged(t *testing.T) {
	h := newHome(t)
	for range 1000 {
		if _, err := h.Notify(t.Context(), tester, "", []byte(`{"text":"the key is under the mat"}`)); err != nil {
			t.Fatal(err)
		}
	}
	got := h.log.String()
	if !strings.Contains(got, "verb=notify via=test from=bench") || strings.Contains(got, "mat") {
		t.Errorf("got %.300s", got)
	}
	if n := strings.Count(got, "\n"); n > 5*loglimit.AtOnce {
		t.Errorf("%d lines for 1000 notifications", n)
	}
}

// TestReason: what a theme failed for is for the log, not for the caller.
func TestReason(t *testing.T) {
	h := newHome(t)
	h.sky.err = errors.New("disk /dev/sda1 is on fire")
	if _, err := h.Theme(t.Context(), tester, "", "day", ""); !errors.Is(err, ErrThemeFailed) || strings.Contains(err.Error(), "fire") {
		t.Errorf("got %v", err)
	}
	if !strings.Contains(h.log.String(), "fire") {
		t.Errorf("the log does not say why: %s", h.log.String())
	}
}

// TestAtOnce: verbs above the limit are refused, and none waits without a limit.
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
			_, err := w.Reload(context.Background(), tester)
			done <- err
		}()
		<-begun
	}
	if _, err := w.Timer(t.Context(), tester, "tea", "start", 0); !errors.Is(err, ErrBusy) {
		t.Errorf("got %v", err)
	}
	close(end)
	for range MaxAtOnce {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if _, err := w.Timer(t.Context(), tester, "tea", "start", 0); !errors.Is(err, timer.ErrUnknown) {
		t.Errorf("afterwards: got %v", err)
	}
}

// TestActions: each action is one verb.
func TestActions(t *testing.T) {
	h := newHome(t)
	dim := 0.3
	for name, tt := range map[string]struct {
		do   Action
		want string
	}{
		"page": {Action{Page: "solar"}, "verb=page via=test from=bench what=solar"}, "theme": {Action{Theme: "toggle"}, "verb=theme"},
		"dismiss": {Action{Dismiss: "a"}, "verb=dismiss via=test from=bench what=a"}, "all": {Action{Dismiss: "all"}, "verb=dismiss via=test from=bench\n"},
		"timer": {Action{Timer: "tea"}, "verb=timer"}, "notify": {Action{Notify: []byte(`{}`)}, "verb=notify"}, "power": {Action{Power: "toggle"}, "verb=power"},
		"brightness": {Action{Brightness: &dim}, "verb=brightness"}, "identify": {Action{Identify: true}, "verb=identify"},
		"call": {Action{Call: &Call{URL: "http://u:secret@h/"}}, "verb=call via=test from=bench what=url"}, "reload": {Action{Reload: true}, "verb=reload"},
	} {
		h.log.Reset()
		h.lines = loglimit.New()
		if err := tt.do.Do(t.Context(), h, tester, ""); err != nil || !strings.Contains(h.log.String(), "msg=done "+tt.want) {
			t.Errorf("%s: got %v, %s", name, err, h.log.String())
		}
	}
	h.reloading = Reloading{}
	if err := (Action{Reload: true}).Do(t.Context(), h, tester, ""); !errors.Is(err, ErrWrong) {
		t.Errorf("a reload that was refused: got %v", err)
	}
	if err := (Action{}).Do(t.Context(), h, tester, ""); !errors.Is(err, ErrNothing) {
		t.Errorf("nothing: got %v", err)
	}
}
