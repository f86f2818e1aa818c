package kit

import "testing"

// TestChildNames checks the list of children in error messages. A child without a name is listed by its kind.
func TestChildNames(t *testing.T) {
	s := Spec{Children: []*Spec{{Kind: "clock"}, {Kind: "text", Name: "greeting"}, {Kind: "label"}}}
	if got, want := s.ChildNames(), "clock, greeting, label"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
