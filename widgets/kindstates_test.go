package widgets

import (
	"testing"

	"dashboard/internal/testing/walltest"
)

// Every newer kind in every state, on the side and upright, in three sizes: a sheet for each. A kind without an example here fails.
func TestGoldenKinds(t *testing.T) {
	if testing.Short() {
		t.Skip("it draws hundreds of walls")
	}
	all := walltest.EveryKind(t)
	for _, kind := range Kinds() {
		if !kind.Modern {
			continue
		}
		k, ok := all[kind.Name]
		if !ok {
			t.Errorf("there is no example of %s: it has to be seen in every state", kind.Name)
			continue
		}
		delete(all, kind.Name)
		t.Run(kind.Name, func(t *testing.T) { k.Compare(t, "kind-"+kind.Name) })
	}
	for name := range all {
		t.Errorf("%s is no kind", name)
	}
}
