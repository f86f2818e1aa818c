package fetch

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/coder/websocket"
)

// renewed is a source of tokens. After a token was refused, it returns the next token.
type renewed struct {
	mu      sync.Mutex
	number  int
	refused []string
}

// Token implements Tokens.
func (r *renewed) Token(context.Context) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return fmt.Sprint("token", r.number), nil
}

// Refuse implements Tokens.
func (r *renewed) Refuse(token string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refused = append(r.refused, token)
	r.number++
}

// TestRefusedToken: after status 401, a stream and a socket do not keep the refused access token until it expires.
func TestRefusedToken(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer token1" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if r.URL.Path == "/socket" {
			if conn, err := websocket.Accept(w, r, nil); err == nil {
				conn.CloseNow()
			}
			return
		}
		io.WriteString(w, "hello\n")
	}))
	defer s.Close()
	c := New(&Options{})
	defer c.CloseIdle()
	for name, open := range map[string]func(r *Request) (io.Closer, error){
		"/stream": func(r *Request) (io.Closer, error) { return c.Stream(t.Context(), r) },
		"/socket": func(r *Request) (io.Closer, error) { return c.Socket(t.Context(), r) },
	} {
		tokens := &renewed{}
		got, err := open(&Request{URL: s.URL + name, Auth: Auth{Tokens: tokens}})
		if err != nil || !slices.Equal(tokens.refused, []string{"token0"}) {
			t.Errorf("%s: got %v, refused %v, want a second attempt with another token", name, err, tokens.refused)
			continue
		}
		got.Close()
	}
}
