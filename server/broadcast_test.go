package server

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/testing/programtest"
	"dashboard/internal/testing/race"
	"dashboard/netstream"
)

// broadcaster returns the broadcaster of the fixture's stream.
func (f *fixture) broadcaster() *broadcaster {
	f.broadcasters.mu.Lock()
	defer f.broadcasters.mu.Unlock()
	return f.broadcasters.ofLocked(f.stream)
}

// The type breaking is the socket of a line. After the given number of successful writes, every write fails.
type breaking struct {
	recorder
	after int
}

func (b *breaking) try(p []byte) (int, error) {
	if len(b.told) == b.after {
		return 0, errors.New("it is broken")
	}
	return b.recorder.try(p)
}

// TestLinesThatEndAmongOthers ends some lines, at different positions in the list. The other lines must get every frame once.
func TestLinesThatEndAmongOthers(t *testing.T) {
	const lines, frames = 10, 6
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		var all []*breaking
		for i := range lines {
			b := &breaking{recorder: recorder{room: 1e6}, after: frames + 1}
			if i%3 == 0 {
				b.after = 1 + i/3
			}
			l := f.line(&b.recorder)
			l.out = b
			f.broadcasters.add(f.stream, l)
			all = append(all, b)
		}
		for i := range frames {
			f.show(t, uint8(i))
			synctest.Wait()
			time.Sleep(time.Second)
		}
		for i, b := range all {
			want, ended := frames, i%3 == 0
			if ended {
				want = b.after + 1 // the end of the connection is recorded too
			}
			if len(b.told) != want || b.closed != ended {
				t.Errorf("line %d: got %d %q, closed %v, want %d and %v", i, len(b.told), b.told, b.closed, want, ended)
			}
		}
		if events, _ := f.hub.count(); events != lines-4 {
			t.Errorf("%d subscribers are left, want %d", events, lines-4)
		}
		f.Close()
	})
}

// TestTellingAllocatesNothing checks that sending an event over a real connection does not allocate.
func TestTellingAllocatesNothing(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	there, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer there.Close()
	here, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close()
	go io.Copy(io.Discard, there)
	f := newFixture(t)
	d := f.broadcaster()
	a, b := newEvent(netstream.Published{ETag: "a"}, []byte("data: a\n\n")), newEvent(netstream.Published{ETag: "b"}, []byte("data: b\n\n"))
	one := &line{conn: here, out: eager(here), chunked: true, at: published}
	n := testing.AllocsPerRun(200, func() {
		a, b = b, a
		if _, err := d.update(one, a, false, published); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("got %v allocations an event, want none", n)
	}
}

// TestSoundsReachWhoeverCame checks when broadcasters without lines are removed. A request for another stream removes such broadcasters,
// except a broadcaster that is about to get a line.
func TestSoundsReachWhoeverCame(t *testing.T) {
	f := newFixture(t)
	other := netstream.New(time.Now)
	for range 200 {
		stream, c := netstream.New(time.Now), &counter{}
		v := &subscriber{kind: listener}
		f.hub.join(v)
		f.broadcasters.mu.Lock()
		d := f.broadcasters.ofLocked(stream)
		f.broadcasters.mu.Unlock()
		d.mu.Lock()
		var wg sync.WaitGroup
		wg.Go(func() {
			f.broadcasters.add(stream, &line{subscriber: v, conn: &c.recorder, out: c, chunked: true, sounds: true, at: time.Now()})
		})
		for range 20 {
			runtime.Gosched() // by now, the goroutine above probably waits for d.mu
		}
		d.mu.Unlock()
		f.broadcasters.mu.Lock()
		f.broadcasters.ofLocked(other) // call this immediately, before the waiting goroutine continues
		f.broadcasters.mu.Unlock()
		wg.Wait()
		f.Sound(stream, "bell")
		programtest.Eventually(t, "the line is told of the sound", func() bool { return len(c.times()) > 0 })
	}
}

// The type ringing is a connection that can be taken over. It calls `ring` before each write.
type ringing struct {
	http.ResponseWriter
	net.Conn
	ring func()
}

func (c ringing) Write(p []byte) (int, error) { c.ring(); return c.Conn.Write(p) }

func (c ringing) Hijack() (net.Conn, *bufio.ReadWriter, error) { return c, nil, nil }

// TestSoundDuringTheHeader plays a sound while the header is sent. The caller may already have read the header, so it must receive the
// sound. Meanwhile, another caller requests another stream.
func TestSoundDuringTheHeader(t *testing.T) {
	f := newFixture(t)
	here, there := net.Pipe()
	defer here.Close()
	_ = here.SetDeadline(time.Now().Add(programtest.Patience))
	r := httptest.NewRequest(http.MethodGet, "/events?sounds=1", nil)
	r.ProtoMinor = 0 // HTTP/1.0 has no chunks
	go f.events(ringing{httptest.NewRecorder(), there, sync.OnceFunc(func() {
		f.Sound(f.stream, "gong")
		f.broadcasters.expect(netstream.New(time.Now))
	})}, r)
	in := bufio.NewReader(here)
	skipHeader(t, in)
	expect(t, in, "event: sound\ndata: {\"name\":\"gong\"}\n\n")
}
