package page

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"dashboard/internal/spelling"
)

// MaxHold limits the time of a page chosen by hand. Without a time it stays until Auto.
const MaxHold = 30 * 24 * time.Hour

// TouchPause is the pause of the rotation after a touch, because a person is reading.
const TouchPause = time.Minute

// Words instead of a page's name.
const (
	Next     = "next"
	Previous = "previous"
	Auto     = "auto" // the rules choose again
)

var (
	// ErrNone reports a wall without pages.
	ErrNone = errors.New("there is no widget 'pages' on the wall")
	// ErrUnknown reports an unknown page.
	ErrUnknown = errors.New("there is no page of this name")
	// ErrAlone reports that there is no other page.
	ErrAlone = errors.New("no other page is in turn")
	// ErrHold reports an invalid time.
	ErrHold = fmt.Errorf("'hold' must be between 0 and %d seconds", MaxHold/time.Second)
)

// A Status describes a widget with pages.
type Status struct {
	Name         string // name of the widget; may be empty
	Page         string
	At           string // place of that page in the files, file:line:column
	Why          Why
	Rule         string    // configured condition behind the reason, may be empty
	Since, Until time.Time // Until is the time at which Page or Why will change without a new value or a request, or zero
	Names        []string  // names of all pages
}

// Pages are the pages of one view. They outlive its trees: pages of the same names keep their state in the next tree. Its methods
// may be called from any goroutine.
type Pages struct {
	wake func()

	mu    sync.Mutex // guards the fields below, and all shared
	wall  []*Place   // places of the tree on the wall, the outermost first
	built map[string]*shared
}

// shared is the common state of places with the same key in different trees.
type shared struct {
	owner    *Place // place whose pages the rotation uses
	rotation *Rotation
}

// Place is a widget with pages, in one tree.
type Place struct {
	of    *Pages
	name  string
	key   string
	pages []Page
	fresh bool // true if it has become the owner since its last step
	*shared
}

// Choice is the page that a place must show.
type Choice struct {
	Page  int
	Next  time.Time // time for the next step; zero if a condition must change first
	Fresh bool      // true if the tree was just put on the wall
}

// Set collects the places of a tree while it is built. Only one goroutine may use it.
type Set struct {
	of    *Pages
	all   []*Place
	taken map[string]bool
}

// New returns an empty set of pages. It calls wake when another page must be shown. wake must not block.
func New(wake func()) *Pages { return &Pages{wake: wake, built: map[string]*shared{}} }

// Begin starts the places of a new tree. Nothing changes until Commit.
func (p *Pages) Begin() *Set { return &Set{of: p, taken: map[string]bool{}} }

// Add adds a widget with pages. name may be empty. The name of a page without a name is its number, from 1.
func (s *Set) Add(name string, pages []Page) *Place {
	key := name
	for n := 1; key == "" || s.taken[key]; n++ {
		key = name + "\x00" + strconv.Itoa(n)
	}
	s.taken[key] = true
	for i := range pages {
		if pages[i].Name == "" {
			pages[i].Name = strconv.Itoa(i + 1)
		}
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	at := s.of.built[key]
	if at == nil {
		at = &shared{}
		s.of.built[key] = at
	}
	place := &Place{of: s.of, name: name, key: key, pages: pages, shared: at}
	s.all = append(s.all, place)
	return place
}

// Commit makes the set's places current. An outer widget is added before inner ones.
func (p *Pages) Commit(s *Set) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wall, p.built = s.all, map[string]*shared{}
	for _, place := range s.all {
		p.built[place.key] = place.shared
		place.own()
	}
}

// own makes the rotation use the pages of this place. It allocates once in each tree.
func (p *Place) own() {
	if p.owner == p {
		return
	}
	r := NewRotation(p.pages)
	if p.rotation != nil {
		r.follows(p.rotation)
	}
	p.owner, p.rotation, p.fresh = p, r, true
}

// Step updates the place for a time, with the conditions of each page at that time.
func (p *Place) Step(now time.Time, in []Condition) Choice {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	p.own()
	p.rotation.Step(now, in)
	c := Choice{p.rotation.Shown(), p.rotation.Next(), p.fresh}
	p.fresh = false
	return c
}

