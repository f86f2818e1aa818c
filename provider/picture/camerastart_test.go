package picture

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A starting camera answers with a web page until its stream is ready.
type starting struct {
	stream
	pages int // number of answers with a page
}

// RoundTrip implements http.RoundTripper.
func (s *starting) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.pages--; s.pages >= 0 {
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/html"}}, Body: io.NopCloser(strings.NewReader("<html>starting"))}, nil
	}
	return s.stream.RoundTrip(r)
}

// TestCameraStarts: a page that the camera sends while it starts is not the end of its stream. Later, the wall follows the stream.
func TestCameraStarts(t *testing.T) {
	for _, pages := range []int{1, 2, 3, 6} {
		synctest.Test(t, func(t *testing.T) {
			s := &starting{pages: pages, stream: stream{kind: mixed, play: func(_ int, w io.Writer) {
				for {
					if _, err := io.WriteString(w, sized(dot(t, 100))); err != nil {
						return
					}
					time.Sleep(time.Second)
				}
			}}}
			got := watchCamera(t, s, Config{}, Auto, 10*time.Minute).Load()
			if shade(t, got) != grey(100) || got.Err != nil {
				t.Errorf("after %d pages: got %+v", pages, got)
			}
		})
	}
}
