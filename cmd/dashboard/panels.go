package main

import (
	"fmt"

	"dashboard/internal/spelling"
	"dashboard/output/panel"
	"dashboard/render/ink"
)

// panelOf returns the panel model or the palette that --panel names.
func panelOf(name string) (*panel.Model, *ink.Palette, error) {
	if m, ok := panel.Named(name); ok {
		return m, nil, nil
	}
	if p, ok := ink.Named(name); ok {
		return nil, p, nil
	}
	all := append(panel.Names(), ink.Names()...)
	err := fmt.Errorf("--panel %s: there is no such panel or palette; there are: %v", name, all)
	if near := spelling.Nearest(name, all); near != "" {
		err = fmt.Errorf("--panel %s: there is no such panel or palette; did you mean %s?", name, near)
	}
	return nil, nil, err
}
