package client

import (
	"bytes"
	"io"
)

// dataField begins the lines of an event stream that announce a frame. What follows is not read: whatever is
// announced, the newest frame is asked for.
const dataField = "data:"

// The comments of an event stream that tell of the wall's screen, whole lines, and the header that tells of it at the beginning.
const (
	screenOff    = ": screen off"
	screenOn     = ": screen on"
	screenHeader = "X-Screen"
)

// eventBytes is how much of a stream is read at once: an event is about 70 bytes, and no line has to fit.
const eventBytes = 1024

// readEvents reads an event stream (HTML Living Standard, section 9.2.5). It calls event after every line of data, and screen when the
// stream tells that the wall's screen went off or on. It returns the error that ended the stream; of one that ended well, io.EOF.
func readEvents(r io.Reader, event func(), screen func(dark bool)) error {
	var buf [eventBytes]byte
	var s eventScanner
	for {
		n, err := r.Read(buf[:])
		for range s.scan(buf[:n]) {
			event()
		}
		switch s.screen {
		case screenOff:
			screen(true)
		case screenOn:
			screen(false)
		}
		s.screen = ""
		if err != nil {
			return err
		}
	}
}

// An eventScanner finds lines of data in a stream that arrives in pieces, however long the lines are.
type eventScanner struct {
	begin  [len(screenOff)]byte // of the line
	length int                  // of the line, not counted beyond what begin has room for and one byte more
	screen string               // the latest comment on the screen, until it was taken over
}

// scan takes the next piece and returns how many lines of data ended in it. Lines end with CR, LF or both.
func (s *eventScanner) scan(p []byte) (ended int) {
	for _, b := range p {
		switch {
		case b == '\n' || b == '\r':
			ended += s.end()
		case s.length < len(s.begin):
			s.begin[s.length] = b
			s.length++
		default:
			s.length = len(s.begin) + 1
		}
	}
	return ended
}

// end takes over a line that has ended, and returns 1 if it is of data.
func (s *eventScanner) end() (data int) {
	line := s.begin[:min(s.length, len(s.begin))]
	switch {
	case s.length > len(s.begin):
	case string(line) == screenOff:
		s.screen = screenOff
	case string(line) == screenOn:
		s.screen = screenOn
	}
	s.length = 0
	if bytes.HasPrefix(line, []byte(dataField)) {
		return 1
	}
	return 0
}
