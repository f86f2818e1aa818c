package arrange

import (
	"image"
	"image/color"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/control/page"
	"dashboard/widgets/screen"
	"dashboard/widgets/walltest"
)

const (
	bluePage  = "{widget: empty, name: solar, color: blue, when: {value: !data .q}}"
	greenPage = "{widget: empty, name: door, color: lime, trigger: {when: {value: !data .p, is: open}, after: 2s, hold: 5s, cooldown: 20s, priority: 1, wake: true}}"
)

// TestPagesByTrigger checks which page is shown, on a wall with a plain page, a page with a condition, and a page with a trigger.
func TestPagesByTrigger(t *testing.T) {
	red, blue, green := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}, color.RGBA{0, 255, 0, 255}
	walltest.PagesOf(t, walltest.RedPage+","+bluePage+","+greenPage, func(d *walltest.Data, all *page.Pages) {
		for _, tt := range []struct {
			at    int // in seconds
			p, q  any // new values, nil for no change
			color color.RGBA
			page  string
			why   page.Why
			wakes int // next time at which the clock alone changes the page, in seconds. 0 for never
		}{
			{at: 0, color: red, page: "home", why: page.Turn},
			{at: 5, q: true, color: red, page: "home", why: page.Turn, wakes: 10},
			{at: 10, color: blue, page: "solar", why: page.Turn, wakes: 20},
			{at: 12, p: "open", color: blue, page: "solar", why: page.Turn, wakes: 14},
			{at: 14, color: green, page: "door", why: page.Fired, wakes: 19},
			{at: 15, p: "shut", color: green, page: "door", why: page.Fired, wakes: 19},
			{at: 19, color: blue, page: "solar", why: page.Turn, wakes: 29},
			{at: 20, p: "open", color: blue, page: "solar", why: page.Turn, wakes: 29},
			{at: 29, color: red, page: "home", why: page.Turn, wakes: 39},
			{at: 39, color: green, page: "door", why: page.Fired, wakes: 44},
			{at: 44, color: green, page: "door", why: page.Fired},
			{at: 50, p: "shut", color: red, page: "home", why: page.Turn, wakes: 60},
			{at: 60, color: blue, page: "solar", why: page.Turn, wakes: 70},
			{at: 61, q: false, color: red, page: "home", why: page.Turn},
		} {
			if tt.p != nil {
				d.ByName["p"].Publish(tt.p, walltest.T0)
			}
			if tt.q != nil {
				d.ByName["q"].Publish(tt.q, walltest.T0)
			}
			_, next := d.Step(time.Duration(tt.at) * time.Second)
			if got := d.R.Frame().RGBAAt(50, 30); got != tt.color {
				t.Errorf("at %d s: got %v, want %v", tt.at, got, tt.color)
			}
			st := all.List(walltest.T0.Add(time.Duration(tt.at) * time.Second))[0]
			if st.Page != tt.page || st.Why != tt.why || !strings.HasPrefix(st.At, "widgets.yaml:1:") {
				t.Errorf("at %d s: got %+v, want %s by %s", tt.at, st, tt.page, tt.why)
			}
			if all.Awake() != (tt.why == page.Fired) {
				t.Errorf("at %d s: awake %v", tt.at, all.Awake())
			}
			if want := walltest.T0.Add(time.Duration(tt.wakes) * time.Second); tt.wakes == 0 && !next.IsZero() || tt.wakes > 0 && !next.Equal(want) {
				t.Errorf("at %d s: wakes at %v, want %d s", tt.at, next, tt.wakes)
			}
		}
	})
}

// TestPagesAllOut checks that the page that is shown stays visible if no condition is true. A page
// that was selected manually is shown even if its condition is false.
func TestPagesAllOut(t *testing.T) {
	walltest.PagesOf(t, strings.Replace(walltest.RedPage, "}", ", when: {value: !data .p}}", 1)+","+bluePage, func(d *walltest.Data, all *page.Pages) {
		see := func(at int, what string, want color.RGBA) {
			t.Helper()
			d.Step(time.Duration(at) * time.Second)
			if got := d.R.Frame().RGBAAt(50, 30); got != want {
				t.Errorf("%s: got %v, want %v", what, got, want)
			}
		}
		d.ByName["p"].Publish(false, walltest.T0)
		d.ByName["q"].Publish(true, walltest.T0)
		see(0, "the second is in turn", color.RGBA{0, 0, 255, 255})
		d.ByName["q"].Publish(false, walltest.T0)
		see(1, "all out", color.RGBA{0, 0, 255, 255})
		if st := all.List(walltest.T0.Add(time.Second))[0]; st.Why != page.Remains || !st.Until.IsZero() {
			t.Errorf("all out: got %+v", st)
		}
		if _, err := all.Show("home", time.Minute, walltest.T0.Add(2*time.Second)); err != nil {
			t.Fatal(err)
		}
		see(2, "by hand", color.RGBA{255, 0, 0, 255})
		see(62, "all out, after a page by hand", color.RGBA{0, 0, 255, 255})
	})
}

