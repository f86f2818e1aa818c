package fetch

import (
	"cmp"
	"errors"
)

// SecretURL replaces an address that must not be shown.
const SecretURL = "(secret address)"

// Shown returns the address of the request, in the form that logs and errors may contain. It is the scheme and the host, or SecretURL if the
// address is secret.
func (r *Request) Shown() string {
	if r.Secret {
		return SecretURL
	}
	return Redact(r.URL)
}

// Failure returns the error of the request, an [*Error]. If the address is secret, the text of the returned error contains no part of the
// text of err, because the text of err could contain a host and a port. The returned error contains only the status of the response, or
// the kind and the [Class] of err.
func (r *Request) Failure(err error) error {
	if r.Secret {
		err = veiled{err}
	}
	return &Error{Method: r.method(), URL: r.Shown(), Err: err}
}

// Veil returns the error of a request to a secret address. The text of this error contains only the kind and the [Class] of err, and no
// host. An error of http.Client without a known kind becomes ErrUnavailable.
func Veil(err error) error { return veiled{cause(err)} }

// veiled is an error whose text contains only the status of the response, or the kind and the class of the error.
type veiled struct{ error }

func (v veiled) Unwrap() error { return v.error }

func (v veiled) Error() string {
	var status *StatusError
	if errors.As(v.error, &status) {
		return status.Error()
	}
	class := string(ClassOf(v.error))
	for _, kind := range []error{ErrPage, ErrSilent, ErrTooLarge, ErrRefused, ErrRequest, ErrUnavailable} {
		if errors.Is(v.error, kind) {
			if kind == ErrUnavailable && class != "" {
				return kind.Error() + ": " + class
			}
			return kind.Error()
		}
	}
	return cmp.Or(class, "failed")
}
