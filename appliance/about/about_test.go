package about

import (
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

func TestFacts(t *testing.T) {
	want := Facts{Name: "kitchen", Version: "1", Role: "client", Networks: []string{"home"}, Problems: []string{"settings.txt:1: x"}}
	root := fstest.MapFS{FactsFile: {Data: want.Encode()}, WrongFile: {Data: []byte("one\n\n two \n")}}
	if got, ok := Read(root); !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, ok, want)
	}
	if got := Wrong(root); !reflect.DeepEqual(got, []string{"one", "two"}) {
		t.Errorf("got %q", got)
	}
	for name, data := range map[string]string{"none": "", "no JSON": "x", "too long": `{"name":"` + strings.Repeat("n", maxFile) + `"}`} {
		if _, ok := Read(fstest.MapFS{FactsFile: {Data: []byte(data)}}); ok {
			t.Errorf("%s: got an appliance", name)
		}
	}
	if _, ok := Read(fstest.MapFS{}); ok || Wrong(fstest.MapFS{}) != nil {
		t.Error("another machine: got an appliance")
	}
	many := Facts{Problems: make([]string, 1000)}
	root[FactsFile] = &fstest.MapFile{Data: many.Encode()}
	if got, _ := Read(root); len(got.Problems) != maxProblems {
		t.Errorf("got %d problems, want the bound, %d", len(got.Problems), maxProblems)
	}
}
