package provider

// A Typed is a cell with values of type T.
type Typed[T any] struct{ *Cell }

// Value returns the value of a sample of this cell. ok is false if there is none.
func (t Typed[T]) Value(s *Sample) (T, bool) {
	v, ok := s.Value.(T)
	return v, ok && s.Has()
}

// An Upstream is the failure of a value that is caused by another source. Only that source is logged. The text is the text of the
// cause.
type Upstream struct{ Err error }

// Error implements error.
func (u *Upstream) Error() string { return u.Err.Error() }

// Unwrap returns the cause.
func (u *Upstream) Unwrap() error { return u.Err }
