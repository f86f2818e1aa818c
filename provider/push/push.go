// Package push is a provider of values that other programs send.
package push

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"dashboard/config/value"
	"dashboard/provider"
	"dashboard/provider/ask"
	"dashboard/provider/document"
)

// MaxBytes bounds a sent value.
const MaxBytes = 64 << 10

// Params are the keys of a push provider.
type Params struct {
	// Time that a value stays valid. After this time the widget has no value. Default: no limit.
	TTL value.Duration `yaml:"ttl"`
}

// A Provider publishes the values put into it. A value that was put before Run starts is published at the start.
type Provider struct {
	name string
	ttl  time.Duration
	now  func() time.Time

	mu      sync.Mutex // guards the following fields
	value   any
	at      time.Time
	waiting bool // value is not published yet
	more    chan struct{}
}

var _ provider.Keeper = (*Provider)(nil)

// New returns the provider with the given name.
func New(name string, p Params) *Provider {
	return &Provider{name: name, ttl: time.Duration(p.TTL), now: time.Now, more: make(chan struct{}, 1)}
}

// Key identifies a definition. Two names never share a value.
func (p *Provider) Key() string { return fmt.Sprintf("push %q %v", p.name, p.ttl) }

// Kind is "push".
func (p *Provider) Kind() string { return "push" }

// Put sets a value, as JSON if it is valid JSON, and otherwise as text.
func (p *Provider) Put(body []byte) error {
	if len(body) > MaxBytes {
		return fmt.Errorf("%w: a value has at most %d bytes", document.ErrTooLarge, MaxBytes)
	}
	var r document.Reader
	v, err := r.Read(context.Background(), body) // MaxBytes is too small to wait for memory
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.value, p.at, p.waiting = v, p.now(), true
	p.mu.Unlock()
	select {
	case p.more <- struct{}{}:
	default: // a token is already waiting
	}
	return nil
}

// errOver is the error for an expired value.
var errOver = errors.New("the value that was pushed has expired")

// Run publishes each value. When it has expired, Run publishes null with an error.
func (p *Provider) Run(ctx context.Context, cell *provider.Cell) error {
	for {
		p.publish(cell)
		var over <-chan time.Time
		if s := cell.Load(); p.ttl > 0 && s.Has() && !errors.Is(s.Err, errOver) {
			over = time.After(max(s.At.Add(p.ttl).Sub(p.now()), 0))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-p.more:
		case <-over:
			if !p.newer() {
				now := p.now()
				cell.Publish(nil, now)
				cell.Fail(errOver, now)
			}
		}
	}
}

// Kept implements provider.Keeper.
func (p *Provider) Kept(value any) ([]byte, error) { return new(ask.Source).Kept(value) }

// Restore implements provider.Keeper. For an expired value it returns null, which Run publishes.
func (p *Provider) Restore(data []byte, at time.Time) (any, error) {
	if p.ttl > 0 && p.now().Sub(at) >= p.ttl {
		return nil, nil
	}
	return new(ask.Source).Restore(data, at)
}

func (p *Provider) newer() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waiting
}

func (p *Provider) publish(cell *provider.Cell) {
	p.mu.Lock()
	v, at, waiting := p.value, p.at, p.waiting
	p.waiting = false
	p.mu.Unlock()
	if waiting {
		cell.Publish(v, at)
	}
}
