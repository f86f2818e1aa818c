// Package notify queues notifications for widgets.
//
// A [Board] holds the inboxes of the widget tree on the wall. A caller checks a request with [Parse] and passes it to a [Poster]. The
// Poster fetches the picture and puts the notification into the inbox of a widget. The widget takes the notification from the inbox when
// it is due. An inbox outlives its tree: if the next tree has a widget of the same name and kind, that widget continues with the same
// notifications.
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
	// MaxWaiting is the maximum number of notifications that wait for one widget. With the default duration, they take almost three
	// minutes.
	MaxWaiting = 32
	// MaxText is the maximum length of a text, in characters. No wall can legibly show a longer text.
	MaxText = 4096
	// MaxURL is the maximum length of a picture's address, in bytes. Common servers have the same limit.
	MaxURL = 8 << 10
	// DefaultDuration is the duration of a notification if its request sets none.
	DefaultDuration = 5 * time.Second
	// MaxDuration is the maximum duration of a notification.
	MaxDuration = 24 * time.Hour
	// MaxID is the maximum length of a notification's ID, in characters.
	MaxID = 64
	// MaxTitle is the maximum length of a title, in characters. A title is shown on one line.
	MaxTitle = 200
	// MaxTTL is the maximum time that a notification may wait for its first showing.
	MaxTTL = 24 * time.Hour
	// MaxHeld is the maximum number of held notifications of one widget. Held notifications do not count towards MaxWaiting, so that they
	// do not block other notifications.
	MaxHeld = 64
	// MaxTargets is the maximum number of widgets that one request can name.
	MaxTargets = 16
	// MaxShown is the maximum number of notifications that one widget shows at the same time.
	MaxShown = 8
	// MaxCount is the maximum of a counter of repetitions.
	MaxCount = 999
	// AgainWithin is the time within which an identical notification increases a counter instead of appearing again.
	AgainWithin = 5 * time.Second
	// DefaultPriority is the priority of a notification if its request sets none.
	DefaultPriority = 3
	// Wall is the name of the widget that shows notifications over the whole wall.
	Wall = "wall"
)

// Mode decides where a notification is placed among earlier notifications.
type Mode uint8

// Modes of notifications.
const (
	Queue   Mode = iota // after the notifications that are already waiting
	Stack               // before all other notifications, so that it is visible at once
	Replace             // in place of the first notification whose priority is not higher
)

// Kind is the kind of content that a widget shows.
type Kind int

// The kinds of widgets that show notifications.
const (
	Text Kind = iota
	Image
	Card // all keys of a request; several notifications at once
)

var (
	// ErrNone is returned if no widget of the tree shows notifications.
	ErrNone = errors.New("no widget in the current theme's tree can be notified")
	// ErrUnknown is returned for an unknown widget.
	//lint:ignore ST1005 callers receive this text, and programs for Grydgets compare it
	ErrUnknown = errors.New("Widget not found")
	// ErrFull is returned if too many notifications are waiting.
	ErrFull = errors.New("too many notifications are waiting")
	// ErrHeld is returned if too many notifications are held.
	ErrHeld = fmt.Errorf("%w: %d stay until they are deleted", ErrFull, MaxHeld)
	// ErrGone is returned for an unknown ID.
	ErrGone = errors.New("no notification has this id")
)

// A KeyError describes a problem with one key of a request. If Key is empty, the problem concerns the whole request.
type KeyError struct{ Key, Problem string }

// Error implements error.
func (e *KeyError) Error() string {
	if e.Key == "" {
		return "the body " + e.Problem
	}
	return "'" + e.Key + "' " + e.Problem
}

// A Notification is a checked text or picture that a widget shows for a time. It does not change after it was posted.
type Notification struct {
	Text       string
	Color      *color.NRGBA     // nil for the color of the widget
	Background *color.NRGBA     // nil for the color of the widget
	Picture    *picture.Picture // picture for a widget that shows pictures, decoded for the size Box
	Box        image.Point      // size in pixels for which Picture was decoded
	Duration   time.Duration    // above 0, at most MaxDuration

	ID       string
	Title    string
	Icon     string   // mdi:NAME, or the URL of a picture; empty for none
	Icons    Icons    // pictures from the address in Icon, after they were fetched
	Role     string   // color of the theme, used instead of Color; "" for none
	Marked   bool     // whether Text contains marks: see [Runs]
	Progress *float64 // 0 to 1; nil for none
	Priority int      // 1 to 5; 0 means DefaultPriority
	Mode     Mode
	Hold     bool          // whether it stays until it is deleted
	TTL      time.Duration // time after which the notification is dropped if it was not shown; 0 for never
	Wake     bool          // whether it switches the screen on and keeps it on
	Again    bool          // whether identical notifications within AgainWithin are counted
	Restart  bool          // whether an update of the content also restarts the time
	Count    int           // how often it arrived; 0 means 1
	Posted   time.Time
	Fetching bool // whether its picture is being fetched
	Actions  []Choice
	From     string // server that sent it; empty for callers of the control interface
}

// priority returns the priority, from 1 to 5.
func (n *Notification) priority() int {
	if n.Priority == 0 {
		return DefaultPriority
	}
	return n.Priority
}

// A View describes how a widget shows notifications.
type View struct {
	Box    image.Point // size of pictures in pixels
	Fit    picture.Fit
	Smooth bool
	Shown  int                       // number of notifications at the same time, at most MaxShown; 0 means 1
	Usual  time.Duration             // default duration; 0 means DefaultDuration
	Icons  [len(Icons{})]image.Point // sizes of icons in pixels
}

// Icons are the pictures of an icon in the sizes of [View.Icons]. They are nil until they are fetched.
type Icons [2]*picture.Picture

// slots() returns how many notifications the widget shows at the same time.
func (v View) slots() int { return min(max(1, v.Shown), MaxShown) }
