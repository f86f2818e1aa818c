package client

import (
	"io"
)

// dataField begins the lines of an event stream that announce a frame. What follows is not read: whatever is
// announced, the newest frame is asked for.
const dataField = "data:"

// eventBytes is how much of a stream is read at once: an event is about 70 bytes, and no line has to fit.
const eventBytes = 1024

// readEvents reads an event stream (HTML Living Standard, section 9.2.5) and calls event after every line of data. It
// returns the error that ended the stream; of one that ended well, io.EOF.
func readEvents(r io.Reader, event func()) error {
	var buf [eventBytes]byte
	var s eventScanner
	for {
		n, err := r.Read(buf[:])
		for range s.scan(buf[:n]) {
			event()
		}
		if err != nil {
			return err
		}
	}
}

// An eventScanner finds lines of data in a stream that arrives in pieces, however long the lines are.
type eventScanner struct {
	column int  // in the line, not counted beyond the field's name
	other  bool // the line is of another kind
}

// scan takes the next piece and returns how many lines of data ended in it. Lines end with CR, LF or both.
func (s *eventScanner) scan(p []byte) (ended int) {
	for _, b := range p {
		switch {
		case b == '\n' || b == '\r':
			if s.column == len(dataField) && !s.other {
				ended++
			}
			*s = eventScanner{}
		case s.other || s.column == len(dataField):
		case b == dataField[s.column]:
			s.column++
		default:
			s.other = true
		}
	}
	return ended
}
