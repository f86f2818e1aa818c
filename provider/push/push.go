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

// MaxBytes is the maximum size of a value, in bytes.
const MaxBytes = 64 << 10

// Params are the keys of a push provider.
type Params struct {
	// Time that a value stays valid. After this time the widget has no value. Default: no limit.
	TTL value.Duration `yaml:"ttl"`
}

// A Provider publishes the values that callers put into it. A value that was put before Run is published when Run starts.
type Provider struct {
	name string
	ttl  time.Duration
	now  func() time.Time

	mu      sync.Mutex // guards the fields below
	value   any
	at      time.Time
	waiting bool // whether the value is not published yet
	more    chan struct{}
}

var _ provider.Keeper = (*Provider)(nil)

// New returns a provider. `name` is its name in providers.yaml.
func New(name string, p Params) *Provider {
	return &Provider{name: name, ttl: time.Duration(p.TTL), now: time.Now, more: make(chan struct{}, 1)}
}

// Key returns a text that identifies the definition. It contains the name, so that two providers never share a value.
func (p *Provider) Key() string { return fmt.Sprintf("push %q %v", p.name, p.ttl) }

// Kind is "push".
func (p *Provider) Kind() string { return "push" }

// Put sets the value. If the body is valid JSON, the value is the decoded JSON. Otherwise the value is the text of the body.
func (p *Provider) Put(body []byte) error {
	if len(body) > MaxBytes {
		return fmt.Errorf("%w: a value has at most %d bytes", document.ErrTooLarge, MaxBytes)
	}
	var r document.Reader
	v, err := r.Read(context.Background(), body) // a body of MaxBytes is so small that Read does not wait for memory
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

// lookMost is the maximum time between two checks of the clock while a value is valid, because the clock may be set after the start.
const lookMost = time.Minute

// errOver is the error after a value has expired.
var errOver = errors.New("the value that was pushed has expired")

// Run publishes each value. When a value expires, it publishes null with an error.
func (p *Provider) Run(ctx context.Context, cell *provider.Cell) error {
	for {
		p.publish(cell)
		var over <-chan time.Time
		if s := cell.Load(); p.ttl > 0 && s.Has() && !errors.Is(s.Err, errOver) {
			over = time.After(min(max(s.At.Add(p.ttl).Sub(p.now()), 0), lookMost))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-p.more:
		case <-over:
			if now := p.now(); !p.newer() && !now.Before(cell.Load().At.Add(p.ttl)) {
				cell.Publish(nil, now)
				cell.Fail(errOver, now)
			}
		}
	}
}

// Kept implements provider.Keeper.
func (p *Provider) Kept(value any) ([]byte, error) { return new(ask.Source).Kept(value) }

// Restore implements provider.Keeper. If the value has expired, Restore returns null, and Run later publishes the error.
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
