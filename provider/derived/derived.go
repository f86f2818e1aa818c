// Package derived is a provider whose value is the result of a jq program. The program reads the values of other providers.
package derived

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"dashboard/config"
	"dashboard/internal/extract"
	"dashboard/provider"
	"dashboard/provider/live"
)

// Params are the keys of a derived provider.
type Params struct {
	// A jq program after !data. It reads the other providers by name.
	Value *config.Node `yaml:"value" required:"true"`
}

// program returns the compiled program of the definition.
func (p *Params) program() (*extract.Program, error) {
	if !p.Value.IsProgram() && p.Value.Kind() != config.Program {
		return nil, errors.New("value: must be !data and a jq program")
	}
	code, err := extract.Compile(p.Value.Text())
	if err != nil {
		return nil, fmt.Errorf("value: %w", err)
	}
	return code, nil
}

// A Provider publishes the result of its program after each change of the values that the program reads.
type Provider struct {
	programs *live.Programs
	result   *provider.Cell
	passed   atomic.Pointer[provider.Sample] // newest sample of the field `result` that Run has published
}

var _ provider.Provider = (*Provider)(nil)

// From implements provider.Made.
func (p *Provider) From() []*provider.Cell { return []*provider.Cell{p.result} }

// New returns the provider of a definition and a key that identifies the definition. `find` returns the cell of another provider, `part`
// returns the cell of one entry of a provider, and `names` lists all providers, sorted. An error begins with the name of the
// configuration key that causes it.
func New(p *Params, at provider.Place, find func(name string) (*provider.Cell, bool), part live.Part, names []string) (key string, d *Provider, err error) {
	code, err := p.program()
	if err != nil {
		return "", nil, err
	}
	d = &Provider{programs: live.New(find, part, names)}
	if d.result, err = d.programs.Add(code, at); err != nil {
		return "", nil, fmt.Errorf("value: %w", err)
	}
	key = fmt.Sprintf("derived %q", code)
	read, all := code.Reads()
	if all {
		read = names
	}
	for _, name := range read {
		if cell, ok := find(name); ok {
			key += fmt.Sprintf(" %s=%p", name, cell)
		}
	}
	return key, d, nil
}

// Alone is like New, but it checks a single definition without other providers. It assumes that each provider that the program names
// exists and has no value.
func Alone(p *Params) (key string, d provider.Provider, err error) {
	code, err := p.program()
	if err != nil {
		return "", nil, err
	}
	none := func(string) (*provider.Cell, bool) { return provider.NewCell(nil), true }
	key, alone, err := New(p, provider.Place{}, none, nil, code.Names())
	if err != nil {
		return "", nil, err
	}
	return key, alone, nil
}

// Settled implements provider.Settler.
func (p *Provider) Settled() bool {
	return p.programs.Settled() && p.passed.Load() == p.result.Load()
}

// Kind is "derived".
func (p *Provider) Kind() string { return "derived" }

// Run publishes the results until ctx ends.
func (p *Provider) Run(ctx context.Context, cell *provider.Cell) error {
	changed := make(chan struct{}, 1)
	defer p.result.Watch(changed)()
	ctx, end := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() { defer close(ended); _ = p.programs.Run(ctx, provider.NewCell(nil)) }() // Run returns only when ctx ends
	defer func() { end(); <-ended }()
	seq := uint64(0)
	for {
		s := p.result.Load()
		pass(cell, s, s.Seq != seq || s.Has() && cell.Refused())
		seq = s.Seq
		p.passed.Store(s)
		var again <-chan time.Time
		if cell.Refused() {
			again = time.After(provider.RefusedAgain)
		}
		select {
		case <-again:
		case <-ctx.Done():
			return nil
		case <-changed:
		}
	}
}

// pass() copies the sample s to `cell`. `fresh` is true if the value of s is new.
func pass(cell *provider.Cell, s *provider.Sample, fresh bool) {
	cell.PromiseNext(s.Interval)
	now := cell.Load()
	switch {
	case fresh:
		cell.Publish(s.Value, s.At)
	case s.Has() && s.Err == nil && (!now.At.Equal(s.At) || now.Err != nil):
		cell.Confirm(s.At)
	}
	if cell.Load().Interval != s.Interval {
		cell.Promise(s.Interval)
	}
	if s.Err != nil && (now.Err == nil || now.Err.Error() != s.Err.Error() || fresh) {
		cell.Fail(s.Err, s.Tried)
	}
}

// Reads lists the providers that the program names. It does not include the providers that the program reads without naming them.
func (p *Params) Reads() []string {
	code, err := p.program()
	if err != nil {
		return nil
	}
	names, _ := code.Reads()
	return names
}

// A Reader is a definition that reads other providers. Reads returns the names of these providers.
type Reader interface{ Reads() []string }

// Order sorts definitions so that each of them follows the definitions that it reads. It omits definitions that read themselves, directly
// or through other definitions, and returns their errors in `wrong`. For a program that reads all providers, Order considers only the
// providers that the program names.
func Order(all map[string]Reader) (order []string, wrong map[string]error) {
	wrong = map[string]error{}
	reads := map[string][]string{}
	for name, p := range all {
		reads[name] = slices.DeleteFunc(slices.Clone(p.Reads()), func(k string) bool { return all[k] == nil })
	}
	state := map[string]int{} // 1: being visited, 2: done
	var visit func(name string, path []string)
	visit = func(name string, path []string) {
		path = append(path, name)
		if state[name] == 1 {
			circle := path[slices.Index(path, name):]
			for _, n := range circle {
				wrong[n] = fmt.Errorf("it reads itself: %s", strings.Join(circle, " → "))
			}
			return
		}
		if state[name] == 2 {
			return
		}
		state[name] = 1
		for _, other := range reads[name] {
			visit(other, path)
		}
		state[name] = 2
		order = append(order, name)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		visit(name, nil)
	}
	return slices.DeleteFunc(order, func(n string) bool { return wrong[n] != nil }), wrong
}
