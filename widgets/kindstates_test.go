package widgets

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"dashboard/tools/fielddoc"
	"dashboard/widgets/walltest"
)

// TestGoldenKinds draws every newer kind in every state, in three landscape and three upright sizes. It also fails if an example belongs
// to an unknown kind.
func TestGoldenKinds(t *testing.T) {
	if testing.Short() {
		t.Skip("it draws hundreds of walls")
	}
	all := everyKind(t)
	for _, kind := range Kinds() {
		if !kind.Modern {
			continue
		}
		k, ok := all[kind.Name]
		if !ok {
			continue // TestEveryKindIsTested reports this kind
		}
		delete(all, kind.Name)
		t.Run(kind.Name, func(t *testing.T) { k.Compare(t, "kind-"+kind.Name) })
	}
	for name := range all {
		t.Errorf("%s is no kind", name)
	}
}

// TestEveryKindIsTested fails if a kind has no test or no golden picture of its states. The message names the file to change.
func TestEveryKindIsTested(t *testing.T) {
	tests, err := filepath.Glob("*/*_test.go")
	more, _ := filepath.Glob("*_test.go")
	if err != nil || len(tests) == 0 {
		t.Fatal(err, tests)
	}
	var text []byte
	for _, path := range append(tests, more...) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, data...)
	}
	examples := everyKind(t)
	for _, kind := range Kinds() {
		own, _ := filepath.Glob("*/" + kind.Name + "_test.go")
		if !regexp.MustCompile(`widget: `+kind.Name+`\b`).Match(text) && len(own) == 0 && kind.Name != "screen" {
			t.Errorf("the kind %s has no test: write one with {widget: %s} into the package of the kind, as %s_test.go", kind.Name, kind.Name, kind.Name)
		}
		if _, ok := examples[kind.Name]; kind.Modern && !ok {
			t.Errorf("the kind %s is in no picture: write an example of plain keys as indented lines above its parameters,"+
				" or one with values into EveryKind in widgets/walltest/kinds.go, then run make golden", kind.Name)
		}
	}
}

// everyKind returns the examples of walltest.EveryKind. If a newer kind has no such example, everyKind uses the example in the doc
// comment of the kind's parameters. It uses only examples that consist of plain keys.
func everyKind(t *testing.T) map[string]walltest.Stated {
	t.Helper()
	all := walltest.EveryKind(t)
	for _, kind := range Kinds() {
		if _, ok := all[kind.Name]; ok || !kind.Modern {
			continue
		}
		text := strings.TrimSpace(fielddoc.Example(reflect.TypeOf(kind.Params())))
		if text != "" && !strings.Contains(text, "\n ") && !strings.Contains(text, "\n-") {
			all[kind.Name] = walltest.Plain("{" + strings.ReplaceAll(text, "\n", ", ") + "}")
		}
	}
	return all
}
