package power

import "time"

// A Hand is a user's request for the screen: on, off, or auto.
type Hand uint8

// The requests of users. With Auto, the settings decide.
const (
	Auto Hand = iota
	On
	Off
)

// String returns the word that callers use.
func (h Hand) String() string { return [...]string{"auto", "on", "off"}[h] }

// Rules are the settings in the form that the Machine uses.
type Rules struct {
	OffAfter     time.Duration // time without presence after which the screen goes off; 0 if presence is not used
	Notification bool          // whether a notification keeps the screen on
	Trigger      bool
	Touch        bool
	Brightness   *Brightness // nil if the brightness is not changed
	Warmth       float64     // warmth of the picture at night, 0 to 1
}

// RulesOf returns the rules for settings. If s is nil, the screen is always on. `sensed` reports whether a condition or a sensor detects
// presence.
func RulesOf(s *Settings, sensed bool) Rules {
	r := Rules{Notification: true, Trigger: true, Touch: true}
	if s == nil {
		return r
	}
	r = Rules{Brightness: s.Brightness}
	for _, w := range s.Wake {
		r.Notification = r.Notification || w == WakeNotification
		r.Trigger = r.Trigger || w == WakeTrigger
		r.Touch = r.Touch || w == WakeTouch
	}
	if sensed {
		r.OffAfter = OffAfter
		if s.OffAfter != nil {
			r.OffAfter = time.Duration(*s.OffAfter)
		}
	}
	if s.Warmth != nil {
		r.Warmth = float64(*s.Warmth)
	}
	return r
}

// Senses are the inputs of the Machine at a time.
type Senses struct {
	When    bool      // whether the screen's condition is true
	Present bool      // whether a person is present
	Notice  time.Time // time until which a notification keeps the screen on; zero if none does
	Trigger bool      // whether a visible page keeps the screen on
	Night   bool
	Entry   int // number of the active entry in the brightness schedule, from 1; 0 if none is active
}

// A Decision is the state that the screen must have.
type Decision struct {
	On    bool
	Why   string    // reason: hand, when, presence, notification, trigger or touch
	Warm  float64   // warmth of the picture, 0 to 1
	Level float64   // current brightness, 0 to 1; negative if nothing sets the brightness
	Want  float64   // brightness at the end of a fade
	By    string    // what sets the brightness: hand, fixed, schedule, sensor or theme; "" if nothing does
	Ruled bool      // whether the settings set the brightness if no user does
	Next  time.Time // time when the decision changes without new inputs; zero for never
}

// A Machine decides whether a screen is on and how bright it is. It does not read a clock. If the clock is set back by more than
// clockSlack, timed requests and the effect of touches end, and the time OffAfter starts again.
type Machine struct {
	Rules Rules

	hand      Hand
	handUntil time.Time // zero if the request lasts until the next request
	handFrom  time.Time
	sign      time.Time // time of the last sign of presence; zero before the first step
	present   bool      // whether a person was present at the last step
	touched   time.Time
	fade      fade
	level     float64 // brightness that a user has requested; negative if none
	levelSet  bool
	rule      float64 // brightness by the settings since the request
	ruleSet   bool    // whether a step since the request has set rule
	light     float64 // light in the room, 0 to 1; see package light
	lit       bool    // whether light is known
}

// Light records the measured light in the room, from 0 to 1.
func (m *Machine) Light(share float64) { m.light, m.lit = share, true }

// Ask sets a user's request for a time. If `lasts` is 0, the request lasts until the next request.
func (m *Machine) Ask(h Hand, lasts time.Duration, now time.Time) {
	m.hand, m.handFrom, m.handUntil = h, now, time.Time{}
	if h != Auto && lasts > 0 {
		m.handUntil = now.Add(lasts)
	}
	if h != Off {
		m.sign = now // a request counts as a sign of presence
	}
}

// AskLevel sets the brightness that a user has requested, from 0 to 1. The request lasts until the settings set another brightness. A
// change of the light in the room does not end it. With a negative level, the settings decide again.
func (m *Machine) AskLevel(level float64) {
	m.level, m.levelSet, m.ruleSet = level, level >= 0, false
}

// Touch records a touch or a key. It returns true if the touch must have no other effect, because the screen was off.
func (m *Machine) Touch(now time.Time, wasOn bool) (only bool) {
	m.sign = now
	if m.Rules.Touch && m.awakeAt(now) {
		m.touched = now // the time for which the screen stays on starts again
	}
	if !m.Rules.Touch || wasOn {
		return !wasOn
	}
	m.touched = now
	if m.hand == Off {
		m.hand = Auto
	}
	return true
}

// Hand returns the current request and its end. A zero end means that the request lasts until the next request.
func (m *Machine) Hand(now time.Time) (Hand, time.Time) {
	if !m.handUntil.IsZero() && (!now.Before(m.handUntil) || now.Before(m.handFrom.Add(-clockSlack))) {
		m.hand, m.handUntil = Auto, time.Time{}
	}
	return m.hand, m.handUntil
}

// clockSlack is the amount by which the clock can be set back without effect on requests and presence.
const clockSlack = time.Minute

