package kit

import (
	"dashboard/widgets/kit/format"
	"time"
)

// Formatter returns a formatter for the values of a parameter. It reports errors at the key `format`.
func (b *Builder) Formatter(s *Spec, w *format.Wording) *format.Formatter {
	x, err := format.New(w, b.Locale, b.Location)
	if err != nil {
		s.Errorf("format", "%v", err)
	}
	return x
}

// TimeOf converts a value to a time in the wall's zone. See [format.TimeOf].
func (e *Env) TimeOf(v any) (time.Time, bool) { return format.TimeOf(v, e.Location) }
