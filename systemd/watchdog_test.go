package systemd

import (
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// listen replaces systemd: it receives the program's messages. `limit` is the watchdog limit, or 0 for no watchdog. `next` returns the next
// message, or "" if no message has arrived.
func listen(t *testing.T, limit time.Duration) (next func() string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "notify")
	c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	t.Setenv("NOTIFY_SOCKET", path)
	t.Setenv("WATCHDOG_PID", "")
	t.Setenv("WATCHDOG_USEC", "")
	if limit > 0 {
		t.Setenv("WATCHDOG_USEC", strconv.FormatInt(limit.Microseconds(), 10))
	}
	out, err := net.DialUnix("unixgram", nil, c.LocalAddr().(*net.UnixAddr))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { out.Close() })
	const mark = "end of the messages"
	buf, marked := make([]byte, 4096), false
	return func() string {
		// A datagram over a socket in the file system is delivered before Write returns. So the datagram `mark` arrives after all earlier
		// messages.
		if !marked {
			if _, err := out.Write([]byte(mark)); err != nil {
				t.Fatal(err)
			}
			marked = true
		}
		n, err := c.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		if marked = string(buf[:n]) != mark; !marked {
			return ""
		}
		return string(buf[:n])
	}
}

func TestWatchdog(t *testing.T) {
	next := listen(t, 20*time.Second)
	w := NewWatchdog()
	if got := w.Period(); got != 10*time.Second {
		t.Errorf("got period %v, want 10 s", got)
	}
	start := time.Unix(1000, 0)
	for _, c := range []struct {
		name string
		do   func()
		want []string
	}{
		{"the first pass", func() { w.Passed(start) }, []string{"READY=1", "WATCHDOG=1"}},
		{"one soon after", func() { w.Passed(start.Add(time.Second)) }, nil},
		{"one later", func() { w.Passed(start.Add(6 * time.Second)) }, []string{"WATCHDOG=1"}},
		{"the clock was set back", func() { w.Passed(start.Add(-time.Hour)) }, []string{"WATCHDOG=1"}},
		{"reloading", w.Reloading, []string{"RELOADING=1"}},
		{"reloaded", w.Reloaded, []string{"READY=1"}},
		{"stopping", w.Stopping, []string{"STOPPING=1"}},
	} {
		c.do()
		for _, want := range append(c.want, "") {
			got := next()
			if first, rest, _ := strings.Cut(got, "\n"); first != want {
				t.Errorf("%s: got %q, want %q", c.name, got, want)
			} else if want == "RELOADING=1" && !strings.HasPrefix(rest, "MONOTONIC_USEC=") {
				t.Errorf("%s: got %q, want the time it began", c.name, rest)
			}
		}
	}
}

func TestNobodyMinds(t *testing.T) {
	next := listen(t, 0)
	w := NewWatchdog()
	w.Passed(time.Now())
	w.Passed(time.Now().Add(time.Hour))
	if got := next() + next(); got != "READY=1" || w.Period() != 0 {
		t.Errorf("got %q and period %v, want READY=1 alone and 0", got, w.Period())
	}
	t.Setenv("NOTIFY_SOCKET", "")
	w.Stopping() // without systemd, Stopping does nothing
	if got := next(); got != "" {
		t.Errorf("got %q, want nothing", got)
	}
}
