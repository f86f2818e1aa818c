package provider

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A broker counts the connections that were opened, and the connections that are still open.
type broker struct {
	opened, open atomic.Int32
	err          error
	closing      time.Duration
}

// A line is one connection to a broker.
type line struct {
	*broker
	ctx context.Context
}

func (b *broker) dial(ctx context.Context) (*line, error) {
	time.Sleep(time.Second)
	if b.err != nil {
		return nil, b.err
	}
	b.opened.Add(1)
	b.open.Add(1)
	return &line{b, ctx}, nil
}

func (l *line) Close() error {
	time.Sleep(l.closing)
	l.open.Add(-1)
	return nil
}

func TestSessionsAreShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s Sessions
		b := &broker{}
		var wg sync.WaitGroup
		var lines [3]*line
		var releases [3]func()
		for i := range lines {
			wg.Go(func() {
				var err error
				if lines[i], releases[i], err = Acquire(t.Context(), &s, "mqtt", b.dial); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if lines[0] != lines[1] || lines[1] != lines[2] || b.opened.Load() != 1 {
			t.Fatalf("got %v opened %d times, want one connection for all", lines, b.opened.Load())
		}
		releases[0]()
		releases[0]() // a second call has no effect
		releases[1]()
		if b.open.Load() != 1 || lines[2].ctx.Err() != nil {
			t.Error("closed while somebody has it")
		}
		releases[2]()
		if b.open.Load() != 0 || s.Len() != 0 || lines[2].ctx.Err() == nil {
			t.Errorf("after the last: %d open, %d known", b.open.Load(), s.Len())
		}
	})
}

func TestSessionIsOpenedAnewAfterItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s Sessions
		b := &broker{closing: time.Minute}
		_, release, err := Acquire(t.Context(), &s, "mqtt", b.dial)
		if err != nil {
			t.Fatal(err)
		}
		go release()
		synctest.Wait()
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, _, err := Acquire(short, &s, "mqtt", b.dial); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("while it is being closed: got %v, want to wait", err)
		}
		_, release, err = Acquire(t.Context(), &s, "mqtt", b.dial)
		if err != nil || b.open.Load() != 1 || b.opened.Load() != 2 {
			t.Errorf("got %v, %d open, %d opened, want the second alone", err, b.open.Load(), b.opened.Load())
		}
		release()
	})
}

func TestSessionFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s Sessions
		b := &broker{err: errors.New("no route")}
		if _, _, err := Acquire(t.Context(), &s, "mqtt", b.dial); !errors.Is(err, b.err) || s.Len() != 0 {
			t.Errorf("got %v, %d kept", err, s.Len())
		}
		if _, _, err := Acquire(t.Context(), &s, "mqtt", func(context.Context) (*line, error) { panic("boom") }); err == nil || !strings.Contains(err.Error(), "boom") {
			t.Errorf("panic: got %v", err)
		}
		b.err = nil
		_, release, err := Acquire(t.Context(), &s, "mqtt", b.dial)
		if err != nil {
			t.Fatalf("opened anew: %v", err)
		}
		defer release()
		if _, _, err := Acquire(t.Context(), &s, "mqtt", func(context.Context) (*net.TCPConn, error) { return nil, nil }); err == nil {
			t.Error("another type of the same key: got no error")
		}
	})
}

// If the only user gives up while the connection is being opened, the connection is closed.
func TestSessionGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s Sessions
		b := &broker{}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, _, err := Acquire(ctx, &s, "mqtt", b.dial); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if s.Len() != 0 || b.open.Load() != 0 {
			t.Errorf("%d kept, %d open", s.Len(), b.open.Load())
		}
	})
}