// Step returns the decision for the given time.
func (m *Machine) Step(now time.Time, s Senses) Decision {
	if m.sign.IsZero() || s.Present || m.present || now.Before(m.sign.Add(-clockSlack)) {
		m.sign = now // also at the end of presence, because the step before may be a minute ago
	}
	m.present = s.Present
	d := m.decide(now, s)
	if s.Night {
		d.Warm = m.Rules.Warmth
	}
	d.Want, d.By = m.wanted(s)
	d.Ruled = m.Rules.Brightness != nil
	if want := d.Want; want >= 0 {
		d.Level, d.Next = m.fade.to(want, m.fadeTime(), now, d.Next)
	} else {
		m.fade = fade{}
		d.Level, d.Want = -1, -1
	}
	return d
}

func (m *Machine) decide(now time.Time, s Senses) Decision {
	hand, until := m.Hand(now)
	if hand == On {
		return Decision{On: true, Why: "hand", Next: until}
	}
	d := Decision{Next: until}
	if m.Rules.Notification && now.Before(s.Notice) {
		return Decision{On: true, Why: "notification", Next: sooner(until, s.Notice)}
	}
	if hand == Off {
		d.Why = "hand"
		return d
	}
	if m.Rules.Trigger && s.Trigger {
		return Decision{On: true, Why: "trigger", Next: until}
	}
	if m.awakeAt(now) {
		return Decision{On: true, Why: "touch", Next: m.touched.Add(m.awake())}
	}
	if !s.When {
		d.Why = "when"
		return d
	}
	d.On, d.Why = true, "when"
	if m.Rules.OffAfter == 0 || s.Present {
		return d
	}
	d.Why = "presence"
	if end := m.sign.Add(m.Rules.OffAfter); now.Before(end) {
		d.Next = sooner(d.Next, end)
		return d
	}
	d.On = false
	return d
}

// awakeAt reports whether a touch keeps the screen on at a time.
func (m *Machine) awakeAt(now time.Time) bool {
	return now.Before(m.touched.Add(m.awake())) && !now.Before(m.touched.Add(-clockSlack))
}

// awake returns the time for which a touch keeps the screen on while its settings would switch it off.
func (m *Machine) awake() time.Duration {
	if m.Rules.OffAfter > 0 {
		return m.Rules.OffAfter
	}
	return OffAfter
}

// byLight replaces the brightness in Machine.rule while the light in the room sets it, because each measurement changes this brightness.
const byLight = 2

// wanted() returns the brightness that the screen should have, and what sets it. If nothing sets it, the brightness is negative. It ends a
// user's request if the brightness by the settings has changed since.
func (m *Machine) wanted(s Senses) (level float64, by string) {
	level, by = m.ruled(s)
	if !m.levelSet {
		return level, by
	}
	rule := level
	if b := m.Rules.Brightness; b != nil && b.Sensor && by != "schedule" {
		rule = byLight
	}
	if !m.ruleSet {
		m.rule, m.ruleSet = rule, true
	}
	if m.levelSet = rule == m.rule; m.levelSet {
		return m.level, "hand"
	}
	return level, by
}

// ruled() returns the brightness by the settings and what sets it, like wanted().
func (m *Machine) ruled(s Senses) (level float64, by string) {
	b := m.Rules.Brightness
	switch {
	case b != nil && s.Entry > 0 && s.Entry <= len(b.Schedule):
		return float64(b.Schedule[s.Entry-1].Level), "schedule"
	case b == nil || b.Sensor && !m.lit:
		return -1, ""
	case b.Sensor:
		return float64(b.Night) + (float64(b.Day)-float64(b.Night))*m.light, "sensor"
	case b.Day == b.Night:
		return float64(b.Day), "fixed"
	case s.Night:
		return float64(b.Night), "theme"
	}
	return float64(b.Day), "theme"
}

func (m *Machine) fadeTime() time.Duration {
	if b := m.Rules.Brightness; b != nil {
		return b.Fade
	}
	return Fade
}

// sooner() returns the earlier of two times. A zero time means never.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// fadeStep is the time between two steps of a fade.
const fadeStep = 50 * time.Millisecond

// A fade is a gradual change of the brightness. The zero value has no brightness yet.
type fade struct {
	begun        bool
	from, target float64
	since        time.Time
	lasts        time.Duration
}

// to() starts or continues a fade to a brightness. It returns the current brightness and the time of the next change. That time is never
// later than the argument `next`.
func (f *fade) to(target float64, lasts time.Duration, now, next time.Time) (float64, time.Time) {
	if !f.begun {
		*f = fade{begun: true, from: target, target: target, since: now}
	}
	level, over := f.at(now)
	if target != f.target {
		*f = fade{begun: true, from: level, target: target, since: now, lasts: lasts}
		level, over = f.at(now)
	}
	if !over {
		next = sooner(next, now.Add(fadeStep))
	}
	return level, next
}

// at() returns the brightness at a time. `over` is true if the fade has ended.
func (f *fade) at(now time.Time) (level float64, over bool) {
	done := now.Sub(f.since)
	if done >= f.lasts || done < 0 {
		return f.target, true
	}
	return f.from + (f.target-f.from)*float64(done)/float64(f.lasts), false
}
