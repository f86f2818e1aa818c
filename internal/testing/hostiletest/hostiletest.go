// Package hostiletest has servers that mean no good, for tests of what fetches.
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

// dripInterval is the pause between two pieces of an answer that drips: it is never silent for long, and never done.
const dripInterval = 20 * time.Millisecond

// Hang takes a request and answers nothing until end is closed.
func Hang(end <-chan struct{}) http.HandlerFunc {
	return func(http.ResponseWriter, *http.Request) { <-end }
}

// Drip answers with a status and a beginning, and then with a piece every few milliseconds, until the caller goes or end is closed.
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

// Bomb answers with a status and a few bytes, compressed by gzip, that are a beginning and then size bytes of a piece again and again.
func Bomb(status int, begin, piece string, size int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(status)
		_, _ = w.Write(packed(begin, piece, size))
	}
}

// bombs are what packed has made: of one that does not change there is one.
var bombs sync.Map

// packed is a bomb in its sent form.
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
	_, _ = io.WriteString(z, begin) // memory takes everything
	for sent := 0; sent < size; sent += len(block) {
		_, _ = io.WriteString(z, block)
	}
	_ = z.Close()
	bombs.Store(key, b.Bytes())
	return b.Bytes()
}
