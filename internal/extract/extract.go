// Package extract picks one value out of another: by a path such as "list[0].name", by a jq expression, or by both,
// the path first.
package extract

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/itchyny/gojq"
)

// Bounds of a jq run. An expression can ask for any amount of time and memory; memory cannot be bounded directly, but it is
// filled no faster than the program runs, so the deadline bounds both. It is generous: picking from a document of
// a few hundred kilobytes takes some tens of milliseconds on a Raspberry Pi Zero.
const (
	jqTime   = 500 * time.Millisecond
	maxNodes = 1 << 20 // values in a jq input; a document of 8 MiB seldom has more
)

// An Error says that a value could not be picked. It wraps the cause.
type Error struct{ Err error }

func (e *Error) Error() string { return "extract: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Causes a caller may want to tell apart.
var (
	ErrNoResult = errors.New("jq gave no result")
	ErrTooLarge = errors.New("too large for jq")
)

// An Extractor is a path and a jq program made ready. Its methods may be called from several goroutines at once.
type Extractor struct {
	path Path
	jq   *gojq.Code // nil: none
}

// New makes an extractor of a path and a jq expression, either of which may be empty. What is wrong with one of them is
// said here, not later.
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

// compile gives the program no environment, no modules and no further inputs: it sees its input and nothing else.
func compile(expr string) (code *gojq.Code, err error) {
	defer contain(&err)
	q, err := gojq.Parse(expr)
	if err != nil {
		return nil, err
	}
	return gojq.Compile(q)
}

// Empty reports whether Apply returns its argument as it is.
func (x *Extractor) Empty() bool { return len(x.path.steps) == 0 && x.jq == nil }

// Apply picks the value out of v, which must be made of the types [Decode] returns and is not changed. The result may share
// parts with v. Every error is an [*Error].
func (x *Extractor) Apply(v any) (any, error) {
	v, err := x.path.Apply(v)
	if err == nil && x.jq != nil {
		v, err = first(x.jq, v)
	}
	if err != nil {
		return nil, &Error{err}
	}
	return v, nil
}

// first runs the program until its first result.
func first(code *gojq.Code, v any) (result any, err error) {
	defer contain(&err)
	if count(v, maxNodes) < 0 {
		return nil, fmt.Errorf("%w: more than %d values", ErrTooLarge, maxNodes)
	}
	ctx, cancel := context.WithTimeout(context.Background(), jqTime)
	defer cancel()
	result, ok := code.RunWithContext(ctx, v).Next()
	if !ok {
		return nil, ErrNoResult
	}
	if err, ok := result.(error); ok {
		return nil, failure(err)
	}
	return result, nil
}

func failure(err error) error {
	var halt *gojq.HaltError
	if errors.As(err, &halt) && halt.Value() == nil {
		return ErrNoResult
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("jq ran longer than %v", jqTime)
	}
	return fmt.Errorf("jq: %w", err)
}

// contain turns a panic of the jq library into an error.
func contain(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("jq: panic: %v", p)
	}
}

// count takes the number of values in v off the budget and returns what is left, negative once it is used up.
func count(v any, budget int) int {
	budget--
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if budget = count(e, budget); budget < 0 {
				break
			}
		}
	case map[string]any:
		for _, e := range v {
			if budget = count(e, budget); budget < 0 {
				break
			}
		}
	}
	return budget
}
