package scene

import (
	"slices"

	"dashboard/config"
	"dashboard/provider/live"
)

// A place contains the position of a widget in the files, and the names of the providers that the widget reads. Names in programs are
// included even if they are not names of providers.
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
	for _, v := range w.Node().Pairs() {
		if v.Key != "children" {
			at.read(v.Value)
		}
	}
	p[w.Pos()] = at
	for _, c := range w.Children {
		p.add(c)
	}
}

// read adds the names that the programs in a value read.
func (at *place) read(n *config.Node) {
	if n.IsProgram() || n.Kind() == config.Program {
		for _, name := range live.Reads(n.Text()) {
			if !slices.Contains(at.Providers, name) {
				at.Providers = append(at.Providers, name)
			}
		}
	}
	for _, item := range n.Items() {
		at.read(item)
	}
	for _, v := range n.Pairs() {
		at.read(v.Value)
	}
}
