package provider

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"dashboard/internal/budget"
	"dashboard/internal/stable"
)

// A Manager runs one generation of providers at a time. Any goroutine may call its methods.
type Manager struct {
	memory *budget.Memory
	wake   func()
	log    *slog.Logger
	ctx    context.Context // parent of the context of every provider; ends with Close
	end    context.CancelFunc
	wg     sync.WaitGroup // counts the providers' goroutines

	sessions Sessions
	store    Store         // store for the samples of Keepers; nil stores nothing
	turn     chan struct{} // capacity 1; a goroutine that stores a sample of a SharedKeeper holds a token in it

	mu      sync.Mutex // guards the fields below, the maps of every set, and cancel and done of every entry
	current *Set
	running []*entry // entries of the field `current`. The slice is replaced, never changed
	closed  bool
}

// NewManager returns a manager without providers. The argument `memory` counts the memory that the providers use for values and for
// decoding. After every change of a cell, the provider calls the function `wake` in its own goroutine. This function must not block.
func NewManager(memory *budget.Memory, wake func(), log *slog.Logger) *Manager {
	ctx, end := context.WithCancel(budget.With(context.Background(), memory))
	m := &Manager{memory: memory, wake: wake, log: log, ctx: ctx, end: end, turn: make(chan struct{}, 1)}
	m.current = m.empty()
	return m
}

// A Set is one generation of providers. Any goroutine may call its methods. Before the commit, only Settle and Try run its providers.
// After the commit, Add starts a new provider at once, and the last Drop of a cell stops its provider.
type Set struct {
	m       *Manager
	entries map[string]*entry // entries by the key of their definition
	uses    map[string]int    // number of calls of Add minus the number of calls of Drop, by key
	names   map[string]string // key of the definition, by the name of the provider
	places  map[string]Place  // positions by key
}

// A Place is the position of a definition in the files, for messages.
type Place struct {
	At   string // file:line:column; "" if the definition is not in a file
	What string // type of the widget to which the definition belongs; "" for an entry of providers.yaml
}

// An entry is one definition, with its provider, its cell and its goroutine.
type entry struct {
	key      string
	provider Provider
	cell     *Cell
	restarts atomic.Uint64
	failing  atomic.Bool // whether a failure was logged and the source has not recovered since
	kept     keeping
	warned   warnings

	// The manager's mu guards the fields `cancel` and `done`. `cancel` is nil while the entry should not run. `done` is closed when the
	// entry's latest goroutine has ended. `done` is nil if the entry never had a goroutine.
	cancel context.CancelFunc
	done   chan struct{}
}

func (m *Manager) empty() *Set {
	return &Set{m: m, entries: map[string]*entry{}, uses: map[string]int{}, names: map[string]string{}, places: map[string]Place{}}
}

// Begin returns an empty set for a new generation.
func (m *Manager) Begin() *Set { return m.empty() }

// Add adds a provider to the set and returns the cell for its values. `key` identifies the definition. If this set or the running
// generation already has the key, the existing cell and goroutine continue, and p is not used.
func (s *Set) Add(key string, p Provider) *Cell {
	e, ok := s.use(key)
	if ok {
		return e.cell
	}
	if e == nil {
		e = &entry{key: key, provider: p, cell: NewCell(s.m.wake)}
		if m, ok := p.(Made); ok {
			e.cell.MadeOf(m.From()...)
		}
		s.m.restore(e)
		e.cell.tried = func(err error) { s.m.tried(e, err) }
	}
	return s.insert(key, e).cell
}

// use() returns the set's entry for a key and true, and counts one more use of this entry. If the set does not have the key, use()
// returns false and the entry of the running generation, which may be nil.
func (s *Set) use(key string) (*entry, bool) {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	if e, ok := s.entries[key]; ok {
		s.uses[key]++
		return e, true
	}
	return s.m.current.entries[key], false
}

// insert adds an entry to the set and returns it. If another goroutine has added an entry with this key since the call of use(), insert
// returns the entry of that goroutine. If the set is the running generation, insert starts the provider.
func (s *Set) insert(key string, e *entry) *entry {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	s.uses[key]++
	if other, ok := s.entries[key]; ok {
		return other
	}
	s.entries[key] = e
	if s.m.current == s && !s.m.closed {
		s.m.beginLocked(e)
		s.m.running = slices.Collect(maps.Values(s.entries))
	}
	return e
}

// Drop ends one use of a cell, which began with a call of Add. After the last use, the provider is removed from the set. If the set is the
// running generation, the provider is stopped. The sample in the cell stays.
func (s *Set) Drop(c *Cell) {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	for key, e := range s.entries {
		if e.cell != c {
			continue
		}
		if s.uses[key]--; s.uses[key] > 0 {
			return
		}
		delete(s.entries, key)
		delete(s.uses, key)
		delete(s.places, key)
		if s.m.current == s {
			s.m.endLocked(e)
			s.m.running = slices.Collect(maps.Values(s.entries))
		}
		return
	}
}

// Place sets the position of the definition with a key. If several widgets share a source, the first call counts.
func (s *Set) Place(key string, at Place) {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	if _, ok := s.places[key]; !ok {
		s.places[key] = at
	}
}

// LookAll records that the values of all running providers are visible now.
func (m *Manager) LookAll(now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.running {
		e.cell.Look(now)
	}
}

