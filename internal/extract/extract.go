// Package extract selects a part of a value with a path such as "list[0].name" or with a jq expression. If both are given, the expression
// reads the result of the path.
package extract

import (
	"context"
	"errors"
	"fmt"
)

// An Error means that no part of a value could be selected. It wraps the cause.
type Error struct {
	Err  error
	Text bool // whether the body was not JSON, and was therefore read as a text
}

// Error implements error.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Causes that a caller may want to distinguish.
var (
	ErrNoResult = errors.New("jq gave no result")
	ErrTooLarge = errors.New("too large")
)

// An Extractor is a compiled pair of a path and a jq program. Its methods may be called from several goroutines at once.
type Extractor struct {
	path Path
	jq   *program // nil if there is no program
}

// New compiles a path and a jq expression. Both may be empty. If the path or the expression is not valid, New returns an error.
func New(path, jq string) (*Extractor, error) {
	p, err := ParsePath(path)
	if err != nil {
		return nil, err
	}
	x := &Extractor{path: p}
	if jq == "" {
		return x, nil
	}
	if x.jq, err = compile(jq); err != nil {
		return nil, fmt.Errorf("jq expression %q: %w", jq, err)
	}
	return x, nil
}

// Empty reports whether Apply returns its argument unchanged.
func (x *Extractor) Empty() bool { return len(x.path.steps) == 0 && x.jq == nil }

// Apply selects a part of v. v must consist of the types that [Decode] returns, and Apply does not change it. The result may share parts
// with v. Every error is an [*Error].
func (x *Extractor) Apply(ctx context.Context, v any) (any, error) {
	m := meter{ctx: ctx}
	defer m.done()
	return x.apply(v, &m)
}

// Read decodes a body and selects a part of it. A body that is not JSON is read as a text. As with [Decode], the service handles one
// large body at a time, from the decoding to the selection. The part that is selected from a large body may take at most maxKept bytes.
// If the selection fails, the error is an [*Error]. If the body or this part is too large, the error wraps [ErrTooLarge].
func (x *Extractor) Read(ctx context.Context, body []byte) (any, error) {
	m := meter{ctx: ctx}
	defer m.done()
	v, isText, err := text(body, &m)
	if err != nil {
		return nil, err
	}
	v, err = x.apply(v, &m)
	if failed, ok := err.(*Error); ok {
		failed.Text = isText
	}
	if err == nil && m.jobs != nil && size(v, 1) > maxKept {
		return nil, fmt.Errorf("%w: the value would take more than %d MiB for as long as it is shown; pick a part of it", ErrTooLarge, maxKept>>20)
	}
	return v, err
}

func (x *Extractor) apply(v any, m *meter) (any, error) {
	v, err := x.path.Apply(v)
	if err == nil && x.jq != nil {
		v, err = x.jq.first(v, m)
	}
	if err != nil {
		return nil, &Error{Err: err}
	}
	return v, nil
}
