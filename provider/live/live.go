// Package live runs jq programs over the values of providers, each whenever one of those that it reads has a new one.
package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"dashboard/internal/extract"
	"dashboard/internal/spelling"
	"dashboard/provider"
)

// Names that programs read beside those of providers. No provider can have one of them.
const (
	Now     = "now"   // Unix seconds; programs that read it run once a minute
	Second  = "now_s" // the same, once a second
	Item    = "item"  // of a row: its entry of the list
	Index   = "index" // of a row: its place, from 0
	allowed = Now + ", " + Second
)

// MaxRows bounds the rows of one list.
const MaxRows = 1000

// Reserved reports whether a name means something to programs, so that no provider can have it.
func Reserved(name string) bool { return slices.Contains([]string{Now, Second, Item, Index}, name) }

// Programs are all programs of one generation of walls. They are added while it is built, by one goroutine; Run keeps their cells
// up to date. Programs that are written alike share a cell.
type Programs struct {
	sources map[string]*source // by name; of those that programs read
	find    func(name string) (*provider.Cell, bool)
	part    Part
	names   []string // of all providers, sorted
	now     func() time.Time
	minute  time.Time // in which the programs that wait for minutes ran last

	mu       sync.Mutex // held while programs run, so that Status sees whole results
	programs []*program
	same     map[string]*program // by what tells them apart
}

// A Part finds the cell of one entry of the mapping that a named provider publishes; ok is false where it has none of its own.
type Part func(name, entry string, at provider.Place) (cell *provider.Cell, ok bool, err error)

// A source is a provider that programs read, or an entry of what it publishes, and who they are.
type source struct {
	name    string
	entry   string // "" is all of it
	cell    *provider.Cell
	seen    *provider.Sample
	readers []*program

	plainOf *provider.Sample // whose plain value is known
	plain   any
}

// value is a sample's value as programs read it, made once for a sample.
func (s *source) value(of *provider.Sample) any {
	if s.plainOf == nil || s.plainOf.Seq != of.Seq {
		s.plainOf, s.plain = of, provider.Plain(of.Value)
	}
	return s.plain
}

// A program is one that runs, and where its results land.
type program struct {
	code   *extract.Program
	rows   *rows // of a list; nil for a single value
	item   *item // of an entry of a list; nil without one
	reads  []*source
	clock  time.Duration // how often it runs by itself; 0 = not at all
	cell   *provider.Cell
	place  provider.Place
	dirty  bool
	failed error // of the program itself; nil if it gave a value
}

// New returns programs that read the providers which find gives; names lists them all, sorted. A program that reads nothing but
// certain entries of a provider's mapping waits for these alone where part finds them; it may be nil.
func New(find func(name string) (*provider.Cell, bool), part Part, names []string) *Programs {
	if part == nil {
		part = func(string, string, provider.Place) (*provider.Cell, bool, error) { return nil, false, nil }
	}
	return &Programs{sources: map[string]*source{}, same: map[string]*program{}, find: find, part: part, names: names, now: time.Now}
}

var _ provider.Provider = (*Programs)(nil)

// Kind is "live".
func (p *Programs) Kind() string { return "live" }

// Add has a program run, and returns where its results land: null, with an error, while it fails. Its samples are as old as the
// oldest that it used. The error is that it names a provider that is not there.
func (p *Programs) Add(code *extract.Program, at provider.Place) (*provider.Cell, error) {
	if err := p.check(code); err != nil {
		return nil, err
	}
	return p.add(&program{code: code, place: at}, code.String(), code)
}

// check refuses a program that names a provider which is not there. What rows have besides is also known by the names.
func (p *Programs) check(code *extract.Program, besides ...string) error {
	for _, name := range code.Names() {
		if name == Now || name == Second || slices.Contains(p.names, name) || slices.Contains(besides, name) {
			continue
		}
		if Reserved(name) {
			return fmt.Errorf(".%s is only there in a row of items", name)
		}
		return fmt.Errorf("no provider is named '%s'%s", name, p.meant(name))
	}
	return nil
}

// homeProvider is the provider that a key of conf.yaml makes.
const homeProvider = "homeassistant"

