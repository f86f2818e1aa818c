package scene

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"dashboard/provider"
)

// Settle is the maximum time for which Await waits for the first values of all providers. Tests set a longer time, because a busy machine
// needs more time.
var Settle = 5 * time.Second

// resettle is the time between two checks in Await. A check is needed although Await also waits for
// new values, because a program whose result does not change sends no signal.
const resettle = 10 * time.Millisecond

// Await waits until every provider has a value or an error and every program has processed the values. It waits for at most Settle.
func (b *Builder) Await(ctx context.Context, wake <-chan struct{}) {
	ctx, cancel := context.WithTimeout(ctx, Settle)
	defer cancel()
	again := time.NewTicker(resettle)
	defer again.Stop()
	b.Providers.LookAll(time.Now())
	for !b.answered() || !b.Providers.Settled() {
		select {
		case <-ctx.Done():
			return
		case <-wake:
		case <-again.C:
		}
	}
}

// TellMissing prints a line with the reason for each provider that has failed or has no value. It leaves out the line of a provider
// without a name if the same reason was printed before.
func (b *Builder) TellMissing(stderr io.Writer) {
	told := map[string]bool{}
	for _, s := range slices.Backward(b.Providers.Status(time.Now())) { // in reverse order, so that providers with names come first
		reason := silence(s)
		switch {
		case s.Err != nil:
			reason = s.Err.Error()
		case !s.At.IsZero():
			continue
		}
		if !told[reason] || s.Name != "" {
			told[reason] = true
			fmt.Fprintf(stderr, "dashboard: %s: %s\n", cmp.Or(s.Name, s.Kind), reason)
		}
	}
}

// silence describes a source that has neither a value nor an error.
func silence(s provider.Status) string {
	switch s.Kind {
	case "push":
		return "no value yet: a program sends it with PUT /values/" + s.Name
	case "mqtt":
		return fmt.Sprintf("no message within %v; a retained message would arrive at once", Settle)
	}
	return fmt.Sprint("no answer within ", Settle)
}

// answered() reports whether every provider has tried at least once. A push provider does not try: it waits for a program.
func (b *Builder) answered() bool {
	for _, s := range b.Providers.Status(time.Now()) {
		if s.Tried.IsZero() && s.Kind != "push" {
			return false
		}
	}
	return true
}
