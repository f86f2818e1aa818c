package notify

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Board holds the inboxes of the tree on the wall. See [NewBoard].
type Board struct {
	wake  func()
	now   func() time.Time
	awake atomic.Int64  // end of the latest notification that keeps the screen on, in Unix ns
	moves chan struct{} // capacity 1. A value reports that a queue has changed and a picture may be due

	mu    sync.Mutex
	all   map[string]*Inbox // inboxes of the tree on the wall, by name
	built map[string]*Inbox // inboxes of newer trees. Several trees share them, such as day and night
}

// NewBoard returns an empty board. It calls wake whenever a notification can be shown. wake must not block.
func NewBoard(wake func()) *Board {
	return &Board{wake: wake, now: time.Now, moves: make(chan struct{}, 1), all: map[string]*Inbox{}, built: map[string]*Inbox{}}
}

// Set collects the inboxes of a tree while it is built. It belongs to one goroutine.
type Set struct {
	board *Board
	all   map[string]*Inbox
	views map[string]View
}

// Begin starts the inboxes of a new tree. Nothing changes until Commit.
func (b *Board) Begin() *Set {
	return &Set{board: b, all: map[string]*Inbox{}, views: map[string]View{}}
}

// Inbox returns the inbox of the widget with that name. All trees share it as long as its kind stays the same. If the tree has the
// name already, ok is false and the returned inbox receives nothing.
func (s *Set) Inbox(name string, kind Kind, view View) (in *Inbox, ok bool) {
	if _, taken := s.all[name]; taken {
		return &Inbox{Name: name, Kind: kind, view: view}, false
	}
	in = s.board.find(name, kind)
	s.all[name], s.views[name] = in, view
	return in, true
}

// Resize changes the size of a widget's notifications.
func (s *Set) Resize(name string, view View) { s.views[name] = view }

// Any reports whether the tree has a widget that takes notifications.
func (s *Set) Any() bool { return len(s.all) > 0 }

// find returns the board's inbox of a name and kind, or a new one.
func (b *Board) find(name string, kind Kind) *Inbox {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range []map[string]*Inbox{b.all, b.built} {
		if in := m[name]; in != nil && in.Kind == kind {
			return in
		}
	}
	in := &Inbox{Name: name, Kind: kind, moved: b.moved, wakes: b.wakes}
	b.built[name] = in
	return in
}

// moved signals a change of a queue. It never blocks.
func (b *Board) moved() {
	select {
	case b.moves <- struct{}{}:
	default:
	}
}

// Commit replaces the board's inboxes with the inboxes of a set. The caller shows the set's tree on the wall at the same time.
func (b *Board) Commit(s *Set) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all = s.all
	maps.DeleteFunc(b.built, func(name string, _ *Inbox) bool { return s.all[name] == nil })
	for name, in := range s.all {
		in.mu.Lock()
		in.view = s.views[name]
		in.mu.Unlock()
	}
	b.moved() // pictures of the former tree are not needed
}

// Lookup returns the inbox of a widget. It returns ErrNone if the tree has no inbox, and ErrUnknown for an unknown name.
func (b *Board) Lookup(name string) (*Inbox, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.all) == 0 {
		return nil, ErrNone
	}
	in := b.all[name]
	if in == nil {
		return nil, ErrUnknown
	}
	return in, nil
}

// Any reports whether the tree has a widget that takes notifications.
func (b *Board) Any() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.all) > 0
}

// Names lists the widgets that take notifications, sorted.
func (b *Board) Names() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.all))
}

// Waiting yields the widgets that take notifications, sorted by name, and the number of waiting ones.
func (b *Board) Waiting(yield func(name string, waiting int) bool) {
	for _, name := range b.Names() {
		in, err := b.Lookup(name)
		if err == nil && !yield(name, in.Waiting()) {
			return
		}
	}
}

// Awake returns the time until a visible notification keeps the screen on, or the zero time.
func (b *Board) Awake() time.Time {
	if ns := b.awake.Load(); ns != 0 {
		return time.Unix(0, ns)
	}
	return time.Time{}
}

// wakes records the end of a notification that keeps the screen on.
func (b *Board) wakes(until time.Time) {
	if ns := until.UnixNano(); ns > b.awake.Load() {
		b.awake.Store(ns)
	}
}

// Post puts n into the queue of a widget. It returns ErrNone, ErrUnknown or ErrFull. Image inboxes need a Picture.
func (b *Board) Post(name string, n *Notification) error {
	in, err := b.Lookup(name)
	if err != nil {
		return err
	}
	if n.Posted.IsZero() {
		n.Posted = b.now()
	}
	if err := in.put(n, nil); err != nil {
		return err
	}
	b.wake()
	return nil
}

// inboxes returns the inboxes of the tree on the wall and of the trees that may follow.
func (b *Board) inboxes() []*Inbox {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := slices.Collect(maps.Values(b.all))
	for _, in := range b.built {
		if !slices.Contains(all, in) {
			all = append(all, in)
		}
	}
	slices.SortFunc(all, func(a, b *Inbox) int { return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind)) })
	return all
}

// Calls reports whether a notification that switches the screen on has not been shown yet.
func (b *Board) Calls() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, in := range b.all {
		if in.calls() {
			return true
		}
	}
	return false
}

// Runs reports whether an inbox has a notification with a limited time, displayed or queued.
func (b *Board) Runs() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, in := range b.all {
		if in.runs() {
			return true
		}
	}
	return false
}
