package todo

import (
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A Queue holds the changes of one list in the order in which people made them. Its methods may be called from any goroutine.
type Queue struct {
	tag  string // distinguishes tasks of different lists
	disk Disk
	log  *slog.Logger

	marks   atomic.Pointer[Marks]
	work    chan struct{} // capacity 1: there is a change to carry out
	running chan struct{} // a token for the goroutine that carries out changes

	mu       sync.Mutex // guards all fields below
	all      []*pending
	ticks    []Tick
	added    []Addition
	readings uint64 // number of readings of the source that have begun
	rest     time.Time
	watchers map[chan<- struct{}]struct{}
	unkept   bool // the last write failed
}

// A pending change has its state in this run of the program.
type pending struct {
	Change
	busy    bool      // an attempt is in progress
	tries   int       // failed attempts
	next    time.Time // time of the next attempt
	reading uint64    // number of begun readings when the source got the change
	until   time.Time // end of the shown problem
}

// A Disk stores the changes of one list. When Save returns, the data survives a loss of power.
type Disk interface {
	Load() ([]byte, error)
	Save(data []byte) error
}

// NewQueue returns the queue of a disk with its kept changes. tag distinguishes the ids of its tasks from those of other lists.
func NewQueue(tag string, disk Disk, log *slog.Logger) *Queue {
	q := &Queue{
		tag: tag, disk: disk, log: log, work: make(chan struct{}, 1), running: make(chan struct{}, 1), watchers: map[chan<- struct{}]struct{}{},
	}
	q.load()
	q.mark()
	return q
}

// Tag returns the id of a task for callers: with the tag of the list. It is "" for a task that cannot be changed.
func (q *Queue) Tag(task string) string {
	if q == nil || task == "" || len(task) > MaxTask-len(q.tag)-1 {
		return ""
	}
	return q.tag + ":" + task
}

// Put takes a change, keeps it and returns. A change replaces an earlier one of the same task that has not been sent. A new task
// with the same title as a waiting one counts as the same task. Put returns ErrFull or ErrLong.
func (q *Queue) Put(c Change) error {
	if q.Tag(c.Task) == "" && !c.New || len(c.Ref) > maxRef {
		return ErrLong
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if c.New && slices.ContainsFunc(q.all, func(p *pending) bool { return p.New && p.waits() && strings.EqualFold(p.Title, c.Title) }) {
		return nil
	}
	if c.ID = newID(); c.New {
		c.Task, c.Known = c.ID, known(c.Known)
	}
	c.Title = strings.ToValidUTF8(c.Title[:min(len(c.Title), MaxTitle)], "")
	c.Begun, c.Sent, c.Problem = false, false, ""
	if !q.room(&c) {
		return ErrFull
	}
	q.all = append(q.all, &pending{Change: c})
	if q.remember(&c); c.New {
		q.count(c.Title)
	}
	q.changed()
	return nil
}

// known limits the number and the length of task ids.
func known(ids []string) (few []string) {
	for _, id := range ids {
		if len(few) < maxKnown && len(id) <= maxKnownID {
			few = append(few, id)
		}
	}
	return few
}

// room removes the changes that c replaces, and reports whether there is room for c.
func (q *Queue) room(c *Change) bool {
	replaced := func(p *pending) bool { return p.Task == c.Task && !p.busy && !p.New && (p.waits() || p.Problem != "") }
	if slices.ContainsFunc(q.all, replaced) {
		q.all = slices.DeleteFunc(q.all, replaced)
	}
	if len(q.all) < MaxChanges {
		return true
	}
	i := slices.IndexFunc(q.all, func(p *pending) bool { return !p.waits() })
	if i >= 0 {
		q.all = slices.Delete(q.all, i, i+1)
	}
	return i >= 0
}

// remember stores a completed task in the ticks. A task that is reopened is removed.
func (q *Queue) remember(c *Change) {
	if c.New {
		return
	}
	if !c.Done {
		q.forget(c.Task)
		return
	}
	q.ticks = append(q.ticks, Tick{Task: c.Task, Title: c.Title, By: c.By, At: c.At})
	if n := len(q.ticks) - MaxTicks; n > 0 {
		q.ticks = slices.Delete(q.ticks, 0, n)
	}
}

// forget removes the newest tick of a task.
func (q *Queue) forget(task string) {
	for i, t := range slices.Backward(q.ticks) {
		if t.Task == task {
			q.ticks = slices.Delete(q.ticks, i, i+1)
			return
		}
	}
}

// changed saves the changes and notifies the watchers. The caller holds q.mu.
func (q *Queue) changed() {
	q.save()
	q.mark()
	for ch := range q.watchers {
		token(ch)
	}
	token(q.work)
}

// token sends a token to a channel unless the channel is full.
func token(ch chan<- struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}

// Watch sends a token to ch, which has capacity 1, after each change of the marks, until end is called.
func (q *Queue) Watch(ch chan<- struct{}) (end func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.watchers[ch] = struct{}{}
	return func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		delete(q.watchers, ch)
	}
}

// Begin returns the number of a reading of the source that begins now. The number is the argument of Read.
func (q *Queue) Begin() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.readings++
	return q.readings
}

// Read removes the changes that the source had before a reading began, because the reading contains them. The caller publishes the
// reading afterwards.
func (q *Queue) Read(reading uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	before := len(q.all)
	q.all = slices.DeleteFunc(q.all, func(p *pending) bool { return p.Sent && p.reading < reading })
	if len(q.all) != before {
		q.save()
		q.mark()
	}
}
