// Package arrange contains the widgets that arrange other widgets: rows, columns, stacks, grids, pages and cards.
package arrange

import "dashboard/widgets/kit"

// Kinds returns the kinds of this package for the catalog of widgets.
func Kinds() []kit.Kind {
	return []kit.Kind{
		kit.Modern("layout", "Children in named areas.", 1, kit.Unlimited, kit.Framing{}, func(p *LayoutParams) *kit.Framed { return &p.Framed }, buildLayout),
		kit.Modern("row", "Children side by side.", 0, kit.Unlimited, kit.Framing{}, func(p *RowParams) *kit.Framed { return &p.Framed }, buildRow),
		kit.Modern("column", "Children one below another.", 0, kit.Unlimited, kit.Framing{}, func(p *RowParams) *kit.Framed { return &p.Framed }, buildColumn),
		kit.Modern("stack", "Children on top of each other. The last child is on top.", 0, kit.Unlimited, kit.Framing{Bleed: true}, func(p *StackParams) *kit.Framed { return &p.Framed }, buildStack),
		kit.Modern("pages", "One child at a time, in turn.", 1, kit.Unlimited, kit.Framing{Bleed: true, Passes: true}, func(p *PagesParams) *kit.Framed { return &p.Framed }, buildPages),
		kit.Modern("card", "A value with its title, and other widgets below it.", 0, kit.Unlimited, kit.Framing{Card: true}, func(p *CardParams) *kit.Framed { f := p.Framed; f.CardBlur = p.Blur; return &f }, buildCard),
		kit.Modern("space", "Empty space: a share of the free space, or a fixed size.", 0, 0, kit.Framing{}, nil, buildSpace),
		kit.Define("grid", "Rows and columns of cells.", 0, kit.Unlimited, buildGrid),
	}
}
