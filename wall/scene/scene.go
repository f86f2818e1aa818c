// Package scene reads a configuration and builds scenes. A scene is the finished content of a view.
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

// A Generation is the content of all views, built from the files at one time. The wall shows either
// the whole generation or, after an error, nothing of it.
type Generation struct {
	Timers  *timer.Set
	Conf    *config.Conf
	Region  Region
	Sources *provider.Set
	defs    map[string]*config.Provider // definitions of the sources, by name
	Secrets *SeenSecrets
	over    *kit.Notices      // settings for notifications over the wall, or nil
	Broker  *mqtt.Broker      // broker of conf.yaml, or nil
	Scenes  map[string]*Scene // scenes by view
	Seats   map[string]Seat   // seats by view
	Wrong   map[string]bool   // names of the providers with an error in their definition
	Uses    []*recipe.Use     // uses of recipes
}

// A Scene is the content of a view in a generation.
type Scene struct {
	Graphics config.Graphics
	Size     image.Point // size of the frame, in px
	Sizing   outputs.Sizing
	moves    render.Transitions // buffers for transitions, shared by all trees
	Outputs  []config.Output
	Scale    float64 // factor for lengths in the widgets file
	Region   Region
	Start    sun.Mode // mode to show while the position of the sun is not known
	Display  Display
	over     *kit.Notices       // settings for notifications over the wall, or nil
	Bridges  []bridge.Source    // servers whose messages the view shows
	Trees    map[sun.Mode]*Tree // trees for day and night. A single theme has only a tree for the day
}

// Single reports whether the scene has only one tree.
func (s *Scene) Single() bool { return len(s.Trees) == 1 }

// Renderer returns a new renderer for the tree of a mode.
func (s *Scene) Renderer(mode sun.Mode) *render.Renderer {
	return render.New(s.Trees[mode].Root, s.Size)
}

// Plan returns the plan from which package outputs opens the scene's outputs.
func (s *Scene) Plan() outputs.Plan {
	return outputs.Plan{Outputs: s.Outputs, Size: s.Size, Sizing: s.Sizing, Flip: s.Graphics.Flip, Zone: s.Region.Zone}
}

// Streams reports whether one of the outputs is a stream.
func (s *Scene) Streams() bool {
	return slices.ContainsFunc(s.Outputs, func(o config.Output) bool { return o.Stream != nil })
}

// Debounced reports whether a stream output sets debounce_ms, the time without a change before a frame is sent.
func (s *Scene) Debounced() bool {
	return slices.ContainsFunc(s.Outputs, func(o config.Output) bool { return o.Stream != nil && o.Stream.DebounceMS != nil })
}

// Notifiable reports whether a widget of the scene shows notifications.
func (s *Scene) Notifiable() bool {
	for _, t := range s.Trees {
		if t.Inboxes.Any() {
			return true
		}
	}
	return false
}

// AnyScene reports whether ok returns true for at least one scene.
func (g *Generation) AnyScene(ok func(*Scene) bool) bool {
	for _, s := range g.Scenes {
		if ok(s) {
			return true
		}
	}
	return false
}

// FrameInterval returns the minimum time between two frames.
func (g *Generation) FrameInterval() time.Duration {
	return time.Second / time.Duration(g.Conf.Graphics.FPSLimit)
}

// A Tree contains the widgets of a scene in one theme.
type Tree struct {
	Root    render.Widget
	Inboxes *notify.Set
	Pages   *page.Set
	Survey  *kit.Survey
	Sources *sources.Sources
	Places  places
	Look    *look.Look
}

// Reduced reports whether motion is turned off. The key `motion` decides this. If the key is not set, motion is off if all outputs show
// still pictures.
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

// Windows reports whether one of the outputs is a window on a screen of this machine.
func (s *Scene) Windows() bool {
	for _, o := range s.Outputs {
		if o.Window != nil {
			return true
		}
	}
	return false
}
