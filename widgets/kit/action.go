package kit

import (
	"fmt"
	"slices"

	"dashboard/config/value"
	"dashboard/control"
	"dashboard/internal/spelling"
)

// Swipes holds one action for each direction of a swipe.
type Swipes struct {
	// Action of left swipes.
	Left *control.Action `yaml:"left"`
	// Action of right swipes.
	Right *control.Action `yaml:"right"`
	// Action of upward swipes.
	Up *control.Action `yaml:"up"`
	// Action of downward swipes.
	Down *control.Action `yaml:"down"`
}

// checkActions checks the targets of all actions of a widget. A toggle needs a widget with the key `entity`. The page of an action must
// exist.
func (b *Builder) checkActions(s *Spec, c *Common) {
	b.CheckAction(s, "on_tap", c.OnTap)
	b.CheckAction(s, "on_double_tap", c.OnDoubleTap)
	b.CheckAction(s, "on_hold", c.OnHold)
	if w := c.OnSwipe; w != nil {
		for _, a := range []*control.Action{w.Left, w.Right, w.Up, w.Down} {
			b.CheckAction(s, "on_swipe", a)
		}
	}
}

// CheckAction reports an action that can never work: a toggle without an entity, "done" outside a list, or a page that does not exist.
func (b *Builder) CheckAction(s *Spec, key string, a *control.Action) {
	if a == nil {
		return
	}
	if a.Verb == control.Toggle && !ownEntity(s) {
		s.Complain(key, "toggle is about the widget's own entity, and it has none: write 'entity' beside it, or {action: light.toggle, entity: light.hall}")
	}
	if a.Verb == control.Done {
		s.Complain(key, "done is about the task of a row: write it as on_tap in 'item' of a list")
	}
	page := a.Args.Text("page")
	if page == "" || slices.Contains([]string{"next", "previous", "auto"}, page) {
		return
	}
	names := pageNames(s.root())
	if slices.Contains(names, page) {
		return
	}
	meant := ""
	if near := spelling.Nearest(page, names); near != "" {
		meant = "; is '" + near + "' meant?"
	}
	s.Complain(key, "there is no page named '%s'%s", page, meant)
}

// ownEntity reports whether a widget has the key `entity`.
func ownEntity(s *Spec) bool {
	var own struct {
		Entity *value.Entity `yaml:"entity"`
	}
	return s.DecodeCommon != nil && s.DecodeCommon(&own) && own.Entity != nil
}

// root() returns the outermost ancestor of s.
func (s *Spec) root() *Spec {
	for s.Parent != nil {
		s = s.Parent
	}
	return s
}

// pageNames returns the names of all pages inside a widget.
func pageNames(s *Spec) (all []string) {
	for i, k := range s.Children {
		if s.Kind == "pages" {
			name := k.Name
			if name == "" {
				name = fmt.Sprint(i + 1)
			}
			all = append(all, name)
		}
		all = append(all, pageNames(k)...)
	}
	return all
}
