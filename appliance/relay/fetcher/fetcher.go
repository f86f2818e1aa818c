// Package fetcher implements the program to which the keeper connects (package relay). It fetches a file of a release and sends the
// content to the keeper.
package fetcher

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"dashboard/appliance/relay"
	"dashboard/internal/fetch"
)

// A Client sends requests to a server.
type Client interface {
	Stream(ctx context.Context, r *fetch.Request) (*fetch.Stream, error)
}

// Serve answers one request.
func Serve(ctx context.Context, in io.Reader, out io.Writer, c Client, base string) error {
	line, err := bufio.NewReaderSize(in, relay.MaxLine).ReadSlice('\n')
	if err != nil {
		return fmt.Errorf("relay: no request: %w", err)
	}
	name, at, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
	offset, err := strconv.ParseInt(at, 10, 64)
	if err != nil || offset < 0 || !isName(name) {
		return fmt.Errorf("relay: %q is no request", line)
	}
	q := &fetch.Request{URL: strings.TrimSuffix(base, "/") + "/" + name, Timeout: relay.Silence}
	if offset > 0 {
		q.Header = map[string]string{"Range": fmt.Sprintf("bytes=%d-", offset)}
	}
	s, err := c.Stream(ctx, q)
	if err != nil {
		_, failed := fmt.Fprintln(out, reason(err))
		return errors.Join(err, failed)
	}
	defer s.Close()
	if offset > 0 && !begins(s.Header.Get("Content-Range"), offset) { // the server does not support ranges, so skip the first bytes
		if _, err := io.CopyN(io.Discard, s, offset); err == io.EOF {
			_, err := fmt.Fprintln(out, relay.Gone) // the file is shorter now
			return err
		} else if err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintln(out, relay.Good); err != nil {
		return err
	}
	_, err = io.Copy(out, s)
	return err
}

// isName reports whether `name` is valid for a file of a release.
func isName(name string) bool {
	return name != "" && name[0] != '.' && !strings.ContainsAny(name, "/\\:?#%") && len(name) < relay.MaxLine/2
}

// begins() reports whether the header Content-Range describes a part of a file that begins at an offset (RFC 9110, section 14.4).
func begins(contentRange string, offset int64) bool {
	return strings.HasPrefix(contentRange, fmt.Sprintf("bytes %d-", offset))
}

// reason returns a text about an error, which Serve sends to the keeper. The text does not contain the server's address.
func reason(err error) string {
	var status *fetch.StatusError
	if errors.As(err, &status) {
		// With StatusRequestedRangeNotSatisfiable, the server has a shorter file.
		if slices.Contains([]int{http.StatusNotFound, http.StatusGone, http.StatusRequestedRangeNotSatisfiable}, status.Code) {
			return relay.Gone
		}
		return fmt.Sprintf("the server answers %d %s", status.Code, http.StatusText(status.Code))
	}
	var failed *fetch.Error
	if errors.As(err, &failed) {
		err = failed.Err
	}
	text := strings.Join(strings.Fields(err.Error()), " ")
	return text[:min(len(text), relay.MaxLine-len("\n"))]
}
