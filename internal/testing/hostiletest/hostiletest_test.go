package hostiletest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// ask() returns the answer of a handler.
func ask(t *testing.T, h http.Handler) *http.Response {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	r, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Body.Close() })
	return r
}

func TestHangAnswersAtTheEnd(t *testing.T) {
	end := make(chan struct{})
	server := httptest.NewServer(Hang(end))
	defer server.Close()
	answered := make(chan error)
	go func() {
		r, err := http.Get(server.URL)
		if err == nil {
			r.Body.Close()
		}
		answered <- err
	}()
	select {
	case <-answered:
		t.Error("it answered before")
	default:
	}
	close(end)
	if err := <-answered; err != nil {
		t.Error(err)
	}
}

func TestDripIsNeverDone(t *testing.T) {
	end := make(chan struct{})
	r := ask(t, Drip(end, http.StatusMultiStatus, "[", "x"))
	first := make([]byte, 4)
	if _, err := io.ReadFull(r.Body, first); err != nil || string(first) != "[xxx" || r.StatusCode != http.StatusMultiStatus {
		t.Errorf("got %q, %d, %v", first, r.StatusCode, err)
	}
	close(end)
	if rest, err := io.ReadAll(r.Body); err != nil || strings.Trim(string(rest), "x") != "" {
		t.Errorf("then %q, %v", rest, err)
	}
}

func TestBombIsSmallUntilItIsUnpacked(t *testing.T) {
	r := ask(t, Bomb(http.StatusOK, "[", "{},", 8<<20))
	n, err := io.Copy(io.Discard, r.Body) // the transport decompresses the body
	if err != nil || n < 8<<20 || !r.Uncompressed {
		t.Errorf("got %d bytes, %v, unpacked %v", n, err, r.Uncompressed)
	}
	packed := httptest.NewRecorder()
	Bomb(http.StatusOK, "[", "{},", 8<<20)(packed, nil)
	if packed.Body.Len() > 64<<10 {
		t.Errorf("%d bytes on the wire", packed.Body.Len())
	}
}
