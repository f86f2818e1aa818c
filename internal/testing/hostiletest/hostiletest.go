// Package hostiletest contains hostile servers for tests of code that sends requests.
package hostiletest

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// dripInterval is the pause between two pieces of a dripping response. Such a response is never silent for long, and it never ends.
const dripInterval = 20 * time.Millisecond

// Hang accepts a request and sends no response until `end` is closed.
func Hang(end <-chan struct{}) http.HandlerFunc {
	return func(http.ResponseWriter, *http.Request) { <-end }
}

// Drip sends a status and the text `begin`. Then it sends `piece` again and again, with short pauses, until the client disconnects or the
// channel `end` is closed.
func Drip(end <-chan struct{}, status int, begin, piece string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		tick := time.NewTicker(dripInterval)
		defer tick.Stop()
		for next := begin + piece; ; next = piece {
			if _, err := io.WriteString(w, next); err != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
			select {
			case <-end:
				return
			case <-r.Context().Done():
				return
			case <-tick.C:
			}
		}
	}
}

// Bomb sends a status and a few bytes, compressed with gzip. After decompression, the body is the text `begin`, followed by a repeated
// piece. `size` is the number of bytes of the repetition.
func Bomb(status int, begin, piece string, size int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(status)
		_, _ = w.Write(packed(begin, piece, size))
	}
}

// `bombs` contains the results of packed().
var bombs sync.Map

// packed() returns a compressed body for Bomb.
func packed(begin, piece string, size int) []byte {
	type bomb struct {
		begin, piece string
		size         int
	}
	key := bomb{begin, piece, size}
	if b, ok := bombs.Load(key); ok {
		return b.([]byte)
	}
	block := strings.Repeat(piece, max(1, 1<<20/len(piece)))
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, begin) // writing to memory never fails
	for sent := 0; sent < size; sent += len(block) {
		_, _ = io.WriteString(z, block)
	}
	_ = z.Close()
	bombs.Store(key, b.Bytes())
	return b.Bytes()
}
