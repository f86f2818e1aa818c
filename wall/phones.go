package wall

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"dashboard/config"
	"dashboard/control"
	"dashboard/internal/stable"
	"dashboard/wall/scene"
)

const (
	// maxPhones is the maximum number of views for phones. A view for a phone needs as much memory as any other view.
	maxPhones = 2
	// phoneIdle is the time without a viewer after which a phone's view ends.
	phoneIdle = 10 * time.Minute
	// phoneGrace is the time for which a new view cannot be replaced. The phone's page needs this time to show the view.
	phoneGrace = time.Minute
	// phoneLook is the time between two searches for idle views.
	phoneLook = 30 * time.Second
	// phoneSide is the maximum length of the shorter side of a picture for a phone, in px.
	phoneSide = 1080
)

// phones is the set of views that are drawn in the size of a phone. Its methods may be called from any goroutine.
type phones struct {
	mu  sync.Mutex // guards the field all
	all map[string]*phone
}

type phone struct {
	scene.Phone
	used time.Time
}

// views() returns the views that the next load must build.
func (p *phones) views() map[string]scene.Phone {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := map[string]scene.Phone{}
	for name, one := range p.all {
		all[name] = one.Phone
	}
	return all
}

// add adds a view for a phone. If there are already maxPhones views, it removes views without a viewer that were not used for phoneGrace.
// If this is not enough, it returns control.ErrPhones. `fresh` is false if the view exists already.
func (p *phones) add(name string, one scene.Phone, now time.Time, watched func(string) bool) (fresh bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if there := p.all[name]; there != nil {
		there.used = now
		return false, nil
	}
	oldest := slices.Collect(maps.Keys(p.all))
	stable.Sort(oldest, func(a, b string) int { return p.all[a].used.Compare(p.all[b].used) })
	for _, other := range oldest {
		if len(p.all) >= maxPhones && !watched(other) && now.Sub(p.all[other].used) >= phoneGrace {
			delete(p.all, other)
		}
	}
	if len(p.all) >= maxPhones {
		return false, control.ErrPhones
	}
	if p.all == nil {
		p.all = map[string]*phone{}
	}
	p.all[name] = &phone{one, now}
	return true, nil
}

// of() returns the name of the view that a phone's view copies. For other views it returns `name`.
func (p *phones) of(name string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if one := p.all[name]; one != nil {
		return one.Of
	}
	return name
}

// remove removes a view that could not be built.
func (p *phones) remove(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.all, name)
}

// expire removes the views that have had no viewer for phoneIdle. It returns true if it has removed any.
func (p *phones) expire(now time.Time, watched func(string) bool) (gone bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for name, one := range p.all {
		switch {
		case watched(name):
			one.used = now
		case now.Sub(one.used) >= phoneIdle:
			delete(p.all, name)
			gone = true
		}
	}
	return gone
}

// phone performs the verb phone. It makes a copy of a view in the size of a phone, and returns the name of the copy.
func (s *Service) phone(ctx context.Context, a control.Action) (control.Result, error) {
	of := cmp.Or(a.View, config.MainView)
	if scene.IsPhone(of) {
		return nil, control.ErrNoView
	}
	size := phoneSize(a.Args.Int("width"), a.Args.Int("height"), a.Args.Float("scale"))
	name := scene.PhoneName(fmt.Sprintf("%s-%dx%d", of, size.Width, size.Height))
	fresh, err := s.phones.add(name, scene.Phone{Of: of, Size: size}, time.Now(), s.phoneWatched)
	if err != nil {
		return nil, err
	}
	if fresh {
		r, err := s.readAgain(ctx)
		if err == nil && !r.OK {
			err = control.ErrWrong
		}
		if err != nil {
			s.phones.remove(name)
			return nil, err
		}
	}
	return control.Result{"view": name}, nil
}

// phoneSize converts the size of a phone to px. `width` and `height` are in CSS pixels, and `scale` is the number of px for each CSS pixel.
func phoneSize(width, height int, scale float64) config.Size {
	scale = max(1, min(scale, phoneSide/float64(min(width, height))))
	return config.Size{Width: int(float64(width) * scale), Height: int(float64(height) * scale)}
}

// phoneWatched reports whether the view of a phone has a viewer at the moment.
func (s *Service) phoneWatched(name string) bool {
	v := s.all()[name]
	return v != nil && v.Stream.Watched()
}

// runPhones removes the views of phones that have disconnected, until ctx ends.
func (s *Service) runPhones(ctx context.Context) {
	tick := time.NewTicker(phoneLook)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			if s.phones.expire(now, s.phoneWatched) {
				s.askReload()
			}
		}
	}
}

// listed() returns the names of the views, with main first. Views for phones are left out.
func (s *Service) listed() []string { return slices.DeleteFunc(s.names(), scene.IsPhone) }
