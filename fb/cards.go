package fb

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"dashboard/fb/drm"
)

// holdersInterval is how often it is looked up who has a card: that reads every
// process.
const holdersInterval = 30 * time.Second

// Cards are the graphics cards of a program, each opened once. The zero value
// is not ready: NewCards makes one.
type Cards struct {
	sysfs string
	open  func(path string) (*drm.Card, error)
	may   func(path string) error // whether it may be opened
	who   func(path string) []string
	modes ModeKeeper // may be nil

	mu    sync.Mutex
	list  map[string]*card // by the device's path
	asked time.Time        // when who was
	named string           // what it said
}

// A ModeKeeper keeps with which mode a screen on a connector was driven, from one start to the next. Its methods may be called
// from any goroutine.
type ModeKeeper interface {
	LoadMode(connector string) ([]byte, bool)
	SaveMode(connector string, mode []byte)
}

// KeepModes has modes kept: a screen that says nothing of itself at a start, because it still wakes, gets the one that it had
// before. It is called before the cards are used.
func (s *Cards) KeepModes(k ModeKeeper) { s.modes = k }

// Modes is what keeps them, nil for nothing.
func (s *Cards) Modes() ModeKeeper { return s.modes }

// NewCards returns the cards of this machine, none of them open.
func NewCards() *Cards {
	return &Cards{
		sysfs: drm.SysFS, open: drm.Open, may: drm.Permitted,
		who:  func(path string) []string { return drm.Holders("/proc", path) },
		list: map[string]*card{},
	}
}

// A card is an open one, with what its displays use of it. mu of Cards guards it.
type card struct {
	*drm.Card
	users int
	away  bool              // another console has the screen
	used  map[string]uint32 // CRTCs by the connector that they drive

}

var errAway = errors.New("fb: another console is in front")

// hold returns the card at path, as the one that sets its modes.
func (s *Cards) hold(path string) (*card, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.list[path]
	if c != nil && c.away {
		return nil, errAway
	}
	if c != nil && c.Alive() != nil { // somebody has yet to notice
		delete(s.list, path)
		c = nil
	}
	if c == nil {
		open, err := s.open(path)
		if err != nil {
			return nil, fmt.Errorf("fb: %w", err)
		}
		c = &card{Card: open, used: map[string]uint32{}}
	}
	if err := c.Take(); err != nil {
		err = s.taken(c, err)
		if c.users == 0 {
			delete(s.list, path)
			_ = c.Close() // it was of no use
		}
		return nil, err
	}
	s.list[path], s.asked = c, time.Time{}
	c.users++
	return c, nil
}

// taken says who has a card.
func (s *Cards) taken(c *card, err error) error {
	if !errors.Is(err, drm.ErrTaken) {
		return fmt.Errorf("fb: %w", err)
	}
	if now := time.Now(); now.Sub(s.asked) >= holdersInterval {
		s.asked, s.named = now, strings.Join(s.who(c.Path()), ", ")
	}
	return fmt.Errorf("fb: %w: %s", err, cmp.Or(s.named, "one that is not to be seen from here"))
}

// put gives back what hold returned. The last one closes the card, and the
// console is back.
func (s *Cards) put(c *card) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.users--
	if c.users > 0 {
		return nil
	}
	if s.list[c.Path()] == c {
		delete(s.list, c.Path())
	}
	return c.Close()
}

// Keep holds the cards that are open until what it returns is called, so that
// displays that follow others do so without the console in between.
func (s *Cards) Keep() (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var kept []*card
	for _, c := range s.list {
		c.users++
		kept = append(kept, c)
	}
	return func() {
		for _, c := range kept {
			_ = s.put(c) // nothing is left to be done about it
		}
	}
}

// gone has the card at c's path opened anew from now on: this one is no more.
func (s *Cards) gone(c *card) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.list[c.Path()] == c {
		delete(s.list, c.Path())
	}
}

// yield lets another console have the screen of a card; regain takes it back.
func (s *Cards) yield(c *card) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.away = true
	_ = c.Drop() // it fails if somebody else has it already
}

func (s *Cards) regain(c *card) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.away = false
	_ = c.Take() // what fails now fails at the next look, and is told then
}

// screen makes a screen for a connector, beside the others of the card.
func (s *Cards) screen(c *card, k *drm.Connector, m drm.Mode, pages bool) (*drm.Screen, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, twice := c.used[k.Name]; twice {
		return nil, fmt.Errorf("fb: %s has another output", k.Name)
	}
	var taken []uint32
	for _, crtc := range c.used {
		taken = append(taken, crtc)
	}
	screen, err := c.NewScreen(k, m, taken, pages)
	if err != nil {
		return nil, fmt.Errorf("fb: %w", err)
	}
	c.used[k.Name] = screen.CRTC()
	return screen, nil
}

// free forgets a connector's screen, which is closed.
func (s *Cards) free(c *card, connector string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(c.used, connector)
}

// ask has the kernel look at all connectors of a card.
func (s *Cards) ask(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.list[path]; c != nil {
		_, _ = c.Connectors(true) // what was found is in sysfs
		return
	}
	if s.may(path) != nil {
		return
	}
	if c, err := s.open(path); err == nil {
		_, _ = c.Connectors(true)
		_ = c.Close()
	}
}

// shows reports whether a port has an output already.
func (s *Cards) shows(p drm.Port) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.list[p.Node()]
	if c == nil {
		return false
	}
	_, used := c.used[p.Name]
	return used
}

// port returns the port with a name, or without one the first that has a screen
// and no output yet.
func (s *Cards) port(ports []drm.Port, name string) (drm.Port, error) {
	if name != "" {
		i := slices.IndexFunc(ports, func(p drm.Port) bool { return p.Name == name })
		if i < 0 {
			return drm.Port{}, fmt.Errorf("fb: there is no connector %s; there are: %s", name, names(ports))
		}
		if !ports[i].Connected {
			return drm.Port{}, fmt.Errorf("fb: %w on %s", errNoScreen, name)
		}
		return ports[i], nil
	}
	for _, p := range ports {
		if p.Connected && !s.shows(p) {
			return p, nil
		}
	}
	return drm.Port{}, fmt.Errorf("fb: %w on %s", errNoScreen, names(ports))
}

func names(ports []drm.Port) string {
	var list []string
	for _, p := range ports {
		list = append(list, p.Name)
	}
	return strings.Join(list, ", ")
}

// errNoScreen says that nothing hangs on a connector, or that it is switched off.
var errNoScreen = errors.New("no screen")