// Beside returns the next page in turn, or the previous one for -1. If there is no other page, it returns the shown one.
func (p *Place) Beside(by int) int {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	p.own()
	return p.rotation.after(p.rotation.shown, by)
}

// Turn shows the next or previous page for its dwell. It returns false if there is no other.
func (p *Place) Turn(by int, now time.Time) bool {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	p.own()
	return p.rotation.Go(by, 0, now)
}

// Touched records a touch. It pauses the rotation for TouchPause.
func (p *Pages) Touched(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, place := range p.wall {
		place.own()
		place.rotation.Touched(now)
	}
}

// List returns the state of all widgets with pages.
func (p *Pages) List(now time.Time) []Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := make([]Status, 0, len(p.wall))
	for _, place := range p.wall {
		place.own()
		place.rotation.Step(now, place.rotation.in)
		all = append(all, place.status())
	}
	return all
}

// First returns the names of the outermost widget's pages, in order.
func (p *Pages) First() (all []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.wall) > 0 {
		for _, one := range p.wall[0].pages {
			all = append(all, one.Name)
		}
	}
	return all
}

// Names returns the names of pages that callers can use.
func (p *Pages) Names() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.names()
}

func (p *Pages) names() (all []string) {
	for _, place := range p.wall {
		for _, one := range place.pages {
			all = append(all, one.Name)
		}
	}
	return all
}

// Awake reports whether a shown page keeps the screen on.
func (p *Pages) Awake() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, place := range p.wall {
		if place.owner == place && place.rotation.Awake() {
			return true
		}
	}
	return false
}

// Wakes reports whether any page may switch the screen on.
func (p *Pages) Wakes() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, place := range p.wall {
		for _, one := range place.pages {
			if one.Trigger != nil && one.Trigger.Wake {
				return true
			}
		}
	}
	return false
}

// Show shows a page by name for a time, or until Auto if hold is 0. Next and Previous show a page for a time, or for the page's
// dwell if hold is 0. Auto returns to the rules. Show returns the new state, or ErrNone, ErrAlone, ErrHold, or an error that wraps
// ErrUnknown and names the most similar page.
func (p *Pages) Show(what string, hold time.Duration, now time.Time) (Status, error) {
	if hold < 0 || hold > MaxHold {
		return Status{}, ErrHold
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.wall) == 0 {
		return Status{}, ErrNone
	}
	place, err := p.show(what, hold, now)
	if err != nil {
		return Status{}, err
	}
	p.wake()
	return place.status(), nil
}

func (p *Pages) show(what string, hold time.Duration, now time.Time) (*Place, error) {
	first := p.wall[0]
	first.own()
	switch what {
	case Auto:
		for _, place := range p.wall {
			place.own()
			place.rotation.Auto(now)
		}
		return first, nil
	case Next, Previous:
		by := 1
		if what == Previous {
			by = -1
		}
		if !first.rotation.Go(by, hold, now) {
			return nil, ErrAlone
		}
		return first, nil
	}
	for _, place := range p.wall {
		place.own()
		if i := place.rotation.named(what); i >= 0 {
			place.rotation.Show(i, hold, now)
			return place, nil
		}
	}
	if meant := spelling.Nearest(what, append(p.names(), Next, Previous, Auto)); meant != "" {
		return nil, fmt.Errorf("%w: is '%s' meant?", ErrUnknown, meant)
	}
	return nil, ErrUnknown
}

// status returns the state after the last step.
func (p *Place) status() Status {
	r := p.rotation
	s := Status{Name: p.name, Page: p.pages[r.shown].Name, At: p.pages[r.shown].At, Why: r.why, Since: r.since, Until: r.Ends()}
	if s.Why == Fired || s.Why == Only || s.Why == Turn {
		s.Rule = p.pages[r.shown].Rule
	}
	for _, one := range p.pages {
		s.Names = append(s.Names, one.Name)
	}
	return s
}
