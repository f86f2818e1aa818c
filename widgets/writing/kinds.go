// Package writing contains the widgets for texts: plain texts, Markdown, icons and QR codes.
package writing

import "dashboard/widgets/kit"

// Kinds returns the kinds of this package for the catalog of widgets.
func Kinds() []kit.Kind {
	return []kit.Kind{
		textKind(),
		kit.Modern("markdown", "A text with headings, lists, tasks, tables and code, in Markdown.", 0, 0, kit.Framing{Card: true}, func(p *MarkdownParams) *kit.Framed { return &p.Framed }, buildMarkdown),
		kit.Modern("qr", "QR code of a text, an address, a network or a contact.", 0, 0, kit.Framing{Card: true}, func(p *QRParams) *kit.Framed { return &p.Framed }, buildQR),
		kit.Modern("icon", "One icon, as large as fits.", 0, 0, kit.Framing{}, func(p *IconParams) *kit.Framed { f := p.Framed; f.Icon = nil; return &f }, buildIcon),
	}
}
