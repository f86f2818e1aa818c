package extract

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"sync"
	"time"

	"github.com/itchyny/gojq"
)

// Bounds of a jq run, in addition to maxMemory. An expression can take any amount of time and memory. Each step of the program is
// charged for its largest possible result. Functions that can make a large result from a small input are charged in advance
// (bounded.go). So a run that exceeds its memory ends at the same place on every machine.
const (
	jqTime      = 500 * time.Millisecond // picking from some hundred kilobytes takes tens of milliseconds on a Pi Zero
	jqPause     = 10 * time.Millisecond  // the most that counts between two looks at the clock. The rest went to other programs
	jqWait      = 10 * time.Second       // time limit of a whole run, enough for a busy machine
	maxNodes    = 1 << 20                // values in an input. A document of 8 MiB rarely has more
	stepBytes   = 32                     // memory of a step. `[range(n)]` keeps the most, see TestStepBytes
	stepsPerTry = 256                    // steps between two looks at the clock
	maxPatterns = 256                    // regular expressions that a compiled program keeps
)

// A program is a compiled jq expression. Its runs wait for each other, because its functions count on the meter of the current run.
type program struct {
	query *gojq.Query

	mu       sync.Mutex
	code     *gojq.Code
	patterns map[string]*regexp.Regexp // compiled and kept by code
	run      *run                      // the current run
}

// compile compiles an expression. The program has no environment, no modules and no further inputs.
func compile(expr string) (p *program, err error) {
	defer contain(&err)
	q, err := gojq.Parse(expr)
	if err != nil {
		return nil, err
	}
	if err := bind(q); err != nil {
		return nil, err
	}
	p = &program{query: q}
	return p, p.compile()
}

func (p *program) compile() (err error) {
	p.patterns = make(map[string]*regexp.Regexp)
	p.code, err = gojq.Compile(p.query, p.functions()...)
	return err
}

// first runs the program until its first result.
func (p *program) first(v any, m *meter) (result any, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer contain(&err)
	if nodes(v, maxNodes) < 0 {
		return nil, fmt.Errorf("%w for jq: more than %d values", ErrTooLarge, maxNodes)
	}
	m.narrow()
	p.run = &run{meter: m, began: time.Now(), waited: m.waited, input: v}
	defer func() { p.run = nil }()
	result, ok := p.code.RunWithContext(p.run, v).Next()
	if p.run.err != nil {
		return nil, p.run.err
	}
	if !ok {
		return nil, ErrNoResult
	}
	if err, ok := result.(error); ok {
		return nil, failure(err)
	}
	if len(p.patterns) > maxPatterns {
		err = p.compile()
	}
	return result, errors.Join(err, p.run.result(result))
}

func failure(err error) error {
	var halt *gojq.HaltError
	if errors.As(err, &halt) && halt.Value() == nil {
		return ErrNoResult
	}
	var own gojq.ValueError // the text of this error holds the whole value
	if errors.As(err, &own) {
		if _, isText := own.Value().(string); !isText {
			return fmt.Errorf("jq: error: %s", gojq.Preview(own.Value()))
		}
	}
	return fmt.Errorf("jq: %w", err)
}

// contain turns a panic of the jq library into an error.
func contain(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("jq: panic: %v", p)
	}
}

// A run is the context of one run of a program. gojq calls Done before every step, so Done counts steps and time.
type run struct {
	meter  *meter
	began  time.Time
	waited time.Duration // the meter's waiting time when the run began
	looked time.Duration // time of the last look at the clock, since the beginning, without waiting
	spent  time.Duration // the part of that time that the program itself took
	steps  int
	err    error
	last   []any // list or mapping that was charged last, for each depth. See updated
	input  any   // input of the program
	bytes  int64 // memory of the input, 0 until this number is needed
}

// inputSize is the memory of the program's input, counted once.
func (r *run) inputSize() int64 {
	if r.bytes == 0 {
		r.bytes = size(r.input, 1)
	}
	return r.bytes
}

var _ context.Context = (*run)(nil)

// Done counts a step.
func (r *run) Done() <-chan struct{} {
	r.steps++
	if r.steps%stepsPerTry == 0 {
		r.charge(stepsPerTry * stepBytes)
		r.look(time.Now())
	}
	if r.err == nil {
		return nil
	}
	over := make(chan struct{})
	close(over)
	return over
}

// look counts the time since the last look and ends the run if its time is over. A step takes microseconds. If more than jqPause
// has passed between two looks, the machine was busy with other programs, so the time counts as jqPause.
func (r *run) look(now time.Time) {
	at := now.Sub(r.began) - (r.meter.waited - r.waited)
	r.spent += min(at-r.looked, jqPause)
	r.looked = at
	switch {
	case r.err != nil:
	case r.spent > jqTime:
		r.err = fmt.Errorf("jq ran longer than %v", jqTime)
	case at > jqWait:
		r.err = fmt.Errorf("jq did not end in %v", jqWait)
	}
}

// Err returns the reason why the run is over.
func (r *run) Err() error { return r.err }

// Deadline returns no deadline, because time spent waiting for a turn does not count.
func (r *run) Deadline() (time.Time, bool) { return time.Time{}, false }

// Value holds nothing.
func (r *run) Value(any) any { return nil }

// charge subtracts n bytes from the budget of the run. If too few bytes are left, charge ends the run.
func (r *run) charge(n int64) error {
	if r.err != nil || r.meter.spend(n) {
		return r.err
	}
	if r.err = r.meter.err; r.err == nil {
		r.err = fmt.Errorf("%w: jq takes too many steps or too much memory", ErrTooLarge)
	}
	return r.err
}

// result refuses a value that is nested too deeply for its readers, or that is small only because its parts are shared.
func (r *run) result(v any) error {
	if err := r.charge(size(v, 1)); errors.Is(err, ErrTooLarge) {
		return fmt.Errorf("%w: the result of jq", ErrTooLarge)
	}
	return r.err
}

// nodes subtracts the number of values in v from the budget and returns the rest, negative once it is used up.
func nodes(v any, budget int) int {
	budget--
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if budget = nodes(e, budget); budget < 0 {
				break
			}
		}
	case map[string]any:
		for _, e := range v {
			if budget = nodes(e, budget); budget < 0 {
				break
			}
		}
	}
	return budget
}
