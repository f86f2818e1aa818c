package page

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"dashboard/internal/spelling"
)

// MaxHold bounds for how long a page may be chosen by hand; longer is until Auto.
const MaxHold = 30 * 24 * time.Hour

// TouchPause is how long pages take no turns after a touch: somebody reads.
const TouchPause = time.Minute

// What can be asked for instead of a page's name.
const (
	Next     = "next"
	Previous = "previous"
	Auto     = "auto" // the rules choose again
)

var (
	// ErrNone says that the wall has no pages.
	ErrNone = errors.New("there is no widget 'pages' on the wall")
	// ErrUnknown says that no page has a name.
	ErrUnknown = errors.New("there is no page of this name")
	// ErrAlone says that there is nothing to turn to.
	ErrAlone = errors.New("no other page is in turn")
	// ErrHold says that a time is none.
	ErrHold = fmt.Errorf("'hold' must be between 0 and %d seconds", MaxHold/time.Second)
)

// A Status is what one widget with pages shows.
type Status struct {
	Name         string // of the widget; empty if it has none
	Page         string
	At           string // where that page is written, file:line:column
	Why          Why
	Rule         string    // that the reason is about, as it is written; empty if there is none
	Since, Until time.Time // Until is when the clock alone changes Page or Why; zero if a value or somebody must change first
	Names        []string  // of all pages
}

// Pages are those of one view. They outlive its trees: in the next one, pages of the same names go on as they were. Its methods may be
// called from any goroutine.
type Pages struct {
	wake func()

	mu    sync.Mutex // guards what follows, and all shared
	wall  []*Place   // of the tree on the wall, the outermost first
	built map[string]*shared
}

// shared is what places of the same key in different trees have in common.
type shared struct {
	owner    *Place // whose pages rotation is about
	rotation *Rotation
}

// Place is a widget with pages, in one tree.
type Place struct {
	of    *Pages
	name  string
	key   string
	pages []Page
	fresh bool // it has become the owner since its last step
	*shared
}

// Choice is which page of a place is to be shown.
type Choice struct {
	Page  int
	Next  time.Time // when the place wants to be stepped again; zero if a condition must change first
	Fresh bool      // the tree has just come to the wall: nothing of this place was there before
}

// Set is the places of a tree while it is built. It belongs to one goroutine.
type Set struct {
	of    *Pages
	all   []*Place
	taken map[string]bool
}

// New returns the pages of a view that has none yet. wake is called when another page is to be shown, and must not block.
func New(wake func()) *Pages { return &Pages{wake: wake, built: map[string]*shared{}} }

// Begin starts the places of a new tree. Nothing changes until Commit.
func (p *Pages) Begin() *Set { return &Set{of: p, taken: map[string]bool{}} }

// Add adds a widget with pages; its name may be empty. A page without a name is called by its number, from 1.
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

// Commit makes the set's places those of the tree on the wall. The widgets of a tree add themselves before those in them.
func (p *Pages) Commit(s *Set) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wall, p.built = s.all, map[string]*shared{}
	for _, place := range s.all {
		p.built[place.key] = place.shared
		place.own()
	}
}

// own makes the rotation one of this place's pages. It allocates once in each tree.
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

// Step brings the place to a moment with what holds then for each page.
func (p *Place) Step(now time.Time, in []Condition) Choice {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	p.own()
	p.rotation.Step(now, in)
	c := Choice{p.rotation.Shown(), p.rotation.Next(), p.fresh}
	p.fresh = false
	return c
}

// Beside is the next page in turn after the one that is shown, with by -1 the one before; the one that is shown if there is no other.
func (p *Place) Beside(by int) int {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	p.own()
	return p.rotation.after(p.rotation.shown, by)
}

// Turn shows the page beside for its dwell. It returns false if there is no other.
func (p *Place) Turn(by int, now time.Time) bool {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	p.own()
	return p.rotation.Go(by, 0, now)
}

// Touched notes that somebody touches the wall: its pages take no turns for TouchPause.
func (p *Pages) Touched(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, place := range p.wall {
		place.own()
		place.rotation.Touched(now)
	}
}

// List tells what the widgets with pages show at a moment.
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

// First are the names of the outermost widget's pages, in order.
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

// Names are the pages that can be asked for by name.
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

// Awake reports whether a page that is shown wants the screen on.
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

// Wakes reports whether any page may want the screen on.
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

// Show shows the page of a name for a time, with 0 until Auto; Next or Previous for a time, with 0 for its own; or with Auto lets the
// rules choose. It returns what is shown then, ErrNone, ErrAlone or ErrHold, or an error that is ErrUnknown and says which name is
// meant.
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

// status is what the place shows as of its last step.
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