// meant says which names there are, or which one was probably meant.
func (p *Programs) meant(name string) string {
	if name == homeProvider {
		return ": write homeassistant: {url: …, token: …} in conf.yaml"
	}
	for _, n := range p.names {
		if strings.HasPrefix(n, name+"-") {
			return fmt.Sprintf("; is .[%q] meant? A minus subtracts", n)
		}
	}
	if near := spelling.Nearest(name, p.names); near != "" {
		return fmt.Sprintf("; is .%s meant?", near)
	}
	if len(p.names) == 0 {
		return "; there are none, but " + allowed
	}
	return "; there are: " + strings.Join(p.names, ", ") + ", " + allowed
}

// add makes a program known to the sources that it and its rows read, and runs it once: what has values already shows at once.
func (p *Programs) add(n *program, key string, codes ...*extract.Program) (*provider.Cell, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if old, ok := p.same[key]; ok {
		return old.cell, nil
	}
	for _, code := range codes {
		keys, all := code.Reads()
		if all {
			keys = p.names
		}
		for _, name := range keys {
			if err := p.subscribe(n, name, codes); err != nil {
				return nil, err
			}
		}
	}
	n.cell = provider.NewCell(nil)
	p.same[key], p.programs = n, append(p.programs, n)
	from := make([]*provider.Cell, 0, len(n.reads))
	for _, s := range n.reads {
		s.readers = append(s.readers, n)
		from = append(from, s.cell)
	}
	n.cell.MadeOf(from...)
	p.run(n, p.now())
	return n.cell, nil
}

// subscribe has a program run when the value of a name changes, or that of those entries of it that the program reads.
func (p *Programs) subscribe(n *program, name string, codes []*extract.Program) error {
	switch {
	case name == Second:
		n.clock = time.Second
		return nil
	case name == Now:
		if n.clock == 0 {
			n.clock = time.Minute
		}
		return nil
	}
	for _, entry := range entries(name, codes) {
		cell, ok, err := p.part(name, entry, n.place)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		n.read(p.source(name, entry, cell))
	}
	if slices.ContainsFunc(n.reads, func(s *source) bool { return s.name == name }) {
		return nil
	}
	if cell, known := p.find(name); known {
		n.read(p.source(name, "", cell))
	}
	return nil
}

// entries lists the entries of a name's value that programs read; none if one of them may read more.
func entries(name string, codes []*extract.Program) (list []string) {
	for _, code := range codes {
		keys, all := code.Reads()
		if !all && !slices.Contains(keys, name) {
			continue
		}
		parts, ok := code.Parts(name)
		if !ok {
			return nil
		}
		list = append(list, parts...)
	}
	return list
}

// source is what stands for a cell.
func (p *Programs) source(name, entry string, cell *provider.Cell) *source {
	key := name + "\x00" + entry
	s, ok := p.sources[key]
	if !ok {
		s = &source{name: name, entry: entry, cell: cell, seen: cell.Load()}
		p.sources[key] = s
	}
	return s
}

// read notes that the program reads a source.
func (n *program) read(s *source) {
	if !slices.Contains(n.reads, s) {
		n.reads = append(n.reads, s)
	}
}

// Run keeps the results up to date until ctx ends. Whenever results have changed it publishes how often they have into cell, which
// wakes whoever shows them.
func (p *Programs) Run(ctx context.Context, cell *provider.Cell) error {
	changed := make(chan struct{}, 1)
	for _, s := range p.sources {
		defer s.cell.Watch(changed)()
	}
	for first := true; ; first = false {
		now := p.now()
		if p.pass(now) || first && p.answered() {
			p.tell(cell, now)
		}
		var tick <-chan time.Time
		if d := p.untilTick(p.now()); d > 0 {
			tick = time.After(d)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		case <-tick:
			p.due(p.now())
		}
	}
}

// answered reports whether every program has a result already: those that read no provider had it when they were added.
func (p *Programs) answered() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range p.programs {
		if s := n.cell.Load(); !s.Has() && s.Err == nil {
			return false
		}
	}
	return len(p.programs) > 0
}

// tell wakes whoever shows results. While a program fails, that is the error.
func (p *Programs) tell(cell *provider.Cell, now time.Time) {
	all := p.Problems()
	if len(all) == 0 {
		cell.Publish(int(cell.Load().Seq), now)
		return
	}
	first := all[0]
	cell.Fail(fmt.Errorf("%s: %s: !data %s: %w", first.Place.At, first.Place.What, first.Program, first.Err), now)
}

