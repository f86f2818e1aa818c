package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"syscall"
)

// A Class is the reason for a failure in a few words. It contains no host, address or path, so it can be shown even if the address is
// secret.
type Class string

// The classes. Unclassified is the class of all other errors.
const (
	Unclassified Class = ""
	NoName       Class = "name not found"
	NoNetwork    Class = "no network"       // no route, or no name server answers
	NoHost       Class = "host unreachable" // the network works, but the host does not answer
	NoService    Class = "connection refused"
	Cut          Class = "connection closed"
	TimedOut     Class = "timed out"
	Certificate  Class = "certificate not trusted"
	NoTLS        Class = "no TLS connection"
	Denied       Class = "access denied"     // status 401 or 403: a token, a name or a password is wrong
	NotFound     Class = "not found"         // status 404 or 410
	Busy         Class = "too many requests" // status 429
	ServerFault  Class = "server error"      // status 5xx
	BadStatus    Class = "unexpected status" // any other status
	WebPage      Class = "web page instead of data"
	TooLarge     Class = "answer too large"
	Forbidden    Class = "address refused" // refused by the guard against forbidden addresses
	BadRequest   Class = "impossible request"
	NoFile       Class = "file not found"
	NoRights     Class = "file not readable"
)

// ErrNoToken means that there is no token until the user gives permission. [Tokens.Token] then returns an error for which errors.Is(err,
// ErrNoToken) is true.
var ErrNoToken = errors.New("no token")

// `causes` maps errors to their classes. If an error wraps two of these errors, the class of the first of them applies. More precise
// errors therefore come first.
var causes = []struct {
	err   error
	class Class
}{
	{ErrNoToken, Denied},
	{ErrPage, WebPage},
	{ErrTooLarge, TooLarge},
	{ErrRefused, Forbidden},
	{ErrSilent, TimedOut},
	{syscall.ECONNREFUSED, NoService},
	{syscall.ENETUNREACH, NoNetwork},
	{syscall.ENETDOWN, NoNetwork},
	{syscall.EHOSTUNREACH, NoHost},
	{syscall.EHOSTDOWN, NoHost},
	{http.ErrSchemeMismatch, NoTLS},
	{syscall.ECONNRESET, Cut},
	{syscall.EPIPE, Cut},
	{io.EOF, Cut},
	{io.ErrUnexpectedEOF, Cut},
	{context.DeadlineExceeded, TimedOut},
	{fs.ErrNotExist, NoFile},
	{fs.ErrPermission, NoRights},
	{ErrRequest, BadRequest},
}

// ClassOf returns the class of an error. It also recognizes errors that other packages have made from network or file errors.
func ClassOf(err error) Class {
	var status *StatusError
	var name *net.DNSError
	var untrusted *tls.CertificateVerificationError
	var noTLS tls.RecordHeaderError
	var alert tls.AlertError
	var late net.Error
	switch {
	case err == nil:
		return Unclassified
	case errors.As(err, &status):
		return classOfStatus(status.Code)
	case errors.As(err, &name) && name.IsNotFound:
		return NoName
	case name != nil:
		return NoNetwork
	case errors.As(err, &untrusted):
		return Certificate
	case errors.As(err, &noTLS), errors.As(err, &alert):
		return NoTLS
	}
	for _, c := range causes {
		if errors.Is(err, c.err) {
			return c.class
		}
	}
	if errors.As(err, &late) && late.Timeout() {
		return TimedOut
	}
	return Unclassified
}

func classOfStatus(code int) Class {
	switch {
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return Denied
	case code == http.StatusNotFound, code == http.StatusGone:
		return NotFound
	case code == http.StatusTooManyRequests:
		return Busy
	case code >= http.StatusInternalServerError:
		return ServerFault
	}
	return BadStatus
}
