package scene

import (
	"dashboard/config"
)

// A place contains the position of a widget in the files, and the names of the providers that the widget reads.
type place struct {
	File        string
	First, Last int // line numbers
	Providers   []string
}

// places contains the places of a tree's widgets, by the position of each widget.
type places map[string]place

// add adds the places of a widget and of all widgets inside of it.
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
