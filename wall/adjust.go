package wall

import (
	"cmp"
	"context"
	"fmt"

	"dashboard/control"
	"dashboard/provider/homeassistant"
	"dashboard/server"
	"dashboard/wall/scene"
)

// adjust sets the value of an entity that is a number. It refuses an entity that no tap on the shown page controls.
func (s *Service) adjust(ctx context.Context, a control.Action) (control.Result, error) {
	_, handles, err := s.Survey(ctx, a.View)
	if err != nil {
		return nil, control.ErrNoSlider
	}
	entity, value := a.Args.Text("entity"), a.Args.Float("value")
	for i := range handles {
		h := &handles[i]
		if h.Entity != entity || h.Slider == nil || homeName(h.Provider) != homeName(a.Args.Text("provider")) {
			continue
		}
		r, ok := s.sliderOf(ctx, h)
		if !ok {
			break
		}
		if !r.Contains(value) {
			return nil, fmt.Errorf("'value' of %s must be from %v to %v", entity, r.Min, r.Max)
		}
		action, data := r.Call(value)
		return nil, s.elsewhere(s.home(h.Provider).Call(ctx, action, entity, data))
	}
	return nil, control.ErrNoSlider
}

// sliderOf returns the range of the number that the handle h sets. It returns false if h does not set a number.
func (s *Service) sliderOf(ctx context.Context, h *server.Handle) (homeassistant.Range, bool) {
	if h.Entity == "" {
		return homeassistant.Range{}, false
	}
	home := s.home(h.Provider)
	if home == nil {
		return homeassistant.Range{}, false
	}
	return home.Range(ctx, h.Entity)
}

func homeName(provider string) string { return cmp.Or(provider, scene.HomeProvider) }

// home returns the Home Assistant of a provider, or nil. If the name is "", home uses the provider in conf.yaml.
func (s *Service) home(provider string) *homeassistant.Home {
	p, _ := s.builder.Providers.Find(homeName(provider))
	home, ok := p.(*homeassistant.Provider)
	if !ok {
		return nil
	}
	return home.Home()
}
