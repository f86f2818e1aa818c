package list

import (
	"dashboard/internal/locale"
	"dashboard/provider/live"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/piece"
	"dashboard/widgets/kit/speech"
)

// Speak implements speech.Speaker. It reads all rows, and the number of entries that have no row.
func (w *List) Speak(s *speech.Speech) {
	for i := range w.src.rows {
		w.row(s, i)
	}
	w.src.end(s, w.unseen(), w.empty)
}

// row() reads one row: the badge, the text, the value with its unit, and the note.
func (w *List) row(s *speech.Speech, i int) {
	v, item, word := &w.src.rows[i], w.src.items[i], w.src.words[i]
	s.Open(speech.Item)
	s.Picture(v.text(partIcon))
	s.Add(v.text(partBadge))
	if text := v.text(partText); v.has[partValue] || item.Value != nil || item.Entity != nil {
		s.Label(text)
		w.value(s, v, item, word)
	} else {
		s.Add(text)
	}
	s.Add(v.text(partNote))
	if v.has[partStrike] && kit.Truth(v.v[partStrike]) {
		s.Phrase(locale.CrossedOut)
	}
	if v.stale {
		s.Phrase(locale.OutOfDate)
	}
	s.Close()
}

// value() appends the formatted value of a row.
func (w *List) value(s *speech.Speech, v *rowValues, item *RowItem, word *format.Formatter) {
	said, told := word.Words(v.v[partValue], v.has[partValue])
	switch {
	case said.None:
		s.Phrase(locale.NoData)
	case told:
		s.Add(said.Text)
	default:
		w.buf = word.Append(w.buf[:0], v.v[partValue], &said, s.Now)
		s.AddBytes(w.buf)
		if said.IsNum {
			piece.Unit(s, v.text(partUnit))
		}
	}
}

// end() reads `more`, the number of entries that have no row. If the list is empty, it reads the text for an empty list.
func (src *rowSource) end(s *speech.Speech, more int, empty string) {
	s.Open(speech.Sentence)
	switch {
	case len(src.rows) > 0 && more > 0:
		s.Count(locale.More, more)
	case len(src.rows) > 0:
	case src.came && empty != "":
		s.Add(empty)
	default:
		s.Phrase(locale.NoData)
	}
	s.Close()
}

// Speak implements speech.Speaker.
func (w *widgetList) Speak(s *speech.Speech) {
	rows := w.entries()
	for i, k := range w.kids {
		if i < rows && k.Shown {
			kit.SpeakOf(s, k.Widget)
		}
	}
	s.Open(speech.Sentence)
	if more := w.beyond(len(w.kids), rows); rows == 0 && w.empty == "" {
		s.Phrase(locale.NoData)
	} else if rows == 0 {
		s.Add(w.empty)
	} else if more > 0 {
		s.Count(locale.More, more)
	}
	s.Close()
}

// Speak implements speech.Speaker. It reads the cells of each row with the titles of their columns.
func (w *table) Speak(s *speech.Speech) {
	list, _ := w.items.Value(w.seen)
	rows := list.List[:min(len(list.List), w.limit)]
	for i := range rows {
		s.Open(speech.Item)
		for c := range w.columns {
			w.columns[c].speak(s, w, rows[i])
		}
		s.Close()
	}
	s.Open(speech.Sentence)
	switch more := w.all - len(rows); {
	case len(rows) > 0 && more > 0:
		s.Count(locale.More, more)
	case len(rows) > 0:
	case w.seen.Has() && w.seen.Err == nil && w.empty != "":
		s.Add(w.empty)
	default:
		s.Phrase(locale.NoData)
	}
	s.Close()
}

// speak reads a cell: the title of its column, if the table shows titles, and the value.
func (c *tableColumn) speak(s *speech.Speech, w *table, row live.Row) {
	v, ok := c.value.of(row)
	said, told := c.word.Words(v, ok)
	if w.header && len(c.head.Raw) > 0 {
		s.LabelBytes(c.head.Raw)
	}
	switch {
	case said.None:
		s.Phrase(locale.NoData)
	case told:
		s.Add(said.Text)
	default:
		w.buf = c.word.Append(w.buf[:0], v, &said, s.Now)
		s.AddBytes(w.buf)
		if u, ok := c.unit.of(row); ok && said.IsNum {
			unit, _ := u.(string)
			piece.Unit(s, unit)
		}
	}
}

// Speak implements speech.Speaker. It reads each text.
func (w *ticker) Speak(s *speech.Speech) {
	if w.src == nil {
		s.Open(speech.Sentence)
		if s.Add(w.in.Text()); len(w.raw) == 0 {
			s.Phrase(locale.NoData)
		}
		s.Close()
		return
	}
	for i := range w.src.rows {
		s.Say(speech.Item, w.src.rows[i].text(partText))
	}
}
