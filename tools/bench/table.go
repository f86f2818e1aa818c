//go:build linux

package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
)

// A line of the table contains our result, and a peer's result if there is a peer.
type line struct {
	number              int
	what, ours          string
	peer, ratio, target string
	verdict             string
}

// A table collects lines and sorts them by number.
type table struct{ lines []line }

func (t *table) add(l line) { t.lines = append(t.lines, l) }

// remark adds a line with the reason why a row is incomplete.
func (t *table) remark(number int, text string) {
	t.add(line{number: number, what: "not measured: " + text})
}

// print writes the table as Markdown.
func (t *table) print(w io.Writer) {
	slices.SortStableFunc(t.lines, func(a, b line) int { return cmp.Compare(a.number, b.number) })
	fmt.Fprintln(w, "| # | what | ours | peer | ratio | target | |")
	fmt.Fprintln(w, "|--:|---|--:|---|--:|---|---|")
	for _, l := range t.lines {
		fmt.Fprintf(w, "| %d | %s | %s | %s | %s | %s | %s |\n", l.number, l.what, l.ours, l.peer, l.ratio, l.target, l.verdict)
	}
}

func verdict(met bool) string {
	if met {
		return "met"
	}
	return "**missed**"
}

// limit() adds a result that must not exceed a bound. `format` formats both numbers with their unit.
func (t *table) limit(number int, what, format string, got, most float64) {
	t.held(number, what, format, got, "≤ ", most, got <= most)
}

// least() adds a result that must not be below a bound.
func (t *table) least(number int, what, format string, got, least float64) {
	t.held(number, what, format, got, "≥ ", least, got >= least)
}

func (t *table) held(number int, what, format string, got float64, sign string, bound float64, met bool) {
	t.add(line{number: number, what: what, ours: fmt.Sprintf(format, got), target: sign + fmt.Sprintf(format, bound), verdict: verdict(met)})
}

// figure() adds a result without a target.
func (t *table) figure(number int, what, format string, args ...any) {
	t.add(line{number: number, what: what, ours: fmt.Sprintf(format, args...)})
}

// span formats a time, given in ns, in a suitable unit.
func span(ns float64) string {
	switch {
	case ns < 1e3:
		return fmt.Sprintf("%.0f ns", ns)
	case ns < 1e6:
		return fmt.Sprintf("%.2f µs", ns/1e3)
	case ns < 1e9:
		return fmt.Sprintf("%.2f ms", ns/1e6)
	}
	return fmt.Sprintf("%.2f s", ns/1e9)
}
