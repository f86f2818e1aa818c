package power

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func all(offAfter time.Duration) Rules {
	return Rules{OffAfter: offAfter, Notification: true, Trigger: true, Touch: true}
}

func TestMachine(t *testing.T) {
	type event struct {
		at    time.Duration
		do    func(m *Machine, now time.Time)
		sense Senses
		on    bool
		why   string
	}
	here, gone, closed := Senses{When: true, Present: true}, Senses{When: true}, Senses{}
	ask := func(h Hand, d time.Duration) func(*Machine, time.Time) {
		return func(m *Machine, now time.Time) { m.Ask(h, d, now) }
	}
	touch := func(m *Machine, now time.Time) { m.Touch(now, false) }
	bell := Senses{Notice: noon.Add(time.Minute)}
	for name, tt := range map[string]struct {
		rules  Rules
		events []event
	}{
		"times": {all(0), []event{{0, nil, here, true, "when"}, {time.Hour, nil, closed, false, "when"}, {2 * time.Hour, nil, here, true, "when"}}},
		"presence": {all(5 * time.Minute), []event{
			{0, nil, here, true, "when"}, {time.Minute, nil, gone, true, "presence"}, {6*time.Minute - 1, nil, gone, true, "presence"},
			{6 * time.Minute, nil, gone, false, "presence"}, {time.Hour, nil, here, true, "when"}, {2 * time.Hour, nil, closed, false, "when"},
		}},
		"a start counts as a sign": {all(5 * time.Minute), []event{{0, nil, gone, true, "presence"}, {5 * time.Minute, nil, gone, false, "presence"}}},
		"notification":             {all(0), []event{{0, nil, bell, true, "notification"}, {time.Minute, nil, bell, false, "when"}}},
		"no notification":          {Rules{}, []event{{0, nil, bell, false, "when"}}},
		"trigger":                  {all(0), []event{{0, nil, Senses{Trigger: true}, true, "trigger"}, {1, nil, closed, false, "when"}}},
		"touch":                    {all(0), []event{{0, nil, closed, false, "when"}, {time.Second, touch, closed, true, "touch"}, {OffAfter + time.Second, nil, closed, false, "when"}}},
		"off by hand": {all(0), []event{
			{0, ask(Off, 0), here, false, "hand"}, {8 * time.Hour, nil, here, false, "hand"}, {9 * time.Hour, nil, Senses{When: true, Trigger: true}, false, "hand"},
			{10 * time.Hour, ask(Auto, 0), here, true, "when"},
		}},
		"off by hand, a bell":  {all(0), []event{{0, ask(Off, 0), bell, true, "notification"}, {time.Minute, nil, bell, false, "hand"}}},
		"off by hand, a touch": {all(0), []event{{0, ask(Off, 0), here, false, "hand"}, {1, touch, closed, true, "touch"}}},
		"on by hand for a while": {all(0), []event{
			{0, ask(On, time.Minute), closed, true, "hand"}, {time.Minute - 1, nil, closed, true, "hand"}, {time.Minute, nil, closed, false, "when"},
		}},
		"a clock set back is no absence": {all(5 * time.Minute), []event{
			{0, nil, here, true, "when"}, {-24 * time.Hour, nil, gone, true, "presence"}, {-24*time.Hour + 5*time.Minute, nil, gone, false, "presence"},
		}},
		"a clock set back ends a touch": {all(0), []event{{0, touch, closed, true, "touch"}, {-24 * time.Hour, nil, closed, false, "when"}}},
		"a clock set back a little":     {all(0), []event{{0, touch, closed, true, "touch"}, {-30 * time.Second, nil, closed, true, "touch"}}},
		"a clock set back ends it":      {all(0), []event{{0, ask(Off, time.Hour), here, false, "hand"}, {-24 * time.Hour, nil, here, true, "when"}}},
	} {
		m := &Machine{Rules: tt.rules}
		for i, e := range tt.events {
			now := noon.Add(e.at)
			if e.do != nil {
				e.do(m, now)
			}
			if d := m.Step(now, e.sense); d.On != e.on || d.Why != e.why {
				t.Errorf("%s, event %d: got %v %s, want %v %s", name, i, d.On, d.Why, e.on, e.why)
			}
		}
	}
}

