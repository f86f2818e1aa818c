package calendar

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/internal/folder"
	"dashboard/provider"
	"dashboard/provider/ask"
	"dashboard/provider/todo"
)

// A Provider reads several calendars at regular times. If a calendar is unreadable, its last events stay, and the other calendars are not
// affected.
type Provider struct {
	sources []*source
	zone    *time.Location
	plan    ask.Schedule
	client  *fetch.Client
	files   fs.FS
	now     func() time.Time

	asked chan struct{} // capacity 1; receives a value to request a step: tasks have changed, or the agenda has become visible
	shown sync.Mutex    // guards the field `base`, and keeps publications in order
	base  base
	kept  atomic.Pointer[[]snapshot] // calendars after the last reading; nil before the first reading

	due    time.Time // time when the next reading is due
	tried  time.Time // time of the last reading
	failed int       // number of failed readings since the last good reading
	agenda *Agenda   // agenda from the last expansion, without a state; nil before the first expansion
	looked time.Time // time of the last reading in which at least one calendar was readable
}

// Env holds the dependencies of a provider.
type Env struct {
	Client *fetch.Client
	Asking ask.Deps         // dependencies of requests, such as the access granted with OAuth 2
	Sun    value.Sun        // sunrise and sunset at the wall's location; nil if the location is unknown
	Files  fs.FS            // root of the paths of files
	Zone   *time.Location   // time zone of the wall; nil means time.Local
	Home   Home             // Home Assistant that has the entities; nil if there is no Home Assistant
	Now    func() time.Time // returns the current time; nil means the system clock
	Queues *todo.Queues     // queues for changes of tasks; nil accepts no changes
}

var _ provider.Provider = (*Provider)(nil)

// New returns a provider. An error begins with the name of the configuration key that causes it.
func New(params Params, e Env) (*Provider, error) {
	p := &Provider{zone: e.Zone, client: e.Client, files: e.Files, now: e.Now, asked: make(chan struct{}, 1)}
	if p.now == nil {
		p.now = time.Now
	}
	if p.files == nil {
		p.files = folder.Dir("")
	}
	if p.zone == nil {
		p.zone = time.Local
	}
	var err error
	if params.Timezone != "" {
		if p.zone, err = time.LoadLocation(params.Timezone); err != nil {
			return nil, fmt.Errorf("timezone: there is no zone '%s'", params.Timezone)
		}
	}
	if p.plan, err = params.Schedule(ask.Deps{Location: p.zone, Sun: e.Sun}, params.UpdateInterval); err != nil {
		return nil, err
	}
	p.sources, err = params.sources(e)
	return p, err
}

// Names returns the names of the calendars in the order of the configuration.
func (p *Provider) Names() []string {
	var all []string
	for _, c := range p.sources {
		all = append(all, c.Name)
	}
	return all
}

// Kind is "calendar".
func (p *Provider) Kind() string { return "calendar" }

// Run publishes values of type *Agenda: after each reading, after each change of a task, at midnight, and when an event begins or ends.
func (p *Provider) Run(ctx context.Context, cell *provider.Cell) error {
	p.due, p.tried, p.agenda, p.failed = time.Time{}, time.Time{}, nil, 0
	cell.Promise(p.promised())
	poll := provider.Poll{Changed: p.asked}
	if p.plan.WhenSeen {
		defer cell.WatchLooks(p.asked)()
	}
	defer p.takeChanges(ctx, cell)()
	return poll.Run(ctx, cell, func(ctx context.Context, _ bool) provider.Result {
		next := p.step(ctx, cell)
		return provider.Result{Handled: true, Next: next}
	})
}

// longestNap is the maximum pause between two steps, so that a changed clock is noticed.
const longestNap = time.Minute

// step reads calendars that are due. It publishes the agenda after each reading, and whenever the agenda's state or range changes. It
// returns the time until the next step.
func (p *Provider) step(ctx context.Context, cell *provider.Cell) time.Duration {
	now := p.now().Round(0)
	due := !now.Before(p.due) || now.Before(p.tried)
	look := due && (!p.plan.WhenSeen || cell.Seen(now))
	var read []reading
	if look {
		read = p.lookAll(ctx)
		now = p.now().Round(0)
	} else if read = p.lookAgain(ctx); len(read) > 0 {
		look, now = true, p.now().Round(0)
	}
	if ctx.Err() != nil {
		return longestNap
	}
	from, to := window(now, p.zone)
	if look || p.agenda == nil || !p.agenda.From.Equal(from) {
		a := p.expand(ctx, from, to)
		if ctx.Err() != nil {
			return longestNap
		}
		p.agenda = a
	}
	if due && !look && p.looked.IsZero() {
		return longestNap // the value is not visible, so nothing was read
	}
	if p.looked.IsZero() {
		cell.Fail(p.problem(), now)
		return min(longestNap, max(p.due.Sub(now), 1))
	}
	v, edge := p.agenda.At(now)
	if before, _ := cell.Load().Value.(*Agenda); look || before == nil || changed(before, v) {
		p.publish(cell, base{v, p.looked, p.problem()}, read)
	}
	if due && !look {
		return max(1, min(longestNap, edge.Sub(now)))
	}
	return max(1, min(longestNap, edge.Sub(now), p.due.Sub(now)))
}

