package mpd

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"dashboard/internal/fetch"
	"dashboard/internal/testing/programtest"
)

// saying() starts a server that writes a text to each connection and then closes the connection. The text has a greeting and one paragraph
// for each command. The bytes after "…" are repeated without an end.
func saying(t *testing.T, text string) *Provider {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			say(c, text)
			c.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
	host, port, _ := strings.Cut(l.Addr().String(), ":")
	p := at(t, host, "")
	p.address = net.JoinHostPort(host, port)
	return p
}

func say(c net.Conn, text string) {
	first, endless, more := strings.Cut(text, "…")
	greeting, rest, _ := strings.Cut(first, "\n")
	if _, err := io.WriteString(c, greeting+"\n"); err != nil {
		return
	}
	r := bufio.NewReader(c)
	for answer := range strings.SplitSeq(rest, "\n\n") {
		if _, err := r.ReadString('\n'); err != nil {
			return
		}
		if _, err := io.WriteString(c, answer+"\n"); err != nil {
			return
		}
	}
	for more {
		if _, err := io.WriteString(c, endless); err != nil {
			return
		}
	}
}

// TestHostileServers: each hostile server causes an error, and no limit is exceeded.
func TestHostileServers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"no MPD":             {"SSH-2.0-OpenSSH_9.2\n", "no MPD"},
		"an endless line":    {"OK MPD 0.23.5\n…x", "a line of more than"},
		"endless lines":      {"OK MPD 0.23.5\n…volume: 1\n", "more than 500 lines"},
		"a large part":       {"OK MPD 0.23.5\nOK\n\nsize: 900000000\nbinary: 900000000", "more than 65536 bytes"},
		"a large picture":    {"OK MPD 0.23.5\nOK\n\nsize: 900000000\nbinary: 1\nx\nOK", "more than 1048576"},
		"a negative part":    {"OK MPD 0.23.5\nOK\n\nsize: 10\nbinary: -1", "more than 65536 bytes"},
		"closes in a part":   {"OK MPD 0.23.5\nOK\n\nsize: 10\nbinary: 10\nabc", "EOF"},
		"closes at once":     {"OK MPD 0.23.5", "closed the connection"},
		"no size":            {"OK MPD 0.23.5\nOK\n\nbinary: 1\nx\nOK\n\nOK", "no picture"},
		"a part of too many": {"OK MPD 0.23.5\nOK\n\nsize: 2\nbinary: 3\nxyz\nOK", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, err := saying(t, c.text).Cover(t.Context(), "a.mp3", 1<<20)
			switch {
			case c.want == "no picture" && err == nil && len(data) == 0:
			case c.want == "" && (err != nil || string(data) != "xy"):
				t.Errorf("got %q and %v", data, err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// TestUnreachable: a host without a server causes a network error. The end of the context ends a wait.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	p := at(t, "127.0.0.1", "")
	p.address = fmt.Sprintf("127.0.0.1:%d", programtest.FreePort(t))
	if err := p.Call(t.Context(), Next, "", nil); fetch.ClassOf(err) == fetch.Unclassified || !strings.Contains(err.Error(), p.address) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	silent, err := saying(t, "OK MPD 0.23.5\n").dial(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.close()
	time.AfterFunc(time.Millisecond, cancel)
	if err := silent.wait("idle"); err == nil {
		t.Error("waiting ended without an answer")
	}
	for _, host := range []string{"", "a b", "http://a"} {
		if _, _, err := New(&Params{Host: host, Port: 1}); err == nil || !strings.HasPrefix(err.Error(), "host: ") {
			t.Errorf("host %q: got %v", host, err)
		}
	}
	one, _, _ := New(&Params{Host: "a", Port: 1})
	if two, _, _ := New(&Params{Host: "a", Port: 1, Password: "x"}); one == two {
		t.Error("providers with different passwords have one key")
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add([]byte("state: play\nelapsed: 12.5\nOK\n"))
	f.Add([]byte("size: 3\nbinary: 3\nabc\nOK\n"))
	f.Add([]byte("ACK [50@0] {albumart} No file exists\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := &conn{r: bufio.NewReaderSize(bytes.NewReader(data), maxLine)}
		got, part, err := c.answer(maxChunk)
		if err == nil && len(part) > maxChunk {
			t.Errorf("a part of %d bytes", len(part))
		}
		total := 0
		for k, v := range got {
			total += len(k) + len(v)
		}
		if total > maxLines*2*maxLine {
			t.Errorf("%d bytes of values", total)
		}
	})
}
