package server

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// A deadliner is a ResponseWriter or a connection. It records its write deadlines.
type deadliner struct {
	*httptest.ResponseRecorder
	set []time.Time
}

func (d *deadliner) SetWriteDeadline(t time.Time) error {
	d.set = append(d.set, t)
	return nil
}

// last() returns the deadline that is set now.
func (d *deadliner) last() time.Time { return d.set[len(d.set)-1] }

// giveUp makes the current write and all later writes of an answer fail without delay.
func TestGiveUp(t *testing.T) {
	d := &deadliner{ResponseRecorder: httptest.NewRecorder()}
	p := &paced{ResponseWriter: d, c: http.NewResponseController(d), hub: newHub()}
	began := time.Now()
	if _, err := p.Write([]byte("begin")); err != nil {
		t.Fatal(err)
	}
	if d.last().Before(began.Add(writeGrace)) {
		t.Errorf("a write had a deadline of %v, want some time", d.last())
	}
	impatient(p)()
	if !d.last().Before(time.Now()) {
		t.Errorf("the write under way has time until %v, want none", d.last())
	}
	_, _ = p.Write([]byte("more"))
	if !d.last().Before(time.Now()) {
		t.Errorf("a later write has time until %v, want none", d.last())
	}
	if impatient(d) != nil {
		t.Error("a writer that is not ours can be given up")
	}
}

// When the server ends, a running write gets a short deadline. A later write gets a short deadline too.
func TestFarewell(t *testing.T) {
	c := newHub()
	v, d := &subscriber{kind: "mjpg"}, &deadliner{}
	if !c.join(v) {
		t.Fatal("nobody is let in")
	}
	c.attach(v, d)
	c.allow(d, 1<<20)
	if left := time.Until(d.last()); left < writeGrace {
		t.Errorf("a write has %v, want %v at least", left, writeGrace)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c.close()
	}()
	<-c.life.Done()
	c.mu.Lock() // close holds this lock until it has set all deadlines
	under := d.last()
	c.mu.Unlock()
	if left := time.Until(under); left > farewellTime {
		t.Errorf("a write under way has %v left, want %v at most", left, farewellTime)
	}
	c.allow(d, 1<<20)
	if left := time.Until(d.last()); left > farewellTime {
		t.Errorf("a write that begins at the end has %v, want %v at most", left, farewellTime)
	}
	if c.join(&subscriber{}) {
		t.Error("somebody is let in at the end")
	}
	select {
	case <-ended:
		t.Error("the end did not wait for who is there")
	default:
	}
	c.leave(v)
	<-ended
}
