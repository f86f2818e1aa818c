package widgets

// listKinds is the part of the catalog with kinds for texts and rows.
func listKinds() []Kind {
	return []Kind{
		textKind(),
		modern("list", "Rows of texts and values, written out or one for each entry of a list.", 0, 0, framing{card: true}, func(p *ListParams) *Framed { return &p.Framed }, buildList),
		modern("table", "A list of values in rows and columns.", 0, 0, framing{card: true}, func(p *TableParams) *Framed { return &p.Framed }, buildTable),
		modern("ticker", "A line of text that runs when it does not fit.", 0, 0, framing{padded: true}, func(p *TickerParams) *Framed { return &p.Framed }, buildTicker),
		modern("markdown", "A text with headings, lists, tasks, tables and code, in Markdown.", 0, 0, framing{card: true}, func(p *MarkdownParams) *Framed { return &p.Framed }, buildMarkdown),
		modern("qr", "A code that telephones read: a text, an address, a network or a contact.", 0, 0, framing{card: true}, func(p *QRParams) *Framed { return &p.Framed }, buildQR),
		modern("icon", "One icon, as large as fits.", 0, 0, framing{}, func(p *IconParams) *Framed { f := p.Framed; f.Icon = nil; return &f }, buildIcon),
	}
}
