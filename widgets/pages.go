package widgets

import (
	"image"
	"time"

	"dashboard/config/value"
	"dashboard/control/page"
	"dashboard/render"
)

// PagesParams are the parameters of the pages widget.
type PagesParams struct {
	Framed
	Dwell      value.Duration    `yaml:"dwell" default:"30s" doc:"How long a page is shown that says nothing itself."`
	Transition *value.Transition `yaml:"transition" doc:"How one page gives way to the next; slide without it."`
}

// pages shows one of its children: the one that was chosen by hand, one with a trigger, or each in turn while its condition holds.
type pages struct {
	size     image.Point
	children []*child
	triggers []firing
	whens    []nextTurn
	in       []page.Condition
	place    *page.Place
	motion   transition

	current int
	beside  int  // the page that a finger brings in
	way     int  // 1: it is the next one, -1: the previous one
	hauled  bool // a finger moves them, or they go back from where it let go
}

// firing is the conditions of a trigger.
type firing struct {
	has         bool
	when, clear nextTurn // clear is of nothing where the end of when ends it
}

func buildPages(b *Builder, s *Spec, p *PagesParams, size image.Point) render.Widget {
	w := &pages{size: size, place: b.place(s, p), motion: b.transition(p.Transition, "slide", size)}
	w.children = b.kids(s, size)
	w.triggers, w.whens, w.in = make([]firing, len(w.children)), make([]nextTurn, len(w.children)), make([]page.Condition, len(w.children))
	for i, k := range w.children {
		k.rect = image.Rectangle{Max: size}
		if g, ok := k.widget.(*guard); ok {
			w.whens[i].of = g.stay()
		}
		if t := k.common.Trigger; t != nil {
			when, end := b.condition(k.spec, t.When), b.condition(k.spec, t.Clear)
			w.triggers[i] = firing{true, nextTurn{of: when}, nextTurn{of: end}}
		}
	}
	return w
}

// place is where the pages of s are among those of the wall; one that is built again has the same.
func (b *Builder) place(s *Spec, p *PagesParams) *page.Place {
	if at := b.places[s]; at != nil {
		return at
	}
	all := make([]page.Page, len(s.Children))
	for i, k := range s.Children {
		c := b.common(k)
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
	b.places[s] = at
	return at
}

// checkPageNames warns of names by which a page cannot be asked for.
func checkPageNames(s *Spec) {
	taken := map[string]bool{}
	for _, k := range s.Children {
		switch {
		case k.Name == "":
		case k.Name == page.Next, k.Name == page.Previous, k.Name == page.Auto:
			k.Warnf("name", "a page of this name cannot be asked for: next, previous and auto mean something else")
		case taken[k.Name]:
			k.Warnf("name", "another page has the name '%s', and is shown when it is asked for", k.Name)
		}
		taken[k.Name] = true
	}
}

// shortestDwell is the least time that a page stays: a wall is no film.
const shortestDwell = time.Second

// stay has a widget in pages not hide itself: they decide. It returns the condition on which it is shown, nil if there is none, or if
// its content has something to say about that.
func (g *guard) stay() *condition {
	f, ok := g.inner.(*frame)
	if !ok {
		return nil
	}
	f.stays = true
	if _, hides := f.inner.(hideable); hides {
		return nil
	}
	return f.when
}

// Update implements render.Widget.
func (w *pages) Update(t render.Tick) {
	refreshAll(t, w.children)
	for i, k := range w.children {
		w.in[i] = w.triggers[i].at(t)
		w.in[i].When, w.in[i].WhenTurns = k.shown, w.whens[i].next(t.Now())
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
			k.widget.Update(t)
		} else {
			k.widget.Update(t.Hidden())
		}
	}
}

// at is what holds for a trigger.
func (f *firing) at(t render.Tick) (c page.Condition) {
	if !f.has {
		return c
	}
	c.Fire, c.FireTurns = f.when.of.holds(t), f.when.next(t.Now())
	c.Clear, c.ClearTurns = !c.Fire, c.FireTurns
	if f.clear.of != nil {
		c.Clear, c.ClearTurns = f.clear.of.holds(t), f.clear.next(t.Now())
	}
	return c
}

// Paint implements render.Widget.
func (w *pages) Paint(c render.Canvas) {
	next := w.current
	if w.hauled {
		next = w.beside
	}
	w.motion.paint(c, next, func(i int, c render.Canvas) { w.children[i].widget.Paint(c) })
}

// A page that is dragged is the one that is touched.
func (w *pages) reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return each(w.children[w.current].widget, p)
}
