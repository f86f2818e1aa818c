// Package list contains the widgets for rows: lists, tables, departures and tickers.
package list

import "dashboard/widgets/kit"

// Kinds returns the kinds of this package for the catalog of widgets.
func Kinds() []kit.Kind {
	return []kit.Kind{
		kit.Modern("list", "Rows of texts and values, or one row for each entry of a list.", 0, 0, kit.Framing{Card: true}, func(p *ListParams) *kit.Framed { return &p.Framed }, buildList),
		kit.Modern("table", "A list of values in rows and columns.", 0, 0, kit.Framing{Card: true}, func(p *TableParams) *kit.Framed { return &p.Framed }, buildTable),
		kit.Modern("departures", "The next departures of public transport: line, destination and minutes, with delays and cancellations.", 0, 0,
			kit.Framing{Card: true}, func(p *DeparturesParams) *kit.Framed { return &p.Framed }, buildDepartures),
		kit.Modern("ticker", "A line of text, which scrolls if it does not fit.", 0, 0, kit.Framing{Padded: true}, func(p *TickerParams) *kit.Framed { return &p.Framed }, buildTicker),
	}
}
