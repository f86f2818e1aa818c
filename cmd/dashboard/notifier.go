package main

import (
	"context"
	"image/color"
	"log/slog"
	"net/netip"

	"dashboard/config"
	"dashboard/control/notify"
	"dashboard/internal/fetch"
	"dashboard/theme"
)

// A notifier takes the bodies of notification requests to the board. It implements server.Notifier.
type notifier struct {
	board  *notify.Board
	poster *notify.Poster
}

// newNotifier returns a notifier, to be ended with close. Before configure it fetches from nowhere unsafe.
func newNotifier(board *notify.Board, log *slog.Logger) *notifier {
	return &notifier{board: board, poster: notify.NewPoster(board, guarded(nil), log)}
}

// guarded is a client for addresses that anybody may name. A nil list allows public and LAN ranges.
func guarded(allow []netip.Prefix) *fetch.Client {
	return fetch.New(&fetch.Options{Guard: fetch.NewGuard(allow)})
}

// configure takes over server.notify.
func (n *notifier) configure(c config.ServerNotify) {
	var allow []netip.Prefix
	if c.Allow != nil {
		allow = make([]netip.Prefix, 0, len(c.Allow))
	}
	for _, a := range c.Allow {
		allow = append(allow, a.Prefix)
	}
	n.poster.SetClient(guarded(allow))
}

// Any implements server.Notifier.
func (n *notifier) Any() bool { return n.board.Any() }

// Notify implements server.Notifier.
func (n *notifier) Notify(_ context.Context, body []byte) error {
	r, err := notify.Parse(body, colorOf)
	if err != nil {
		return err
	}
	return n.poster.Post(r)
}

func (n *notifier) close() { n.poster.Close() }

func colorOf(v any) (color.NRGBA, error) {
	c, err := theme.ColorOfJSON(v)
	return c.NRGBA, err
}
