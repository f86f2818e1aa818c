package calendar

// An Unreadable is the error of one of the calendars of a provider.
type Unreadable struct {
	Calendar string // name of the calendar
	Err      error
}

// Error returns the name of the calendar and its error.
func (u *Unreadable) Error() string { return u.Calendar + ": " + u.Err.Error() }

// Unwrap returns the error without the name of the calendar.
func (u *Unreadable) Unwrap() error { return u.Err }

// Problems returns the errors of the unreadable calendars. The key of each error is the name of the calendar. The parameter err is the
// error of a provider.
func Problems(err error) map[string]error {
	all := map[string]error{}
	var add func(error)
	add = func(err error) {
		switch e := err.(type) {
		case *Unreadable:
			all[e.Calendar] = e.Err
		case interface{ Unwrap() []error }:
			for _, one := range e.Unwrap() {
				add(one)
			}
		case interface{ Unwrap() error }:
			add(e.Unwrap())
		}
	}
	add(err)
	return all
}
