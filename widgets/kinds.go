// Package widgets contains the catalog of all widgets.
//
// A kind is a struct of tagged parameters and a function that builds a widget from them. Each package below has a table of its
// kinds. Sizes are fixed when the tree is built, so a widget allocates everything it needs at that time.
package widgets

import (
	"slices"

	"dashboard/widgets/arrange"
	"dashboard/widgets/calendar"
	"dashboard/widgets/chart"
	"dashboard/widgets/classic"
	"dashboard/widgets/clock"
	"dashboard/widgets/kit"
	"dashboard/widgets/list"
	"dashboard/widgets/media"
	"dashboard/widgets/notice"
	"dashboard/widgets/weather"
)

// NewBuilder returns a builder for one tree.
func NewBuilder(e kit.Env) *kit.Builder { return kit.NewBuilder(e, All()) }

// All returns the whole catalog.
func All() kit.Catalog {
	return kit.Catalog{Kinds: Kinds(), Layers: notice.Layers, Sparkline: chart.Sparkline}
}

// Kinds returns all kinds in the order of the reference. Each package has a table of its own kinds.
func Kinds() []kit.Kind {
	return slices.Concat(
		[]kit.Kind{kit.ScreenKind()}, arrange.Kinds(), list.Kinds(), media.Kinds(), clock.Kinds(), chart.Kinds(), calendar.Kinds(), weather.Kinds(), classic.Kinds(),
	)
}