// TestMachineOfRandomEvents checks any order of inputs. While a user requests off, only a notification can switch the screen on. While a
// user requests on, the screen is on. Without a request, the screen is on while its condition is true and a person is present. If no input
// changes, the state does not change before the time Next of the last decision.
func TestMachineOfRandomEvents(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 7))
	for range 300 {
		m := &Machine{Rules: Rules{Notification: r.IntN(2) == 0, Trigger: r.IntN(2) == 0, Touch: r.IntN(2) == 0, Brightness: &Brightness{Day: 1, Night: 0.2, Fade: Fade}}}
		if r.IntN(2) == 0 {
			m.Rules.OffAfter = time.Duration(1+r.IntN(600)) * time.Second
		}
		now, s, last, before := noon, Senses{When: true}, Decision{}, time.Time{}
		for i := range 200 {
			quiet := r.IntN(3) == 0
			if !quiet {
				switch r.IntN(6) {
				case 0:
					s.When = !s.When
				case 1:
					s.Present = !s.Present
				case 2:
					s.Notice = now.Add(time.Duration(r.IntN(100)) * time.Second)
				case 3:
					m.Ask(Hand(r.IntN(3)), time.Duration(r.IntN(3)*r.IntN(1000))*time.Second, now)
				case 4:
					s.Night, s.Trigger = r.IntN(2) == 0, r.IntN(2) == 0
				case 5:
					m.Touch(now, last.On)
				}
			}
			d := m.Step(now, s)
			hand, until := m.Hand(now)
			switch {
			case hand == On && !d.On, hand == Auto && s.When && s.Present && !d.On:
				t.Fatalf("event %d: off, with %v and %+v", i, hand, s)
			case hand == Off && d.On && d.Why != "notification":
				t.Fatalf("event %d: on by %s, while it is off by hand", i, d.Why)
			case d.Level < 0.2 || d.Level > 1:
				t.Fatalf("event %d: a brightness of %v", i, d.Level)
			case !d.Next.IsZero() && !d.Next.After(now), !until.IsZero() && !until.After(now):
				t.Fatalf("event %d: next is %v, until %v, at %v", i, d.Next, until, now)
			case quiet && !before.IsZero() && d.On != last.On && (last.Next.IsZero() || now.Before(last.Next)):
				t.Fatalf("event %d: %v turned into %v before %v", i, last, d, last.Next)
			}
			last, before = d, now
			now = now.Add(time.Duration(r.IntN(90_000)) * time.Millisecond)
		}
	}
}

// The brightness changes gradually within the duration of the fade, starting from the current value.
func TestFade(t *testing.T) {
	m := &Machine{Rules: Rules{Brightness: &Brightness{Day: 1, Night: 0.2, Fade: 2 * time.Second}}}
	level := func(ms int, night bool) float64 {
		return m.Step(noon.Add(time.Duration(ms)*time.Millisecond), Senses{When: true, Present: true, Night: night}).Level
	}
	for _, s := range []struct {
		ms    int
		night bool
		want  float64
	}{{0, false, 1}, {100, true, 1}, {1100, true, 0.6}, {2100, true, 0.2}, {9000, true, 0.2}, {10000, false, 0.2}, {11000, false, 0.6}, {11000, true, 0.6}, {12000, true, 0.4}, {13000, true, 0.2}} {
		if got := level(s.ms, s.night); got < s.want-0.001 || got > s.want+0.001 {
			t.Errorf("at %d ms: got %v, want %v", s.ms, got, s.want)
		}
	}
	m.AskLevel(0.5)
	level(20000, true)
	if got := level(22000, true); got != 0.5 {
		t.Errorf("by hand: got %v", got)
	}
	m.AskLevel(-1)
	level(30000, true)
	if got := level(32000, true); got != 0.2 {
		t.Errorf("by the theme again: got %v", got)
	}
}

// A schedule overrides the brightness by theme or by light, and a user's request overrides the schedule. All changes are gradual.
func TestSchedule(t *testing.T) {
	b := &Brightness{Day: 1, Night: 0.2, Fade: 2 * time.Second, Schedule: []Scheduled{{Level: 0.05}, {Level: 0.6}}}
	m, now := &Machine{Rules: Rules{Brightness: b}}, noon
	settled := func(s Senses) Decision {
		s.When, s.Present = true, true
		m.Step(now, s)
		now = now.Add(b.Fade)
		return m.Step(now, s)
	}
	is := func(by string, got Decision, want float64) {
		t.Helper()
		if math.Abs(got.Level-want) > 1e-9 || got.By != by {
			t.Errorf("got %v by %s, want %v by %s", got.Level, got.By, want, by)
		}
	}
	is("theme", settled(Senses{}), 1)
	b.Night = b.Day
	is("fixed", settled(Senses{}), 1)
	b.Night = 0.2
	is("schedule", settled(Senses{Entry: 1}), 0.05)
	is("schedule", settled(Senses{Entry: 1, Night: true}), 0.05)
	m.Step(now, Senses{When: true, Present: true, Entry: 2})
	now = now.Add(time.Second)
	if got := m.Step(now, Senses{When: true, Present: true, Entry: 2}).Level; got < 0.32 || got > 0.33 {
		t.Errorf("half way between the entries: got %v", got)
	}
	is("schedule", settled(Senses{Entry: 2}), 0.6)
	m.AskLevel(0.9)
	is("hand", settled(Senses{Entry: 2}), 0.9)
	m.AskLevel(-1)
	is("schedule", settled(Senses{Entry: 1}), 0.05)
	is("theme", settled(Senses{Entry: 3, Night: true}), 0.2)
	b.Sensor = true
	m.Light(0.5)
	is("sensor", settled(Senses{}), 0.6)
	is("schedule", settled(Senses{Entry: 1}), 0.05)
}

