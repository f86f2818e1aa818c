package notify

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"dashboard/internal/stable"
)

// A Board holds the inboxes of the widget tree that is on the wall. See [NewBoard].
type Board struct {
	wake  func()
	now   func() time.Time
	moves chan struct{} // capacity 1; receives a value when a queue has changed, because a picture may have to be fetched
	ended atomic.Bool   // whether a widget has removed a notification that a Poster may have stored

	mu    sync.Mutex
	all   map[string]*Inbox // inboxes of the tree on the wall, by the widget's name
	built map[string]*Inbox // inboxes of the newest trees, by the widget's name. The trees for day and for night may share an inbox
}

// NewBoard returns an empty board. It calls `wake` when the visible notifications may change. `wake` must not block.
func NewBoard(wake func()) *Board {
	return &Board{wake: wake, now: time.Now, moves: make(chan struct{}, 1), all: map[string]*Inbox{}, built: map[string]*Inbox{}}
}

// A Set collects the inboxes of a tree while the tree is built. Only one goroutine may use it.
type Set struct {
	board *Board
	all   map[string]*Inbox
	views map[string]View
}

// Begin returns a set for a new tree. The board does not change until Commit.
func (b *Board) Begin() *Set {
	return &Set{board: b, all: map[string]*Inbox{}, views: map[string]View{}}
}

// Inbox returns the inbox of the widget with the given name. A later tree gets the same inbox if its widget has the same name and kind. If
// the tree already has a widget of this name, ok is false, and the returned inbox receives no notifications.
func (s *Set) Inbox(name string, kind Kind, view View) (in *Inbox, ok bool) {
	if _, taken := s.all[name]; taken {
		return &Inbox{Name: name, Kind: kind, view: view}, false
	}
	in = s.board.find(name, kind)
	s.all[name], s.views[name] = in, view
	return in, true
}

// Resize changes the view that Commit gives to a widget's inbox.
func (s *Set) Resize(name string, view View) { s.views[name] = view }

// Any reports whether the tree has a widget that shows notifications.
func (s *Set) Any() bool { return len(s.all) > 0 }

// find returns the board's inbox with a name and kind, or a new inbox.
func (b *Board) find(name string, kind Kind) *Inbox {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range []map[string]*Inbox{b.all, b.built} {
		if in := m[name]; in != nil && in.Kind == kind {
			return in
		}
	}
	in := &Inbox{Name: name, Kind: kind, moved: b.moved, ended: &b.ended}
	b.built[name] = in
	return in
}

// moved() signals that a queue has changed. It never blocks.
func (b *Board) moved() {
	select {
	case b.moves <- struct{}{}:
	default:
	}
}

// Commit replaces the board's inboxes by the inboxes of a set. The caller shows the tree of the set at the same time.
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
	b.moved() // pictures of the previous tree may no longer be needed
}

// Lookup returns the inbox of a widget. If no widget of the tree shows notifications, it returns ErrNone. If the name is unknown, it
// returns ErrUnknown.
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

// Any reports whether the tree on the wall has a widget that shows notifications.
func (b *Board) Any() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.all) > 0
}

// Names lists the names of the widgets that show notifications, sorted.
func (b *Board) Names() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.all))
}

// Waiting yields each widget that shows notifications, sorted by name, with the number of notifications that wait for it.
func (b *Board) Waiting(yield func(name string, waiting int) bool) {
	for _, name := range b.Names() {
		in, err := b.Lookup(name)
		if err == nil && !yield(name, in.Waiting()) {
			return
		}
	}
}

// Awake returns the time until which a notification keeps the screen on, or the zero time. Removed notifications do not count.
func (b *Board) Awake() (until time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, in := range b.all {
		if end := in.awake(); end.After(until) {
			until = end
		}
	}
	return until
}

// Post puts n into the queue of a widget. n must already contain its picture if the widget shows pictures. Post returns ErrNone,
// ErrUnknown, ErrFull or ErrHeld.
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

// inboxes() returns the inboxes of the tree on the wall and of the trees that may replace it.
func (b *Board) inboxes() []*Inbox {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := slices.Collect(maps.Values(b.all))
	for _, in := range b.built {
		if !slices.Contains(all, in) {
			all = append(all, in)
		}
	}
	stable.Sort(all, func(a, b *Inbox) int { return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind)) })
	return all
}

// Calls reports whether a notification that switches the screen on is still waiting for its first showing.
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

// Runs reports whether any inbox has a notification with a limited time. The notification may be visible or waiting.
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
