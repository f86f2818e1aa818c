package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/budget"
)

func TestSizeLimit(t *testing.T) {
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/chunked" {
			w.(http.Flusher).Flush()
		}
		w.Write(make([]byte, 1001))
	})
	c := newClient(t, nil)
	for _, path := range []string{"/announced", "/chunked"} {
		if _, err := c.Do(t.Context(), &Request{URL: base + path, MaxBytes: 1000}); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: got %v, want ErrTooLarge", path, err)
		}
		if r, err := c.Do(t.Context(), &Request{URL: base + path, MaxBytes: 1001}); err != nil || len(r.Body) != 1001 {
			t.Errorf("%s at the limit: got %v", path, err)
		}
	}
}

// Large bodies wait for their part of the shared memory. The memory is returned even if the request fails. Small bodies never wait.
func TestLargeBodiesTakeTurns(t *testing.T) {
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.URL.Query().Get("n"))
		if err != nil {
			panic(err)
		}
		switch r.URL.Path {
		case "/announced":
			w.Header().Set("Content-Length", strconv.Itoa(n))
		case "/cut":
			w.Header().Set("Content-Length", strconv.Itoa(n+1))
		case "/chunked":
			w.(http.Flusher).Flush()
		}
		_, _ = w.Write(make([]byte, n)) // the client may close the connection before all bytes are sent
	})
	memory := budget.New()
	ctx := budget.With(t.Context(), memory)
	do := func(path string, n int, timeout time.Duration) (*Response, error) {
		return newClient(t, nil).Do(ctx, &Request{URL: fmt.Sprint(base, path, "?n=", n), Timeout: timeout, MaxBytes: MaxImage})
	}
	if _, err := do("/cut", MaxImage-1, 0); !errors.Is(err, ErrUnavailable) {
		t.Fatalf("cut short: got %v", err)
	}
	for _, path := range []string{"/announced", "/chunked"} {
		if _, err := do(path, MaxImage+1, 0); !errors.Is(err, ErrTooLarge) {
			t.Fatalf("%s: got %v, want ErrTooLarge", path, err)
		}
	}
	free(t, memory.Bodies, budget.MaxBodies)

	var held []*Response
	// The body of /chunked reserves 8 MiB, because its length is unknown.
	for path, n := range map[string]int{"/announced": MaxImage - 3, "/chunked": small} {
		resp, err := do(path, n, 0)
		if err != nil || len(resp.Body) != n {
			t.Fatalf("%s: got %v, want %d bytes", path, err, n)
		}
		held = append(held, resp)
	}
	free(t, memory.Bodies, budget.MaxBodies-MaxImage-middle+3)
	if _, err := do("/announced", small+1, 300*time.Millisecond); !errors.Is(err, ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("one too many: got %v, want it to wait", err)
	}
	if resp, err := do("/announced", small-1, 0); err != nil {
		t.Errorf("a small one: %v, want it not to wait", err)
	} else {
		resp.Release()
	}
	for _, resp := range held {
		resp.Release()
		resp.Release() // a second call does nothing
	}
	free(t, memory.Bodies, budget.MaxBodies)

	resp, err := do("/chunked", MaxImage, 0)
	if err != nil || len(resp.Body) != MaxImage {
		t.Fatalf("alone: got %v, want the largest", err)
	}
	if _, err := do("/chunked", MaxImage, 0); !errors.Is(err, errCrowded) {
		t.Errorf("of unknown length beside it: got %v, want no wait with a part in its hands", err)
	}
	resp.Release()
	free(t, memory.Bodies, budget.MaxBodies)
}

// free() checks the number of free bytes of a budget.
func free(t *testing.T, of *budget.Budget, want int64) {
	t.Helper()
	if !of.Try(want) {
		t.Fatalf("less than %d bytes are free", want)
	}
	if of.Try(1) {
		t.Errorf("more than %d bytes are free", want)
		of.Give(1)
	}
	of.Give(want)
}

// A request to a server that never answers ends after its timeout.
func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := net.Pipe()
		defer server.Close()
		go io.Copy(io.Discard, server)
		c := New(nil)
		tr := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return client, nil }}
		c.http.Transport = tr
		began := time.Now()
		_, err := c.Do(t.Context(), &Request{URL: "http://h/", Timeout: 7 * time.Second})
		if took := time.Since(began); took != 7*time.Second || !errors.Is(err, ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v after %v, want a time-out after 7s", err, took)
		}
		tr.CloseIdleConnections()
	})
}
