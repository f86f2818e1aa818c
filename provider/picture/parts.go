package picture

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"dashboard/internal/fetch"
)

// Limits for a stream of pictures.
const (
	MaxPart       = 2 << 20 // bytes of one encoded picture; a picture of a camera with 3840x2160 pixels has fewer bytes
	maxPartHeader = 4 << 10 // bytes of the header of one picture
	maxBoundary   = 200     // bytes of the boundary; RFC 2046, section 5.1.1 allows 70
)

var errNoBoundary = errors.New("the stream does not say what stands between its pictures")

// The type parts reads the pictures of a camera's stream in the format multipart/x-mixed-replace (RFC 2046, section 5.1). It accepts
// parts with and without a length, and boundaries with and without dashes at the beginning.
type parts struct {
	r        *bufio.Reader
	boundary string // boundary without the dashes before it
	fresh    bool   // whether the next byte is the first of a line
	open     bool   // whether the boundary before the next part was already read
	data     []byte // bytes of the current part; reused for the next part
}

// boundaryOf returns the boundary in a content type. `moves` is false if the content type is not a stream of pictures.
func boundaryOf(contentType string) (boundary string, moves bool) {
	kind, rest, _ := strings.Cut(contentType, ";")
	if !strings.HasPrefix(strings.ToLower(strings.TrimSpace(kind)), "multipart/") {
		return "", false
	}
	for part := range strings.SplitSeq(rest, ";") {
		name, v, _ := strings.Cut(part, "=")
		if strings.EqualFold(strings.TrimSpace(name), "boundary") {
			boundary = strings.Trim(strings.Trim(strings.TrimSpace(v), `"`), "-")
		}
	}
	return boundary, true
}

// newParts returns a reader for a stream.
func newParts(r io.Reader, boundary string) (*parts, error) {
	if boundary == "" || len(boundary) > maxBoundary {
		return nil, errNoBoundary
	}
	return &parts{r: bufio.NewReader(r), boundary: boundary, fresh: true}, nil
}

// next() returns the bytes of the next part. The bytes are valid until the next call of next().
func (p *parts) next() ([]byte, error) {
	if err := p.skip(); err != nil {
		return nil, err
	}
	p.open = false
	n, err := p.header()
	switch {
	case err != nil:
		return nil, err
	case n > MaxPart:
		return nil, tooLarge("a picture", MaxPart)
	case n < 0:
		return p.until()
	}
	if int64(cap(p.data)) < n {
		p.data = make([]byte, n)
	}
	p.data, p.fresh = p.data[:n], true
	_, err = io.ReadFull(p.r, p.data)
	return p.data, ended(err)
}

func tooLarge(what string, limit int) error {
	return fmt.Errorf("%w: %s of more than %d bytes", fetch.ErrTooLarge, what, limit)
}

// errEnded is returned if the camera ends the stream.
var errEnded = fmt.Errorf("%w: the camera ended the stream", fetch.ErrUnavailable)

func ended(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errEnded
	}
	return err
}

// piece returns the rest of a line with its line end. If the line is longer than the buffer, piece() returns a part of it. `begins` is true
// if the result is the beginning of a line.
func (p *parts) piece() (b []byte, begins bool, err error) {
	begins = p.fresh
	b, err = p.r.ReadSlice('\n')
	p.fresh = err == nil
	if err == bufio.ErrBufferFull {
		err = nil
	}
	return b, begins, ended(err)
}

// parting() reports whether a line is the boundary.
func (p *parts) parting(line []byte) bool {
	line = bytes.TrimSpace(line)
	return bytes.HasPrefix(line, []byte("--")) && string(bytes.Trim(line, "-")) == p.boundary
}

// skip reads until the next boundary.
func (p *parts) skip() error {
	for n := 0; !p.open; {
		b, begins, err := p.piece()
		if err != nil {
			return err
		}
		p.open = begins && p.parting(b)
		if n += len(b); n > MaxPart {
			return tooLarge("what is between two pictures", MaxPart)
		}
	}
	return nil
}

// header reads the header of a part. It returns the length of the part, or -1 if the header does not contain it.
func (p *parts) header() (length int64, err error) {
	length = -1
	for n := 0; ; {
		b, _, err := p.piece()
		if err != nil {
			return 0, err
		}
		if n += len(b); n > maxPartHeader {
			return 0, tooLarge("the header of a picture", maxPartHeader)
		}
		name, v, _ := strings.Cut(strings.TrimSpace(string(b)), ":")
		if name == "" {
			return length, nil
		}
		if strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			if length, err = strconv.ParseInt(strings.TrimSpace(v), 10, 64); err != nil || length < 0 {
				return 0, fmt.Errorf("the length of a picture is %.40q", v)
			}
		}
	}
}

// until() reads a part up to the next boundary.
func (p *parts) until() ([]byte, error) {
	p.data = p.data[:0]
	for {
		b, begins, err := p.piece()
		if err != nil {
			return nil, err
		}
		if begins && p.parting(b) {
			p.open = true
			p.data = bytes.TrimSuffix(bytes.TrimSuffix(p.data, []byte("\n")), []byte("\r"))
			return p.data, nil
		}
		if len(p.data)+len(b) > MaxPart {
			return nil, tooLarge("a picture", MaxPart)
		}
		p.data = append(p.data, b...)
	}
}
