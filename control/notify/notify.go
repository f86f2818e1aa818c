// Package notify queues notifications for widgets.
//
// A [Board] holds the inboxes of the tree on the wall. Callers check a notification with [Parse] and give it to a [Poster], which
// fetches its picture and puts it into the inbox of its widget. The widget takes it out when it is due. Inboxes outlive trees: a
// widget of the same name and kind in the next tree continues with the same notifications.
package notify

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"time"

	"dashboard/render/picture"
)

const (
	// MaxWaiting limits the notifications that wait for one widget. With the default duration they take three minutes.
	MaxWaiting = 32
	// MaxText limits a text, in characters: more than any wall can show legibly.
	MaxText = 4096
	// MaxURL limits a picture's address, in bytes, as common servers do.
	MaxURL = 8 << 10
	// DefaultDuration is the duration if a request sets none.
	DefaultDuration = 5 * time.Second
	// MaxDuration limits the duration of a notification.
	MaxDuration = 24 * time.Hour
	// MaxID limits the id of a notification, in characters.
	MaxID = 64
	// MaxTitle limits a title, in characters, because it has one line.
	MaxTitle = 200
	// MaxTTL limits the waiting time of a notification.
	MaxTTL = 24 * time.Hour
	// MaxHeld limits the held notifications of one widget. They do not count towards MaxWaiting, so that they keep no others out.
	MaxHeld = 64
	// MaxTargets limits the widgets of one request.
	MaxTargets = 16
	// MaxShown limits the notifications that one widget shows at once.
	MaxShown = 8
	// MaxCount limits the count of repetitions.
	MaxCount = 999
	// AgainWithin is the interval within which a repetition is counted instead of shown.
	AgainWithin = 5 * time.Second
	// DefaultPriority is the priority if a request sets none.
	DefaultPriority = 3
	// Wall is the name of the notifications over a wall.
	Wall = "wall"
)

// Mode is the effect of a notification on earlier ones.
type Mode uint8

// Modes of notifications.
const (
	Queue   Mode = iota // shown after the notifications before it
	Stack               // is shown immediately, before the others
	Replace             // replaces the first one that does not have a higher priority
)

// Kind is the content that a widget can show.
type Kind int

// Kinds of widgets that take notifications.
const (
	Text Kind = iota
	Image
	Card // shows all keys, and several notifications at once
)

var (
	// ErrNone reports that no widget of the tree takes notifications.
	ErrNone = errors.New("no widget in the current theme's tree can be notified")
	// ErrUnknown reports an unknown widget.
	//lint:ignore ST1005 callers are answered with this text, and Grydgets' know it
	ErrUnknown = errors.New("Widget not found")
	// ErrFull reports a full queue.
	ErrFull = errors.New("too many notifications are waiting")
	// ErrHeld reports too many held notifications.
	ErrHeld = fmt.Errorf("%w: %d stay until they are deleted", ErrFull, MaxHeld)
	// ErrGone reports an unknown id.
	ErrGone = errors.New("no notification has this id")
)

// A KeyError is a problem with a key of a request, or with all of it if Key is empty.
type KeyError struct{ Key, Problem string }

// Error implements error.
func (e *KeyError) Error() string {
	if e.Key == "" {
		return "the body " + e.Problem
	}
	return "'" + e.Key + "' " + e.Problem
}

// Notification is a temporary text or picture, checked and ready to show. It does not change after it was posted.
type Notification struct {
	Text       string
	Color      *color.NRGBA     // nil for the widget's color
	Background *color.NRGBA     // nil for the widget's color
	Picture    *picture.Picture // picture of a notification in an Image inbox, decoded for the size Box
	Box        image.Point      // size for which the picture was decoded, in px
	Duration   time.Duration    // more than 0, at most MaxDuration

	ID       string
	Title    string
	Icon     string   // mdi:NAME, or the URL of a picture; empty for none
	Icons    Icons    // pictures of the address in Icon, once fetched
	Role     string   // color role of the theme, instead of Color, "" for none
	Marked   bool     // Text has marks: see [Runs]
	Progress *float64 // 0 to 1; nil for none
	Priority int      // 1 to 5; 0 is DefaultPriority
	Mode     Mode
	Hold     bool          // true to stay until it is deleted
	TTL      time.Duration // dropped if not shown within this time; 0 for never
	Wake     bool          // true to keep the screen on
	Again    bool          // repetitions within AgainWithin are counted
	Restart  bool          // an update starts the time again
	Count    int           // number of arrivals, from 1; 0 means 1
	Posted   time.Time
	Fetching bool // true while the picture is being fetched
	Actions  []Choice
	From     string // sending server; empty for callers of the control interface
}

// priority returns the priority, 1 to 5.
func (n *Notification) priority() int {
	if n.Priority == 0 {
		return DefaultPriority
	}
	return n.Priority
}

// View is the geometry and style of a widget's notifications.
type View struct {
	Box    image.Point // size, px
	Fit    picture.Fit
	Smooth bool
	Shown  int                       // number shown at once, at most MaxShown. 0 means 1
	Usual  time.Duration             // default duration; 0 means DefaultDuration
	Icons  [len(Icons{})]image.Point // sizes of icons, px
}

// Icons are an icon's pictures in the sizes of [View.Icons], or nil if not fetched.
type Icons [2]*picture.Picture

// slots returns the number of notifications shown at once.
func (v View) slots() int { return min(max(1, v.Shown), MaxShown) }
