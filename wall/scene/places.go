package scene

import (
	"dashboard/config"
)

// A place is where a widget stands in the files, and where its values come from.
type place struct {
	File        string
	First, Last int // lines
	Providers   []string
}

// places are the places of a tree's widgets, by position.
type places map[string]place

// add adds a widget and those in it.
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
