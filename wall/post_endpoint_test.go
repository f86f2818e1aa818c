package wall

import (
	"fmt"
	"image/color"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"
)

// An upload is a request that an endpoint has received.
type upload struct {
	at      time.Time
	method  string
	path    string
	header  http.Header
	body    []byte
	running int // number of running requests when this request began, including this request
}

// An endpoint is a server that receives pictures.
type endpoint struct {
	*httptest.Server
	mu      sync.Mutex
	got     []upload
	running int
	left    int           // number of waiting uploads that the wall gave up
	status  int           // status of the answer; 0 means 200
	hold    chan struct{} // if not nil, each upload waits until this channel is closed
}

func newEndpoint(t *testing.T) *endpoint {
	e := &endpoint{}
	e.Server = httptest.NewServer(e)
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	u := upload{at: time.Now(), method: r.Method, path: r.URL.Path, header: r.Header}
	u.body, _ = io.ReadAll(r.Body)
	e.mu.Lock()
	e.running++
	u.running = e.running
	e.got = append(e.got, u)
	status, hold := e.status, e.hold
	e.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-r.Context().Done(): // the wall gives up after half a minute
			e.mu.Lock()
			e.left++
			e.mu.Unlock()
		}
	}
	if status != 0 {
		w.WriteHeader(status)
	}
	e.mu.Lock()
	e.running--
	e.mu.Unlock()
}

// answers() sets the status of the answers to all later uploads. n is the number of uploads that have arrived before.
func (e *endpoint) answers(status int) (n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.status = status
	return len(e.got)
}

// given() returns the number of uploads that the wall gave up.
func (e *endpoint) given() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.left
}

// ends() waits until the newest upload to `path` has the color `want`.
func (e *endpoint) ends(t *testing.T, path string, want color.RGBA) {
	t.Helper()
	eventually(t, fmt.Sprintf("%v is uploaded to %s", want, path), func() bool {
		for _, u := range slices.Backward(e.uploads()) {
			if u.path == path {
				img, _, _, _ := pictureOf(t, u)
				return near(img, want)
			}
		}
		return false
	})
}

// holds() makes each following upload wait until `release` is called.
func (e *endpoint) holds() (release func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	hold := make(chan struct{})
	e.hold = hold
	return sync.OnceFunc(func() {
		e.mu.Lock()
		e.hold = nil
		e.mu.Unlock()
		close(hold)
	})
}

func (e *endpoint) uploads() []upload {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]upload(nil), e.got...)
}

// await waits until n requests have arrived in total.
func (e *endpoint) await(t *testing.T, n int) []upload {
	t.Helper()
	eventually(t, fmt.Sprintf("%d requests", n), func() bool { return len(e.uploads()) >= n })
	return e.uploads()
}
