// Package scene reads a configuration into scenes: what each view of the wall shows, built and ready.
package scene

import (
	"image"
	"slices"
	"time"

	"dashboard/config"
	"dashboard/config/recipe"
	"dashboard/control/bridge"
	"dashboard/control/notify"
	"dashboard/control/page"
	"dashboard/control/timer"
	"dashboard/provider"
	"dashboard/provider/mqtt"
	"dashboard/provider/sources"
	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/theme/sun"
	"dashboard/wall/outputs"
	"dashboard/widgets/kit"
)

// A Generation is one consistent reading of all files, built and ready, but not yet shown: the next one
// replaces it whole or not at all.
type Generation struct {
	Timers  *timer.Set
	Conf    *config.Conf
	Region  Region
	Sources *provider.Set
	defs    map[string]*config.Provider // of the sources, by name
	Secrets *SeenSecrets
	over    *kit.Notices      // how notifications are shown over the wall; nil for not at all
	Broker  *mqtt.Broker      // of conf.yaml, nil without one
	Scenes  map[string]*Scene // by the name of their view
	Seats   map[string]Seat   // the same
	Wrong   map[string]bool   // providers with a mistake, by name
	Uses    []*recipe.Use     // of recipes
}

// A Scene is what one view shows of a generation.
type Scene struct {
	Graphics config.Graphics
	Size     image.Point // of the frame, px
	Sizing   outputs.Sizing
	moves    render.Transitions // what moves in all its trees
	Outputs  []config.Output
	Scale    float64 // by how much lengths in the widgets file are multiplied
	Region   Region
	Start    sun.Mode // shown if the sun is unknown
	Display  Display
	over     *kit.Notices       // how notifications are shown over it; nil for not at all
	Bridges  []bridge.Source    // whose messages are
	Trees    map[sun.Mode]*Tree // day and night, or only day with a single theme
}

// Single reports whether there is only one theme.
func (s *Scene) Single() bool { return len(s.Trees) == 1 }

// Renderer returns a new renderer of the tree of a mode.
func (s *Scene) Renderer(mode sun.Mode) *render.Renderer {
	return render.New(s.Trees[mode].Root, s.Size)
}

// Plan is which outputs the scene has, and the frames for them.
func (s *Scene) Plan() outputs.Plan {
	return outputs.Plan{Outputs: s.Outputs, Size: s.Size, Sizing: s.Sizing, Flip: s.Graphics.Flip, Zone: s.Region.Zone}
}

// Streams reports whether there is a stream output.
func (s *Scene) Streams() bool {
	return slices.ContainsFunc(s.Outputs, func(o config.Output) bool { return o.Stream != nil })
}

// Debounced reports whether any stream sets how long a frame must have been still.
func (s *Scene) Debounced() bool {
	return slices.ContainsFunc(s.Outputs, func(o config.Output) bool { return o.Stream != nil && o.Stream.DebounceMS != nil })
}

// Notifiable reports whether any tree has a widget that takes notifications.
func (s *Scene) Notifiable() bool {
	for _, t := range s.Trees {
		if t.Inboxes.Any() {
			return true
		}
	}
	return false
}

// AnyScene reports whether ok holds for any scene.
func (g *Generation) AnyScene(ok func(*Scene) bool) bool {
	for _, s := range g.Scenes {
		if ok(s) {
			return true
		}
	}
	return false
}

// FrameInterval is the least time between frames.
func (g *Generation) FrameInterval() time.Duration {
	return time.Second / time.Duration(g.Conf.Graphics.FPSLimit)
}

// A Tree is one theme's widgets.
type Tree struct {
	Root    render.Widget
	Inboxes *notify.Set
	Pages   *page.Set
	Survey  *kit.Survey
	Sources *sources.Sources
	Places  places
	Look    *look.Look
}

// Reduced reports whether motion is off: by the settings, or because all displays show only single pictures.
func (s *Scene) Reduced() bool {
	still := func(o config.Output) bool { return o.File != nil || o.Post != nil || o.Panel != nil || o.TRMNL != nil }
	switch s.Graphics.Motion {
	case "full":
		return false
	case "reduced":
		return true
	}
	return len(s.Outputs) > 0 && !slices.ContainsFunc(s.Outputs, func(o config.Output) bool { return !still(o) })
}

// Windows reports whether the scene is shown on a screen of this machine.
func (s *Scene) Windows() bool {
	for _, o := range s.Outputs {
		if o.Window != nil {
			return true
		}
	}
	return false
}
