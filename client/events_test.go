package client

import (
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
)

var eventCases = map[string]struct {
	stream string
	want   int
}{
	"an event":             {"data: {\"etag\": \"1f0c8f6d5b1f0a33\", \"published_at\": 1795235340.3545783}\n\n", 1},
	"several":              {"data: 1\n\ndata: 2\n\ndata: 3\n\n", 3},
	"pings":                {": ping\n\n: ping\n\n", 0},
	"a ping between":       {"data: 1\n\n: ping\n\ndata: 2\n\n", 2},
	"carriage returns":     {"data: 1\r\n\r\ndata: 2\r\rdata: 3\n\r", 3},
	"without a blank":      {"data:1\n\n", 1},
	"no data at all":       {"data:\n\n", 1},
	"other fields":         {"event: frame\nid: 7\nretry: 1\n\n", 0},
	"a longer name":        {"database: x\n\ndata2: x\n\n", 0},
	"data in the middle":   {"x data: 1\n data: 1\n:data: 1\n", 0},
	"cut off":              {"data: {\"etag\"", 0},
	"not before its end":   {"data: 1\n\ndata: 2", 1},
	"a line of 1 MB":       {"data: " + strings.Repeat("x", 1<<20) + "\n\n", 1},
	"a comment of 1 MB":    {": " + strings.Repeat("data:", 1<<18) + "\n\ndata: 1\n\n", 1},
	"nothing":              {"", 0},
	"an almost right name": {"dat: 1\ndatadata: 1\ndata : 1\n", 0},
}

func TestEvents(t *testing.T) {
	for name, c := range eventCases {
		t.Run(name, func(t *testing.T) {
			for kind, r := range map[string]io.Reader{
				"whole":     strings.NewReader(c.stream),
				"in halves": iotest.HalfReader(strings.NewReader(c.stream)),
				"by bytes":  iotest.OneByteReader(strings.NewReader(c.stream)),
			} {
				got := 0
				err := readEvents(r, func() { got++ }, func(bool) {}, func(Light) {})
				if got != c.want || err != io.EOF {
					t.Errorf("%s: got %d events, %v, want %d, EOF", kind, got, err, c.want)
				}
			}
		})
	}
}

func TestEventsError(t *testing.T) {
	broken := errors.New("broken")
	got := 0
	err := readEvents(io.MultiReader(strings.NewReader("data: 1\n\n"), iotest.ErrReader(broken)), func() { got++ }, func(bool) {}, func(Light) {})
	if got != 1 || err != broken {
		t.Errorf("got %d events, %v, want 1, %v", got, err, broken)
	}
}

// FuzzEvents compares the scanner with a regular expression, for data that arrives in pieces of any size.
func FuzzEvents(f *testing.F) {
	for _, c := range eventCases {
		if len(c.stream) < 1000 {
			f.Add([]byte(c.stream), 3)
		}
	}
	line := regexp.MustCompile(`(?:^|[\r\n])data:[^\r\n]*[\r\n]`)
	f.Fuzz(func(t *testing.T, stream []byte, piece int) {
		want := 0
		for rest := stream; ; want++ {
			at := line.FindIndex(rest)
			if at == nil {
				break
			}
			rest = rest[at[1]-1:] // the line end can also be the beginning of the next match
		}
		got := 0
		var s eventScanner
		for rest := stream; len(rest) > 0; {
			n := min(len(rest), max(1, piece))
			got += s.scan(rest[:n])
			rest = rest[n:]
		}
		if got != want {
			t.Errorf("got %d events, want %d", got, want)
		}
	})
}

// TestEventsScreen: a comment about the screen counts only if it is a whole line. A line may arrive in pieces of any size.
func TestEventsScreen(t *testing.T) {
	for stream, want := range map[string]string{
		": ping\n\ndata: 1\n\n":                              "",
		": screen off\n\n":                                   "off ",
		": screen off\n\ndata: 1\n\n: screen on\n\n":         "off on ",
		": screen offside\n\n: screen of\n\n:screen off\n\n": "",
		"data: : screen off\n\n: screen off":                 "",
		": screen on\r\n\r\n":                                "on ",
	} {
		got := ""
		err := readEvents(iotest.OneByteReader(strings.NewReader(stream)), func() {}, func(dark bool) {
			got += map[bool]string{true: "off ", false: "on "}[dark]
		}, func(Light) { t.Errorf("%q: told of its light", stream) })
		if got != want || err != io.EOF {
			t.Errorf("%q: got %q, %v, want %q", stream, got, err, want)
		}
	}
}

// TestEventsLight: a comment about the light counts only if it is a whole, valid line. A line may arrive in pieces of any size.
func TestEventsLight(t *testing.T) {
	for stream, want := range map[string]Light{
		": screen brightness 40%, warmth 25%\n\n":                                           {true, 0.4, 0.25},
		": screen brightness 0%, warmth 100%\r\n\r\n":                                       {true, 0, 1},
		": screen brightness as it is, warmth 100%\n\n":                                     {false, 0, 1},
		": screen brightness 40%, warmth 0%\n\n: screen brightness 100%, warmth 0%\n\n":     {true, 1, 0},
		": screen off\n\n: screen brightness 100%, warmth 0%\n\ndata: 1\n\n: screen on\n\n": {true, 1, 0},
	} {
		var got Light
		if err := readEvents(iotest.OneByteReader(strings.NewReader(stream)), func() {}, func(bool) {}, func(l Light) { got = l }); got != want || err != io.EOF {
			t.Errorf("%q: got %+v, %v, want %+v", stream, got, err, want)
		}
	}
	for _, stream := range []string{
		": screen brightness 140%, warmth 0%", ": screen brightness 40, warmth 0%", ": screen brightness -1%, warmth 0%", ": screen brightness 40%",
		": screen brightness %, warmth 0%", ": screen brightness 1e1%, warmth 0%", ": screen brightness 40%, warmth 256%", ": screen brightness 40%, warmth 0%0000000000000000000000000",
		"data: screen brightness 40%, warmth 0%",
	} {
		_ = readEvents(strings.NewReader(stream+"\n\n"), func() {}, func(bool) {}, func(l Light) { t.Errorf("%q: got %+v", stream, l) })
	}
}
