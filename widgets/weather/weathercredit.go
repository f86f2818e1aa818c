package weather

import (
	"image"
	"strings"

	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/widgets/kit"
)

// skyCredit is the credit that the license of the weather service requires. The credit is in a line below all parts. If there is not
// enough room, the credit has smaller text or shows only the name of the service. In a narrow cell, the name has no ".com". If there is
// no room below the parts, the credit is the last text next to the temperature. On a small wall, the credit is hidden instead.
type skyCredit struct {
	w     *forecast
	lines [creditLines]*kit.Caption
	words [creditLines]string
	used  int
	size  int  // text size in px
	last  bool // true if the credit is the last text next to the temperature
	said  bool
	// shared is true if the credit is at the end of the line that shows the rain.
	shared bool
}

// Sizes of a credit and of the room around it, in px on a screen whose shorter side has 720 px. creditLines is the maximum number of lines
// of a credit.
const (
	creditLines = 3
	creditWall  = 480 // shorter side of a wall in px. On a smaller wall, the credit is hidden if weather data needs its room
	creditGap   = 8
	creditLeast = 2
)

func newSkyCredit(w *forecast) *skyCredit {
	k := &skyCredit{w: w}
	for i := range k.lines {
		st := w.b.Look.Styles["label"]
		st.Weight = min(st.Weight, 400) // thinner letters than in the weather data
		k.lines[i] = w.b.Caption(w.b.FaceOf("label", st), image.Rectangle{}, w.b.EdgeOf(""))
		k.lines[i].Least = min(k.lines[i].Face.Size, w.b.Least())
	}
	return k
}

// line() returns the line height in px.
func (k *skyCredit) line() int { return k.size*5/4 + 1 }

// natural() returns the height in px of the longest form.
func (k *skyCredit) natural() int {
	if !k.said {
		return 0
	}
	return k.lines[0].Face.Line + k.w.b.Px(creditGap)
}

// texts() returns the credit in the wall's language, and the name of the service.
func (k *skyCredit) texts(v *view) (all, name string) {
	english, _, _ := strings.Cut(locale.InEnglish(locale.WeatherDataBy), "{}")
	if by, ok := strings.CutPrefix(v.Credit, english); ok {
		return string(k.w.b.Locale.AppendPhrase(nil, locale.WeatherDataBy, by)), by
	}
	return v.Credit, v.Credit
}

// hostless() returns the name of a service without the last part of its host name, such as ".com".
func hostless(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 && !strings.Contains(name[i:], " ") {
		return name[:i]
	}
	return name
}

// choose chooses the form of the credit that fits. It returns the height in px that the credit needs below the parts. This height is 0 if
// the credit is at another place.
func (k *skyCredit) choose(v *view) int {
	k.used, k.last, k.shared, k.said = 0, false, false, v.Credit != "" && k.w.owes()
	if !k.said {
		return 0
	}
	usual, least := k.lines[0].Face.Size, k.lines[0].Least
	all, name := k.texts(v)
	forms := []creditForm{
		{usual, 1, all}, {usual, 1, name}, {least, 1, all}, {least, 1, name}, {least, 1, hostless(name)}, {least, creditLines, name},
	}
	for _, form := range forms {
		n := k.parts(form, k.w.size.X)
		if high := n*k.line() + k.w.b.Px(creditLeast); n > 0 && k.w.size.Y-high >= k.w.leastOf(v) {
			k.used = n
			if k.share(v, usual, name) {
				return max(high, k.w.now.lines[1].Face.Line)
			}
			return high
		}
	}
	if k.w.b.Shorter() < creditWall { // the data is more important, and the spoken description of the wall has the credit
		k.said = false
		return 0
	}
	for _, form := range []creditForm{{least, 1, all}, {least, 1, name}} {
		if k.w.parts[0] == partCurrent && k.parts(form, k.w.now.beside(v)) > 0 && k.w.now.lines[0].Face.Line+k.line() <= k.w.size.Y {
			k.used, k.last = 1, true
			break
		}
	}
	return 0
}

// share() moves the name of the service to the end of the line that shows the rain. It moves the name only if the widget shows nothing
// except the current weather and both texts fit in the line. It reports whether it moved the name.
func (k *skyCredit) share(v *view, size int, name string) bool {
	now := k.w.now
	if len(k.w.parts) != 1 || k.w.parts[0] != partCurrent || k.w.size.Y-now.lines[1].Face.Line < now.side() {
		return false
	}
	if first, _ := showerOf(v.hours); first < 0 {
		return false
	}
	before, room := k.size, k.w.size.X-k.w.b.Px(skyApart)-now.noteWidth(now.rainWord(v)+" "+now.rainText(v))
	for k.size = size; k.size >= k.lines[0].Least; k.size-- { // the largest size that fits
		if k.width(name) <= room {
			k.used, k.words[0], k.shared = 1, name, true
			return true
		}
	}
	k.size = before
	return false
}

// creditForm is a form of the credit: a text, its size in px, and the maximum number of lines.
type creditForm struct {
	size, most int
	text       string
}

// width() returns the width of a text in px, in the chosen text size.
func (k *skyCredit) width(text string) int {
	f := k.lines[0].Face
	f.Size = k.size
	return k.w.b.TextWidth(f, text)
}

// parts() breaks the text of a form into lines that are at most `room` px wide. It returns the number of lines, or 0 if the text does not
// fit.
func (k *skyCredit) parts(form creditForm, room int) int {
	k.size = form.size
	text := form.text
	for n := range form.most {
		end := len(text)
		for end > 0 && k.width(strings.TrimSpace(text[:end])) > room {
			end = strings.LastIndexAny(text[:end-1], " -") + 1
		}
		if end == 0 {
			return 0
		}
		k.words[n] = strings.TrimSpace(text[:end])
		if text = text[end:]; text == "" {
			return n + 1
		}
	}
	return 0
}

// fill shows the credit at the bottom of the widget. The credit may also be below the text next to the temperature, or at the end of the
// line with the rain.
func (k *skyCredit) fill() {
	top := k.w.size.Y - k.used*k.line()
	for i, c := range k.lines {
		c.Set("")
		if i >= k.used {
			continue
		}
		box := image.Rect(0, top+i*k.line(), k.w.size.X, top+(i+1)*k.line())
		if k.last {
			box = k.w.now.tail
		}
		if k.shared {
			box = k.w.flip(image.Rect(k.w.size.X-k.width(k.words[0]), k.w.size.Y-k.w.now.lines[1].Face.Line, k.w.size.X, k.w.size.Y))
		}
		c.Limit(k.size)
		c.Place(box)
		c.Set(k.words[i])
	}
}

func (k *skyCredit) paint(c render.Canvas) {
	for _, line := range k.lines {
		line.Paint(c, k.w.b.Role("faint"))
	}
}
