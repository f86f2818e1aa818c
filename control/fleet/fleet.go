// Package fleet tracks the walls of a network for the page of all walls.
package fleet

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// Limits. A network has few walls, and each answer is small.
const (
	// MaxWalls is the maximum number of walls. Further ones are ignored.
	MaxWalls = 128
	// MaxKey and MaxKept limit the kept tokens, in bytes, and the kept walls.
	MaxKey, MaxKept = 256, 256
	maxPicture      = 128 << 10
	maxReport       = 256 << 10
	maxReason       = 4 << 10
	atOnce          = 32 // simultaneous requests. If half of the walls do not answer, a round takes ten seconds
)

// Times.
const (
	// Every is the time between two requests of one wall.
	Every = 10 * time.Second
	// Patience is the longest wait for an answer.
	Patience = 5 * time.Second
	// Silent is the age of the last answer from which a wall counts as silent. The page shows it within a minute.
	Silent = 40 * time.Second
	// Rest is the time after the last view of the page. After it, no requests are sent and the network is not searched.
	Rest = 2 * time.Minute
	// tries is the number of attempts of an action, and tryAgain the pause between them.
	tries    = 3
	tryAgain = time.Second
)

// Errors of callers.
var (
	ErrUnknown = errors.New("there is no such wall")
	ErrKey     = errors.New("a token has 1 to 256 printable characters")
	ErrMany    = errors.New("too many walls are kept; remove one first")
)

// An Address is a wall that is configured or was found.
type Address struct {
	Name, URL, Key string // Key is the control token, which only configured walls have
	Listed         bool
}

// A Wall is the state of a wall, as of its last answer.
type Wall struct {
	ID, Name, URL string
	Listed        bool
	Keyed         bool // true if there is a token for it, or if it is paired
	Paired        bool // true if requests to it are signed
	Added         bool // true if it was added by its address on the page
	Locked        bool // true if it rejects the token or requires one
	Version       string
	Answered      time.Time // zero before the first answer
	Painted       time.Time // time of its picture, or zero
	Stale         int       // number of outdated sources
	Updating      *Update   // nil if it is not being updated
	Readers       []Reader  // e-readers that show it. A wall only lists them for paired walls
	Picture       string    // name of the picture, or ""
	Silent        bool
	Problem       string // reason for a missing answer

	picture []byte
	kind    string
	began   time.Time // time of the first request
	credential
}

// An Update is the progress of a wall's update.
type Update struct {
	To      string // new version
	Percent int    // progress of all phases
}

// A Reader is an e-reader of a wall.
type Reader struct {
	Name     string
	Seen     time.Time     // time of its last request for a picture, zero for never
	Refresh  time.Duration // interval between its requests
	Battery  *int          // charge in %, nil if the device does not report it
	Charging bool
}

// Silent reports whether an e-reader has missed two requests.
func (r *Reader) Silent(now time.Time) bool {
	return !r.Seen.IsZero() && now.Sub(r.Seen) > 2*r.Refresh+Silent
}

// LowBattery is the charge at or below which a battery is low, in %.
const LowBattery = 20

// Low reports whether the battery needs a charger.
func (r *Reader) Low() bool { return r.Battery != nil && *r.Battery <= LowBattery && !r.Charging }

// Parts are the parts of a fleet. Log and Save may be nil.
type Parts struct {
	Client *http.Client
	// Browse reports the walls on the network until ctx ends. It may be nil.
	Browse func(ctx context.Context, changed func([]Address)) error
	Kept   []Kept             // walls that were kept by an earlier run
	Save   func([]Kept) error // stores all of them
	Name   func() string      // returns the name of this wall, which other walls show
	Now    func() time.Time
}

// A Fleet holds the walls of a network. Its methods may be called from any goroutine.
type Fleet struct {
	parts Parts
	wake  chan struct{} // capacity 1
	slots chan struct{} // one slot for each running request

	mu     sync.Mutex // guards the fields below
	looked time.Time  // time of the last view of the page
	listed []Address
	found  []Address
	kept   []Kept
	walls  map[string]*Wall // walls by id
	asks   map[string]*pending
}

