package power

import (
	"context"
	"time"
)

// Run switches the screens until ctx ends. At its end it switches them on and restores them.
func (o *Owner) Run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	defer o.leave()
	for {
		select {
		case <-ctx.Done():
			return
		case <-o.turned:
		case <-o.poke:
			if !pause(ctx, rest-o.Now().Sub(o.lookedAt), o.turned) {
				return
			}
		case <-timer.C:
		}
		timer.Reset(o.step(ctx))
	}
}

// pause waits until the shorter of d and `rest` has passed, or until a user has made a request. It returns false if ctx has ended.
func pause(ctx context.Context, d time.Duration, asked <-chan struct{}) bool {
	timer := time.NewTimer(max(0, min(d, rest)))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-asked:
	case <-timer.C:
	}
	return true
}

// step decides and switches the screens. It returns the time until the next step.
func (o *Owner) step(ctx context.Context) time.Duration {
	now := o.Now()
	o.lookedAt = now
	o.mu.Lock()
	d := o.decide(now)
	o.mu.Unlock()
	if d.On && o.applied && !o.was {
		o.Before(ctx)
	}
	if changed := o.applied && d.On != o.was; o.Log != nil && (changed || !o.applied && !d.On) { // the first step logs only "off"
		o.Log.Info("screen switched", d.fields()...)
	}
	if o.fresh.Swap(false) || !o.applied || d.On != o.was || d.Level != o.level || d.Warm != o.warm || now.Sub(o.appliedAt) >= o.lookAgain(now) {
		reports := o.apply(ctx, d)
		if o.applied && (d.On != o.was || d.Level != o.level || d.Warm != o.warm) {
			o.changed.Store(now.UnixNano())
		}
		if d.On != o.was {
			o.turnedAt = now
		}
		o.applied, o.was, o.level, o.warm, o.appliedAt = true, d.On, d.Level, d.Warm, now
		o.mu.Lock()
		o.reports, reports = reports, o.reports
		o.mu.Unlock()
		if ctx.Err() == nil {
			o.complain(d.On, reports)
		}
	}
	rests := o.lookAgain(now)
	if d.Next.IsZero() {
		return rests
	}
	return min(rests, max(0, d.Next.Sub(o.Now())))
}

// lookAgain returns the time until the next check of the screens. It is short after a switch, because some screens take a while to
// follow.
func (o *Owner) lookAgain(now time.Time) time.Duration {
	if passed := now.Sub(o.turnedAt); passed >= 0 && passed < again {
		return soon
	}
	return again
}

// complain logs each new problem. A problem is a screen that stays on although it should be off, or a dark screen that could not be
// switched on.
func (o *Owner) complain(on bool, before []Report) {
	for i, r := range o.State().Screens {
		if o.Log == nil || r.Problem == "" || r.Absent || i < len(before) && before[i].Problem == r.Problem || on && !r.Dark {
			continue
		}
		o.Log.Warn("the screen is not "+map[bool]string{true: "on", false: "off"}[on], "screen", r.Screen, "problem", r.Problem)
	}
}

// seen() updates the list of screens. If the function Screens hangs, the previous list stays, and seen() returns false.
func (o *Owner) seen(ctx context.Context, most time.Duration) bool {
	var all []Screen
	if o.guard.Do(ctx, "", most, func() error { all = o.Screens(); return nil }) != nil {
		return false
	}
	o.screens = all
	return true
}

// patiently() returns a function that calls the backends of a screen. If a backend hangs, the function returns ErrHangs.
func (o *Owner) patiently(ctx context.Context, s Screen, most time.Duration) doer {
	return func(kind string, f func() error) error { return o.guard.Do(ctx, guarded(s, kind), most, f) }
}

// guarded() returns the name under which the guard runs the calls of a backend.
func guarded(s Screen, kind string) string { return s.Name + " " + kind }

// apply switches, dims and warms every screen as decided. It returns the results.
func (o *Owner) apply(ctx context.Context, d Decision) []Report {
	var all []Report
	if !o.seen(ctx, o.Patience) && len(o.screens) == 0 {
		return []Report{{Problem: "looking for what switches the screens: " + ErrHangs.Error()}}
	}
	for _, s := range o.screens {
		do := o.patiently(ctx, s, o.Patience)
		r := s.power(do, d.On, o.darkBy[s.Name])
		if !d.On && r.Backend != "" {
			o.darkBy[s.Name] = r.Backend
		}
		if d.On { // only while the screen is on, because a change of the brightness could switch it on
			s.dim(do, d.Level, &r)
			s.warm(do, d.Warm)
		}
		all = append(all, r)
	}
	return all
}

// leave restores all screens and switches them on. It skips screens that hang.
func (o *Owner) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	o.seen(ctx, leaveTime)
	for _, s := range o.screens {
		for _, b := range s.Backends {
			o.guard.Settle(ctx, guarded(s, b.Kind())) // wait, because the running call may still switch the screen off
			_ = o.patiently(ctx, s, leaveTime)(b.Kind(), b.Leave)
		}
	}
}

// rules maps the reason of a decision to the key of conf.yaml that causes it.
var rules = map[string]string{"when": "display.when", "presence": "display.presence", "notification": "display.wake", "trigger": "display.wake"}

// fields() returns a decision as fields of a log line. The fields are the state of the screen, the reason, the key of conf.yaml that
// causes the reason, and the time of the next change. Unknown values are left out.
func (d Decision) fields() []any {
	all := []any{"on", d.On, "why", d.Why}
	if rule, ok := rules[d.Why]; ok {
		all = append(all, "rule", rule)
	}
	if !d.Next.IsZero() {
		all = append(all, "until", d.Next.Local().Format("2006-01-02 15:04"))
	}
	return all
}
