package calendar

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/ical"
)

// A Provider looks at several calendars again and again. One that cannot be read keeps its last events, and the others go on.
type Provider struct {
	sources  []*source
	zone     *time.Location
	interval time.Duration
	jitter   time.Duration
	client   *fetch.Client
	files    fs.FS
	now      func() time.Time

	due    time.Time // when the calendars are looked at next
	failed int       // looks in a row of which a part failed
	agenda *Agenda   // as of the latest expansion; nil before the first
	looked time.Time // when the latest look that brought something was
}

// Env is what a provider of calendars is made with.
type Env struct {
	Client *fetch.Client
	Files  fs.FS          // what paths are of
	Zone   *time.Location // of the wall; nil is time.Local
}

var _ provider.Provider = (*Provider)(nil)

// New returns a provider. The error begins with the key it is about.
func New(params Params, e Env) (*Provider, error) {
	p := &Provider{
		zone: e.Zone, interval: time.Duration(params.UpdateInterval), jitter: time.Duration(params.Jitter), client: e.Client, files: e.Files, now: time.Now,
	}
	if p.zone == nil {
		p.zone = time.Local
	}
	if params.Timezone != "" {
		var err error
		if p.zone, err = time.LoadLocation(params.Timezone); err != nil {
			return nil, fmt.Errorf("timezone: %w", err)
		}
	}
	for i := range params.Calendars {
		c, err := newSource(&params.Calendars[i], i, time.Duration(params.Timeout))
		if err != nil {
			return nil, err
		}
		p.sources = append(p.sources, c)
	}
	return p, nil
}

// Kind is "calendar".
func (p *Provider) Kind() string { return "calendar" }

// Run publishes values of type *Agenda: after each look at the calendars, at midnight, and when an event begins or ends.
func (p *Provider) Run(ctx context.Context, cell *provider.Cell) error {
	p.due, p.agenda, p.failed = time.Time{}, nil, 0
	cell.Promise(p.interval + p.jitter)
	var poll provider.Poll
	return poll.Run(ctx, cell, func(ctx context.Context, _ bool) provider.Result {
		next := p.step(ctx, cell)
		return provider.Result{Handled: true, Next: next}
	})
}

// longestNap bounds every pause: a clock that is set is noticed after it at the latest.
const longestNap = time.Minute

// step does what is due and returns how long nothing else is.
func (p *Provider) step(ctx context.Context, cell *provider.Cell) time.Duration {
	now := p.now().Round(0)
	look := !now.Before(p.due) || p.due.Sub(now) > p.interval+p.jitter
	if look {
		p.lookAll(ctx)
		now = p.now().Round(0)
	}
	if ctx.Err() != nil {
		return longestNap
	}
	from, to := window(now, p.zone)
	if look || p.agenda == nil || !p.agenda.From.Equal(from) {
		p.agenda = p.expand(from, to)
	}
	if p.looked.IsZero() {
		cell.Fail(p.problem(), now)
		return min(longestNap, max(p.due.Sub(now), 1))
	}
	v, edge := p.agenda.at(now)
	before, _ := cell.Load().Value.(*Agenda)
	if look || before == nil || changed(before, v) {
		cell.Publish(v, p.looked)
	}
	if err := p.problem(); err != nil && look {
		cell.Fail(err, now)
	}
	return max(1, min(longestNap, edge.Sub(now), p.due.Sub(now)))
}

// changed reports whether two states of one day differ.
func changed(a, b *Agenda) bool {
	return a.Now != b.Now || a.Next != b.Next || a.Busy != b.Busy || !a.Until.Equal(b.Until) || !a.From.Equal(b.From)
}

// atOnce is how many calendars are asked at a time.
const atOnce = 4

// lookAll reads all calendars again, several at a time, and works out when that is due again.
func (p *Provider) lookAll(ctx context.Context) {
	var wg sync.WaitGroup
	turn := make(chan struct{}, atOnce)
	for _, c := range p.sources {
		wg.Go(func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			c.look(ctx, p.client, p.files)
		})
	}
	wg.Wait()
	p.bound()
	now := p.now().Round(0)
	wait := p.interval + spread(p.jitter)
	p.failed++
	for _, c := range p.sources {
		if c.err == nil {
			p.looked = now
		}
	}
	if p.problem() == nil {
		p.failed = 0
	} else if p.failed < retries {
		wait = min(wait, provider.RetryMost<<(p.failed-1))
	}
	p.due = now.Add(wait)
}

// spread is the random part of a pause.
func spread(most time.Duration) time.Duration { return rand.N(most + 1) }

// retries is how often what failed is tried again sooner than usual, each time after twice the pause.
const retries = 5

// bound gives up calendars beyond the memory that all have together.
func (p *Provider) bound() {
	total := 0
	for _, c := range p.sources {
		if total += len(c.data); total > maxMemory {
			total -= len(c.data)
			c.data, c.etag, c.modified = nil, "", ""
			c.err = fmt.Errorf("the calendars together have more than %d bytes", maxMemory)
		}
	}
}

// problem tells of the calendars that could not be read; nil if all could.
func (p *Provider) problem() error {
	var all []error
	for _, c := range p.sources {
		if c.err != nil {
			all = append(all, fmt.Errorf("%s: %w", c.Name, c.err))
		}
	}
	return errors.Join(all...)
}

// expand works out what the calendars say of a stretch of time.
func (p *Provider) expand(from, to time.Time) *Agenda {
	a := &Agenda{Zone: p.zone, From: from, To: to}
	for _, c := range p.sources {
		a.Calendars = append(a.Calendars, &c.Calendar)
		if c.data == nil {
			continue
		}
		cal, err := ical.Parse(c.data, ical.Options{Zone: p.zone, From: from, To: to})
		if err != nil {
			c.err = err
			continue
		}
		for i := range cal.Events {
			if e := c.event(&cal.Events[i], p.zone); e != nil {
				a.Events = append(a.Events, e)
			}
		}
		for i := range cal.Tasks {
			a.Tasks = append(a.Tasks, c.task(&cal.Tasks[i], p.zone))
		}
	}
	a.sort()
	return a
}

// Missing lists the files and folders of calendars that are not there.
func (p *Provider) Missing() []string {
	var all []string
	for _, c := range p.sources {
		if c.request == nil && missing(p.files, c.path) {
			all = append(all, c.path)
		}
	}
	return all
}

func missing(files fs.FS, name string) bool {
	_, err := fs.Stat(files, name)
	return errors.Is(err, fs.ErrNotExist)
}

// readDir lists a folder, sorted by name.
func readDir(files fs.FS, name string) ([]fs.DirEntry, error) {
	if at, ok := files.(interface{ Path(string) string }); ok {
		return os.ReadDir(at.Path(name))
	}
	return fs.ReadDir(files, name)
}
