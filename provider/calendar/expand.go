package calendar

import (
	"context"
	"fmt"
	"slices"
	"time"

	"dashboard/internal/budget"
	"dashboard/provider/ical"
)

const (
	// maxEvents is the maximum number of events of one provider, and also the maximum number of its tasks. If there are more, the earliest
	// events and tasks are kept.
	maxEvents = 5000
	// maxWhy is the maximum number of reasons and warnings that are reported.
	maxWhy = 10
	// parsing is the ratio of the memory for parsing a text to the size of the text. The method add waits until the budget for large jobs
	// has enough memory.
	parsing = 8
)

// expand makes the agenda of a time range from the texts of all calendars.
func (p *Provider) expand(ctx context.Context, from, to time.Time) *Agenda {
	a := &Agenda{Zone: p.zone, From: from, To: to}
	for _, c := range p.sources {
		c.publish()
		a.Calendars = append(a.Calendars, c.shown)
		a.read += int64(c.bytes())
		for i, text := range c.texts {
			p.add(ctx, a, c, text, c.ref(i))
		}
	}
	a.sort()
	a.trim(maxEvents)
	a.Events, a.Tasks = slices.Clip(a.Events), slices.Clip(a.Tasks)
	return a
}

// add adds the content of one text of the calendar `c` to the agenda. `ref` is the text's address on the server, or "".
func (p *Provider) add(ctx context.Context, a *Agenda, c *source, text []byte, ref string) {
	need, jobs := min(int64(len(text))*parsing, budget.MaxJobs), budget.Of(ctx).Jobs
	if jobs.Take(ctx, need) != nil {
		return // ctx has ended, so the result is not needed
	}
	defer jobs.Give(need)
	cal, err := ical.Parse(text, ical.Options{Zone: p.zone, From: a.From, To: a.To, Most: maxEvents})
	if err != nil {
		a.leave(c, 1, err.Error())
		return
	}
	a.leave(c, cal.Skipped, cal.Problems...)
	for _, z := range cal.Unknown {
		a.doubt(fmt.Sprintf("%s: unknown time zone %q; its times are read as %s", c.Name, z.Name, shownZone(z.Used)))
	}
	for i := range cal.Events {
		if e := c.event(&cal.Events[i], p.zone); e != nil {
			a.Events = append(a.Events, e)
		}
	}
	for i := range cal.Tasks {
		a.Tasks = append(a.Tasks, c.task(&cal.Tasks[i], p.zone, ref))
	}
	if len(a.Events) > 2*maxEvents || len(a.Tasks) > 2*maxEvents { // sorted and cut only at twice the limit, because sorting takes time
		a.sort()
		a.trim(maxEvents)
	}
}

// leave records that n entries of a calendar are missing in the agenda, and the reasons why they are missing.
func (a *Agenda) leave(c *source, n int, why ...string) {
	a.Left += n
	for _, w := range why {
		if len(a.Why) < maxWhy {
			a.Why = append(a.Why, c.Name+": "+w)
		}
	}
}

// shownZone returns the name of a zone for texts that users read.
func shownZone(loc *time.Location) string {
	if loc == time.Local {
		return "this machine's zone"
	}
	return loc.String()
}

// doubt adds a warning, unless the list is full or already contains it.
func (a *Agenda) doubt(text string) {
	if len(a.Doubts) < maxWhy && !slices.Contains(a.Doubts, text) {
		a.Doubts = append(a.Doubts, text)
	}
}

// trim keeps the first events and the first tasks. `most` is the maximum number of events, and also of tasks.
func (a *Agenda) trim(most int) {
	events, tasks := max(0, len(a.Events)-most), max(0, len(a.Tasks)-most)
	if events+tasks == 0 {
		return
	}
	clear(a.Events[len(a.Events)-events:])
	clear(a.Tasks[len(a.Tasks)-tasks:])
	a.Events, a.Tasks = a.Events[:len(a.Events)-events], a.Tasks[:len(a.Tasks)-tasks]
	const told = "more than %d events or tasks: the earliest are kept"
	if why := fmt.Sprintf(told, most); !slices.Contains(a.Why, why) && len(a.Why) < maxWhy {
		a.Why = append(a.Why, why)
	}
	a.Left += events + tasks
}

// Read returns the agenda with its state at the time `now`. `texts` has the iCalendar text of each calendar. Read sends no requests.
func Read(now time.Time, zone *time.Location, calendars []Calendar, texts [][]byte) *Agenda {
	p := &Provider{zone: zone}
	for i, c := range calendars {
		p.sources = append(p.sources, &source{Calendar: c, texts: texts[i : i+1]})
	}
	from, to := window(now, zone)
	a, _ := p.expand(context.Background(), from, to).At(now)
	return a
}
