package install

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

const (
	// tries is the number of consecutive requests without any data after which a stream returns the last error.
	tries = 6
	// firstPause is the time before the second request. Each later pause is twice as long. All pauses together take two and a half minutes.
	firstPause = 5 * time.Second
)

// ErrGone means that the server does not have the file. The file is not requested again.
var ErrGone = errors.New("the server does not have the file")

// ErrShort means that the server's file ends before the size in the manifest.
var ErrShort = errors.New("the file on the server is too short")

// A stream reads a file of a release. When the connection ends early, the stream requests the rest.
type stream struct {
	ctx    context.Context
	job    *Job
	offset int64
	body   io.ReadCloser
	failed int // number of consecutive requests without data
}

// Read implements io.Reader. It never returns more bytes than the manifest gives as the file's size.
func (s *stream) Read(p []byte) (int, error) {
	for {
		rest := s.job.File.Size - s.offset
		if rest <= 0 {
			return 0, io.EOF
		}
		n, err := s.some(p[:min(int64(len(p)), rest)])
		if n > 0 {
			s.offset, s.failed = s.offset+int64(n), 0
			return n, nil
		}
		if err != nil {
			if err := s.wait(err); err != nil {
				return 0, err
			}
		}
	}
}

// some() reads from the open connection. If no connection is open, it opens a new connection.
func (s *stream) some(p []byte) (int, error) {
	if s.body == nil {
		body, err := s.job.Source.Open(s.ctx, s.job.File.Name, s.offset)
		if err != nil {
			return 0, err
		}
		s.body = body
	}
	return s.body.Read(p)
}

// wait closes the connection and waits before the next request. If there are no more tries, it returns err.
func (s *stream) wait(err error) error {
	s.close()
	if err == io.EOF {
		err = fmt.Errorf("%w: %s ends after %d of %d bytes", ErrShort, s.job.File.Name, s.offset, s.job.File.Size)
	}
	if s.failed++; s.failed >= tries || errors.Is(err, ErrGone) || s.ctx.Err() != nil {
		return errors.Join(err, s.ctx.Err())
	}
	return s.job.Pause(s.ctx, firstPause<<(s.failed-1))
}

func (s *stream) close() {
	if s.body != nil {
		s.body.Close() // the error of Close does not matter after reading
		s.body = nil
	}
}
