package format

import "image/color"

// AppendValue appends a formatted number.
func (w *Formatter) AppendValue(dst []byte, v float64, decimals int) []byte {
	return w.appendNumber(dst, v, decimals)
}

// plainColor is a placeholder for the color of a value.
var plainColor color.NRGBA

// Words is like Entry, but it returns no icon, and the returned color is a placeholder. It allocates no memory.
func (w *Formatter) Words(v any, present bool) (out Shown, told bool) {
	if !present || v == nil && w.Map == nil {
		return Shown{None: true}, false
	}
	out.Num, out.IsNum = w.number(v)
	if e, ok := w.mapped(v, out.Num, out.IsNum); ok && e.Text != "" {
		out.Text = e.Text
		return out, true
	}
	if v == nil {
		out.None = true
		return out, false
	}
	out.Color = &plainColor // Threshold does not set the color if a color is present
	w.Threshold(&out)
	return out, out.Text != ""
}
