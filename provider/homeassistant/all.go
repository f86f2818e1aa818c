package homeassistant

import (
	"context"
	"errors"
)

var errNoEntities = errors.New("Home Assistant lists no entities") //nolint:staticcheck // the error begins with a proper name

// All implements provider.Lister. It returns all entities of the home by ID, in the same form as in the provider's value. A home whose
// entities do not fit into MaxMessage returns an error.
func (p *Provider) All(ctx context.Context) (map[string]any, error) {
	c, release, err := p.home.Connect(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	type listed struct {
		all entities
		err error
	}
	first := make(chan listed, 1)
	defer c.Subscribe(map[string]any{"type": "subscribe_entities"}, func(event any, err error) {
		l := listed{entities{}, err}
		if m, ok := event.(map[string]any); ok {
			l.all.apply(m, func(string) bool { return true })
		} else if err == nil {
			l.err = errNoEntities
		}
		select {
		case first <- l:
		default: // a later change of an entity
		}
	})()
	select {
	case l := <-first:
		out := make(map[string]any, len(l.all))
		for id, e := range l.all {
			if valid(id) {
				out[id] = e.value()
			}
		}
		return out, l.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
