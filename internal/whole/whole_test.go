package whole

import (
	"fmt"
	"testing"
)

type parts struct {
	Name  string
	Do    func()
	Spare func() `optional:"true"`
	Next  *parts `optional:"true"`
	Said  fmt.Stringer
}

type said struct{}

func (said) String() string { return "" }

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name  string
		parts parts
		want  any
	}{
		{"all", parts{Do: func() {}, Said: said{}}, nil},
		{"no function", parts{Said: said{}}, "whole.parts: Do is missing"},
		{"no interface", parts{Do: func() {}}, "whole.parts: Said is missing"},
	} {
		func() {
			defer func() {
				if got := recover(); got != c.want {
					t.Errorf("%s: got %v, want %v", c.name, got, c.want)
				}
			}()
			Check(c.parts)
		}()
	}
}
