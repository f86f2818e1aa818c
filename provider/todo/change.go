// Package todo keeps changes of tasks until their source has them.
//
// A [Queue] holds the changes of one list. It writes each change to a file before it returns, so that a change survives a crash and an
// outage of the source. [Queue.Marks] returns the changes that a value of the source does not show yet. [Queue.Run] carries them out.
package todo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"
)

const (
	// MaxChanges limits the changes of one list. A family that ticks everything during an outage of a day makes fewer.
	MaxChanges = 200
	// MaxTicks limits the completed tasks that a list remembers: some months of chores.
	MaxTicks = 200
	// MaxQueues limits the lists of a wall. A provider of type calendar has at most 20 calendars.
	MaxQueues = 100
	// MaxTitle limits the title of a new task, in bytes.
	MaxTitle = 255
	// MaxTask limits the id of a task with the tag of its list, in bytes.
	MaxTask = 512
	// maxRef limits the address of a task at its source, in bytes.
	maxRef = 2 << 10
	// maxDue limits the date of a task, in bytes. Sources that write longer texts have no date.
	maxDue = 64
	// maxKnown limits the ids of tasks that had the title of a new one, and maxKnownID the bytes of each.
	maxKnown, maxKnownID = 20, 128
	// maxProblem limits the shown reason of a refused change, in bytes.
	maxProblem = 200
)

// A Change is a change of one task.
type Change struct {
	ID    string    // the same for all attempts, so that the source can ignore a repetition
	Task  string    // id of the task at its source. For a new task it is the ID
	Ref   string    `json:",omitempty"` // address of the task at its source
	Title string    // of the task
	Due   string    `json:",omitempty"` // due time of the task that the person saw
	New   bool      `json:",omitempty"` // adds the task
	Done  bool      `json:",omitempty"` // completes the task; otherwise it becomes open
	By    string    `json:",omitempty"` // the person
	At    time.Time // time at which the person made the change

	// Known are the ids of the tasks that had the title before a new one was added. A source that ignores IDs finds with them
	// whether an attempt without an answer has added the task.
	Known []string `json:",omitempty"`
	// Begun is set before the first attempt.
	Begun bool `json:",omitempty"`
	// Sent is set when the source has the change. Readings may not show it yet.
	Sent bool `json:",omitempty"`
	// Problem is the reason why the source refused the change.
	Problem string `json:",omitempty"`
}

// waits reports whether the source does not have the change.
func (c *Change) waits() bool { return !c.Sent && c.Problem == "" }

// A Tick is a task that was completed at this wall.
type Tick struct {
	Task, Title string
	By          string    `json:",omitempty"`
	At          time.Time // when
}

// A Source carries out changes.
type Source interface {
	// Carry makes a change. It may get the same change again after an attempt with an unknown outcome, and must not repeat its effect. It
	// returns nil if the source has the change or a newer state of the task, a [RefusedError] if it never will, and any other error if
	// the change is to be tried again.
	Carry(ctx context.Context, c Change) error
}

// A RefusedError is a change that the source will never accept.
type RefusedError struct{ Err error }

// Error implements error.
func (e RefusedError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e RefusedError) Unwrap() error { return e.Err }

// Refused returns a RefusedError with a text.
func Refused(format string, args ...any) error { return RefusedError{fmt.Errorf(format, args...)} }

var (
	// ErrFull reports a list with too many changes that wait.
	ErrFull = fmt.Errorf("%d changes of this list already wait for its server; try again when it answers", MaxChanges)
	// ErrQueues reports too many lists.
	ErrQueues = fmt.Errorf("at most %d lists of tasks can take changes", MaxQueues)
	// ErrLong reports a task that cannot be kept.
	ErrLong = errors.New("the id or the address of this task is too long")
)

// newID returns an id that no other change has.
func newID() string { return rand.Text() }
