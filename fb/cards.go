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

// holdersInterval is the least time between two searches for the holder of a card, because a search reads every
// process.
const holdersInterval = 30 * time.Second

// Cards holds the graphics cards that a program uses, each opened once. Use NewCards: the zero value is not ready.
type Cards struct {
	sysfs string
	open  func(path string) (*drm.Card, error)
	may   func(path string) error // returns an error if a card must not be opened
	who   func(path string) []string
	modes ModeKeeper // may be nil

	mu    sync.Mutex
	list  map[string]*card // cards by the path of the device
	asked time.Time        // time of the latest search for holders
	named string           // its message
}

// A ModeKeeper stores the mode of a screen on a connector for the next start. Its methods may be called from any goroutine.
type ModeKeeper interface {
	LoadMode(connector string) ([]byte, bool)
	SaveMode(connector string, mode []byte)
}

// KeepModes sets the keeper of modes. A screen that is still waking up at the start sends no EDID, and gets the mode that it had before.
// Call KeepModes before the cards are used.
func (s *Cards) KeepModes(k ModeKeeper) { s.modes = k }

// Modes returns the keeper of modes, or nil.
func (s *Cards) Modes() ModeKeeper { return s.modes }

// NewCards returns the cards of this machine, none of them open.
func NewCards() *Cards {
	return &Cards{
		sysfs: drm.SysFS, open: drm.Open, may: drm.Permitted,
		who:  func(path string) []string { return drm.Holders("/proc", path) },
		list: map[string]*card{},
	}
}

// A card is an open card, with the parts of it that displays use. It is guarded by mu of Cards.
type card struct {
	*drm.Card
	users int
	away  bool              // true while another console uses the screen
	used  map[string]uint32 // CRTCs by the name of the connector that they drive

}

var errAway = errors.New("fb: another console is in front")

// hold returns the card at path, with the permission to set modes.
func (s *Cards) hold(path string) (*card, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.list[path]
	if c != nil && c.away {
		return nil, errAway
	}
	if c != nil && c.Alive() != nil { // the card was removed, but no user has noticed it yet
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
			_ = c.Close() // the card cannot be used
		}
		return nil, err
	}
	s.list[path], s.asked = c, time.Time{}
	c.users++
	return c, nil
}

// taken adds the holder of a card to an error.
func (s *Cards) taken(c *card, err error) error {
	if !errors.Is(err, drm.ErrTaken) {
		return fmt.Errorf("fb: %w", err)
	}
	if now := time.Now(); now.Sub(s.asked) >= holdersInterval {
		s.asked, s.named = now, strings.Join(s.who(c.Path()), ", ")
	}
	return fmt.Errorf("fb: %w: %s", err, cmp.Or(s.named, "one that is not to be seen from here"))
}

// put releases a card from hold. The last release closes the card, and the console shows again.
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

// Keep keeps the open cards open until the returned function is called, so that the console does not show before the next display
// opens.
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
			_ = s.put(c) // an error here has no consequence
		}
	}
}

// gone marks the card at c's path as removed. The path is opened again at the next use.
func (s *Cards) gone(c *card) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.list[c.Path()] == c {
		delete(s.list, c.Path())
	}
}

// yield lets another console use the screen of a card. regain takes it back.
func (s *Cards) yield(c *card) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.away = true
	_ = c.Drop() // an error means that another program already has the card
}

func (s *Cards) regain(c *card) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.away = false
	_ = c.Take() // an error here is returned by the next check, and logged then
}

// screen makes a screen for a connector, in addition to the other screens of the card.
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

// free removes the screen of a connector after it was closed.
func (s *Cards) free(c *card, connector string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(c.used, connector)
}

// ask makes the kernel probe all connectors of a card.
func (s *Cards) ask(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.list[path]; c != nil {
		_, _ = c.Connectors(true) // the result is in sysfs
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

// shows reports whether a port already has an output.
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

// port returns the port with a name. Without a name it returns the first port that has a screen and no output yet.
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

// errNoScreen reports that a connector has no screen, or that its screen is switched off.
var errNoScreen = errors.New("no screen")
