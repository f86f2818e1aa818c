package widgets

// arrangeKinds is the part of the catalog that lays out other widgets.
func arrangeKinds() []Kind {
	return []Kind{
		modern("layout", "Areas named by words, and the children that fill them.", 1, Unlimited, framing{}, func(p *LayoutParams) *Framed { return &p.Framed }, buildLayout),
		modern("row", "Children side by side.", 0, Unlimited, framing{}, func(p *RowParams) *Framed { return &p.Framed }, buildRow),
		modern("column", "Children one below another.", 0, Unlimited, framing{}, func(p *RowParams) *Framed { return &p.Framed }, buildColumn),
		modern("stack", "Children over each other, the last on top.", 0, Unlimited, framing{bleed: true}, func(p *StackParams) *Framed { return &p.Framed }, buildStack),
		modern("pages", "Shows its children in turn, each while its condition holds.", 1, Unlimited, framing{bleed: true, passes: true}, func(p *PagesParams) *Framed { return &p.Framed }, buildPages),
		modern("card", "A value with its title, and other widgets below it.", 0, Unlimited, framing{card: true}, func(p *CardParams) *Framed { f := p.Framed; f.blur = p.Blur; return &f }, buildCard),
		modern("space", "Nothing, with a share of the room or a size.", 0, 0, framing{}, nil, buildSpace),
		define("grid", "Rows and columns of cells, filled column by column.", 0, Unlimited, buildGrid),
	}
}