// New returns a fleet that sends no requests before the first call of Look.
func New(p Parts) *Fleet {
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Name == nil {
		p.Name = func() string { return "Dashboard" }
	}
	f := &Fleet{parts: p, wake: make(chan struct{}, 1), slots: make(chan struct{}, atOnce)}
	f.walls, f.asks = map[string]*Wall{}, map[string]*pending{}
	for _, k := range p.Kept {
		if k, ok := k.usable(); ok && len(f.kept) < MaxKept {
			f.kept = append(f.kept, k)
		}
	}
	f.merge()
	return f
}

// Configure sets the configured walls.
func (f *Fleet) Configure(listed []Address) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.listed = listed
	f.merge()
}

// discovered sets the walls that were found.
func (f *Fleet) discovered(found []Address) {
	f.mu.Lock()
	f.found = found
	f.merge()
	f.mu.Unlock()
	f.stir()
}

// merge combines the walls of all lists. A wall that is no longer found stays, and becomes silent. mu must be held.
func (f *Fleet) merge() {
	f.follow()
	for _, a := range slices.Concat(f.listed, f.added(), f.found) {
		u, ok := clean(a.URL)
		if !ok {
			continue
		}
		id := idOf(u)
		w := f.walls[id]
		if w == nil {
			if len(f.walls) >= MaxWalls {
				continue
			}
			w = &Wall{ID: id, began: f.parts.Now()}
			f.walls[id] = w
		}
		if !w.Listed || a.Listed {
			w.Name, w.URL, w.Listed = cmp.Or(strings.TrimSpace(short(a.Name)), w.Name, u), u, a.Listed
			f.equip(w, a.Key)
		}
	}
	for id, w := range f.walls {
		if w.Listed && !slices.ContainsFunc(f.listed, func(a Address) bool { return a.id() == id }) {
			delete(f.walls, id)
		}
	}
}

// id returns the id of the wall at an address.
func (a Address) id() string {
	u, _ := clean(a.URL)
	return idOf(u)
}

// clean returns the address of a wall without path, query and user name. ok is false if it is not the address of a wall.
func clean(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || len(address) > 200 {
		return "", false
	}
	return u.Scheme + "://" + u.Host, true
}

// idOf returns the id of an address.
func idOf(address string) string {
	sum := sha256.Sum256([]byte(address))
	return hex.EncodeToString(sum[:6])
}

// maxName is the maximum length of a name that another host announces, in bytes.
const maxName = 64

// maxWords is the maximum length of another wall's reason, in bytes.
const maxWords = 200

func short(s string) string { return shorter(s, maxName) }

func shorter(s string, most int) string { return strings.ToValidUTF8(s[:min(len(s), most)], "") }

func goodKey(k string) bool {
	return len(k) > 0 && len(k) <= MaxKey && strings.IndexFunc(k, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}

// stir makes Run check again immediately.
func (f *Fleet) stir() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// Look returns the walls, silent ones first. It keeps requests to them active for the next two minutes.
func (f *Fleet) Look() []Wall {
	f.mu.Lock()
	now := f.parts.Now()
	rested := now.Sub(f.looked) > Rest
	f.looked = now
	all := make([]Wall, 0, len(f.walls))
	for _, w := range f.walls {
		if rested { // no page was open since
			w.began = now
		}
		w.Silent = now.Sub(later(w.Answered, w.began)) > Silent
		all = append(all, *w)
	}
	f.mu.Unlock()
	if rested {
		f.stir()
	}
	slices.SortFunc(all, func(a, b Wall) int {
		name := strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
		return cmp.Or(cmp.Compare(rank(&a), rank(&b)), name, strings.Compare(a.ID, b.ID))
	})
	return all
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// rank sorts walls with problems first.
func rank(w *Wall) int {
	switch {
	case w.Silent:
		return 0
	case w.Updating != nil:
		return 1
	case w.Stale > 0:
		return 2
	case slices.ContainsFunc(w.Readers, func(r Reader) bool { return r.Low() }):
		return 3
	}
	return 4
}

// Picture returns the newest small picture of a wall and its content type.
func (f *Fleet) Picture(id string) (picture []byte, kind string, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	w := f.walls[id]
	if w == nil || w.picture == nil {
		return nil, "", false
	}
	return w.picture, w.kind, true
}
