// Package notify queues notifications for the widgets that show them.
//
// A [Board] knows the inboxes of the tree on the wall. Whoever was sent a notification checks it with [Parse] and hands it
// to a [Poster], which fetches its picture if it has one and puts it into the inbox of its widget; the widget takes it out
// when its turn comes. Inboxes outlive trees: a widget of the same name and kind in the next tree goes on with what was
// waiting and what was showing.
package notify

import (
	"errors"
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
)

// Kind tells what a widget can show.
type Kind int

// The kinds of widget that take notifications.
const (
	Text Kind = iota
	Image
)

var (
	// ErrNone says that no widget of the tree takes notifications.
	ErrNone = errors.New("no widget in the current theme's tree can be notified")
	// ErrUnknown says that no widget has that name.
	//lint:ignore ST1005 callers are answered with this text, and Grydgets' know it
	ErrUnknown = errors.New("Widget not found")
	// ErrFull says that as many notifications are waiting as may.
	ErrFull = errors.New("too many notifications are waiting")
)

// A KeyError says what is wrong with a request: with one of its keys, or with all of it if Key is empty.
type KeyError struct{ Key, Problem string }

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
}

// View is how a widget shows pictures.
type View struct {
	Box    image.Point // its size, px
	Fit    picture.Fit
	Smooth bool
}
