package extract

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/itchyny/gojq"
)

// Limits of a jq run, in addition to maxMemory. They are needed because an expression can take any amount of time and memory. Each step of
// the program is charged for its largest possible result. Functions that can make a large result from a small input are charged in advance
// (bounded.go). A run that exceeds its memory therefore ends at the same place on every machine.
const (
	// jqTime is the time limit of the program itself. A selection from some hundred kilobytes takes tens of milliseconds on a Pi Zero.
	jqTime = 500 * time.Millisecond
	// jqPause is the maximum time that counts between two readings of the clock. More time means that the machine was busy.
	jqPause     = 10 * time.Millisecond
	jqWait      = 10 * time.Second // time limit of a whole run, enough for a busy machine
	maxNodes    = 1 << 20          // maximum number of values in an input. A document of 8 MiB rarely has more
	stepBytes   = 32               // memory of a step in bytes. `[range(n)]` needs the most, see TestStepBytes
	stepsPerTry = 256              // steps between two readings of the clock
	maxPatterns = 256              // maximum number of regular expressions that a compiled program stores
)

// A program is a compiled jq expression. Only one run at a time is possible, because the program's functions use the meter of the current
// run.
type program struct {
	query *gojq.Query

	mu       sync.Mutex
	code     *gojq.Code
	patterns map[string]*regexp.Regexp // compiled regular expressions
	run      *run                      // the current run
}

// compile compiles an expression. The program has no environment, no modules and no further inputs.
func compile(expr string) (p *program, err error) {
	defer contain(&err)
	q, err := parse(expr)
	if err != nil {
		return nil, err
	}
	if err := bind(q); err != nil {
		return nil, err
	}
	p = &program{query: q}
	return p, minus(expr, p.compile())
}

// undefined matches gojq's error for an unknown function without arguments.
var undefined = regexp.MustCompile(`^function not defined: ([A-Za-z_]\w*)/0$`)

// minusName matches a name behind a dot with one minus or more, such as .living-room.
var minusName = regexp.MustCompile(`\.([A-Za-z_]\w*(?:-[A-Za-z_]\w*)+)`)

// minus returns an error with a remedy if err means that jq reads a part of a name with a minus as a function. Otherwise it returns err.
func minus(source string, err error) error {
	if err == nil {
		return nil
	}
	unknown := undefined.FindStringSubmatch(err.Error())
	for _, name := range minusName.FindAllStringSubmatch(source, -1) {
		if unknown != nil && strings.Contains(name[1]+"-", "-"+unknown[1]+"-") {
			return fmt.Errorf(`%w: a minus in a name subtracts: write .["%s"]`, err, name[1])
		}
	}
	return err
}

func (p *program) compile() (err error) {
	p.patterns = make(map[string]*regexp.Regexp)
	p.code, err = gojq.Compile(p.query, p.functions()...)
	return err
}

// first() runs the program until its first result.
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
	var own gojq.ValueError // the text of this error contains the whole value
	if errors.As(err, &own) {
		if _, isText := own.Value().(string); !isText {
			return fmt.Errorf("jq: error: %s", gojq.Preview(own.Value()))
		}
	}
	return fmt.Errorf("jq: %w", err)
}

// contain converts a panic of the jq library to an error.
func contain(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("jq: panic: %v", p)
	}
}

// A run is the context of one run of a program. gojq calls Done before every step, so Done can count steps and time.
type run struct {
	meter  *meter
	began  time.Time
	waited time.Duration // the meter's waiting time when the run began
	looked time.Duration // running time at the last reading of the clock, without waiting times
	spent  time.Duration // part of `looked` that counts against jqTime
	steps  int
	err    error
	last   []any // identity of the list or mapping that was charged last, for each depth. See charged()
	input  any   // input of the program
	bytes  int64 // memory of the input, or 0 before inputSize computes it
}

// inputSize returns the memory of the program's input. Only the first call computes the size.
func (r *run) inputSize() int64 {
	if r.bytes == 0 {
		r.bytes = size(r.input, 1)
	}
	return r.bytes
}

var _ context.Context = (*run)(nil)

// Done counts a step. It implements context.Context.
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

// look() adds the time since the last call and ends the run if its time limit is reached. A step takes microseconds. If more than jqPause
// has passed, the machine was busy with other programs, and only jqPause is counted.
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

// Deadline returns no deadline, because the time spent waiting for other jobs does not count.
func (r *run) Deadline() (time.Time, bool) { return time.Time{}, false }

// Value always returns nil.
func (r *run) Value(any) any { return nil }

// charge() subtracts n bytes from the budget of the run. If too few bytes are left, charge() ends the run.
func (r *run) charge(n int64) error {
	if r.err != nil || r.meter.spend(n) {
		return r.err
	}
	if r.err = r.meter.err; r.err == nil {
		r.err = fmt.Errorf("%w: jq takes too many steps or too much memory", ErrTooLarge)
	}
	return r.err
}

// result() returns an error for a value that is nested too deeply for the caller. It also returns an error for a value with too many parts,
// even if the parts share memory.
func (r *run) result(v any) error {
	if err := r.charge(size(v, 1)); errors.Is(err, ErrTooLarge) {
		return fmt.Errorf("%w: the result of jq", ErrTooLarge)
	}
	return r.err
}

// nodes() subtracts the number of values in v from the budget. It returns the rest, which is negative if v has too many values.
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
