package kit

import (
	"slices"

	"dashboard/render"
)

// groupKey identifies a group of texts: either by the name in the file, or by a parent, a kind and a style.
type groupKey struct {
	parent            *Spec
	kind, style, word string
}

// textGroup is a group of widgets whose texts have a common size. The common size is the smallest size that a text of the group needs. A
// text that needs a much smaller size than the other texts is ignored.
type textGroup struct {
	sizes   []int // buffer of the method shared()
	members []*Member
	size    int // common size in px, 0 if no member has a text
}

// Member is a widget in a group. Methods of a nil Member do nothing.
type Member struct {
	group *textGroup
	spec  *Spec
	fits  int // size in px at which the text of this member fits, 0 without a text
}

// Member adds the widget of s to its text group and returns the widget's Member. If the widget has no group, it returns nil.
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
		if m.spec == s { // the widget is built again in another size
			m.fits = 0
			return m
		}
	}
	m := &Member{group: g, spec: s}
	g.members = append(g.members, m)
	return m
}

// Fit records the size `px` at which the widget's text fits. It returns the size of the group, in px.
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

// `outlier` is a share of the group's median size. A text that needs a size below this share is ignored, because a single long text would
// shrink all its neighbors.
const outlier = 0.6

// shared() computes the common size of the members in px, without outliers. It returns 0 if no member has a text. In a group of two, no
// text is ignored.
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

// Size returns the group's size in px, or 0 if there is no limit.
func (m *Member) Size() int {
	if m == nil {
		return 0
	}
	return m.group.size
}

// Tell requests another pass if the size of the group differs from `before`, because other members may already be painted in the old size.
func (m *Member) Tell(t render.Tick, before int) {
	if m != nil && m.group.size != before {
		t.Wake(t.Now())
	}
}
