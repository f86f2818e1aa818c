package widgets

import (
	"bytes"
	"image"
	"strings"
	"time"

	"dashboard/internal/locale"
	"dashboard/render"
)

// layDate lays out the time above a date in the largest style that leaves the time much larger, and returns that style.
// Where none does the date leaves.
func (w *digital) layDate(s *Spec, p *ClockParams) (f face) {
	b := w.b
	switch lines := w.lines(); {
	case w.pattern == "": // the date alone is the figure
		st := b.Look.Styles["headline"]
		if p.Weight != nil {
			st.Weight = int(*p.Weight)
		}
		px := min(w.size.Y/(lines+1), int(float64(b.face("headline").size)*1.5))
		first, _, _ := strings.Cut(string(b.Locale.AppendPattern(nil, longDay, w.datePat)), "\n")
		return b.faceAt(st, b.Text.FitWidth(b.faceAt(st, px).font, first, px, w.size.X))
	case lines == 0:
		w.layTime(s, p, w.size.Y)
		return b.face("body")
	}
	for _, style := range []string{"headline", "title", "body"} {
		f = b.prose(style)
		w.layTime(s, p, w.size.Y-w.lines()*f.line-w.below(f))
		if float64(f.size) <= dateShare*float64(w.time.face.size) && w.widestDate(f) <= w.size.X {
			return f
		}
	}
	if float64(f.size) > dateMost*float64(w.time.face.size) && p.Date == "" {
		w.datePat = ""
		w.layTime(s, p, w.size.Y)
	}
	return f
}

// below is the room between the time and the date, px.
func (w *digital) below(date face) int { return date.size / 2 }

// widestDate is how wide a long date is, px.
func (w *digital) widestDate(f face) int {
	wide := 0
	for line := range strings.SplitSeq(string(w.b.Locale.AppendPattern(nil, longDay, w.datePat)), "\n") {
		wide = max(wide, w.b.textWidth(f, line))
	}
	return wide
}

// date shows the date's lines and the week.
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
		if i == len(w.dates)-1 && w.weekText != nil {
			_, week := w.b.Locale.Week(now)
			w.buf = w.b.Locale.AppendNumber(w.buf[:0], float64(week), 0, false)
			text := append([]byte(" · "), w.b.Locale.AppendPhrase(nil, locale.WeekNumber, string(w.buf))...)
			x := c.at.X + c.width()
			t.Damage(w.weekText.ink)
			w.weekText.place(image.Rect(x, c.box.Min.Y, max(x, c.box.Max.X), c.box.Max.Y))
			if w.b.textWidth(w.weekText.face, string(text)) > c.box.Max.X-x {
				text = nil // no room: the date counts
			}
			w.weekText.set(w.b.word(text))
			t.Damage(w.weekText.ink)
		}
	}
}

// dateParts stand between the parts of a date's pattern, of which the last leave where there is no room.
const dateParts = " · "

// abbreviate makes the names of days and months in a CLDR pattern short ones.
var abbreviate = strings.NewReplacer("EEEE", "EEE", "MMMM", "MMM")

// fitDate writes a line of the date as fully as there is room for: without its last parts, then with short names.
func (w *digital) fitDate(c *caption, line string, now time.Time) {
	l := w.b.Locale
	smallest := c.face
	smallest.size = c.least
	for range 2 {
		w.buf = l.AppendPattern(w.buf[:0], now, line)
		for {
			if w.b.textWidth(smallest, w.b.word(w.buf)) <= c.box.Dx() {
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

// unquoted closes quotes that a line break cut open.
func unquoted(line string) string {
	if strings.Count(line, "'")%2 == 1 {
		return line + "'"
	}
	return line
}
