// Package control is what may be done to a wall, wherever that is asked for.
package control

import (
	"context"
	"time"
)

// Verbs are what may be done to a wall. They may be called from any goroutine; each waits until it is done or refused.
type Verbs interface {
	// ShowTheme shows the theme of a mode, day or night, until something else is asked for; auto follows the sun.
	ShowTheme(ctx context.Context, mode string) error
	// TurnTo shows the page of a name on a view ("" is the main one), or next or previous, for a time, with 0 as page.Pages.Show
	// says; auto has the rules choose.
	TurnTo(ctx context.Context, view, page string, hold time.Duration) error
	// Tell shows a notification: a JSON mapping as POST /notify takes it.
	Tell(ctx context.Context, body []byte) error
	// DismissAll takes away all notifications.
	DismissAll(ctx context.Context) error
	// ReadAgain has the configuration read again.
	ReadAgain(ctx context.Context) error
}
