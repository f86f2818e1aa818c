package draft

import (
	"strings"
	"time"

	"dashboard/provider/calendar"
)

// calendarsTested returns the test result of each calendar. The keys are the names of the calendars. The parameter a is nil if no
// calendar is readable.
func calendarsTested(a *calendar.Agenda, err error, record *recorder, mask *strings.Replacer) map[string]any {
	all, problems := map[string]any{}, calendar.Problems(err)
	add := func(name string, problem error) {
		one := map[string]any{"works": problem == nil, "words": "it works", "events": []map[string]any{}, "headers": []map[string]any{}}
		record.fields(one, mask, name)
		if problem != nil {
			one["words"] = reasonOf(problem, mask)
		} else {
			delete(one, "excerpt")
			one["events"], one["count"] = coming(a, name, time.Now(), mask)
		}
		all[mask.Replace(name)] = one
	}
	if a != nil {
		for _, c := range a.Calendars {
			add(c.Name, problems[c.Name])
		}
	}
	for name, problem := range problems {
		add(name, problem)
	}
	return all
}

// coming() returns the first maxEvents events that have not ended, and the number of all events that have not ended. If `of` is not "",
// it considers only the events of the calendar with this name.
func coming(a *calendar.Agenda, of string, now time.Time, mask *strings.Replacer) (first []map[string]any, count int) {
	first = []map[string]any{}
	for _, e := range a.Events {
		if !e.End.After(now) || of != "" && e.Calendar.Name != of {
			continue
		}
		if count++; count <= maxEvents {
			first = append(first, map[string]any{
				"title": mask.Replace(e.Title), "start": e.Start.Format(time.RFC3339), "end": e.End.Format(time.RFC3339), "all_day": e.AllDay,
				"now": !e.AllDay && !e.Start.After(now), "calendar": mask.Replace(e.Calendar.Name),
			})
		}
	}
	return first, count
}
