package client

import (
	"bytes"
	"io"
	"strconv"
	"strings"
)

// dataField begins the lines that announce a frame. The rest of the line is ignored, because the newest frame is fetched anyway.
const dataField = "data:"

// Comments about the wall's screen, as whole lines, and the header with its first state.
const (
	screenOff    = ": screen off"
	screenOn     = ": screen on"
	screenHeader = "X-Screen"

	// screenLight begins a comment about the brightness, with the words of lightHeader's value.
	screenLight = ": screen brightness "
	lightHeader = "X-Screen-Light"
	// longestLight is the longest of these comments.
	longestLight = ": screen brightness as it is, warmth 100%"
)

// eventBytes is the size of a read. An event has about 70 bytes, and no line has to fit.
const eventBytes = 1024

// A Light is the brightness and the warmth of the wall's screen. The zero value is unchanged light.
type Light struct {
	Dimmed bool    // true if Level is the brightness, false if the brightness is unchanged
	Level  float64 // 0 to 1
	Warmth float64 // 0 to 1
}

// parseLight reads "brightness 40%, warmth 0%", or "brightness as it is, warmth 0%". It returns false for other words.
func parseLight(s string) (l Light, ok bool) {
	level, warmth, ok := strings.Cut(strings.TrimPrefix(s, "brightness "), ", warmth ")
	if !ok {
		return l, false
	}
	if level != "as it is" {
		l.Dimmed = true
		if l.Level, ok = percent(level); !ok {
			return Light{}, false
		}
	}
	if l.Warmth, ok = percent(warmth); !ok {
		return Light{}, false
	}
	return l, true
}

// percent reads "40%", from 0 to 100.
func percent(s string) (share float64, ok bool) {
	digits, ok := strings.CutSuffix(s, "%")
	n, err := strconv.ParseUint(digits, 10, 8)
	return float64(n) / 100, ok && err == nil && n <= 100
}

// readEvents reads an event stream (HTML Living Standard, section 9.2.5). It calls event after every line of data, screen when the
// wall's screen goes off or on, and light when the light changes. It returns the error that ended the stream, io.EOF for a regular
// end.
func readEvents(r io.Reader, event func(), screen func(dark bool), light func(Light)) error {
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
		if l, ok := parseLight(s.light); ok {
			light(l)
		}
		s.light = ""
		if err != nil {
			return err
		}
	}
}

// An eventScanner finds lines of data in a stream that arrives in pieces, however long the lines are.
type eventScanner struct {
	begin  [len(longestLight)]byte // beginning of the line
	length int                     // length of the line, counted up to one byte more than begin can hold
	screen string                  // the latest comment on the screen that was not handled yet
	light  string                  // the latest comment about the brightness, likewise
}

// scan takes the next piece and returns the number of completed data lines. Lines end with CR, LF or both.
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

// end handles a complete line. It returns 1 if the line has data.
func (s *eventScanner) end() (data int) {
	line := s.begin[:min(s.length, len(s.begin))]
	switch {
	case s.length > len(s.begin):
	case string(line) == screenOff:
		s.screen = screenOff
	case string(line) == screenOn:
		s.screen = screenOn
	case bytes.HasPrefix(line, []byte(screenLight)):
		s.light = string(line[len(": screen "):])
	}
	s.length = 0
	if bytes.HasPrefix(line, []byte(dataField)) {
		return 1
	}
	return 0
}
