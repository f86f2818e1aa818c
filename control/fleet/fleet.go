// Package fleet monitors other walls on the network for the page of all walls.
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

	"dashboard/internal/stable"
)

// The limits are generous: a home network has far fewer walls, and their answers are much smaller.
const (
	// MaxWalls is the maximum number of walls. Further walls are ignored.
	MaxWalls = 128
	// MaxKey is the maximum size of a stored token, in bytes. MaxKept is the maximum number of stored walls.
	MaxKey, MaxKept = 256, 256
	maxPicture      = 128 << 10
	maxReport       = 256 << 10
	maxReason       = 4 << 10
	atOnce          = 32 // simultaneous requests. A round takes ten seconds if half of the walls do not answer
)

// Times.
const (
	// Every is the time between two requests of one wall.
	Every = 10 * time.Second
	// Patience is the maximum time to wait for an answer.
	Patience = 5 * time.Second
	// Silent is the time without an answer after which a wall counts as silent. With 40 s, the page marks a dead wall as silent within a
	// minute.
	Silent = 40 * time.Second
	// Restart is the time without an answer for which a wall with a running update counts as restarting. It includes the trial of the new
	// version and the return to the old version.
	Restart = 4 * time.Minute
	// Rest is the time for which the requests and the search in the network continue after a user has last viewed the page.
	Rest = 2 * time.Minute
	// tries is the number of attempts of an action. tryAgain is the pause between two attempts.
	tries    = 3
	tryAgain = time.Second
)

// Errors for callers.
var (
	ErrUnknown = errors.New("there is no such wall")
	ErrKey     = errors.New("a token has 1 to 256 printable characters")
	ErrMany    = errors.New("too many walls are kept; remove one first")
)

// An Address is a wall from the configuration or from the search in the network.
type Address struct {
	Name, URL, Key string // Key: control token, only for a wall from the configuration
	Listed         bool
}

// A Wall is the state of a wall after its last answer.
type Wall struct {
	ID, Name, URL string
	Listed        bool
	Keyed         bool // whether there is a token for the wall or a pairing with it
	Paired        bool // whether requests to the wall are signed
	Added         bool // whether a user added the wall by its address on the page
	Locked        bool // whether the wall rejects the token or needs one
	Version       string
	Answered      time.Time // time of the last answer; zero before the first
	Painted       time.Time // time of the picture, or zero
	Stale         int       // number of outdated sources
	Updating      *Update   // nil if no update is running
	Readers       []Reader  // e-readers; the wall lists them only for a valid token or signature
	Picture       string    // name that changes with the picture; "" without a picture
	Silent        bool
	Restarting    bool   // whether the wall restarts for an update; then it is not silent
	Problem       string // reason why there is no answer

	picture []byte
	kind    string
	began   time.Time // silence counts from this time, or from Answered if that is later
	credential
}

// An Update is the progress of an update on a wall.
type Update struct {
	To      string // new version
	Percent int    // progress of the whole update, 0 to 100
}

// A Reader is an e-reader of a wall.
type Reader struct {
	Name     string
	Seen     time.Time     // time of its last request for a picture; zero for never
	Refresh  time.Duration // time between two of its requests
	Battery  *int          // battery charge in percent; nil if the device does not report it
	Charging bool
}

// Silent reports whether an e-reader has sent no request for twice its interval plus the constant Silent. It returns false if there was
// no request yet.
func (r *Reader) Silent(now time.Time) bool {
	return !r.Seen.IsZero() && now.Sub(r.Seen) > 2*r.Refresh+Silent
}

// LowBattery is the highest charge, in percent, that counts as low.
const LowBattery = 20

// Low reports whether the battery is low and is not being charged.
func (r *Reader) Low() bool { return r.Battery != nil && *r.Battery <= LowBattery && !r.Charging }

// Parts are the dependencies of a Fleet. All fields except Client may be nil.
type Parts struct {
	Client *http.Client
	// Browse searches the network until ctx ends. After each change it calls `changed` with all walls found so far. Browse may be nil.
	Browse func(ctx context.Context, changed func([]Address)) error
	Kept   []Kept             // walls that an earlier run has stored
	Save   func([]Kept) error // stores all walls for the next start
	Name   func() string      // returns the name of this wall, which other walls show during pairing
	Now    func() time.Time
}

// A Fleet holds the walls of a network. Any goroutine may call its methods.
type Fleet struct {
	parts Parts
	wake  chan struct{} // capacity 1; wakes Run
	slots chan struct{} // limits the simultaneous requests

	mu     sync.Mutex // guards the fields below
	looked time.Time  // time when a user last viewed the page
	listed []Address
	found  []Address
	kept   []Kept
	walls  map[string]*Wall // walls by ID
	asks   map[string]*pending
}

// New returns a fleet. It sends no requests until Look is called.
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

// Configure sets the walls from the configuration.
func (f *Fleet) Configure(listed []Address) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.listed = listed
	f.merge()
}

// discovered() sets the walls that the search has found.
func (f *Fleet) discovered(found []Address) {
	f.mu.Lock()
	f.found = found
	f.merge()
	f.mu.Unlock()
	f.stir()
}

// merge combines the walls from the configuration, from users and from the search. A wall that the search no longer finds stays and
// becomes silent. A wall that the configuration no longer lists is removed. mu must be held.
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

// id returns the ID of the wall at the address.
func (a Address) id() string {
	u, _ := clean(a.URL)
	return idOf(u)
}

// clean returns the scheme and the host of a wall's address. ok is false if `address` is not a valid address of a wall.
func clean(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || len(address) > 200 {
		return "", false
	}
	return u.Scheme + "://" + u.Host, true
}

// idOf returns the ID for an address.
func idOf(address string) string {
	sum := sha256.Sum256([]byte(address))
	return hex.EncodeToString(sum[:6])
}

// maxName is the maximum length of a wall's name, in bytes. Another host may send any name.
const maxName = 64

// maxWords is the maximum length of an error text from another wall, in bytes.
const maxWords = 200

func short(s string) string { return shorter(s, maxName) }

func shorter(s string, most int) string { return strings.ToValidUTF8(s[:min(len(s), most)], "") }

func goodKey(k string) bool {
	return len(k) > 0 && len(k) <= MaxKey && strings.IndexFunc(k, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}

// stir wakes Run, so that it checks at once.
func (f *Fleet) stir() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// Look returns all walls: first silent walls, then walls that are being updated, then walls with other problems, then all others. After
// each call, the requests to the walls continue for the time Rest.
func (f *Fleet) Look() []Wall {
	f.mu.Lock()
	now := f.parts.Now()
	rested := now.Sub(f.looked) > Rest
	f.looked = now
	all := make([]Wall, 0, len(f.walls))
	for _, w := range f.walls {
		if rested { // no requests were sent for a while, so the wall gets time to answer
			w.began = now
		}
		silence := now.Sub(later(w.Answered, w.began))
		w.Restarting = w.Updating != nil && silence > Silent && now.Sub(w.Answered) <= Restart
		w.Silent = silence > Silent && !w.Restarting
		all = append(all, *w)
	}
	f.mu.Unlock()
	if rested {
		f.stir()
	}
	stable.Sort(all, func(a, b Wall) int {
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

// rank returns a number for sorting. The order is: silent walls, updates, outdated sources, low batteries, all others.
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

// Picture returns the newest small picture of a wall and its content type. ok is false if there is no picture.
func (f *Fleet) Picture(id string) (picture []byte, kind string, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	w := f.walls[id]
	if w == nil || w.picture == nil {
		return nil, "", false
	}
	return w.picture, w.kind, true
}
