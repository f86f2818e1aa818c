package arrange

import (
	"image"
	"time"

	"dashboard/config/value"
	"dashboard/control/page"
	"dashboard/render"
	"dashboard/widgets/kit"
)

// PagesParams are the parameters of the pages widget.
type PagesParams struct {
	kit.Framed
	// Time for which a page without its own dwell is shown.
	Dwell value.Duration `yaml:"dwell" default:"30s"`
	// Animation from one page to the next. Default: slide. The default duration is 0.36 s.
	Transition *value.Transition `yaml:"transition"`
}

// pages shows one of its children. A page that a user selected has priority, then a page whose trigger is true. Otherwise, the pages
// whose conditions are true are shown in turn.
type pages struct {
	size     image.Point
	children []*kit.Child
	triggers []firing
	whens    []kit.NextTurn
	in       []page.Condition
	place    *page.Place
	motion   transition

	current int
	beside  int  // index of the page that moves in during a drag
	way     int  // 1 if `beside` is the next page, -1 if it is the previous page
	hauled  bool // true during a drag, and while the pages move back after a drag
}

// firing holds the conditions of a page's trigger.
type firing struct {
	has         bool
	when, clear kit.NextTurn // if clear.Of is nil, the trigger ends as soon as the condition of `when` is false
}

func buildPages(b *kit.Builder, s *kit.Spec, p *PagesParams, size image.Point) render.Widget {
	w := &pages{size: size, place: place(b, s, p), motion: newTransition(b, p.Transition, "slide", size)}
	w.children = b.Kids(s, size)
	w.triggers, w.whens, w.in = make([]firing, len(w.children)), make([]kit.NextTurn, len(w.children)), make([]page.Condition, len(w.children))
	for i, k := range w.children {
		k.Rect = image.Rectangle{Max: size}
		if g, ok := k.Widget.(*kit.Guard); ok {
			w.whens[i].Of = stay(g)
		}
		if t := k.Common.Trigger; t != nil {
			when, end := b.When(k.Spec, t.When), b.When(k.Spec, t.Clear)
			w.triggers[i] = firing{true, kit.NextTurn{Of: when}, kit.NextTurn{Of: end}}
		}
	}
	return w
}

// place() returns the state of the pages of s. If the widget is built again, it returns the existing state.
func place(b *kit.Builder, s *kit.Spec, p *PagesParams) *page.Place {
	if at := b.Places[s]; at != nil {
		return at
	}
	all := make([]page.Page, len(s.Children))
	for i, k := range s.Children {
		c := b.Common(k)
		d := time.Duration(p.Dwell)
		if c.Dwell > 0 {
			d = time.Duration(c.Dwell)
		}
		all[i] = page.Page{Name: k.Name, At: k.Pos, Dwell: max(d, shortestDwell), Only: c.Only, Rule: c.When.Text()}
		if t := c.Trigger; t != nil {
			all[i].Rule = t.When.Text()
			all[i].Trigger = &page.Trigger{
				After: time.Duration(t.After), Hold: max(time.Duration(t.Hold), shortestDwell), Cooldown: time.Duration(t.Cooldown), Priority: t.Priority, Wake: t.Wake,
			}
		}
	}
	checkPageNames(s)
	at := b.Pages.Add(s.Name, all)
	b.Places[s] = at
	return at
}

// checkPageNames warns about pages that cannot be selected because of their names.
func checkPageNames(s *kit.Spec) {
	taken := map[string]bool{}
	for _, k := range s.Children {
		switch {
		case k.Name == "":
		case k.Name == page.Next, k.Name == page.Previous, k.Name == page.Auto:
			k.Warnf("name", "a page of this name cannot be asked for: next, previous and auto mean something else")
		case taken[k.Name]:
			k.Warnf("name", "another page has the name '%s', and requests for this name show the other page", k.Name)
		}
		taken[k.Name] = true
	}
}

// shortestDwell is the minimum time for which a page is shown. A faster change would be unreadable.
const shortestDwell = time.Second

// stay() makes the page of g visible even while its condition is false, because the pages widget decides which page is shown. It returns
// the page's condition. If the page has no condition, or if its content can hide itself, stay() returns nil.
func stay(g *kit.Guard) *kit.When {
	f, ok := g.Inner.(*kit.Frame)
	if !ok {
		return nil
	}
	f.Stays = true
	if _, hides := f.Inner.(kit.Hideable); hides {
		return nil
	}
	return f.When
}

// Update implements render.Widget.
func (w *pages) Update(t render.Tick) {
	kit.RefreshAll(t, w.children)
	for i, k := range w.children {
		w.in[i] = w.triggers[i].at(t)
		w.in[i].When, w.in[i].WhenTurns = k.Shown, w.whens[i].Next(t.Now())
	}
	c := w.place.Step(t.Now(), w.in)
	if !c.Next.IsZero() {
		t.Wake(c.Next)
	}
	switch {
	case c.Fresh:
		w.motion.end()
		w.hauled = false
		if c.Page != w.current {
			w.current = c.Page
			t.DamageAll()
		}
	case c.Page != w.current:
		w.hauled = false
		w.motion.begin(t.Now(), w.current, c.Page)
		w.current = c.Page
		t.DamageAll()
	}
	w.motion.update(t)
	w.hauled = w.hauled && w.motion.under()
	for i, k := range w.children {
		if i == w.current || w.motion.under() && (i == w.motion.from || w.hauled && i == w.beside) {
			k.Widget.Update(t)
		} else {
			k.Widget.Update(t.Hidden())
		}
	}
}

// at() evaluates the conditions of the trigger for a tick.
func (f *firing) at(t render.Tick) (c page.Condition) {
	if !f.has {
		return c
	}
	c.Fire, c.FireTurns = f.when.Of.Holds(t), f.when.Next(t.Now())
	c.Clear, c.ClearTurns = !c.Fire, c.FireTurns
	if f.clear.Of != nil {
		c.Clear, c.ClearTurns = f.clear.Of.Holds(t), f.clear.Next(t.Now())
	}
	return c
}

// Paint implements render.Widget.
func (w *pages) Paint(c render.Canvas) {
	next := w.current
	if w.hauled {
		next = w.beside
	}
	w.motion.paint(c, next, func(i int, c render.Canvas) { w.children[i].Widget.Paint(c) })
}

// Reach implements kit.Holder. Only the current page receives a touch, also during a drag.
func (w *pages) Reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return each(w.children[w.current].Widget, p)
}
