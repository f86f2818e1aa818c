package clock

import (
	"bytes"
	"image"
	"strings"
	"time"

	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// layDate returns the face of the date, and places the time in the remaining height. It chooses the largest style that fits and is at
// most dateShare of the digits' size. If even the smallest style is larger than dateMost, it hides the date, unless the file sets the
// format of the date.
func (w *digital) layDate(s *kit.Spec, p *ClockParams) (f kit.Face) {
	b := w.b
	switch lines := w.lines(); {
	case w.pattern == "": // only the date is shown
		st := b.Look.Styles["headline"]
		if p.Weight != nil {
			st.Weight = int(*p.Weight)
		}
		px := min(w.size.Y/(lines+1), int(float64(b.Face("headline").Size)*1.5))
		first, _, _ := strings.Cut(string(b.Locale.AppendPattern(nil, piece.LongDay, w.datePat)), "\n")
		f = b.FaceAt(st, b.Text.FitWidth(b.FaceAt(st, px).Font, first, px, w.size.X))
		w.foldName(f)
		return f
	case lines == 0:
		w.layTime(s, p, w.size.Y)
		return b.Face("body")
	}
	styles := []string{"headline", "title", "body"}
	if w.onPhoto() {
		styles = styles[1:]
	}
	for _, style := range styles {
		f = b.Prose(style)
		w.layTime(s, p, w.size.Y-w.lines()*f.Line-w.below(f))
		if float64(f.Size) <= dateShare*float64(w.time.Face.Size) && w.widestDate(f) <= w.size.X {
			return f
		}
	}
	if float64(f.Size) > dateMost*float64(w.time.Face.Size) && p.Date == "" {
		w.datePat = ""
		w.layTime(s, p, w.size.Y)
	}
	return f
}

// foldName breaks the first line of a date without a time into two lines if it is a name that is too wide in the face f even
// in the smallest size of a caption. If there is no room for the lines below the name, foldName removes them.
func (w *digital) foldName(f kit.Face) {
	first, rest, more := strings.Cut(w.datePat, "\n")
	name := strings.Trim(first, "'")
	least := w.b.Caption(f, image.Rectangle{}, kit.EdgeStart).Least
	if first != "'"+name+"'" || strings.Contains(name, "'") || w.b.TextWidth(f, name)*least <= w.size.X*f.Size {
		return
	}
	upper, lower, size := w.b.TwoLines(f, name, 1, w.size.X)
	if size == 0 || 2*f.Line > w.size.Y {
		return
	}
	w.folded, w.datePat = true, "'"+upper+"'\n'"+lower+"'"
	if below := (1 + strings.Count(rest, "\n")) * w.second(f).Line; more && 2*f.Line+below <= w.size.Y {
		w.datePat += "\n" + rest
	}
}

// nameLines returns the number of lines of the first text of a date without a time.
func (w *digital) nameLines() int {
	if w.folded {
		return 2
	}
	return 1
}

// onPhoto() reports whether the theme is for photos. Its dates are small, but have weight 500 and the color of the time, so that they are
// readable on any photo.
func (w *digital) onPhoto() bool { return w.b.Look.Sizes.Blur > 0 }

// below() returns the gap between the time and the date, in px.
func (w *digital) below(date kit.Face) int { return date.Size / 2 }

// widestDate returns the width of a long date in a face, in px.
func (w *digital) widestDate(f kit.Face) int {
	wide := 0
	for line := range strings.SplitSeq(string(w.b.Locale.AppendPattern(nil, piece.LongDay, w.datePat)), "\n") {
		wide = max(wide, w.b.TextWidth(f, line))
	}
	return wide
}

// date() sets the texts of the date and of the week number.
func (w *digital) date(t render.Tick, now time.Time) {
	day := now.Year()*1000 + now.YearDay()
	if day == w.dayShown && !w.dateTicks {
		return
	}
	w.dayShown = day
	rest := w.datePat
	for i, c := range w.dates {
		line := rest
		if cut := strings.IndexByte(rest, '\n'); cut >= 0 {
			line, rest = rest[:cut], rest[cut+1:]
		}
		w.fitDate(c, unquoted(line), now)
		write(t, c, w.buf)
		c.Keep(image.Rectangle{Max: w.size})
		t.Damage(c.Ink)
		if i == len(w.dates)-1 && w.weekText != nil {
			_, week := w.b.Locale.Week(now)
			w.buf = w.b.Locale.AppendNumber(w.buf[:0], float64(week), 0, false)
			text := append([]byte(" · "), w.b.Locale.AppendPhrase(nil, locale.WeekNumber, string(w.buf))...)
			box := w.afterDate(c)
			t.Damage(w.weekText.Ink)
			w.weekText.Place(box)
			if w.b.TextWidth(w.weekText.Face, string(text)) > box.Dx() {
				text = nil // omit the week, because the date is more important
			}
			w.weekText.Set(w.b.Word(text))
			t.Damage(w.weekText.Ink)
		}
	}
}

// afterDate returns the free rectangle after a date. In languages that are written from right to left, this rectangle is on the left of
// the date.
func (w *digital) afterDate(c *kit.Caption) image.Rectangle {
	w.weekText.Edge = kit.EdgeStart
	if w.b.Locale.RightToLeft {
		w.weekText.Edge = kit.EdgeEnd
		return image.Rect(c.Box.Min.X, c.Box.Min.Y, max(c.Box.Min.X, c.At.X), c.Box.Max.Y)
	}
	x := c.At.X + c.Width()
	return image.Rect(x, c.Box.Min.Y, max(x, c.Box.Max.X), c.Box.Max.Y)
}

// dateParts is the separator between the parts of a date's pattern. If there is not enough room, the last parts are omitted.
const dateParts = " · "

// `abbreviate` replaces the patterns of long names of days and months by the patterns of short names.
var abbreviate = strings.NewReplacer("EEEE", "EEE", "MMMM", "MMM")

// fitDate sets a line of the date in the longest form that fits. The forms are the complete line, the line without its last parts, and
// the line with short names.
func (w *digital) fitDate(c *kit.Caption, line string, now time.Time) {
	l := w.b.Locale
	smallest := c.Face
	smallest.Size = c.Least
	for range 2 {
		w.buf = l.AppendPattern(w.buf[:0], now, line)
		for {
			if w.b.TextWidth(smallest, w.b.Word(w.buf)) <= c.Box.Dx() {
				return
			}
			cut := bytes.LastIndex(w.buf, []byte(dateParts))
			if cut < 0 {
				break
			}
			w.buf = w.buf[:cut]
		}
		line = abbreviate.Replace(line)
	}
}

// unquoted() closes an open quote in a part of a pattern. A quote may be open because the pattern was split at a line break.
func unquoted(line string) string {
	if strings.Count(line, "'")%2 == 1 {
		return line + "'"
	}
	return line
}
