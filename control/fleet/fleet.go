// Package fleet follows the walls of a network for the page of all walls.
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

// Bounds. A network has few walls, and each answer is small.
const (
	// MaxWalls limits the walls. Further ones are left out.
	MaxWalls = 128
	// MaxKey and MaxKept limit the kept tokens, in bytes, and the kept walls.
	MaxKey, MaxKept = 256, 256
	maxPicture      = 128 << 10
	maxReport       = 256 << 10
	maxReason       = 4 << 10
	atOnce          = 32 // requests: with half of the walls dead, a round takes ten seconds
)

// Times.
const (
	// Every is the time between two requests of one wall.
	Every = 10 * time.Second
	// Patience is the longest wait for an answer.
	Patience = 5 * time.Second
	// Silent is the age of the last answer from which on a wall is silent. The page is red within a minute.
	Silent = 40 * time.Second
	// Rest is the time after the last look at the page. Then no wall is asked and the network is not searched.
	Rest = 2 * time.Minute
	// tries of an action, and the pause between them.
	tries    = 3
	tryAgain = time.Second
)

// Errors of callers.
var (
	ErrUnknown = errors.New("there is no such wall")
	ErrKey     = errors.New("a token has 1 to 256 printable characters")
	ErrMany    = errors.New("too many walls are kept; remove one first")
)

// An Address is a wall that is listed or found.
type Address struct {
	Name, URL, Key string // Key is the control token; only listed walls have one
	Listed         bool
}

// A Wall is the state of a wall, as of its last answer.
type Wall struct {
	ID, Name, URL string
	Listed        bool
	Keyed         bool // there is a token for it, or it is paired
	Paired        bool // requests to it are signed
	Added         bool // by its address on the page
	Locked        bool // it refuses the token, or requires a token
	Version       string
	Answered      time.Time // zero before the first answer
	Painted       time.Time // of its picture; zero without one
	Stale         int       // sources
	Updating      *Update   // nil while it does not update itself
	Readers       []Reader  // e-readers that show it; a wall lists them for a paired wall only
	Picture       string    // names the picture, "" for none
	Silent        bool
	Problem       string // why there is no answer

	picture []byte
	kind    string
	began   time.Time // when it was first asked
	credential
}

// An Update is how far a wall has got with an update of itself.
type Update struct {
	To      string // the version
	Percent int    // of all its phases
}

// A Reader is an e-reader of a wall.
type Reader struct {
	Name     string
	Seen     time.Time     // when it last asked for a picture; zero for never
	Refresh  time.Duration // between two of its requests
	Battery  *int          // %; nil if the device does not report it
	Charging bool
}

// Silent reports whether an e-reader has missed two requests.
func (r *Reader) Silent(now time.Time) bool {
	return !r.Seen.IsZero() && now.Sub(r.Seen) > 2*r.Refresh+Silent
}

// LowBattery is the charge from which on a battery is low, %.
const LowBattery = 20

// Low reports whether the battery needs a charger.
func (r *Reader) Low() bool { return r.Battery != nil && *r.Battery <= LowBattery && !r.Charging }

// Parts are the parts of a fleet. Log and Save may be nil.
type Parts struct {
	Client *http.Client
	// Browse reports the walls on the network until ctx ends. It may be nil.
	Browse func(ctx context.Context, changed func([]Address)) error
	Kept   []Kept             // from before
	Save   func([]Kept) error // keeps all of them
	Name   func() string      // of this wall, which other walls show
	Now    func() time.Time
}

// A Fleet knows the walls. Its methods may be called from any goroutine.
type Fleet struct {
	parts Parts
	wake  chan struct{} // capacity 1
	slots chan struct{} // one for each request that runs

	mu     sync.Mutex // guards what follows
	looked time.Time  // the last look at the page
	listed []Address
	found  []Address
	kept   []Kept
	walls  map[string]*Wall // by id
	asks   map[string]*pending
}

// New returns a fleet that makes no requests before the first look.
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

// Configure takes over the listed walls.
func (f *Fleet) Configure(listed []Address) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.listed = listed
	f.merge()
}

// discovered takes over the walls that are found.
func (f *Fleet) discovered(found []Address) {
	f.mu.Lock()
	f.found = found
	f.merge()
	f.mu.Unlock()
	f.stir()
}

// merge makes the walls of all lists. A wall that is no longer found stays, and becomes silent. mu is held.
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

// id is the id of the wall at an address.
func (a Address) id() string {
	u, _ := clean(a.URL)
	return idOf(u)
}

// clean returns the address of a wall without a path, a query and a name, and false for one that is no address of a wall.
func clean(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || len(address) > 200 {
		return "", false
	}
	return u.Scheme + "://" + u.Host, true
}

// idOf is the id of an address.
func idOf(address string) string {
	sum := sha256.Sum256([]byte(address))
	return hex.EncodeToString(sum[:6])
}

// maxName bounds a name that another host announces, in bytes.
const maxName = 64

// maxWords bounds the reason of another wall, in bytes.
const maxWords = 200

func short(s string) string { return shorter(s, maxName) }

func shorter(s string, most int) string { return strings.ToValidUTF8(s[:min(len(s), most)], "") }

func goodKey(k string) bool {
	return len(k) > 0 && len(k) <= MaxKey && strings.IndexFunc(k, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}

// stir has Run look again at once.
func (f *Fleet) stir() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// Look returns the walls, silent ones first, and has them asked for the next two minutes.
func (f *Fleet) Look() []Wall {
	f.mu.Lock()
	now := f.parts.Now()
	rested := now.Sub(f.looked) > Rest
	f.looked = now
	all := make([]Wall, 0, len(f.walls))
	for _, w := range f.walls {
		if rested { // nobody asked since
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

// rank puts walls in trouble first.
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
