package provider

// A Typed is a cell whose values are all of type T: what a widget is handed.
type Typed[T any] struct{ *Cell }

// Value returns the value of a sample of this cell; false if there never was one.
func (t Typed[T]) Value(s *Sample) (T, bool) {
	v, ok := s.Value.(T)
	return v, ok && s.Has()
}

// An Upstream is the failure of a value that is made of another source's, which failed. Whoever keeps a log tells of the
// source alone. Its text is that of the cause.
type Upstream struct{ Err error }

// Error implements error.
func (u *Upstream) Error() string { return u.Err.Error() }

// Unwrap returns the cause.
func (u *Upstream) Unwrap() error { return u.Err }
