package wall

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"dashboard/config"
	"dashboard/control/power"
	"dashboard/internal/stable"
	"dashboard/netstream"
	"dashboard/wall/fact"
	"dashboard/wall/scene"
	"dashboard/wall/view"
)

// all() returns the views by name. The caller must not change the map.
func (s *Service) all() map[string]*view.View { return *s.views.Load() }

// main returns the main view, which every configuration has.
func (s *Service) main() *view.View { return s.all()[config.MainView] }

// names() returns the names of the views, with main first.
func (s *Service) names() []string {
	all := slices.Collect(maps.Keys(s.all()))
	stable.Sort(all, func(a, b string) int {
		return cmp.Or(cmp.Compare(fact.Truth(b == config.MainView), fact.Truth(a == config.MainView)), strings.Compare(a, b))
	})
	return all
}

// owners() returns the owners of the screens of all views. An owner switches and dims the screens of one view.
func (s *Service) owners() []*power.Owner {
	all := make([]*power.Owner, 0, len(s.all()))
	for _, v := range s.all() {
		all = append(all, v.Power)
	}
	return all
}

// seatOf returns the parts of a view that its trees need. If the view does not exist yet, it creates these parts.
func (s *Service) seatOf(name string) scene.Seat {
	if v := s.all()[name]; v != nil {
		return v.Seat
	}
	return scene.NewSeat()
}

// add creates a view and adds it to the service.
func (s *Service) add(name string, at scene.Seat) *view.View {
	v := view.New(view.Parts{
		Name: name, Memory: s.builder.Memory, Agent: scene.UserAgent(s.opts.Version), Log: s.log, Started: s.started, Seat: at, Devices: s.devices, Keep: view.Keeping{Store: s.store, Home: s.opts.Home}, Note: s.note,
		Resized: s.askResize, Ask: s.ask, Sound: s.heard, Passed: s.passed, TimeSet: s.builder.TimeSet.Load, Touchable: s.touchable,
	})
	all := maps.Clone(s.all())
	all[v.Name] = v
	s.views.Store(&all)
	return v
}

// open() adds the views of a generation that the service does not have yet.
func (s *Service) open(g *scene.Generation) (fresh []*view.View) {
	for name := range g.Scenes {
		if s.all()[name] == nil {
			fresh = append(fresh, s.add(name, g.Seats[name]))
		}
	}
	return fresh
}

// shut() closes the views that a generation does not have any more.
func (s *Service) shut(g *scene.Generation) {
	all := maps.Clone(s.all())
	var gone []*view.View
	for name, v := range all {
		if g.Scenes[name] == nil {
			gone = append(gone, v)
			delete(all, name)
		}
	}
	s.views.Store(&all)
	for _, v := range gone {
		v.End()
		<-v.Ended
		v.Close()
		_ = v.Stream.Halt() // Halt of a stream never returns an error
	}
}

// stream implements server.Deps.Stream. "" is the main view.
func (s *Service) stream(name string) *netstream.Stream {
	if v := s.all()[cmp.Or(name, config.MainView)]; v != nil {
		return v.Stream
	}
	return nil
}

// streams() implements server.Deps.Streams. "" is the main view. If the newest frame is outdated, streams waits a limited time for a new
// frame.
func (s *Service) streams(name string) *netstream.Stream {
	v := s.all()[cmp.Or(name, config.MainView)]
	if v == nil {
		return nil
	}
	v.Look()
	return v.Stream
}
