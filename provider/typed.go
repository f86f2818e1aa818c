package provider

// A Typed is a cell whose values have the type T.
type Typed[T any] struct{ *Cell }

// Value returns the value of a sample of this cell. ok is false if the sample has no value.
func (t Typed[T]) Value(s *Sample) (T, bool) {
	v, ok := s.Value.(T)
	return v, ok && s.Has()
}

// An Upstream is an error that another source has caused. The error is logged only for that source. The text of an Upstream is the text
// of its cause.
type Upstream struct{ Err error }

// Error implements error.
func (u *Upstream) Error() string { return u.Err.Error() }

// Unwrap returns the cause.
func (u *Upstream) Unwrap() error { return u.Err }
