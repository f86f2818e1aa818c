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

// holdersInterval is the minimum time between two searches for the programs that use a card. A search reads every process in /proc.
const holdersInterval = 30 * time.Second

// Cards holds the graphics cards that a program uses. Each card is opened only once. Create Cards with NewCards: the zero value is not
// ready.
type Cards struct {
	sysfs string
	open  func(path string) (*drm.Card, error)
	may   func(path string) error // returns an error if the program is not allowed to open the card
	who   func(path string) []string
	hear  func() (listener, error)
	modes ModeKeeper // nil if modes are not kept

	mu    sync.Mutex
	list  map[string]*card // open cards by the path of their device
	asked time.Time        // time of the latest search for the programs that use a card
	named string           // programs that the latest search found
}

// A ModeKeeper stores the mode of the screen on each connector for the next start. Its methods may be called from any goroutine.
type ModeKeeper interface {
	LoadMode(connector string) ([]byte, bool)
	SaveMode(connector string, mode []byte)
}

// KeepModes sets the ModeKeeper. A screen that is still waking up when the program starts sends no EDID. Such a screen gets the mode that
// the ModeKeeper stored in the previous run. Call KeepModes before the cards are used.
func (s *Cards) KeepModes(k ModeKeeper) { s.modes = k }

// Modes returns the ModeKeeper, or nil if modes are not kept.
func (s *Cards) Modes() ModeKeeper { return s.modes }

// NewCards returns the cards of this machine. None of them is open yet.
func NewCards() *Cards {
	return &Cards{
		sysfs: drm.SysFS, open: drm.Open, may: drm.Permitted,
		who:  func(path string) []string { return drm.Holders("/proc", path) },
		hear: func() (listener, error) { return drm.Listen() },
		list: map[string]*card{},
	}
}

// A card is an open drm.Card together with its CRTCs in use. Cards.mu guards its fields.
type card struct {
	*drm.Card
	users int
	away  bool              // true while another console uses the screen
	used  map[string]uint32 // CRTC in use for each connector, by the connector's name

}

var errAway = errors.New("fb: another console is in front")

// hold returns the card at `path`, and opens it if it is not open yet. It makes this program the card's master, so that this program may
// set modes. When the card is no longer needed, call put().
func (s *Cards) hold(path string) (*card, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.list[path]
	if c != nil && c.away {
		return nil, errAway
	}
	if c != nil && c.Alive() != nil { // the card was removed, but gone() was not called yet
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
			_ = c.Close() // ignore an error, because the card is not used
		}
		return nil, err
	}
	s.list[path], s.asked = c, time.Time{}
	c.users++
	return c, nil
}

// taken() wraps the error of a failed Take. If other programs use the card, the wrapped error names them.
func (s *Cards) taken(c *card, err error) error {
	if !errors.Is(err, drm.ErrTaken) {
		return fmt.Errorf("fb: %w", err)
	}
	if now := time.Now(); now.Sub(s.asked) >= holdersInterval {
		s.asked, s.named = now, strings.Join(s.who(c.Path()), ", ")
	}
	return fmt.Errorf("fb: %w: %s", err, cmp.Or(s.named, "a program that /proc does not show"))
}

// put releases a card that hold() returned. After the last release it closes the card, and the console appears again.
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

// Keep prevents the open cards from being closed until the returned function is called. So the console does not appear before the next
// display opens.
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

// gone() removes the card c from the list, because the device was removed. The next call of hold() opens the path again.
func (s *Cards) gone(c *card) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.list[c.Path()] == c {
		delete(s.list, c.Path())
	}
}

// yield lets another console use the screens of a card. The method regain() takes the screens back.
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
	_ = c.Take() // ignore an error, because the next check gets the same error and logs it
}

// screen makes a screen for a connector, with a CRTC that the other screens of the card do not use.
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

// free() forgets the CRTC of a connector after its screen was closed.
func (s *Cards) free(c *card, connector string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(c.used, connector)
}

// ask makes the kernel probe all connectors of a card. The result appears in sysfs.
func (s *Cards) ask(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.list[path]; c != nil {
		_, _ = c.Connectors(true) // the result appears in sysfs
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

// shows() reports whether this program already shows a screen on a port.
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

// port returns the port with the given name. If the name is empty, it returns the first port that has a screen and that this program does
// not use yet.
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

// errNoScreen is returned if no screen is connected to a connector, or the screen is switched off.
var errNoScreen = errors.New("no screen")
