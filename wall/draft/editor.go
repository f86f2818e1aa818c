// Package draft edits copies of a configuration. A copy can be drawn and checked before it is saved.
package draft

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"dashboard/config"
	"dashboard/internal/state"
	"dashboard/theme/sun"
	"dashboard/wall/scene"
)

const (
	// MaxDrafts is the maximum number of open drafts. It is small, because each draft reserves memory for frames in the size of the wall.
	MaxDrafts = 2
	// IdleTime is the time without a request after which a draft is closed.
	IdleTime = 10 * time.Minute
)

// Parts are the parts of an editor.
type Parts struct {
	Builder  *scene.Builder
	Folder   func() scene.Folder          // returns the folder of the running wall
	Views    func() []string              // returns the names of the views, with main first
	Size     func(view string) (w, h int) // returns the size of a running view, or zero for an unknown view
	Mode     func(view string) sun.Mode   // returns the mode of a running view; may be nil
	Versions *Versions                    // may be nil
	Store    *state.Store                 // stores the drafts for the next start, or nil
	Home     string                       // key of the stored drafts in the store
	Name     func() string                // returns the name of the wall
	Homes    func(context.Context) []Home // returns the Home Assistants in the local network; may be nil
	Foreign  func() string                // returns the reason why this program must not write the files, or ""; may be nil
	Keeper   Keeper                       // writes the files instead of this program, or nil
	Reload   func()                       // makes the wall read its files again; may be nil
	Log      *slog.Logger
	Now      func() time.Time
}

// An Editor manages drafts. Its methods may be called from any goroutine.
type Editor struct {
	Parts
	build *scene.Builder      // builder for drafts
	pause func(time.Duration) // time.Sleep; tests replace it

	mu      sync.Mutex // guards the fields below
	drafts  []*Draft
	timer   *time.Timer // closes idle drafts
	events  events
	testing chan struct{} // has the capacity 1. It is full while a provider is tested
	seeking chan struct{} // has the capacity 1. It is full while the network is searched

	keeping keeping
	saving  sync.Mutex // locked while files are written
	reading sync.Mutex // locked while a configuration is read, because the builder can read only one configuration at a time
}

// NewEditor returns an editor without drafts.
func NewEditor(p Parts) *Editor {
	return &Editor{Parts: p, build: p.Builder.Aside(), pause: time.Sleep, testing: make(chan struct{}, 1), seeking: make(chan struct{}, 1)}
}

// load reads a configuration and builds it without showing it on the wall.
func (d *Editor) load(from scene.Folder) (*scene.Generation, *config.Report) {
	d.reading.Lock()
	defer d.reading.Unlock()
	return d.build.Load(from, alone)
}

// An Error is the reason why a request is rejected. Its text is sent to the caller.
type Error struct {
	Status int
	Text   string
	More   map[string]any // additional fields of the answer
}

// Error implements error.
func (e *Error) Error() string { return e.Text }

func fail(status int, format string, args ...any) error {
	return &Error{Status: status, Text: fmt.Sprintf(format, args...)}
}

// Open opens a draft of a view. If `view` is "", it is the main view. If MaxDrafts drafts are open, Open first closes the draft that has
// been idle for the longest time. If this time is less than a minute, Open returns an error.
func (d *Editor) Open(view string) (*Draft, error) {
	view = cmp.Or(view, config.MainView)
	if !slices.Contains(d.Views(), view) {
		return nil, fail(404, "there is no view '%s'", view)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.expire()
	if len(d.drafts) >= MaxDrafts && !d.closeOldest(time.Minute) {
		return nil, fail(429, "%d drafts are open: close one of them, or wait ten minutes", MaxDrafts)
	}
	w, h := d.Size(view)
	one := &Draft{editor: d, ID: newID(), View: view, used: d.Now(), size: frames(w, h), nodes: map[string]nodeKey{}}
	if err := d.build.Memory.Kept.Change(0, one.size); err != nil {
		return nil, fail(503, "there is no memory for a draft: %v", err)
	}
	files, err := readFiles(d.Folder().Open())
	if err != nil {
		d.build.Memory.Kept.Add(-one.size)
		return nil, fail(500, "the files cannot be read: %v", err)
	}
	one.files, one.writable = files, d.whyReadOnly() == ""
	d.drafts = append(d.drafts, one)
	d.watch()
	return one, nil
}

// frames() returns the size of the frames of a draft in bytes.
func frames(w, h int) int64 { return 2 * int64(w*h*4) }

func newID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // rand.Read never fails
	return hex.EncodeToString(b[:])
}

// Find returns the draft with the given ID, and records the time of the request.
func (d *Editor) Find(id string) (*Draft, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.expire()
	for _, one := range d.drafts {
		if one.ID == id {
			one.used = d.Now()
			d.watch()
			return one, nil
		}
	}
	return nil, fail(404, "there is no such draft any more: drafts end after ten minutes without a request")
}

// Close ends a draft.
func (d *Editor) Close(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := slices.IndexFunc(d.drafts, func(one *Draft) bool { return one.ID == id }); i >= 0 {
		d.drop(i, "closed")
	}
}

// List returns all open drafts.
func (d *Editor) List() []*Draft {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.expire()
	return slices.Clone(d.drafts)
}

// drop removes the draft with the index i and frees its memory. The open pages receive an event with the reason.
func (d *Editor) drop(i int, why string) {
	one := d.drafts[i]
	d.drafts = slices.Delete(d.drafts, i, i+1)
	d.build.Memory.Kept.Add(-one.size)
	d.keepSoon()
	d.events.send(event{"closed", map[string]any{"id": one.ID, "why": why}})
	go one.release() // in a goroutine, because release waits for a request that holds the draft's lock
}

func (d *Editor) expire() {
	for i := len(d.drafts) - 1; i >= 0; i-- {
		if d.Now().Sub(d.drafts[i].used) >= IdleTime {
			d.drop(i, "idle")
		}
	}
}

func (d *Editor) closeOldest(idle time.Duration) bool {
	oldest := 0
	for i := range d.drafts {
		if d.drafts[i].used.Before(d.drafts[oldest].used) {
			oldest = i
		}
	}
	if d.Now().Sub(d.drafts[oldest].used) < idle {
		return false
	}
	d.drop(oldest, "replaced")
	return true
}

// watch sets the timer to the time at which the next draft will have been idle for IdleTime.
func (d *Editor) watch() {
	if d.timer != nil {
		d.timer.Stop()
	}
	if len(d.drafts) == 0 {
		return
	}
	next := d.drafts[0].used
	for _, one := range d.drafts {
		if one.used.Before(next) {
			next = one.used
		}
	}
	d.timer = time.AfterFunc(next.Add(IdleTime).Sub(d.Now()), func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.expire()
		d.watch()
	})
}
