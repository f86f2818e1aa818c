package scene

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"
)

// settle is the maximum time that render waits for the first values of all providers.
const settle = 5 * time.Second

// resettle is the interval at which to check whether programs have processed new values, because an unchanged result causes no
// wake-up.
const resettle = 10 * time.Millisecond

// Await waits until every provider has answered and every program has processed the answers, for at most settle.
func (b *Builder) Await(ctx context.Context, wake <-chan struct{}) {
	ctx, cancel := context.WithTimeout(ctx, settle)
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

// TellMissing prints the reasons for values that are missing in the picture. It prints each reason once, with the provider's name
// if it has one.
func (b *Builder) TellMissing(stderr io.Writer) {
	told := map[string]bool{}
	for _, s := range slices.Backward(b.Providers.Status(time.Now())) { // named providers are last in the list
		reason := fmt.Sprint("no answer within ", settle)
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

// answered reports whether every provider has tried at least once.
func (b *Builder) answered() bool {
	for _, s := range b.Providers.Status(time.Now()) {
		if s.Tried.IsZero() {
			return false
		}
	}
	return true
}
