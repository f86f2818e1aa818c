// Package notify queues notifications for the widgets that show them.
//
// A [Board] knows the inboxes of the tree on the wall. Whoever was sent a notification checks it with [Parse] and hands it
// to a [Poster], which fetches its picture if it has one and puts it into the inbox of its widget; the widget takes it out
// when its turn comes. Inboxes outlive trees: a widget of the same name and kind in the next tree goes on with what was
// waiting and what was showing.
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
	// MaxWaiting bounds the notifications waiting for one widget: at the default duration they fill three minutes.
	MaxWaiting = 32
	// MaxText bounds a notification's text, in characters: more than any wall can show legibly.
	MaxText = 4096
	// MaxURL bounds a picture's address, in bytes, as common servers do.
	MaxURL = 8 << 10
	// DefaultDuration is how long a notification shows when it does not say.
	DefaultDuration = 5 * time.Second
	// MaxDuration bounds how long one notification may show.
	MaxDuration = 24 * time.Hour
	// MaxID bounds the name that a caller gives a notification, in characters.
	MaxID = 64
	// MaxTitle bounds a title, in characters: it stands on one line.
	MaxTitle = 200
	// MaxTTL bounds how long a notification may wait for its turn before it is dropped.
	MaxTTL = 24 * time.Hour
	// MaxHeld bounds the notifications of one widget that stay until they are deleted. They are not among MaxWaiting, so that
	// they keep nobody out.
	MaxHeld = 64
	// MaxTargets bounds the widgets that one request names.
	MaxTargets = 16
	// MaxShown bounds the notifications that one widget shows at once.
	MaxShown = 8
	// MaxCount bounds how often the same notification is counted.
	MaxCount = 999
	// AgainWithin is how soon the same notification must come again to be counted instead of shown twice.
	AgainWithin = 5 * time.Second
	// DefaultPriority is that of a notification that does not say.
	DefaultPriority = 3
	// Wall is the name by which the notifications over a wall are asked for.
	Wall = "wall"
)

// Mode is what a notification does to those before it.
type Mode uint8

// The modes.
const (
	Queue   Mode = iota // it waits for its turn
	Stack               // it is shown at once, before the others
	Replace             // it takes the place of the first one that is not more important
)

// Kind tells what a widget can show.
type Kind int

// The kinds of widget that take notifications.
const (
	Text Kind = iota
	Image
	Card // all that a notification can have, several at once
)

var (
	// ErrNone says that no widget of the tree takes notifications.
	ErrNone = errors.New("no widget in the current theme's tree can be notified")
	// ErrUnknown says that no widget has that name.
	//lint:ignore ST1005 callers are answered with this text, and Grydgets' know it
	ErrUnknown = errors.New("Widget not found")
	// ErrFull says that as many notifications are waiting as may.
	ErrFull = errors.New("too many notifications are waiting")
	// ErrHeld says that as many notifications as may stay until they are deleted.
	ErrHeld = fmt.Errorf("%w: %d stay until they are deleted", ErrFull, MaxHeld)
	// ErrGone says that there is no notification with an id.
	ErrGone = errors.New("no notification has this id")
)

// A KeyError says what is wrong with a request: with one of its keys, or with all of it if Key is empty.
type KeyError struct{ Key, Problem string }

// Error implements error.
func (e *KeyError) Error() string {
	if e.Key == "" {
		return "the body " + e.Problem
	}
	return "'" + e.Key + "' " + e.Problem
}

// Notification is a temporary text or picture, checked, so that the widget can show it as it is. It is not changed
// once it was posted.
type Notification struct {
	Text       string
	Color      *color.NRGBA     // nil: the widget's own
	Background *color.NRGBA     // nil: the widget's own
	Picture    *picture.Picture // for Image inboxes, decoded for Box
	Box        image.Point      // px
	Duration   time.Duration    // more than 0, at most MaxDuration

	ID       string
	Title    string
	Icon     string   // mdi:NAME, or the URL of a picture; empty for none
	Icons    Icons    // the picture that Icon names, once it is fetched
	Role     string   // of the theme's colors, instead of Color; empty for none
	Marked   bool     // Text has the marks of bold and italic type: see [Runs]
	Progress *float64 // 0 to 1; nil for none
	Priority int      // 1 to 5; 0 is DefaultPriority
	Mode     Mode
	Hold     bool          // it stays until it is deleted
	TTL      time.Duration // it is dropped when it was not shown by then; 0 for never
	Wake     bool          // it wants the screen on while it shows
	Again    bool          // the same one within AgainWithin is counted
	Restart  bool          // an update begins its time anew
	Count    int           // how often it came, from 1; 0 is 1
	Posted   time.Time
	Fetching bool // the picture is still to come
	Actions  []Choice
	From     string // the server that sent it; empty for callers of the control interface
}

// priority is how important it is, 1 to 5.
func (n *Notification) priority() int {
	if n.Priority == 0 {
		return DefaultPriority
	}
	return n.Priority
}

// View is how a widget shows pictures.
type View struct {
	Box    image.Point // its size, px
	Fit    picture.Fit
	Smooth bool
	Shown  int                       // how many it shows at once; 0 is 1, at most MaxShown
	Usual  time.Duration             // how long it shows what does not say; 0 is DefaultDuration
	Icons  [len(Icons{})]image.Point // the sizes of icons, px
}

// Icons are a picture of an icon in the sizes of [View.Icons]; nil where it was not fetched.
type Icons [2]*picture.Picture

// slots is how many notifications are shown at once.
func (v View) slots() int { return min(max(1, v.Shown), MaxShown) }
