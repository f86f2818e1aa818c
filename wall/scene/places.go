package scene

import (
	"dashboard/config"
)

// A place is the position of a widget in the files, with the names of the providers that it reads.
type place struct {
	File        string
	First, Last int // line numbers
	Providers   []string
}

// places contains the positions of a tree's widgets.
type places map[string]place

// add adds a widget and its descendants.
func (p places) add(w *config.Widget) {
	file, first, last := w.Node().Lines()
	at := place{File: file, First: first, Last: last}
	for _, n := range w.Node().Get("providers").Items() {
		at.Providers = append(at.Providers, n.Text())
	}
	if name := w.Node().Get("provider").Text(); name != "" {
		at.Providers = append(at.Providers, name)
	}
	p[w.Pos()] = at
	for _, c := range w.Children {
		p.add(c)
	}
}
