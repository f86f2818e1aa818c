package fetch

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"dashboard/internal/budget"
)

// errCrowded is the error of a large body of unknown length if other large bodies are in memory.
var errCrowded = fmt.Errorf("%w: other large answers are being read", ErrUnavailable)

// A reading is a response whose body is being read.
type reading struct {
	r      io.Reader
	data   []byte
	bodies *budget.Budget
	held   int64 // bytes that the reading has taken from the budget `bodies`
}

// readAll reads a body of at most `limit` bytes. `announced` is the length that the server has sent, or -1. If `announced` exceeds `limit`,
// nothing is read. If the body is not small, readAll waits for room in the budget `bodies`. `held` is the number of bytes that the caller
// has to give back to this budget.
func readAll(ctx context.Context, bodies *budget.Budget, r io.Reader, announced, limit int64) (data []byte, held int64, err error) {
	tooLarge := fmt.Errorf("%w: more than %d bytes", ErrTooLarge, limit)
	if announced > limit {
		return nil, 0, tooLarge
	}
	b := &reading{r: r, bodies: bodies}
	err = b.read(ctx, announced, limit)
	if err == nil && int64(len(b.data)) > limit {
		err = tooLarge
	}
	if err != nil {
		bodies.Give(b.held)
		return nil, 0, err
	}
	return b.data, b.held, nil
}

// read() reads at most `limit`+1 bytes. The first bytes, up to the constant `small`, need no room in the budget. Before it reads more
// bytes, it waits for room. If a body of unknown length is longer than the constant `middle`, read() needs more room and fails unless
// this room is free at once. It does not wait for this room, because two readers that already hold room could wait for each other
// forever.
func (b *reading) read(ctx context.Context, announced, limit int64) error {
	if err := b.some(max(announced, bytes.MinRead), min(limit+1, small)); err != nil || len(b.data) < small {
		return err
	}
	first := announced
	if announced < 0 {
		first = min(limit, middle)
	}
	if err := b.bodies.Take(ctx, first); err != nil {
		return unavailable(err)
	}
	b.held = first
	if err := b.some(announced, first+1); err != nil || int64(len(b.data)) <= first || first >= limit {
		return err
	}
	if !b.bodies.Try(limit - first) {
		return errCrowded
	}
	b.held = limit
	return b.some(announced, limit+1)
}

// some() appends the available bytes, until the body ends or has as many bytes as the parameter `most`. The first allocation has the size
// in the parameter `likely`. Later allocations double the size, up to `most`.
func (b *reading) some(likely, most int64) error {
	for room := min(likely, most); int64(len(b.data)) < most; room = 2 * int64(len(b.data)) {
		if len(b.data) == cap(b.data) {
			room = min(max(room, int64(len(b.data))+bytes.MinRead), most)
			b.data = append(make([]byte, 0, room), b.data...)
		}
		n, err := b.r.Read(b.data[len(b.data):min(int64(cap(b.data)), most)])
		b.data = b.data[:len(b.data)+n]
		if err == io.EOF {
			return nil
		} else if err != nil {
			return unavailable(err)
		}
	}
	return nil
}
