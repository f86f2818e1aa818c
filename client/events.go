package client

import (
	"bytes"
	"io"
	"strconv"
	"strings"
)

// dataField is the start of lines that announce a frame. The rest of such a line does not matter, because the client always fetches the
// newest frame.
const dataField = "data:"

// screenOff and screenOn are comment lines in the event stream: the wall's screen was switched off or on. The response header
// screenHeader contains the state at the beginning of the stream.
const (
	screenOff    = ": screen off"
	screenOn     = ": screen on"
	screenHeader = "X-Screen"

	// screenLight is the start of a comment about the brightness. The rest of the comment has the same form as the value of lightHeader.
	screenLight = ": screen brightness "
	lightHeader = "X-Screen-Light"
	// longestLight is the longest comment about the brightness.
	longestLight = ": screen brightness as it is, warmth 100%"
)

// eventBytes is the number of bytes that are read at a time. An event has about 70 bytes. A line may be longer than eventBytes.
const eventBytes = 1024

// A Light is the wanted brightness and warmth of the screen. The zero value changes nothing.
type Light struct {
	Dimmed bool    // true to use Level as the brightness, false to keep the brightness
	Level  float64 // 0 to 1
	Warmth float64 // 0 to 1
}

// parseLight parses a text such as "brightness 40%, warmth 0%" or "brightness as it is, warmth 0%". ok is false for any other text.
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

// percent() parses a text such as "40%", and returns a share from 0 to 1. The percentage must be from 0 to 100.
func percent(s string) (share float64, ok bool) {
	digits, ok := strings.CutSuffix(s, "%")
	n, err := strconv.ParseUint(digits, 10, 8)
	return float64(n) / 100, ok && err == nil && n <= 100
}

// readEvents reads an event stream (HTML Living Standard, section 9.2.5) until it ends. It calls the function `event` for every line with
// data. It calls the function `screen` when the wall's screen goes off or on, and the function `light` when the wall's light changes. It
// returns the error that has ended the stream, or io.EOF if the service has ended it.
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

// An eventScanner finds lines with data and comments about the screen in a stream that arrives in pieces. Lines may have any length.
type eventScanner struct {
	begin  [len(longestLight)]byte // the first bytes of the current line
	length int                     // number of bytes of the current line, up to len(begin)+1
	screen string                  // latest comment about the wall's screen that was not handled yet
	light  string                  // latest comment about the brightness that was not handled yet
}

// scan() processes the next piece of the stream. It returns the number of lines with data that have ended. A line ends with CR, LF or CR
// LF.
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

// end() processes a line that has ended. It returns 1 if the line contains data.
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
