package todo

import (
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A Queue holds the changes of one list in the order in which people made them. Any goroutine may call its methods.
type Queue struct {
	tag  string // text that distinguishes the tasks of different lists
	disk Disk
	log  *slog.Logger

	marks   atomic.Pointer[Marks]
	work    chan struct{} // capacity 1; receives a value when there are changes to send
	running chan struct{} // capacity 1; the goroutine of Run holds a token in it

	mu       sync.Mutex // guards the fields below
	all      []*pending
	ticks    []Tick
	added    []Addition
	readings uint64 // number of readings of the source that were started
	rest     time.Time
	watchers map[chan<- struct{}]struct{}
	unkept   bool // whether the last write to the disk failed
}

// The type pending is a change with its state in this run of the program.
type pending struct {
	Change
	busy    bool      // whether an attempt is in progress
	tries   int       // number of failed attempts
	next    time.Time // time of the next attempt
	reading uint64    // value of Queue.readings when the source got the change
	until   time.Time // time until which the problem is shown
}

// A Disk stores the changes of one list. When Save returns, a loss of power cannot destroy the data.
type Disk interface {
	Load() ([]byte, error)
	Save(data []byte) error
}

// NewQueue returns a queue with the changes that are stored on a disk. `tag` is a text that distinguishes the tasks of this list from the
// tasks of other lists.
func NewQueue(tag string, disk Disk, log *slog.Logger) *Queue {
	q := &Queue{
		tag: tag, disk: disk, log: log, work: make(chan struct{}, 1), running: make(chan struct{}, 1), watchers: map[chan<- struct{}]struct{}{},
	}
	q.load()
	q.mark()
	return q
}

// Tag returns the ID of a task for callers: the tag of the list, a colon and the ID. Tag returns "" for a task that cannot be changed.
func (q *Queue) Tag(task string) string {
	if q == nil || task == "" || len(task) > MaxTask-len(q.tag)-1 {
		return ""
	}
	return q.tag + ":" + task
}

// Put adds a change, stores it and returns. The change replaces earlier changes of the same task that wait or were rejected, except a
// change that adds the task or is being sent. If a new task with the same title is already waiting, Put does nothing. The error is
// ErrFull or ErrLong.
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

// known() returns the IDs that fit into Change.Known.
func known(ids []string) (few []string) {
	for _, id := range ids {
		if len(few) < maxKnown && len(id) <= maxKnownID {
			few = append(few, id)
		}
	}
	return few
}

// room removes the changes that c replaces. If the queue is still full, it removes the first change that does not wait any longer. If all
// changes wait, it returns false.
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

// remember adds a completed task to the ticks. If the task is reopened, it removes the tick.
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

// forget removes the latest tick of a task.
func (q *Queue) forget(task string) {
	for i, t := range slices.Backward(q.ticks) {
		if t.Task == task {
			q.ticks = slices.Delete(q.ticks, i, i+1)
			return
		}
	}
}

// changed() stores the changes and notifies the watchers. mu must be held.
func (q *Queue) changed() {
	q.save()
	q.mark()
	for ch := range q.watchers {
		token(ch)
	}
	token(q.work)
}

// token() sends a token to a channel, unless the channel is full.
func token(ch chan<- struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}

// Watch sends a token to `ch` after each change of the marks, until `end` is called. `ch` must have capacity 1.
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

// Begin returns the number of the reading that starts now. The caller passes this number to Read.
func (q *Queue) Begin() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.readings++
	return q.readings
}

// Read removes the changes that the source had accepted before a reading started, because the result of the reading contains these
// changes. The caller publishes the result afterwards.
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
