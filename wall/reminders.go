package wall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"dashboard/control/notify"
	"dashboard/internal/locale"
	"dashboard/internal/state"
	"dashboard/provider/calendar"
	"dashboard/render/icon"
)

const (
	// remindLook is the maximum time between two checks of the calendars. It is also the maximum delay for a new event.
	remindLook = time.Minute
	// remindFor is the time for which a reminder is shown.
	remindFor = time.Minute
	// maxRemind is the maximum number of reminders that one check shows, because a calendar with many reminders must not fill the wall.
	maxRemind = 5
	// toldKind is the kind of the file in the state folder with the reminders that were shown.
	toldKind = "reminders"
)

// reminders records the events for which a reminder was shown, because each reminder is shown once.
type reminders struct {
	told map[string]time.Time // start of each event, by eventKey
	read bool                 // true after each calendar has been read once
}

// toldBefore returns the reminders that the wall in the folder `home` showed before this start, so that none is shown again. A damaged file
// counts as empty.
func toldBefore(store *state.Store, home string) reminders {
	var r reminders
	if data, ok := store.Load(toldKind, home); !ok || json.Unmarshal(data, &r.told) != nil || r.told == nil {
		r.told = map[string]time.Time{}
	}
	return r
}

// keep stores the shown reminders for the next start.
func (r *reminders) keep(store *state.Store, home string) error {
	data, _ := json.Marshal(r.told) // times of calendars can always be encoded
	return store.Save(toldKind, home, data)
}

// eventKey identifies an event in reminders.told.
func eventKey(e *calendar.Event) string {
	return fmt.Sprintf("%s\x00%s\x00%d", e.Calendar.Name, e.Title, e.Start.Unix())
}

// due() returns at most maxRemind future events for which a reminder must be shown now. `next` is the time of the next reminder, or zero
// if there is none.
func (r *reminders) due(all []*calendar.Agenda, now time.Time) (due []*calendar.Event, next time.Time) {
	for key, start := range r.told {
		if !start.After(now) {
			delete(r.told, key)
		}
	}
	for _, a := range all {
		for _, e := range a.Events {
			if e.Remind <= 0 || !e.Start.After(now) {
				continue
			}
			at, key := e.Start.Add(-e.Remind), eventKey(e)
			if _, told := r.told[key]; told {
				continue
			}
			if at.After(now) {
				if next.IsZero() || at.Before(next) {
					next = at
				}
				continue
			}
			if len(due) < maxRemind && !slices.ContainsFunc(due, func(o *calendar.Event) bool { return eventKey(o) == key }) {
				due = append(due, e)
			}
		}
	}
	return due, next
}

// wait returns the time until the next check. `read` reports whether each calendar has been read. `next` is the time of the next reminder,
// or zero if there is none.
func (r *reminders) wait(read bool, next, now time.Time) time.Duration {
	r.read = r.read || read
	switch {
	case !r.read:
		return remindFirst
	case next.IsZero():
		return remindLook
	}
	return min(remindLook, next.Sub(now))
}

// runReminders shows reminders of events on all walls until ctx ends. The key `remind` of a
// calendar sets how long before an event its reminder is shown. A wall without a screen shows none.
func (s *Service) runReminders(ctx context.Context) {
	if s.opts.Screenless {
		return
	}
	r := toldBefore(s.store, s.opts.Home)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		wait := remindFirst // until the clock is set
		if s.builder.TimeSet.Load() {
			read, now := s.allRead(), time.Now()
			wait = r.wait(read, s.showDue(ctx, &r, s.agendas(), now), now)
		}
		timer.Reset(wait)
	}
}

// showDue shows the due reminders, and stores the reminders that a wall has accepted or refused for good. The next check repeats
// the others. showDue returns the time of the next reminder, or zero if there is none.
func (s *Service) showDue(ctx context.Context, r *reminders, all []*calendar.Agenda, now time.Time) time.Time {
	due, next := r.due(all, now)
	before := len(r.told)
	for _, e := range due {
		if s.remind(ctx, e) {
			r.told[eventKey(e)] = e.Start
		}
	}
	if len(r.told) > before {
		if err := r.keep(s.store, s.opts.Home); err != nil {
			s.log.Warn("a reminder may be shown again after a restart", "reason", err)
		}
	}
	return next
}

// remindFirst is the time between two checks until each calendar has been read once.
const remindFirst = 2 * time.Second

// allRead reports whether each calendar has been read at least once. A failed attempt counts as a read.
func (s *Service) allRead() bool {
	for _, st := range s.builder.Providers.Status(time.Now()) {
		if st.Kind == "calendar" && st.Tried.IsZero() {
			return false
		}
	}
	return true
}

// agendas() returns the contents of the wall's calendars.
func (s *Service) agendas() (all []*calendar.Agenda) {
	for _, st := range s.builder.Providers.Status(time.Now()) {
		if a, ok := st.Value.(*calendar.Agenda); ok && a != nil && st.Name != "" {
			all = append(all, a)
		}
	}
	return all
}

// remind shows a reminder on every wall that shows notifications. It returns false if the next check must repeat the reminder: if no wall
// shows notifications, or each one has no room. Another refusal is final, because the same reminder would be refused again.
func (s *Service) remind(ctx context.Context, e *calendar.Event) (done bool) {
	for _, v := range s.all() {
		if !v.Notes.Any() {
			continue
		}
		_, err := v.Notes.Notify(ctx, reminder(e, v.Shown.Load().Region.Locale, v.Board), false)
		switch {
		case err == nil:
			v.Log.Info("a reminder is shown", "calendar", e.Calendar.Name, "start", e.Start.Format(time.RFC3339))
		default:
			v.Log.Warn("a reminder is not shown", "reason", err)
		}
		done = done || !errors.Is(err, notify.ErrFull) && !errors.Is(err, notify.ErrNone)
	}
	return done
}

// reminder returns the body of a notification about an event. The notification is shown over the wall. If notifications over the wall are
// turned off, the widgets for notifications show the reminder.
func reminder(e *calendar.Event, l *locale.Locale, b *notify.Board) []byte {
	word := locale.Time
	if e.AllDay {
		word = locale.Date
	}
	text := string(l.Append(nil, e.Start, word))
	if e.Location != "" {
		text += " · " + short(e.Location, notify.MaxTitle)
	}
	id := fnv.New64a()
	fmt.Fprint(id, e.Calendar.Name, "\x00", e.Title, e.Start.Unix()) // a hash never returns an error
	body := map[string]any{"id": fmt.Sprintf("reminder-%x", id.Sum64()), "title": short(e.Title, notify.MaxTitle), "text": text, "icon": "mdi:calendar-clock", "duration": remindFor.Seconds()}
	if _, known := icon.Lookup(e.Calendar.Icon); known && strings.HasPrefix(e.Calendar.Icon, icon.Prefix) {
		body["icon"] = e.Calendar.Icon
	}
	if _, err := b.Lookup(notify.Wall); err != nil {
		body["target"] = notify.All
	}
	data, _ := json.Marshal(body) // texts and numbers can always be encoded
	return data
}

// short() returns a text that is cut to at most the given number of bytes.
func short(s string, most int) string {
	if len(s) <= most {
		return s
	}
	const dots = "…"
	return strings.ToValidUTF8(s[:most-len(dots)], "") + dots
}
