package server

import (
	"strconv"
	"sync/atomic"

	"dashboard/netstream"
)

// news is one text for all subscribers, as it is and as one chunk of RFC 9112 section 7.1. It does not change.
type news struct {
	of          netstream.Published
	text, chunk []byte
}

// ping is the comment that keeps a silent stream alive.
var ping = newNews(netstream.Published{}, []byte(": ping\n\n"))

// lastChunk ends a chunked body.
var lastChunk = []byte("0\r\n\r\n")

func newNews(of netstream.Published, text []byte) *news {
	chunk := strconv.AppendInt(nil, int64(len(text)), 16)
	chunk = append(chunk, "\r\n"...)
	chunk = append(chunk, text...)
	return &news{of, text, append(chunk, "\r\n"...)}
}

// A newsroom writes the text of a frame's event once, however many it is told.
type newsroom struct{ last atomic.Pointer[news] }

// event returns the news of a frame.
func (r *newsroom) event(p netstream.Published) *news {
	if n := r.last.Load(); n != nil && n.of == p {
		return n
	}
	n := newNews(p, p.AppendEvent(nil))
	r.last.Store(n)
	return n
}
