package server

import (
	"encoding/json"
	"strconv"
	"sync/atomic"

	"dashboard/netstream"
)

// event is a text for all subscribers, in two forms: plain, and as a chunk of RFC 9112 section 7.1. It never changes.
type event struct {
	of          netstream.Published
	text, chunk []byte
}

// ping is a comment that is sent to keep a stream open while there are no events.
var ping = newEvent(netstream.Published{}, []byte(": ping\n\n"))

// Comments that report that the wall's screen was switched off or on.
var screenOff, screenOn = newEvent(netstream.Published{}, []byte(": screen off\n\n")), newEvent(netstream.Published{}, []byte(": screen on\n\n"))

// ofScreen returns the event for the present state of the screen.
func ofScreen(dark bool) *event {
	if dark {
		return screenOff
	}
	return screenOn
}

// ofLight returns the event for the present light of the screen.
func ofLight(l netstream.Light) *event {
	return newEvent(netstream.Published{}, []byte(": screen "+lightText(l)+"\n\n"))
}

// ofSound returns the event for the sound of a notification.
func ofSound(name string) *event {
	text, _ := json.Marshal(map[string]string{"name": name}) // a text can always be encoded
	return newEvent(netstream.Published{}, []byte("event: sound\ndata: "+string(text)+"\n\n"))
}

// lightText returns a text such as "brightness 40%, warmth 0%", or "brightness as it is, warmth 0%" if the brightness is not set.
func lightText(l netstream.Light) string {
	level := "as it is"
	if l.Dimmed {
		level = strconv.Itoa(int(l.Level)) + "%"
	}
	return "brightness " + level + ", warmth " + strconv.Itoa(int(l.Warmth)) + "%"
}

// lastChunk is the end of a chunked body.
var lastChunk = []byte("0\r\n\r\n")

func newEvent(of netstream.Published, text []byte) *event {
	chunk := strconv.AppendInt(nil, int64(len(text)), 16)
	chunk = append(chunk, "\r\n"...)
	chunk = append(chunk, text...)
	return &event{of, text, append(chunk, "\r\n"...)}
}

// An eventCache keeps the event of the newest frame, so that all receivers share it.
type eventCache struct{ last atomic.Pointer[event] }

// of() returns the event for a frame. It creates an event only if the frame is new.
func (r *eventCache) of(p netstream.Published) *event {
	if n := r.last.Load(); n != nil && n.of == p {
		return n
	}
	n := newEvent(p, p.AppendEvent(nil))
	r.last.Store(n)
	return n
}
