package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// boundRow matches a table row in docs/security.md with four cells: the subject, the limit, `package.name`, and the test that exceeds the
// limit.
var boundRow = regexp.MustCompile("(?m)^\\| [^|]+ \\| ([0-9]+)( [a-zA-Z]+)? \\| `(\\w+\\.\\w+)` \\| (\\w+ )?\\|$")

// unitFactors converts units of the tables to units of the code, which are bytes and nanoseconds.
var unitFactors = map[string]int64{
	"": 1, "px": 1, "B": 1, "characters": 1, "KiB": 1 << 10, "MiB": 1 << 20, "s": 1e9, "min": 60e9, "h": 3600e9,
}

// TestBoundsAreTold: every bound in docs/security.md equals the bound in the code, and every test that the page names exists.
func TestBoundsAreTold(t *testing.T) {
	rows := boundRow.FindAllStringSubmatch(readPage(t, filepath.Join(repository, "docs", "security.md")), -1)
	if least := 100; len(rows) < least {
		t.Fatalf("got %d bounds, want %d at least: is the table still a table?", len(rows), least)
	}
	known, tests := constants(t), testNames(t)
	for _, row := range rows {
		if name := strings.TrimSpace(row[4]); name != "" && !tests[name] {
			t.Errorf("%s: there is no test %s", row[3], name)
		}
		factor, ok := unitFactors[strings.TrimSpace(row[2])]
		if !ok {
			t.Errorf("%s: unknown unit %q", row[3], row[2])
			continue
		}
		want, ok := known.value(row[3])
		if !ok {
			t.Errorf("%s: the code has no such constant", row[3])
			continue
		}
		if got := fmt.Sprint(constant.BinaryOp(constant.MakeFromLiteral(row[1], token.INT, 0), token.MUL, constant.MakeInt64(factor))); got != want {
			t.Errorf("%s: docs/security.md says %s%s, the code %s", row[3], row[1], row[2], want)
		}
	}
}

// A constantSet maps package.name to the expressions of all constants.
type constantSet map[string]string

// durations are the constants of package time that expressions use.
var durations = strings.NewReplacer("time.Millisecond", "1000000", "time.Second", "1000000000", "time.Minute", "60000000000", "time.Hour", "3600000000000")

// value evaluates a constant. If its expression is only the name of another constant, value evaluates that constant. It follows at most
// two such names.
func (c constantSet) value(name string) (string, bool) {
	expr, ok := c[name]
	for range 2 {
		if _, again := c[expr]; again {
			expr = c[expr]
		}
	}
	tv, err := types.Eval(token.NewFileSet(), nil, token.NoPos, durations.Replace(expr))
	if !ok || err != nil || tv.Value == nil {
		return "", false
	}
	return tv.Value.ExactString(), true
}

// constants() reads the constants from the code, without tests.
func constants(t *testing.T) constantSet {
	t.Helper()
	all := constantSet{}
	eachFile(t, false, func(_ string, f *ast.File) { all.add(f) })
	return all
}

// testNames returns the names of all tests in all packages.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	eachFile(t, true, func(_ string, f *ast.File) {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(fn.Name.Name, "Test") {
				names[fn.Name.Name] = true
			}
		}
	})
	return names
}

// eachFile parses all Go files of tests, or all other Go files.
func eachFile(t *testing.T, tests bool, do func(path string, f *ast.File)) {
	t.Helper()
	read := shippedFiles
	if tests {
		read = testFiles
	}
	files, err := read()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		do(path, files[path])
	}
}

var (
	shippedFiles = sync.OnceValues(func() (map[string]*ast.File, error) { return parsed(false) })
	testFiles    = sync.OnceValues(func() (map[string]*ast.File, error) { return parsed(true) })
)

func parsed(tests bool) (map[string]*ast.File, error) {
	all := map[string]*ast.File{}
	return all, filepath.WalkDir(repository, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != repository && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") != tests {
			return nil
		}
		all[path], err = parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		return err
	})
}

func (c constantSet) add(f *ast.File) {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			for i, expr := range v.Values {
				var text bytes.Buffer
				if printer.Fprint(&text, token.NewFileSet(), expr) == nil {
					c[f.Name.Name+"."+v.Names[i].Name] = text.String()
				}
			}
		}
	}
}

// Every test that docs/dev/promises.md names exists.
func TestPromisesAreHeld(t *testing.T) {
	tests := testNames(t)
	names := regexp.MustCompile(`\bTest[A-Z]\w+`).FindAllString(readPage(t, filepath.Join(repository, "docs", "dev", "promises.md")), -1)
	if least := 300; len(names) < least {
		t.Fatalf("got %d tests, want %d at least: is the table still a table?", len(names), least)
	}
	for _, name := range names {
		if !tests[name] {
			t.Errorf("there is no test %s", name)
		}
	}
}
