package main

import (
	"context"
	"io"
	"time"

	"dashboard/internal/daemon"
	"dashboard/provider"
)

// check tells everything that is wrong with a configuration, and returns 1 if anything is.
func check(ctx context.Context, o *options, stdout io.Writer) int {
	wake := make(chan struct{}, 1)
	b := newBuilder(func() {
		select {
		case wake <- struct{}{}:
		default:
		}
	}, discardLog())
	defer b.providers.Close()
	g, report := b.load(o, alone(func() {}))
	if o.Fetch && g != nil {
		b.providers.Commit(g.sources)
		b.await(ctx, wake)
		g.tellSources(b.providers.Status(time.Now()))
	}
	return daemon.Check(stdout, report, o.JSON)
}

// tellSources reports the sources that give nothing, and what of the others cannot be used.
func (g *generation) tellSources(all []provider.Status) {
	mask := g.secrets.mask()
	for _, st := range all {
		def := g.defs[st.Name]
		if def == nil {
			continue
		}
		switch n, why := provider.LeftOut(st.Value); {
		case st.Err != nil:
			def.Errorf("", "%s", mask.Replace(st.Err.Error()))
		case st.Tried.IsZero():
			def.Errorf("", "no answer within %v", settle)
		case n > 0:
			def.Warnf("", "left out are entries: %d", n)
			for _, w := range why {
				def.Warnf("", "%s", mask.Replace(w))
			}
		}
	}
}
