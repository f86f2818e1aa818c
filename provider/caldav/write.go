package caldav

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"dashboard/internal/fetch"
)

const (
	// maxObject is the maximum size of one event or task, in bytes.
	maxObject = 1 << 20
	// maxMerges is the maximum number of attempts to change an object that other clients change at the same time.
	maxMerges = 5
)

var (
	// ErrGone is returned for an object that the server no longer has.
	ErrGone = errors.New("it is not on the server any more")
	// ErrNoTag is returned if the server sends no ETag and so cannot reject outdated changes.
	ErrNoTag = errors.New("the server sends no ETag, so that a change could take back changes of others")
	// ErrConflict is returned if other clients changed the object during each attempt.
	ErrConflict = fmt.Errorf("others changed it %d times at once", maxMerges)
)

// A Writer changes objects on a server. Any goroutine may call its methods.
type Writer struct {
	client *fetch.Client
	ask    fetch.Request // request with the configured address, credentials and timeout
}

// NewWriter returns a writer. r has the same meaning as for New.
func NewWriter(client *fetch.Client, r fetch.Request) *Writer {
	r.MaxBytes = maxObject
	return &Writer{client: client, ask: r}
}

// Change replaces an object by the result of the function `edit`. `at` is the address of the object. `edit` returns false if nothing has to
// change. The server rejects the result if the object has changed since Change read it (RFC 4791, section 5.3.4). Change then reads the
// object and calls `edit` again, so that the changes of other clients are not lost. The error is ErrGone, ErrNoTag, ErrConflict, an error
// of `edit`, or a failed request.
func (w *Writer) Change(ctx context.Context, at string, edit func(text []byte) (out []byte, changed bool, err error)) error {
	for range maxMerges {
		old, err := w.send(ctx, http.MethodGet, at, nil, nil)
		if err != nil {
			return err
		}
		if old.Status == http.StatusNotFound || old.Status == http.StatusGone {
			return ErrGone
		}
		if err := old.Check(); err != nil {
			return fmt.Errorf("reading the task: %w", err)
		}
		text, changed, err := edit(old.Body)
		if err != nil || !changed {
			return err
		}
		tag := strong(old.ETag)
		if tag == "" {
			return ErrNoTag
		}
		again, err := w.put(ctx, at, text, "If-Match", tag)
		if err != nil || !again {
			return err
		}
	}
	return ErrConflict
}

// strong() removes the prefix W/ from a weak ETag. Proxies add this prefix when they compress answers, but a server rejects weak ETags in
// If-Match (RFC 9110, section 13.1.1).
func strong(tag string) string { return strings.TrimPrefix(tag, "W/") }

// Add creates an object at an address of the server. If the server already has an object there, Add does not change it and returns nil.
func (w *Writer) Add(ctx context.Context, at string, text []byte) error {
	there, err := w.put(ctx, at, text, "If-None-Match", "*")
	if err != nil || !there {
		return err
	}
	old, err := w.send(ctx, http.MethodGet, at, nil, nil)
	if err == nil && old.Status != http.StatusOK {
		err = ErrConflict // the server rejected the task, but GET does not return an object
	}
	return err
}

// put sends an object with a condition header (If-Match or If-None-Match). `failed` is true if the server reports that the condition is
// false.
func (w *Writer) put(ctx context.Context, at string, text []byte, condition, tag string) (failed bool, err error) {
	resp, err := w.send(ctx, http.MethodPut, at, text, map[string]string{"Content-Type": "text/calendar; charset=utf-8", condition: tag})
	if err != nil {
		return false, err
	}
	switch resp.Status {
	case http.StatusPreconditionFailed:
		return true, nil
	case http.StatusOK, http.StatusCreated, http.StatusNoContent:
		return false, nil
	}
	return false, fmt.Errorf("writing the task: %w", resp.Check())
}

// send sends a request to the configured server.
func (w *Writer) send(ctx context.Context, method, at string, body []byte, header map[string]string) (*fetch.Response, error) {
	home, err := url.Parse(w.ask.URL)
	if err != nil {
		return nil, err
	}
	if u, err := url.Parse(at); err != nil || !fetch.SameOrigin(home, u) {
		return nil, errors.New("the task is on another host, which does not get the password")
	}
	r := w.ask
	r.Method, r.URL, r.Body, r.Header = method, at, body, map[string]string{}
	for k, v := range w.ask.Header {
		r.Header[k] = v
	}
	for k, v := range header {
		r.Header[k] = v
	}
	resp, err := w.client.Do(ctx, &r)
	if err != nil {
		return nil, err
	}
	defer resp.Release()
	if method != http.MethodGet && resp.URL != "" && !samePlace(resp.URL, at) {
		return nil, errors.New("the server redirects changes to another address; configure that address")
	}
	return resp, nil
}

// samePlace reports whether two addresses are equal after parsing.
func samePlace(a, b string) bool {
	x, err := url.Parse(a)
	y, err2 := url.Parse(b)
	return err == nil && err2 == nil && x.String() == y.String()
}
