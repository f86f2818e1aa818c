// Package todo stores changes of tasks until the source of the tasks has accepted the changes.
//
// A [Queue] holds the changes of one list. It writes each change to a file before Put returns, so that the change survives a crash and an
// outage of the source. [Queue.Marks] returns the changes that a value of the source does not contain yet. [Queue.Run] sends the changes
// to the source.
package todo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"
)

const (
	// MaxChanges is the maximum number of changes of one list. A family that completes all its tasks during an outage of a day makes
	// fewer changes.
	MaxChanges = 200
	// MaxTicks is the maximum number of completed tasks that a list remembers. A family needs a few months to complete so many tasks.
	MaxTicks = 200
	// MaxQueues is the maximum number of lists of a wall. A provider of type calendar has at most 20 calendars.
	MaxQueues = 100
	// MaxTitle is the maximum length of a new task's title, in bytes.
	MaxTitle = 255
	// MaxTask is the maximum length of a task's ID together with the tag of its list, in bytes.
	MaxTask = 512
	// maxRef is the maximum length of a task's address at its source, in bytes.
	maxRef = 2 << 10
	// maxDue is the maximum length of a task's due date, in bytes. A longer text is not a date and is ignored.
	maxDue = 64
	// maxKnown is the maximum number of IDs in Change.Known, and maxKnownID the maximum length of each, in bytes.
	maxKnown, maxKnownID = 20, 128
	// maxProblem is the maximum length of the reason for a rejected change, in bytes.
	maxProblem = 200
)

// A Change is a change of one task.
type Change struct {
	ID    string    // the same in all attempts, so that the source can ignore a repeated attempt
	Task  string    // ID of the task at its source; for a new task it is equal to ID
	Ref   string    `json:",omitempty"` // address of the task at its source
	Title string    // title of the task
	Due   string    `json:",omitempty"` // due date that the person saw
	New   bool      `json:",omitempty"` // whether the change adds the task
	Done  bool      `json:",omitempty"` // whether the change completes the task; otherwise it reopens the task
	By    string    `json:",omitempty"` // name of the person
	At    time.Time // time of the change

	// Known are the IDs of the tasks that already had the same title before a new task was added. A source that does not recognize a
	// repeated attempt compares these IDs with its list. In this way, the source finds out whether an attempt without an answer has added
	// the task.
	Known []string `json:",omitempty"`
	// Begun is true from the first attempt on.
	Begun bool `json:",omitempty"`
	// Sent is true when the source has accepted the change. The latest reading may not contain the change yet.
	Sent bool `json:",omitempty"`
	// Problem is the reason why the source rejected the change.
	Problem string `json:",omitempty"`
}

// waits() reports whether the change must still be sent to the source.
func (c *Change) waits() bool { return !c.Sent && c.Problem == "" }

// A Tick is a task that was completed on this wall.
type Tick struct {
	Task, Title string
	By          string    `json:",omitempty"`
	At          time.Time // time of the completion
}

// A Source is the place that stores the tasks, such as a server. Carry changes the tasks there.
type Source interface {
	// Carry makes a change. If the outcome of an attempt is unknown, Carry may be called again with the same change and must not repeat
	// the effect. It returns nil if the source has the change, or a newer state of the task. It returns a [RefusedError] if the source
	// will never accept the change. After any other error, the change is tried again.
	Carry(ctx context.Context, c Change) error
}

// A RefusedError means that the source will never accept the change.
type RefusedError struct{ Err error }

// Error implements error.
func (e RefusedError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e RefusedError) Unwrap() error { return e.Err }

// Refused returns a RefusedError with a formatted text.
func Refused(format string, args ...any) error { return RefusedError{fmt.Errorf(format, args...)} }

var (
	// ErrFull is returned if too many changes of a list are waiting.
	ErrFull = fmt.Errorf("%d changes of this list already wait for its server; try again when it answers", MaxChanges)
	// ErrQueues is returned if there are too many lists.
	ErrQueues = fmt.Errorf("at most %d lists of tasks can take changes", MaxQueues)
	// ErrLong is returned for a task whose ID or address is too long.
	ErrLong = errors.New("the id or the address of this task is too long")
)

// newID returns a random ID.
func newID() string { return rand.Text() }
