package format

import "math"

// numberForms is the number of forms that AppendForm can write.
const numberForms = 4

// AppendForm appends a number in one of four forms, from the longest to the shortest. Form 0 is the formatted number, 1 has no decimals,
// 2 is compact, and 3 is compact without decimals. Durations, percentages and bytes have only one short form. A number below 1 keeps one
// digit that is not 0. Text outside the braces of the format is only included in form 0.
func (w *Formatter) AppendForm(dst []byte, said *Shown, form int) []byte {
	l, v := w.Locale, said.Num
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

// plainFormat reports whether the format writes numbers, and not times or other texts.
func (w *Formatter) plainFormat() bool {
	_, isTime := TimeWords[w.Format]
	return !isTime && w.Time == "" && w.Format != "relative" && w.Format != "text"
}

// IsNumber reports whether a formatted value is a number. If there is not enough room, a number takes a shorter form. A number is never
// cut.
func (w *Formatter) IsNumber(said *Shown) bool {
	return said.IsNum && !said.Told && !said.None && w.plainFormat()
}

// Fitting appends the longest form of a number for which the function `fits` returns true. If there is no such form, it appends a dash and
// returns false. A value that is not a number is appended unchanged.
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

// NoValue replaces a missing value. It also replaces a number that does not fit in any form.
const NoValue = "—"
