package testpic

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// ErrShort is the error of a [ShortWriter].
var ErrShort = errors.New("no room")

// A ShortWriter is a writer that returns [ErrShort] after Left bytes.
type ShortWriter struct{ Left int }

// Write implements io.Writer.
func (w *ShortWriter) Write(p []byte) (int, error) {
	if len(p) > w.Left {
		return w.Left, ErrShort
	}
	w.Left -= len(p)
	return len(p), nil
}

// An Encoder holds one picture as an encoded file.
type Encoder interface {
	Size() int
	AppendTo([]byte) []byte
	io.WriterTo
}

// CheckWriteTo checks that WriteTo and AppendTo return the same bytes, and that WriteTo returns the error of a failing writer.
func CheckWriteTo(t testing.TB, e Encoder) {
	t.Helper()
	var b bytes.Buffer
	n, err := e.WriteTo(&b)
	if err != nil || int(n) != b.Len() || !bytes.Equal(b.Bytes(), e.AppendTo(nil)) {
		t.Errorf("WriteTo: %d bytes of %d, error %v, or other bytes than AppendTo", n, e.Size(), err)
	}
	if _, err := e.WriteTo(&ShortWriter{Left: 1000}); err != ErrShort {
		t.Errorf("got error %v, want the writer's", err)
	}
}