// TestPagesTellUntil checks the status of a page: the rule that shows the page, and the next time at which the clock alone changes the
// page.
func TestPagesTellUntil(t *testing.T) {
	late := "{widget: empty, name: late, color: blue, only: true, when: {days: sat, time: \"22:00-02:00\"}}"
	bell := "{widget: empty, name: bell, color: lime, trigger: {when: [{time: \"08:00-08:30\"}, {value: !data .p}], hold: 5s}}"
	walltest.PagesOf(t, walltest.RedPage+","+late+","+bell, func(d *walltest.Data, all *page.Pages) {
		d.ByName["p"].Publish(false, walltest.T0)
		for _, tt := range []struct{ at, page, rule, until string }{
			{"2026-05-01 12:00", "home", "", "2026-05-02 08:00"}, // a Friday
			{"2026-05-02 08:00", "bell", "[{time: 08:00-08:30}, {value: !data .p}]", "2026-05-02 08:30"},
			{"2026-05-02 08:29", "bell", "[{time: 08:00-08:30}, {value: !data .p}]", "2026-05-02 08:30"},
			{"2026-05-02 09:00", "home", "", "2026-05-02 22:00"},
			{"2026-05-03 00:00", "late", "{days: sat, time: 22:00-02:00}", "2026-05-03 02:00"},
			{"2026-05-03 02:00", "home", "", "2026-05-03 08:00"},
		} {
			now, err := time.Parse("2006-01-02 15:04", tt.at)
			if err != nil {
				t.Fatal(err)
			}
			d.R.Step(now)
			st := all.List(now)[0]
			if until := st.Until.UTC().Format("2006-01-02 15:04"); st.Page != tt.page || st.Rule != tt.rule || until != tt.until {
				t.Errorf("at %s: got %s by %q until %s, want %s by %q until %s", tt.at, st.Page, st.Rule, until, tt.page, tt.rule, tt.until)
			}
		}
		d.ByName["p"].Publish(true, walltest.T0)
		d.Settle(d.T)
		d.R.Step(time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC))
		if st := all.List(time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC))[0]; st.Page != "bell" || !st.Until.IsZero() {
			t.Errorf("by a value: got %+v", st)
		}
	})
}

// TestPagesMistakes checks that mistakes are reported at their positions.
func TestPagesMistakes(t *testing.T) {
	for yaml, want := range map[string]string{
		"trigger: {after: 3s}":                             "when",
		"trigger: {when: {value: !data .p}, hold: soon}":   "duration",
		"trigger: {when: {value: !data .p}, prio: 3}":      "unknown key 'prio'",
		"trigger: {when: {value: !data .p}, priority: -1}": "between 0 and 1000",
		"trigger: yes": "mapping",
		"name: next":   "cannot be asked for",
		"name: twin":   "another page has the name",
	} {
		s, r := walltest.Parse(t, "widgets: [{widget: pages, children: [{widget: text, text: x, name: twin}, {widget: text, text: y, "+yaml+"}]}]")
		screen.Build(walltest.Builder(walltest.TestEnv()), s, image.Pt(100, 100))
		if got := r.String(); !strings.Contains(got, want) || !strings.Contains(got, "widgets.yaml:1:") {
			t.Errorf("%s: got %q, want %q", yaml, got, want)
		}
	}
}

// TestPagesAllocateNothing checks that a pass without changes allocates no memory, and that a change of the page allocates no memory.
func TestPagesAllocateNothing(t *testing.T) {
	timed := "{widget: empty, name: late, color: white, when: {days: mon-fri, time: [\"22:00-23:00\", \"sunset-sunrise\"]}}"
	walltest.PagesOf(t, walltest.RedPage+","+strings.Replace(walltest.RedPage, "red", "blue", 1)+","+greenPage+","+timed, func(d *walltest.Data, _ *page.Pages) {
		d.ByName["p"].Publish("shut", walltest.T0)
		d.Step(0)
		now := walltest.T0
		for _, step := range []time.Duration{time.Millisecond, 11 * time.Second} {
			d.R.Step(now)
			if n := testing.AllocsPerRun(20, func() { now = now.Add(step); d.R.Step(now) }); n != 0 {
				t.Errorf("every %v: got %v allocations", step, n)
			}
		}
	})
}

// TestPagesWithoutTheTime checks pages while the clock is not set. A page with a time window is not shown, and a trigger ignores its
// rules for days and times.
func TestPagesWithoutTheTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := false
		e, all := walltest.TestEnv(), page.New(func() {})
		e.Pages, e.TimeSet = all.Begin(), func() bool { return set }
		d := walltest.NewDataIn(t, e, "widgets: [{widget: pages, dwell: 10s, children: ["+walltest.RedPage+",{widget: empty, name: late, color: blue, only: true, when: {time: \"00:00-24:00\"}},"+
			"{widget: empty, name: bell, color: lime, trigger: {when: [{days: mon-sun}, {value: !data .p}], hold: 5s}}]}]", image.Pt(100, 60))
		all.Commit(e.Pages)
		at := 0
		shows := func(want string) {
			t.Helper()
			at += 60
			d.Step(time.Duration(at) * time.Second)
			if st := all.List(walltest.T0.Add(time.Duration(at) * time.Second))[0]; st.Page != want {
				t.Errorf("set %v, at %d s: got %s by %s, want %s", set, at, st.Page, st.Why, want)
			}
		}
		d.ByName["p"].Publish(false, walltest.T0)
		shows("home")
		d.ByName["p"].Publish(true, walltest.T0)
		shows("bell")
		d.ByName["p"].Publish(false, walltest.T0)
		shows("home")
		set = true
		shows("bell")
	})
}
