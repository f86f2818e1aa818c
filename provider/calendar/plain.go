package calendar

import "time"

// Plain implements provider.Plainer. Times are in ISO 8601, in the wall's zone.
func (a *Agenda) Plain() any {
	if a == nil {
		return nil
	}
	events, tasks, calendars := make([]any, len(a.Events)), make([]any, len(a.Tasks)), make([]any, len(a.Calendars))
	for i, e := range a.Events {
		events[i] = e.plain()
	}
	for i, t := range a.Tasks {
		tasks[i] = t.plain()
	}
	for i, c := range a.Calendars {
		calendars[i] = map[string]any{"name": c.Name, "color": c.Color, "kind": c.Kind}
	}
	ticks := make([]any, len(a.Ticks))
	for i, t := range a.Ticks {
		ticks[i] = map[string]any{"title": t.Title, "by": orNil(t.By), "at": written(t.At, false), "calendar": t.Calendar.Name}
	}
	return map[string]any{
		"calendars": calendars, "events": events, "tasks": tasks, "ticks": ticks,
		"now": a.Now.plain(), "next": a.Next.plain(), "busy": a.Busy, "until": written(a.Until, false),
	}
}

func (t *Task) plain() any {
	return map[string]any{
		"title": t.Title, "due": written(t.Due, t.AllDay), "done": t.Done, "priority": t.Priority,
		"calendar": t.Calendar.Name, "color": t.Calendar.Color,
		"task": orNil(t.Key), "waiting": t.Waiting, "problem": orNil(t.Problem),
	}
}

// orNil returns s, or nil if s is "".
func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func (e *Event) plain() any {
	if e == nil {
		return nil
	}
	return map[string]any{
		"title": e.Title, "start": written(e.Start, e.AllDay), "end": written(e.End, e.AllDay), "all_day": e.AllDay, "location": e.Location,
		"description": e.Description, "busy": e.Busy, "calendar": e.Calendar.Name, "color": e.Calendar.Color, "kind": e.Calendar.Kind,
	}
}

// written() returns a time or a date as text, or nil for the zero time.
func written(t time.Time, date bool) any {
	switch {
	case t.IsZero():
		return nil
	case date:
		return t.Format(time.DateOnly)
	}
	return t.Format(time.RFC3339)
}
