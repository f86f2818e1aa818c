package main

import (
	"image"
	"slices"
	"time"

	"dashboard/config"
	"dashboard/control/bridge"
	"dashboard/control/notify"
	"dashboard/control/page"
	"dashboard/control/timer"
	"dashboard/provider"
	"dashboard/provider/mqtt"
	"dashboard/provider/sources"
	"dashboard/render"
	"dashboard/theme/sun"
	"dashboard/wall/outputs"
	"dashboard/widgets/kit"
)

// A generation is one consistent reading of all files, built and ready, but not yet shown: the next one
// replaces it whole or not at all.
type generation struct {
	timers  *timer.Set
	conf    *config.Conf
	region  region
	sources *provider.Set
	defs    map[string]*config.Provider // of the sources, by name
	secrets *seenSecrets
	over    *kit.Notices      // how notifications are shown over the wall; nil for not at all
	broker  *mqtt.Broker      // of conf.yaml; nil without one
	scenes  map[string]*scene // by the name of their view
	seats   map[string]seat   // the same
	wrong   map[string]bool   // providers with a mistake, by name
}

// A scene is what one view shows of a generation.
type scene struct {
	graphics config.Graphics
	size     image.Point // of the frame, px
	sizing   outputs.Sizing
	moves    render.Transitions // what moves in all its trees
	outputs  []config.Output
	scale    float64 // by how much lengths in the widgets file are multiplied
	region   region
	start    sun.Mode // shown where nobody knows the sun
	display  display
	over     *kit.Notices       // how notifications are shown over it; nil for not at all
	bridges  []bridge.Source    // whose messages are
	trees    map[sun.Mode]*tree // day and night, or only day where there is one theme
}

// single reports whether there is only one theme.
func (s *scene) single() bool { return len(s.trees) == 1 }

// renderer returns a new renderer of the tree of a mode.
func (s *scene) renderer(mode sun.Mode) *render.Renderer {
	return render.New(s.trees[mode].root, s.size)
}

// plan is which outputs the scene has, and the frames for them.
func (s *scene) plan() outputs.Plan {
	return outputs.Plan{Outputs: s.outputs, Size: s.size, Sizing: s.sizing, Flip: s.graphics.Flip, Zone: s.region.zone}
}

// streams reports whether there is a stream output.
func (s *scene) streams() bool {
	return slices.ContainsFunc(s.outputs, func(o config.Output) bool { return o.Stream != nil })
}

// debounced reports whether any stream says how long a frame must have been still.
func (s *scene) debounced() bool {
	return slices.ContainsFunc(s.outputs, func(o config.Output) bool { return o.Stream != nil && o.Stream.DebounceMS != nil })
}

// notifiable reports whether any tree has a widget that takes notifications.
func (s *scene) notifiable() bool {
	for _, t := range s.trees {
		if t.inboxes.Any() {
			return true
		}
	}
	return false
}

// anyScene reports whether ok holds for any scene.
func (g *generation) anyScene(ok func(*scene) bool) bool {
	for _, s := range g.scenes {
		if ok(s) {
			return true
		}
	}
	return false
}

// frameInterval is the least time between frames.
func (g *generation) frameInterval() time.Duration {
	return time.Second / time.Duration(g.conf.Graphics.FPSLimit)
}

// A tree is one theme's widgets.
type tree struct {
	root    render.Widget
	inboxes *notify.Set
	pages   *page.Set
	survey  *kit.Survey
	sources *sources.Sources
	places  places
}

// reduced reports whether nothing is to move: by the settings, or where nobody sees more than pictures of moments.
func (s *scene) reduced() bool {
	still := func(o config.Output) bool { return o.File != nil || o.Post != nil || o.Panel != nil || o.TRMNL != nil }
	switch s.graphics.Motion {
	case "full":
		return false
	case "reduced":
		return true
	}
	return len(s.outputs) > 0 && !slices.ContainsFunc(s.outputs, func(o config.Output) bool { return !still(o) })
}