// untilTick is how long it is until the next second, or minute, that a program waits for; 0 if none does.
func (p *Programs) untilTick(now time.Time) time.Duration {
	every := time.Duration(0)
	for _, n := range p.programs {
		if n.clock > 0 && (every == 0 || n.clock < every) {
			every = n.clock
		}
	}
	if every == 0 {
		return 0
	}
	return now.Truncate(every).Add(every).Sub(now)
}

// due marks the programs whose second or minute has begun.
func (p *Programs) due(now time.Time) {
	minute := now.Truncate(time.Minute)
	for _, n := range p.programs {
		n.dirty = n.dirty || n.clock == time.Second || n.clock == time.Minute && !minute.Equal(p.minute)
	}
	p.minute = minute
}

// pass runs what has something new to read, and reports whether any result changed.
func (p *Programs) pass(now time.Time) (changed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.sources {
		if sample := s.cell.Load(); sample != s.seen {
			s.seen = sample
			for _, n := range s.readers {
				n.dirty = true
			}
		}
	}
	for _, n := range p.programs {
		if n.dirty {
			changed = p.run(n, now) || changed
		}
	}
	return changed
}

// run runs one program and publishes its result; it reports whether that is another one.
func (p *Programs) run(n *program, now time.Time) (changed bool) {
	n.dirty = false
	in := p.input(n, now)
	if !in.some {
		if in.err != nil {
			n.cell.Fail(in.err, in.tried)
		}
		return in.err != nil
	}
	n.cell.Promise(in.every)
	var value any
	value, n.failed = n.value(in.values)
	before := n.cell.Load()
	if before.Has() && reflect.DeepEqual(before.Value, value) {
		n.cell.Confirm(in.at)
	} else {
		n.cell.Publish(value, in.at)
		changed = true
	}
	if err := errors.Join(n.failed, in.err); err != nil {
		if n.failed == nil {
			err = in.err
		}
		n.cell.Fail(err, now)
	}
	return changed || (before.Err == nil) != (n.failed == nil && in.err == nil)
}

// value is what the program gives.
func (n *program) value(input map[string]any) (any, error) {
	switch {
	case n.rows != nil:
		return n.rows.of(n.code, input)
	case n.item != nil:
		return n.item.of(n.code, input)
	}
	return n.code.Run(input)
}

// input is what a program is given.
type input struct {
	values map[string]any
	some   bool          // there is something to run over: a value, or the clock
	at     time.Time     // of the oldest sample; of now where none is used
	every  time.Duration // promised by the source that is stale first
	err    error         // of a source whose latest attempt failed
	tried  time.Time
}

func (p *Programs) input(n *program, now time.Time) input {
	in := input{values: make(map[string]any, len(n.reads)+2), some: len(n.reads) == 0}
	if n.clock > 0 {
		in.values[Now], in.values[Second] = int(now.Truncate(time.Minute).Unix()), int(now.Unix())
	}
	var first time.Time
	for _, from := range n.reads {
		s := from.cell.Load()
		if s.Err != nil {
			in.err, in.tried = &provider.Upstream{Err: fmt.Errorf("%s: %w", cmp.Or(from.entry, from.name), s.Err)}, s.Tried
		}
		if !s.Has() {
			continue
		}
		in.some = true
		from.put(in.values, from.value(s))
		if in.at.IsZero() || s.At.Before(in.at) {
			in.at = s.At
		}
		if stale, ok := s.StaleAt(); ok && (first.IsZero() || stale.Before(first)) {
			first, in.every = stale, s.Interval
		}
	}
	if in.at.IsZero() {
		in.at = now
	}
	return in
}

// put puts a value where programs find it.
func (s *source) put(into map[string]any, v any) {
	if s.entry == "" {
		into[s.name] = v
		return
	}
	all, ok := into[s.name].(map[string]any)
	if !ok {
		all = map[string]any{}
		into[s.name] = all
	}
	all[s.entry] = v
}

// A Problem is a program that gives no value, and why.
type Problem struct {
	Place   provider.Place
	Program string
	Err     error
}

// Problems lists the programs that fail by themselves, not because a source does.
func (p *Programs) Problems() []Problem {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []Problem
	for _, n := range p.programs {
		if n.failed != nil {
			all = append(all, Problem{n.place, n.code.String(), n.failed})
		}
	}
	return all
}
