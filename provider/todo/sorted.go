package todo

import (
	"errors"
	"net/http"

	"dashboard/internal/fetch"
)

// passing are statuses of servers that may accept the same request later.
var passing = map[int]bool{
	http.StatusUnauthorized: true, http.StatusRequestTimeout: true, http.StatusConflict: true, http.StatusPreconditionFailed: true,
	http.StatusLocked: true, http.StatusTooEarly: true, http.StatusTooManyRequests: true,
}

// Sorted returns an error of a request in the form that a Queue understands: Silent if there was no answer, a RefusedError if the
// answer will not change, or the error itself.
func Sorted(err error) error {
	var answer *fetch.StatusError
	switch {
	case errors.Is(err, fetch.ErrUnavailable):
		return Silent(err)
	case errors.Is(err, fetch.ErrTooLarge), errors.Is(err, fetch.ErrRequest), errors.Is(err, fetch.ErrRefused):
		return RefusedError{err}
	case errors.As(err, &answer) && answer.Code >= 400 && answer.Code < 500 && !passing[answer.Code]:
		return RefusedError{err}
	}
	return err
}
