package fetch

import (
	"context"
	"errors"
)

// secretURL stands for an address that is shown nowhere.
const secretURL = "(secret address)"

// Shown is the request's address as people may see it: scheme and host, or nothing of it if it is secret.
func (r *Request) Shown() string {
	if r.Secret {
		return secretURL
	}
	return Redact(r.URL)
}

// Failure is the error of the request, an [*Error]. Causes name hosts and ports: of a secret address only their kind is told.
func (r *Request) Failure(err error) error {
	if r.Secret {
		err = veiled{err}
	}
	return &Error{Method: r.method(), URL: r.Shown(), Err: err}
}

// Veil returns an error of a request to a secret address whose text names no host: its kind alone. What http.Client returns is
// taken for a server that gives no answer, unless it is of another kind.
func Veil(err error) error { return veiled{cause(err)} }

// veiled is an error whose text is its kind alone.
type veiled struct{ error }

func (v veiled) Unwrap() error { return v.error }

func (v veiled) Error() string {
	for _, kind := range []error{ErrSilent, ErrTooLarge, ErrRefused, ErrRequest, ErrUnavailable} {
		if errors.Is(v.error, kind) {
			if errors.Is(v.error, context.DeadlineExceeded) {
				return kind.Error() + ": timed out"
			}
			return kind.Error()
		}
	}
	var status *StatusError
	if errors.As(v.error, &status) {
		return status.Error()
	}
	return "failed"
}
