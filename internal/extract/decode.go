package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"unicode/utf8"
)

// maxDepth is the greatest depth of nested lists and mappings. encoding/json has the same limit.
const maxDepth = 10000

// Memory of values on a 64-bit machine in bytes, as Go 1.26 lays them out (internal/runtime/maps).
const (
	valueBytes  = 16  // an interface
	boxBytes    = 8   // a number in an interface
	headerBytes = 32  // a list in an interface, including the bytes that the allocator adds when it rounds up the size
	mapBytes    = 352 // a mapping with up to eight keys: its header and one group of slots
	mapSlots    = 8   // slots of a group
	slotBytes   = 80  // a key and a value in a larger mapping that has just grown
	stringBytes = 32  // the header of a text, including the bytes that the allocator adds when it rounds up the size
)

// Decode reads a body with exactly one JSON value, in any encoding that [UTF8] supports. The result consists of nil, bool, int, *big.Int
// (for integers that int cannot hold), float64, string, []any and map[string]any. Integers and floats have different types, because
// formatting needs the difference.
//
// The memory of the result is counted in advance. If this memory exceeds the limit, the error wraps [ErrTooLarge]. The service decodes
// only one large document at a time. Small documents need not wait. If ctx ends, Decode stops waiting.
func Decode(ctx context.Context, body []byte) (any, error) {
	m := meter{ctx: ctx}
	defer m.done()
	return decode(body, &m)
}

func decode(body []byte, m *meter) (any, error) {
	if !utf8.Valid(body) && !m.spend(widest*int64(len(body))) {
		return nil, m.failure()
	}
	d := decoder{text: UTF8(body), meter: m}
	v, err := d.document()
	if err != nil {
		return nil, d.at(err)
	}
	return v, nil
}

// text() returns the JSON value of a body. If the body is not JSON, it returns the body as a string, and isText is true. If the value is
// too large, the error wraps ErrTooLarge. If the meter got no memory, the error is the reason.
func text(body []byte, m *meter) (v any, isText bool, err error) {
	v, err = decode(body, m)
	if err == nil || errors.Is(err, ErrTooLarge) || m.err != nil {
		return v, false, err
	}
	return string(UTF8(body)), true, nil
}

// decoder reads JSON (RFC 8259). The values of all unfinished lists and mappings are on one stack. A list or mapping is therefore allocated
// once, in its final size.
type decoder struct {
	text   []byte
	pos    int
	depth  int
	most   int // maximum size of the stack, estimated from the number of commas, or 0 before it is estimated
	values []any
	keys   []string
	meter  *meter
}

var errMemory = fmt.Errorf("%w: it would take more than %d MiB of memory", ErrTooLarge, maxMemory>>20)

