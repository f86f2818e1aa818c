package page

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"dashboard/internal/spelling"
)

// MaxHold is the maximum time for which a user can choose a page. Without a time, the page stays until Auto.
const MaxHold = 30 * 24 * time.Hour

// TouchPause is the time for which the rotation pauses after a touch, because a person is reading.
const TouchPause = time.Minute

// Words that callers can use instead of a page's name.
const (
	Next     = "next"
	Previous = "previous"
	Auto     = "auto" // ends the choice of a user, so that the rules decide again
)

var (
	// ErrNone is returned if the wall has no pages.
	ErrNone = errors.New("there is no widget 'pages' on the wall")
	// ErrUnknown is returned for an unknown page.
	ErrUnknown = errors.New("there is no page of this name")
	// ErrAlone is returned if there is no other page to show.
	ErrAlone = errors.New("no other page is in turn")
	// ErrHold is returned for an invalid time.
	ErrHold = fmt.Errorf("'hold' must be between 0 and %d seconds", MaxHold/time.Second)
)

// A Status describes a widget with pages at a time.
type Status struct {
	Name         string // name of the widget; may be empty
	Page         string
	At           string // position of the page in the files, as file:line:column
	Why          Why
	Rule         string    // text of the condition that caused Why; may be empty
	Since, Until time.Time // Until is the time when Page or Why changes, provided that no new value or request arrives; zero if unknown
	Names        []string  // names of all pages
}

// Pages holds the pages of one view. It outlives the view's widget trees: a page with the same name in the next tree keeps its state. Any
// goroutine may call its methods.
type Pages struct {
	wake func()

	mu    sync.Mutex // guards the fields below, and the fields of all values of the type shared
	wall  []*Place   // places in the tree on the wall, outer widgets first
	built map[string]*shared
}

// The type shared is the state that places with the same key in different trees have in common.
type shared struct {
	owner    *Place // place whose list of pages the rotation uses
	rotation *Rotation
}

// A Place is a widget with pages in one widget tree.
type Place struct {
	of    *Pages
	name  string
	key   string
	pages []Page
	fresh bool // whether the place has become the owner since its last step
	*shared
}

// A Choice is the page that a place must show now.
type Choice struct {
	Page  int
	Next  time.Time // time of the next step; zero if nothing happens until a condition changes
	Fresh bool      // whether the place has become the owner of the rotation since the last step of the place
}

// A Set collects the places of a tree while the tree is built. Only one goroutine may use it.
type Set struct {
	of    *Pages
	all   []*Place
	taken map[string]bool
}

// New returns Pages without places. It calls `wake` when another page must be shown. `wake` must not block.
func New(wake func()) *Pages { return &Pages{wake: wake, built: map[string]*shared{}} }

// Begin returns a set for a new tree. Nothing changes on the wall until Commit.
func (p *Pages) Begin() *Set { return &Set{of: p, taken: map[string]bool{}} }

// Add adds a widget with pages to the set. `name` may be empty. A page without a name gets its number as its name, starting at 1.
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

// Commit puts the places of a set on the wall. The caller must have added outer widgets before inner widgets.
func (p *Pages) Commit(s *Set) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wall, p.built = s.all, map[string]*shared{}
	for _, place := range s.all {
		p.built[place.key] = place.shared
		place.own()
	}
}

// own() makes the rotation use the pages of this place. It allocates only once for each tree.
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

// Step updates the rotation and returns the page to show. The parameter `in` contains the conditions of each page at this time.
func (p *Place) Step(now time.Time, in []Condition) Choice {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	p.own()
	p.rotation.Step(now, in)
	c := Choice{p.rotation.Shown(), p.rotation.Next(), p.fresh}
	p.fresh = false
	return c
}

// Beside returns the index of the next page in the rotation. If `by` is -1, it returns the previous page. If there is no other page, it
// returns the shown page.
func (p *Place) Beside(by int) int {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	p.own()
	return p.rotation.after(p.rotation.shown, by)
}

// Turn shows the next or previous page for the Dwell time of this page. It returns false if there is no other page.
func (p *Place) Turn(by int, now time.Time) bool {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	p.own()
	return p.rotation.Go(by, 0, now)
}

// Touched records a touch, after which the rotation pauses for TouchPause.
func (p *Pages) Touched(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, place := range p.wall {
		place.own()
		place.rotation.Touched(now)
	}
}

// List returns the status of each widget with pages.
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

// First returns the names of the pages of the outermost widget, in order.
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

// Names returns the names of all pages that a caller can choose.
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

// Awake reports whether a visible page keeps the screen on.
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

// Wakes reports whether any page has a trigger that can switch the screen on.
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

// Show shows a page for a time. The parameter `what` is the name of the page, or Next, Previous or Auto. If `hold` is 0, a page with a
// name stays until Auto, and the next or previous page stays for its Dwell time. Auto returns to the rules. Show returns the new status,
// or ErrNone, ErrAlone or ErrHold. For an unknown page it returns an error that wraps ErrUnknown and suggests the most similar name.
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

// status() returns the status after the last step.
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
