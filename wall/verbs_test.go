package wall

import (
	"io"
	"testing"

	"dashboard/control/verb"
	"dashboard/wall/outputs"
)

// TestEveryVerbHasAnEffect: a declared verb does something in a running service.
func TestEveryVerbHasAnEffect(t *testing.T) {
	s := newService(parts{opts: Options{}, stderr: io.Discard, devices: outputs.ThisMachine()})
	for _, v := range verb.All() {
		if !s.verbs.Has(v.Name) {
			t.Errorf("the verb %s has no effect: write it in wall/verbs.go, or in control/effects.go", v.Name)
		}
	}
}