// changed() reports whether the states or the ranges of two agendas differ.
func changed(a, b *Agenda) bool {
	return a.Now != b.Now || a.Next != b.Next || a.Busy != b.Busy || !a.Until.Equal(b.Until) || !a.From.Equal(b.From)
}

// atOnce is the maximum number of calendars that are read at the same time.
const atOnce = 4

// lookAll reads all calendars and computes the time of the next reading.
func (p *Provider) lookAll(ctx context.Context) []reading {
	read := p.look(ctx, p.sources)
	now := p.now().Round(0)
	for _, c := range p.sources {
		if c.err == nil {
			p.looked = now
		}
	}
	p.tried, p.due = now, p.next(now)
	problem := p.problem()
	if problem == nil {
		p.failed = 0
	} else if p.failed++; p.failed <= retries || p.none() && passing(problem) {
		if soon := now.Add(provider.RetryMost << min(p.failed-1, retries)); soon.Before(p.due) {
			p.due = soon
		}
	}
	return read
}

// none() reports whether no calendar was readable.
func (p *Provider) none() bool {
	return !slices.ContainsFunc(p.sources, func(c *source) bool { return c.err == nil })
}

// passing reports whether a calendar is unreadable because of the network or an overloaded server, so that a later reading may succeed.
func passing(err error) bool {
	for _, one := range Problems(err) {
		var status *fetch.StatusError
		if errors.Is(one, fetch.ErrUnavailable) || errors.As(one, &status) && status.Code >= http.StatusInternalServerError {
			return true
		}
	}
	return false
}

// look reads the given calendars, at most atOnce of them at the same time.
func (p *Provider) look(ctx context.Context, sources []*source) (read []reading) {
	var wg sync.WaitGroup
	turn := make(chan struct{}, atOnce)
	from, to := window(p.now().Round(0), p.zone)
	for _, c := range sources {
		if c.queue != nil {
			read = append(read, reading{c, c.queue.Begin()})
		}
		wg.Go(func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			if !c.leftAlone(p.now().Round(0)) {
				c.look(fetch.WithPart(ctx, c.Name), p.client, p.files, from, to)
				c.heed(p.now().Round(0))
			}
		})
	}
	wg.Wait()
	p.bound()
	p.remember()
	return read
}

// retries is the number of early readings after failures. Each pause before such a reading is twice as long as the previous pause. During an
// outage, further early readings follow.
const retries = 5

// next() returns the time of the next regular reading if the last reading was at the time `now`.
func (p *Provider) next(now time.Time) time.Time {
	late := time.Duration(0)
	if p.plan.Jitter > 0 {
		late = rand.N(p.plan.Jitter + 1)
	}
	if len(p.plan.Times) == 0 {
		return now.Add(p.plan.Interval + late)
	}
	return p.plan.After(now).Add(late)
}

// promised() returns the maximum time between two regular readings.
func (p *Provider) promised() time.Duration {
	if len(p.plan.Times) == 0 {
		return p.plan.Interval + p.plan.Jitter
	}
	return 24*time.Hour + p.plan.Jitter
}

// bound() keeps the texts of all calendars together within maxMemory. If a calendar, together with the calendars before it, exceeds this
// limit, bound() drops the texts of this calendar.
func (p *Provider) bound() {
	total := 0
	for _, c := range p.sources {
		n := c.bytes()
		if total += n; total > maxMemory {
			total -= n
			c.drop(fmt.Errorf("the calendars together have more than %d bytes", maxMemory))
		}
	}
}

// problem returns an error that describes all unreadable calendars, or nil.
func (p *Provider) problem() error {
	var all []error
	for _, c := range p.sources {
		if c.err != nil {
			all = append(all, &Unreadable{c.Name, c.err})
		}
	}
	return errors.Join(all...)
}
