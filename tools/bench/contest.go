//go:build linux

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A program is a running process that reads names of cases and runs these cases. It contains our code or the code of a peer.
type program struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startProgram(ctx context.Context, env []string, name string, args ...string) (*program, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env, cmd.Stderr = append(os.Environ(), env...), os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &program{cmd, in, bufio.NewReader(out)}, cmd.Start()
}

// sample runs a case once. It returns the time in ns and the figure, a number that the case reports, such as a length in bytes.
func (p *program) sample(name string) (ns, figure float64, err error) {
	if _, err := fmt.Fprintln(p.in, name); err != nil {
		return 0, 0, err
	}
	answer, err := p.out.ReadString('\n')
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w", name, err)
	}
	if _, err := fmt.Sscan(answer, &ns, &figure); err != nil {
		return 0, 0, fmt.Errorf("case %q: no such thing", name)
	}
	return ns, figure, nil
}

func (p *program) close() {
	p.in.Close()
	_ = p.cmd.Wait() // the program ends when its input ends
}

// An entrant is a program with one of its cases in a contest.
type entrant struct {
	label  string // name in the table
	where  string // name of the program
	name   string // name of the case
	ns     float64
	figure float64
	err    error // reason why the case was not measured, for example a missing program
}

// Bounds of a contest. A contest must be so long that some rounds run in a quiet moment of the machine. It must be so short that the
// whole table does not take too long.
const (
	contestTime = 3 * time.Second
	leastRounds = 3
)

// contest() measures all entrants in turn, several times, and keeps the shortest time of each entrant.
func (l *lab) contest(all ...*entrant) {
	for _, e := range all {
		e.ns = math.Inf(1)
	}
	start := time.Now()
	for n := 0; n < leastRounds || time.Since(start) < l.patience; n++ {
		for _, e := range all {
			if e.err == nil {
				l.turn(e)
			}
		}
	}
}

func (l *lab) turn(e *entrant) {
	p, err := l.program(e.where)
	if err != nil {
		e.err = err
		return
	}
	ns, figure, err := p.sample(e.name)
	if err != nil {
		e.err = err
		return
	}
	e.ns, e.figure = min(e.ns, ns), figure
}

// figure runs a case once and returns the number that the case reports.
func (l *lab) figure(where, name string) (float64, error) {
	p, err := l.program(where)
	if err != nil {
		return 0, err
	}
	_, figure, err := p.sample(name)
	return figure, err
}

// entry returns an entrant for [lab.contest].
func entry(label, where, name string) *entrant {
	return &entrant{label: label, where: where, name: name}
}

// A bound is the allowed ratio between our result and the result of a peer. The zero value means that there is no target.
type bound struct {
	factor float64
	faster bool // true: the peer must take at least factor times as long as we do. false: we may take at most factor times as long
}

func atLeast(f float64) bound { return bound{f, true} }
func atMost(f float64) bound  { return bound{f, false} }

func (b bound) String() string {
	switch {
	case b == bound{}:
		return ""
	case b.faster:
		return fmt.Sprintf("≥ %gx faster", b.factor)
	}
	return fmt.Sprintf("≤ %gx", b.factor)
}

// ratio returns two texts: the ratio of the results, and whether the bound is met.
func (b bound) ratio(ours, peer float64) (text, met string) {
	switch {
	case b == bound{}:
		return fmt.Sprintf("%.2fx", ours/peer), ""
	case b.faster:
		return fmt.Sprintf("%.1fx faster", peer/ours), verdict(peer/ours >= b.factor)
	case b.factor < 0.1:
		return fmt.Sprintf("%.3fx", ours/peer), verdict(ours/peer <= b.factor)
	}
	return fmt.Sprintf("%.2fx", ours/peer), verdict(ours/peer <= b.factor)
}

// against() adds a line to the table: our result, the result of a peer, and the target `b` for their ratio.
func (l *lab) against(number int, what string, ours, peer *entrant, b bound) {
	if ours.err != nil {
		l.table.remark(number, what+": "+ours.err.Error())
		return
	}
	row := line{number: number, what: what + ", " + ours.label, ours: span(ours.ns), peer: peer.label, target: b.String()}
	if peer.err != nil {
		row.peer += ": " + strings.TrimSpace(peer.err.Error())
	} else {
		row.peer += " " + span(peer.ns)
		row.ratio, row.verdict = b.ratio(ours.ns, peer.ns)
	}
	l.table.add(row)
}

// beside() adds a line to the table: our result and the result of a peer, without a target.
func (l *lab) beside(number int, what string, ours, peer *entrant) {
	l.against(number, what, ours, peer, bound{})
}
