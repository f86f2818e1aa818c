package kernel

import (
	"context"
	"os"
	"testing"

	"dashboard/internal/testing/programtest"

	"golang.org/x/sys/unix"
)

// device is a device of every Linux machine. A write to its file makes the kernel send a message about it (lib/kobject_uevent.c).
const device = "/sys/class/mem/null/uevent"

// report makes the kernel send a message about `device`. Only root can do this.
func report(t *testing.T) {
	t.Helper()
	err := os.WriteFile(device, []byte("change"), 0)
	switch {
	case err != nil && os.Getenv("DASHBOARD_CI") != "":
		t.Fatal(err)
	case err != nil:
		t.Skip("only root can make the kernel send messages:", err)
	}
}

// watch runs Watch in a goroutine. It returns three channels: the messages that Watch passes to `heard`, a value for each call of
// `changed`, and the result of Watch.
func watch(ctx context.Context, l *Listener) (heard chan string, changed chan bool, done chan error) {
	heard, changed, done = make(chan string, 9999), make(chan bool, 9999), make(chan error, 1)
	go func() {
		done <- l.Watch(ctx, func(m Message) bool { heard <- string(m); return m.Of("mem") }, func() { changed <- true })
	}()
	return heard, changed, done
}

// TestListenBeforeWatch: a message that the kernel sends between Listen and Watch is not lost.
func TestListenBeforeWatch(t *testing.T) {
	l, err := Listen()
	if err != nil {
		t.Fatal(err)
	}
	report(t)
	ctx, end := context.WithCancel(t.Context())
	heard, changed, done := watch(ctx, l)
	for m := ""; !Message(m).Of("mem"); {
		m = programtest.Receive(t, "the message", heard)
	}
	programtest.Receive(t, "the call", changed)
	end()
	if err := programtest.Receive(t, "the end", done); err != nil {
		t.Errorf("got %v", err)
	}
	if raw, err := l.ear.(*socket).SyscallConn(); err == nil && raw.Control(func(uintptr) {}) == nil {
		t.Error("the socket is still open")
	}
}

// TestListenLost: if the kernel drops messages because nothing reads them, Watch passes an empty message and calls `changed`.
func TestListenLost(t *testing.T) {
	l, err := Listen()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := l.ear.(*socket).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	small := func(fd uintptr) { err = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUF, 1) }
	if cerr := raw.Control(small); cerr != nil || err != nil {
		t.Fatal(cerr, err)
	}
	for range 99 { // the smallest buffer has room for a few messages
		report(t)
	}
	heard, changed, _ := watch(t.Context(), l)
	if m := programtest.Receive(t, "the loss", heard); m != "" {
		t.Errorf("got the message %q, want an empty one", m)
	}
	programtest.Receive(t, "the first call", changed)
	programtest.Receive(t, "the second call", changed)
}

// TestListenClose: Close ends Watch, and may be called before, during and after it.
func TestListenClose(t *testing.T) {
	for _, early := range []bool{true, false} {
		l, err := Listen()
		if err != nil {
			t.Fatal(err)
		}
		if early {
			_ = l.Close()
		}
		_, _, done := watch(t.Context(), l)
		for range 2 {
			if err := l.Close(); err != nil {
				t.Errorf("early %v: got %v", early, err)
			}
		}
		if err := programtest.Receive(t, "the end", done); err != nil {
			t.Errorf("early %v: got %v", early, err)
		}
	}
}
