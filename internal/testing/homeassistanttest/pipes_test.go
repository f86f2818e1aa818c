package homeassistanttest

import (
	"io"
	"testing"
)

// TestPipesTakeWritesOfBothEnds checks that two ends that write before they read do not block each other.
func TestPipesTakeWritesOfBothEnds(t *testing.T) {
	l := NewPipes()
	defer l.Close()
	accepted := make(chan error, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			accepted <- err
			return
		}
		defer c.Close()
		if _, err := io.WriteString(c, "from there"); err != nil {
			accepted <- err
			return
		}
		_, err = io.ReadFull(c, make([]byte, len("from here")))
		accepted <- err
	}()
	c, err := l.Dial(t.Context(), "tcp", "house.test:80")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "from here"); err != nil {
		t.Fatal(err)
	}
	if err := <-accepted; err != nil {
		t.Fatal(err)
	}
}
