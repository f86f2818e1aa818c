package provider

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// restartFirst and restartMost are the first and the longest pause before a failed provider is started again. A viewer does not notice the
// first pause. The longest pause keeps a provider that always panics from filling the log. After a provider has run for steadyAfter, the
// next pause is restartFirst again.
const (
	restartFirst = time.Second
	restartMost  = time.Minute
	steadyAfter  = 5 * time.Minute
)

// errEnded is the error of a provider whose Run returned nil although its context had not ended.
var errEnded = errors.New("the source ended early")

// keep() runs the provider of an entry until ctx ends. It starts the provider again after failures.
func (m *Manager) keep(ctx context.Context, e *entry) {
	pause := &backoff.ExponentialBackOff{
		InitialInterval: restartFirst, MaxInterval: restartMost,
		Multiplier: 2, RandomizationFactor: 0.2,
	}
	pause.Reset()
	defer m.save(e, true)
	for ctx.Err() == nil {
		began := time.Now()
		err := runContained(ctx, e)
		if ctx.Err() != nil {
			return
		}
		e.restarts.Add(1)
		if time.Since(began) >= steadyAfter {
			pause.Reset()
		}
		wait := pause.NextBackOff()
		e.cell.RetryAt(time.Now().Add(wait))
		e.cell.Fail(err, time.Now())
		m.report(e, err, wait)
		Sleep(ctx, wait)
	}
}

// A PanicError is the error of a provider that panicked. Its text does not contain the stack, because the manager logs the stack
// separately.
type PanicError struct {
	Value any
	Stack []byte
}

// Error implements error.
func (p *PanicError) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

func runContained(ctx context.Context, e *entry) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	return cmp.Or(e.provider.Run(ctx, e.cell), errEnded)
}

func byNameThenKind(a, b Status) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind))
}
