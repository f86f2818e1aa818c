package kit

import "math"

// numberForms is how many forms AppendForm has.
const numberForms = 4

// AppendForm appends a number in one of its forms, the longest first: as its format has it; without decimals; compact; compact without
// decimals. A number below 1 keeps one figure that is not 0. Only the first form has the words around a number in braces.
func (w *Formatter) AppendForm(dst []byte, said *Shown, form int) []byte {
	l, v := w.Env.Locale, said.Num
	few := 0
	if abs := math.Abs(v); abs > 0 && abs < 1 {
		few = int(math.Ceil(-math.Log10(abs)))
	}
	switch {
	case form == 0:
		return append(dst, said.Text...)
	case w.Format == "duration":
		return l.AppendRoughDuration(dst, LengthOfTime(v))
	case w.Format == "percent":
		return l.AppendPercent(dst, v, 0)
	case w.Format == "bytes":
		return l.AppendBytesIn(dst, v, 0)
	case form == 1:
		return l.AppendNumber(dst, v, few, w.Format == "signed")
	case math.Abs(v) < 1000:
		return l.AppendNumber(dst, v, few, false)
	case form == 2:
		return l.AppendCompact(dst, v)
	}
	return l.AppendCompactIn(dst, v, 0)
}

// plainFormat reports whether a number is shown as a number: times and texts are not.
func (w *Formatter) plainFormat() bool {
	_, isTime := TimeWords[w.Format]
	return !isTime && w.Time == "" && w.Format != "relative" && w.Format != "text"
}

// IsNumber reports whether shown words are a number, which may take a shorter form but is never cut.
func (w *Formatter) IsNumber(said *Shown) bool {
	return said.IsNum && !said.Told && !said.None && w.plainFormat()
}

// Fitting appends the longest form of a number that fits, and reports whether one does. Words that are no number stay as they are.
func (w *Formatter) Fitting(dst []byte, said *Shown, fits func(text []byte) bool) ([]byte, bool) {
	if !w.IsNumber(said) {
		return append(dst, said.Text...), true
	}
	from := len(dst)
	for form := range numberForms {
		dst = w.AppendForm(dst[:from], said, form)
		if fits(dst[from:]) {
			return dst, true
		}
	}
	return append(dst[:from], NoValue...), false
}

// NoValue stands for a missing value, and for a number that has no room in any form.
const NoValue = "—"
