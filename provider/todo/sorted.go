package todo

import (
	"errors"
	"net/http"

	"dashboard/internal/fetch"
)

// passing lists the status codes after which a server may accept the same request later.
var passing = map[int]bool{
	http.StatusUnauthorized: true, http.StatusRequestTimeout: true, http.StatusConflict: true, http.StatusPreconditionFailed: true,
	http.StatusLocked: true, http.StatusTooEarly: true, http.StatusTooManyRequests: true,
}

// Sorted converts the error of a request to one of the kinds of errors that a Queue distinguishes. If there was no answer, it returns
// Silent(err). If the answer will never change, it returns a RefusedError. Otherwise it returns err.
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