// A brightness set by hand applies until the settings set another brightness: at sunset, at an entry of the schedule, or after a reload with
// other settings. A reload of the same settings, a change of the light, and a sunset that keeps the brightness do not end it.
func TestBrightnessByHandEnds(t *testing.T) {
	themed := &Brightness{Day: 1, Night: 0.2, Schedule: []Scheduled{{Level: 0.05}}}
	reloaded := func(b Brightness) *Brightness { return &b }
	for name, tc := range map[string]struct {
		before, after *Brightness
		senses        Senses // after the request; the request is made by day
		light         float64
		want          float64
		by            string
	}{
		"nothing changes":      {themed, themed, Senses{}, 0.5, 0.7, "hand"},
		"sunset":               {themed, themed, Senses{Night: true}, 0.5, 0.2, "theme"},
		"schedule":             {themed, themed, Senses{Entry: 1}, 0.5, 0.05, "schedule"},
		"reload":               {themed, reloaded(*themed), Senses{}, 0.5, 0.7, "hand"},
		"reload, then sunset":  {themed, reloaded(*themed), Senses{Night: true}, 0.5, 0.2, "theme"},
		"reload, other rule":   {themed, &Brightness{Day: 0.8, Night: 0.2}, Senses{}, 0.5, 0.8, "theme"},
		"reload without rule":  {themed, nil, Senses{}, 0.5, -1, ""},
		"same level at night":  {&Brightness{Day: 1, Night: 1}, &Brightness{Day: 1, Night: 1}, Senses{Night: true}, 0.5, 0.7, "hand"},
		"no rule":              {nil, nil, Senses{Night: true}, 0.5, 0.7, "hand"},
		"light":                {&Brightness{Day: 1, Sensor: true}, &Brightness{Day: 1, Sensor: true}, Senses{}, 0.9, 0.7, "hand"},
		"schedule after light": {&Brightness{Day: 1, Sensor: true}, &Brightness{Sensor: true, Schedule: themed.Schedule}, Senses{Entry: 1}, 0.5, 0.05, "schedule"},
	} {
		t.Run(name, func(t *testing.T) {
			m, now := &Machine{Rules: Rules{Brightness: tc.before}}, noon
			m.Light(0.5)
			m.Step(now, Senses{When: true})
			m.AskLevel(0.7)
			if d := m.Step(now, Senses{When: true}); d.Want != 0.7 || d.By != "hand" {
				t.Fatalf("by hand: got %v by %q", d.Want, d.By)
			}
			m.Rules.Brightness = tc.after
			m.Light(tc.light)
			if d := m.Step(now.Add(time.Hour), tc.senses); d.Want != tc.want || d.By != tc.by {
				t.Errorf("got %v by %q, want %v by %q", d.Want, d.By, tc.want, tc.by)
			}
			m.Rules.Brightness = tc.before
			if d := m.Step(now.Add(2*time.Hour), Senses{When: true}); tc.by != "hand" && d.By == "hand" {
				t.Errorf("the request applies again after its end")
			}
		})
	}
}

// TestWakeWords: each word in the key `wake` allows one kind of event to switch the screen on. Without settings, all three kinds of events
// may do this.
func TestWakeWords(t *testing.T) {
	for _, tc := range []struct {
		wake                         []string
		notification, trigger, touch bool
	}{
		{nil, false, false, false}, {[]string{WakeTouch}, false, false, true}, {[]string{WakeNotification}, true, false, false},
		{[]string{WakeTrigger}, false, true, false}, {[]string{WakeTouch, WakeNotification, WakeTrigger}, true, true, true},
	} {
		r := RulesOf(&Settings{Wake: tc.wake}, false)
		if r.Notification != tc.notification || r.Trigger != tc.trigger || r.Touch != tc.touch {
			t.Errorf("%q: got notification %v, trigger %v, touch %v", tc.wake, r.Notification, r.Trigger, r.Touch)
		}
	}
	if r := RulesOf(nil, false); !r.Notification || !r.Trigger || !r.Touch {
		t.Errorf("without settings: got %+v", r)
	}
}

// TestOffAfterTheEndOfPresence: OffAfter counts from the end of presence, even if there was no step while the person was present. A person
// can be present for a long time without a change that causes a step.
func TestOffAfterTheEndOfPresence(t *testing.T) {
	m := &Machine{Rules: Rules{OffAfter: 30 * time.Second}}
	m.Step(noon, Senses{When: true, Present: true})
	left := noon.Add(50 * time.Second)
	if d := m.Step(left, Senses{When: true}); !d.On || !d.Next.Equal(left.Add(30*time.Second)) {
		t.Errorf("when the person leaves: got on %v until %v, want on for 30 s", d.On, d.Next)
	}
	if d := m.Step(left.Add(29*time.Second), Senses{When: true}); !d.On {
		t.Error("off before 30 s")
	}
	if d := m.Step(left.Add(30*time.Second), Senses{When: true}); d.On {
		t.Error("on after 30 s")
	}
}
