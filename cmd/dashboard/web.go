package main

import (
	"context"
	"time"

	"dashboard/netstream"
)

// web is the HTTP side of the service.
type web struct {
	stream *netstream.Stream
}

func newWeb(s *service) *web { return &web{stream: netstream.New(time.Now)} }

func (w *web) configure(g *generation) {}

func (w *web) run(ctx context.Context) { <-ctx.Done() }
