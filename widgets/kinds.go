package widgets

import "slices"

// NewBuilder returns a builder of one tree.
func NewBuilder(e Env) *Builder { return newBuilder(e, All()) }

// All returns the whole catalog.
func All() Catalog { return Catalog{Kinds: Kinds(), Layers: layers, Sparkline: sparkline} }

// Kinds returns all kinds in the order of the reference. Each package has a table with its own.
func Kinds() []Kind {
	return slices.Concat(
		[]Kind{ScreenKind()}, arrangeKinds(), listKinds(), mediaKinds(), clockKinds(), chartKinds(), calendarKinds(), weatherKinds(), classicKinds(),
	)
}