// Settled reports whether all running providers that compute values from other values have used the newest values.
func (m *Manager) Settled() bool {
	m.mu.Lock()
	running := m.running
	m.mu.Unlock()
	for _, e := range running {
		if s, ok := e.provider.(Settler); ok && !s.Settled() {
			return false
		}
	}
	return true
}

// Sessions returns the connections that the providers of this manager share.
func (m *Manager) Sessions() *Sessions { return &m.sessions }

// Name gives a name to the definition with a key. The definition must already be in the set. A definition may have several names.
func (s *Set) Name(name, key string) {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	s.names[name] = key
	if e, ok := s.entries[key]; ok {
		e.cell.Call(name)
	}
}

// Named returns the cell of the provider with the given name.
func (s *Set) Named(name string) (*Cell, bool) {
	e, ok := s.named(name)
	if !ok {
		return nil, false
	}
	return e.cell, true
}

// named() returns the entry of the provider with the given name.
func (s *Set) named(name string) (*entry, bool) {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	e, ok := s.entries[s.names[name]]
	return e, ok
}

// Provider returns the provider with the given name.
func (s *Set) Provider(name string) (Provider, bool) {
	e, ok := s.named(name)
	if !ok {
		return nil, false
	}
	return e.provider, true
}

// Find returns the provider with the given name in the running generation.
func (m *Manager) Find(name string) (Provider, bool) {
	m.mu.Lock()
	set := m.current
	m.mu.Unlock()
	return set.Provider(name)
}

// Names lists the names of all definitions, sorted.
func (s *Set) Names() []string {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	return slices.Sorted(maps.Keys(s.names))
}

// Commit makes s the running generation. It starts new providers and stops providers that s does not contain. It does not wait until the
// stopped providers have ended. After Close, Commit does nothing.
func (m *Manager) Commit(s *Set) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return
	}
	for key, e := range m.current.entries {
		if s.entries[key] != e {
			m.endLocked(e)
		}
	}
	for _, e := range s.entries {
		m.beginLocked(e)
	}
	m.current, m.running = s, slices.Collect(maps.Values(s.entries))
}

// beginLocked starts the provider of an entry, unless it already runs, and counts the memory of its values.
func (m *Manager) beginLocked(e *entry) {
	e.cell.join(m.memory.Kept)
	if e.cancel == nil {
		m.startLocked(e)
	}
}

// endLocked stops the provider of an entry. It does not wait for its goroutine.
func (m *Manager) endLocked(e *entry) {
	if e.cancel != nil {
		e.cancel()
		e.cancel = nil
	}
	e.cell.leave()
}

// Again restarts the provider with a name, so that the provider makes an attempt at once. The provider's value stays.
func (m *Manager) Again(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.current.entries[m.current.names[name]]
	if !ok || m.closed || e.cancel == nil {
		return
	}
	e.cancel()
	m.startLocked(e)
}

// startLocked runs the entry in a new goroutine. That goroutine first waits until an earlier goroutine of the entry has ended.
func (m *Manager) startLocked(e *entry) {
	ctx, cancel := context.WithCancel(m.ctx)
	before, done := e.done, make(chan struct{})
	e.cancel, e.done = cancel, done
	m.wg.Add(1)
	go func() {
		defer m.wg.Done()
		defer close(done)
		defer cancel()
		if before != nil {
			<-before
		}
		m.keep(ctx, e)
	}()
}

// closeTime is the maximum time for which [Manager.Close] waits. A provider that decodes a hostile document sometimes does not end at once.
const closeTime = 2 * time.Second

// Close stops all providers and waits until they have ended, but at most closeTime.
func (m *Manager) Close() {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	m.end()
	ended := make(chan struct{})
	go func() { defer close(ended); m.wg.Wait() }()
	late := time.NewTimer(closeTime)
	defer late.Stop()
	select {
	case <-ended:
	case <-late.C:
		m.log.Warn("providers did not end in time", "seconds", closeTime.Seconds())
	}
}

// A Status describes one provider, for status pages and logs.
type Status struct {
	Name     string        // name in the configuration; "" for a source that only one widget uses
	Place    Place         // position of the definition
	Kind     string        // type such as "rest" or "system"; "" if unknown
	Value    any           // last good value, or nil; must not be changed
	At       time.Time     // time of the last good value, or zero
	Tried    time.Time     // end of the latest attempt; zero if there was no attempt
	Interval time.Duration // interval that the provider promises; 0 if it promises no interval
	Err      error         // error of the latest attempt
	Stale    bool
	Restarts uint64 // number of restarts after a panic or an early return of Run
}

// Status returns the status of all running providers, sorted by name. Providers without a name are first.
func (m *Manager) Status(now time.Time) []Status {
	m.mu.Lock()
	defer m.mu.Unlock()
	set := m.current
	var all []Status
	named := map[string]bool{}
	for name, key := range set.names {
		if e, ok := set.entries[key]; ok {
			named[key] = true
			all = append(all, e.status(name, set.places[key], now))
		}
	}
	for key, e := range set.entries {
		if !named[key] {
			all = append(all, e.status("", set.places[key], now))
		}
	}
	stable.Sort(all, byNameThenKind)
	return all
}

func (e *entry) status(name string, at Place, now time.Time) Status {
	s := e.cell.Load()
	st := Status{Name: name, Place: at, Value: s.Value, At: s.At, Tried: s.Tried, Interval: s.Interval, Err: s.Err, Stale: s.Stale(now), Restarts: e.restarts.Load()}
	if k, ok := e.provider.(Kinder); ok {
		st.Kind = k.Kind()
	}
	return st
}
