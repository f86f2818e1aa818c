// Package widgets contains the catalog of all widgets.
//
// A kind of widget is a struct of tagged parameters and a function that builds a widget from these parameters. Each subpackage that
// contains kinds has a table of its kinds. A widget gets its size when the tree is built. The size never changes, so the widget allocates
// all its memory when it is built.
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
	"dashboard/widgets/screen"
	"dashboard/widgets/weather"
	"dashboard/widgets/writing"
)

// NewBuilder returns a builder for one tree, with all kinds of widgets.
func NewBuilder(e kit.Env) *kit.Builder { return kit.NewBuilder(e, All()) }

// All returns the catalog with all kinds of widgets.
func All() kit.Catalog {
	return kit.Catalog{Kinds: Kinds(), Layers: notice.Layers, Sparkline: chart.Sparkline}
}

// Kinds returns all kinds in the order of the reference.
func Kinds() []kit.Kind {
	return slices.Concat(
		[]kit.Kind{screen.Kind()}, arrange.Kinds(), writing.Kinds(), list.Kinds(), media.Kinds(), clock.Kinds(), chart.Kinds(),
		calendar.Kinds(), weather.Kinds(), classic.Kinds(),
	)
}