// at() adds the position in the text to an error.
func (d *decoder) at(err error) error {
	if errors.Is(err, ErrTooLarge) || d.meter.err != nil {
		return err
	}
	before := d.text[:min(d.pos, len(d.text))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("not JSON: line %d, column %d: %w", line, column, err)
}

func (d *decoder) document() (any, error) {
	v, err := d.value()
	if err != nil {
		return nil, err
	}
	if d.next() != 0 || d.pos < len(d.text) {
		return nil, errors.New("text after the value")
	}
	return v, nil
}

// next() skips white space and returns the next character, but the position stays before this character. At the end of the text it
// returns 0.
func (d *decoder) next() byte {
	for ; d.pos < len(d.text); d.pos++ {
		switch c := d.text[d.pos]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

func (d *decoder) spend(n int) error {
	if !d.meter.spend(int64(n)) {
		return d.meter.failure()
	}
	return nil
}

func (d *decoder) value() (any, error) {
	switch c := d.next(); {
	case c == '{':
		return d.nested(d.object)
	case c == '[':
		return d.nested(d.array)
	case c == '"':
		return d.string()
	case c == '-' || c >= '0' && c <= '9':
		return d.number()
	case c == 't':
		return true, d.word("true")
	case c == 'f':
		return false, d.word("false")
	case c == 'n':
		return nil, d.word("null")
	}
	return nil, d.unexpected("a value")
}

func (d *decoder) unexpected(wanted string) error {
	if d.pos >= len(d.text) {
		return fmt.Errorf("it ends where %s should be", wanted)
	}
	r, _ := utf8.DecodeRune(d.text[d.pos:])
	return fmt.Errorf("%q where %s should be", r, wanted)
}

// nested() reads a list or a mapping. The next character is the first character of the list or mapping.
func (d *decoder) nested(read func() (any, error)) (any, error) {
	if d.depth++; d.depth > maxDepth {
		return nil, fmt.Errorf("more than %d lists and mappings in each other", maxDepth)
	}
	d.pos++
	v, err := read()
	d.depth--
	return v, err
}

// push puts a value on the stack. If the stack grows, push counts the memory.
func (d *decoder) push(v any) (err error) {
	if len(d.values) == cap(d.values) {
		if d.values, err = grown(d, d.values); err != nil {
			return err
		}
	}
	d.values = append(d.values, v)
	return nil
}

func (d *decoder) pushKey(k string) (err error) {
	if len(d.keys) == cap(d.keys) {
		if d.keys, err = grown(d, d.keys); err != nil {
			return err
		}
	}
	d.keys = append(d.keys, k)
	return nil
}

// grown() doubles the capacity of a stack, up to a limit. The limit is estimated from the number of commas in the document and the
// current depth. If a stack needs more than the limit, because nested values need no commas, grown() adds a quarter of the capacity.
func grown[T any](d *decoder, stack []T) ([]T, error) {
	if d.most == 0 {
		d.most = bytes.Count(d.text, []byte(",")) + 1
	}
	n := max(64, min(2*cap(stack), d.most+d.depth))
	n = max(n, cap(stack)+cap(stack)/4)
	if err := d.spend((n - cap(stack)) * valueBytes); err != nil {
		return nil, err
	}
	return append(make([]T, 0, n), stack...), nil
}

// more() reads the separator after a member. It returns true for a comma and false for the end.
func (d *decoder) more(end byte) (bool, error) {
	switch c := d.next(); c {
	case ',':
		d.pos++
		return true, nil
	case end:
		d.pos++
		return false, nil
	}
	return false, d.unexpected(fmt.Sprintf("',' or '%c'", end))
}

func (d *decoder) array() (any, error) {
	first := len(d.values)
	for more := !d.closed(']'); more; {
		v, err := d.value()
		if err == nil {
			err = d.push(v)
		}
		if err == nil {
			more, err = d.more(']')
		}
		if err != nil {
			return nil, err
		}
	}
	list := d.values[first:]
	if err := d.spend(headerBytes + valueBytes*len(list)); err != nil {
		return nil, err
	}
	out := make([]any, len(list))
	copy(out, list)
	clear(list)
	d.values = d.values[:first]
	return out, nil
}

// closed() reads the end of an empty list or mapping. It returns false if there are members.
func (d *decoder) closed(end byte) bool {
	if d.next() != end {
		return false
	}
	d.pos++
	return true
}

func (d *decoder) object() (any, error) {
	firstKey, first := len(d.keys), len(d.values)
	for more := !d.closed('}'); more; {
		err := d.member()
		if err == nil {
			more, err = d.more('}')
		}
		if err != nil {
			return nil, err
		}
	}
	keys, values := d.keys[firstKey:], d.values[first:]
	cost := mapBytes
	if len(keys) > mapSlots {
		cost += len(keys) * slotBytes
	}
	if err := d.spend(cost); err != nil {
		return nil, err
	}
	out := make(map[string]any, len(keys))
	for i, k := range keys {
		out[k] = values[i]
	}
	clear(values)
	clear(keys)
	d.keys, d.values = d.keys[:firstKey], d.values[:first]
	return out, nil
}

// member() reads a key and its value.
func (d *decoder) member() error {
	if d.next() != '"' {
		return d.unexpected("a key in double quotes")
	}
	k, err := d.string()
	if err != nil {
		return err
	}
	if d.next() != ':' {
		return d.unexpected("':'")
	}
	d.pos++
	if err := d.pushKey(k); err != nil {
		return err
	}
	v, err := d.value()
	if err != nil {
		return err
	}
	return d.push(v)
}
