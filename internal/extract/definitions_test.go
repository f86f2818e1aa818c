package extract

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/itchyny/gojq"
)

// simplyNeeded is the simple version of needed() and define(): it parses the whole prelude and writes each body for each program.
func simplyNeeded(t *testing.T, q *gojq.Query) (kept []*gojq.FuncDef) {
	front, err := gojq.Parse(prelude + ".")
	if err != nil {
		t.Fatal(err)
	}
	var defs []*gojq.FuncDef
	for _, f := range table {
		defs = append(defs, redefinition(f))
	}
	defs = append(defs, front.FuncDefs...)
	used := map[string]bool{}
	note := func(text string) {
		for _, n := range identifiers.FindAllString(text, -1) {
			used[n] = true
		}
	}
	note("tostring tojson _add _subtract _multiply _divide setpath delpaths " + q.String())
	if strings.Contains(q.String(), "@") {
		note(strings.Join(formats, " "))
	}
	for _, d := range slices.Backward(defs) {
		if used[d.Name] {
			note(d.Body.String())
			kept = append(kept, d)
		}
	}
	slices.Reverse(kept)
	return kept
}

func written(defs []*gojq.FuncDef) string {
	var text strings.Builder
	for _, d := range defs {
		text.WriteString(d.String() + "\n")
	}
	return text.String()
}

// TestNeededDefinitions compares the definitions of a program with the result of simplyNeeded. There is a program for each function of
// the table and of the prelude.
func TestNeededDefinitions(t *testing.T) {
	exprs := []string{
		".", ".a[0].b", `.l | map(. * 2 + 1) | add`, `@base64 "\(.a)"`, `[.[] | gsub("a"; "b")] | join(" ")`, `def f: test("x"); f`,
	}
	all, err := definitions()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		exprs = append(exprs, d.name)
	}
	for _, expr := range exprs {
		q, err := gojq.Parse(expr)
		if err != nil {
			t.Fatal(expr, err)
		}
		got, err := define(needed(all, q))
		if want := simplyNeeded(t, q); err != nil || written(got) != written(want) {
			t.Errorf("%s: got\n%swant\n%s%v", expr, written(got), written(want), err)
		}
	}
}

// TestShortProgramParsesNoPrelude checks that compiling a path needs at most half as many allocations as compiling a program that uses
// the prelude.
func TestShortProgramParsesNoPrelude(t *testing.T) {
	allocations := func(expr string) float64 {
		return testing.AllocsPerRun(5, func() {
			if _, err := compile(expr); err != nil {
				t.Fatal(err)
			}
		})
	}
	if short, long := allocations(".a[0].b"), allocations(`gsub("a"; "b")`); short > long/2 {
		t.Errorf("got %v allocations for a path and %v with the prelude", short, long)
	}
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := compile(".a[0].b"); err != nil {
			b.Fatal(err)
		}
	}
}

// order() sorts definitions, so that a definition comes before the definitions that use it.
func order(defs []*gojq.FuncDef) (sorted []*gojq.FuncDef) {
	done := make(map[string]bool)
	for len(sorted) < len(defs) {
		before := len(sorted)
		for _, d := range defs {
			ready := !done[sign(d.Name, len(d.Args))]
			for _, e := range defs {
				used := e != d && !done[sign(e.Name, len(e.Args))] && calls(d.Body, e.Name, len(e.Args))
				ready = ready && !used
			}
			if ready {
				sorted = append(sorted, d)
				done[sign(d.Name, len(d.Args))] = true
			}
		}
		if len(sorted) == before {
			return append(sorted, defs...) // never reached: the test of the prelude checks this
		}
	}
	return sorted
}

func sign(name string, arity int) string { return fmt.Sprintf("%s/%d", name, arity) }

func calls(q *gojq.Query, name string, arity int) (found bool) {
	visit(q, func(f *gojq.Func) { found = found || f.Name == name && len(f.Args) == arity })
	return found
}
