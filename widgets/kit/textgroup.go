package kit

import (
	"slices"

	"dashboard/render"
)

// groupKey distinguishes groups: a word of the file, or one kind and style below one parent.
type groupKey struct {
	parent            *Spec
	kind, style, word string
}

// textGroup is widgets whose texts have one size: the smallest that fits all of them, without outliers.
type textGroup struct {
	sizes   []int // scratch
	members []*Member
	size    int // px, 0 while no member has a text
}

// Member is one widget of a group. A nil one is in none.
type Member struct {
	group *textGroup
	spec  *Spec
	fits  int // px, the size of its text alone, 0 without a text
}

// Member returns the widget's place in the group of its parameters and its siblings, nil if it is alone.
func (b *Builder) Member(s *Spec, t *Typed) *Member {
	key := groupKey{parent: s.Parent, kind: s.Kind, style: t.Style}
	switch {
	case t.TextGroup == "none" || t.TextGroup == "" && s.Parent == nil:
		return nil
	case t.TextGroup != "":
		key = groupKey{word: t.TextGroup}
	}
	g := b.groups[key]
	if g == nil {
		g = &textGroup{}
		b.groups[key] = g
	}
	for _, m := range g.members {
		if m.spec == s { // it is built again, at another size
			m.fits = 0
			return m
		}
	}
	m := &Member{group: g, spec: s}
	g.members = append(g.members, m)
	return m
}

// Fit records the size, px, at which the widget's text fits, and returns the group's size.
func (m *Member) Fit(px int) int {
	if m == nil {
		return 0
	}
	if m.fits == px {
		return m.group.size
	}
	m.fits = px
	m.group.size = m.group.shared()
	return m.group.size
}

// outlier is the share of the group's median size below which a text does not count: one long text would shrink all its neighbors.
const outlier = 0.6

// shared is the smallest size of the members that are no outliers, px, or 0 without any text. Two members share the smaller size.
func (g *textGroup) shared() (size int) {
	g.sizes = g.sizes[:0]
	for _, m := range g.members {
		if m.fits > 0 {
			g.sizes = append(g.sizes, m.fits)
		}
	}
	slices.Sort(g.sizes)
	if len(g.sizes) == 0 {
		return 0
	}
	least := int(float64(g.sizes[(len(g.sizes)-1)/2]) * outlier)
	for _, px := range g.sizes {
		if px >= least {
			return px
		}
	}
	return g.sizes[0]
}

// Size is the group's size, px, or 0 for any.
func (m *Member) Size() int {
	if m == nil {
		return 0
	}
	return m.group.size
}

// Tell requests another pass if the group's size has changed, because earlier widgets have the old size.
func (m *Member) Tell(t render.Tick, before int) {
	if m != nil && m.group.size != before {
		t.Wake(t.Now())
	}
}
