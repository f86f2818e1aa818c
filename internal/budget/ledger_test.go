package budget

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// A value that does not fit changes nothing in the ledger. The error names the size of the value, the free bytes and the size of the
// ledger.
func TestLedger(t *testing.T) {
	l := NewLedger(10 << 20)
	if err := l.Change(0, 6<<20); err != nil {
		t.Fatal(err)
	}
	err := l.Change(0, 5<<20)
	if !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "takes 5.0 MiB; 4.0 MiB of the 10.0 MiB") {
		t.Errorf("got %v", err)
	}
	if err := l.Change(6<<20, 10<<20); err != nil || l.Used() != 10<<20 {
		t.Errorf("exactly all: %v, %d bytes in use", err, l.Used())
	}
	if err := l.Change(10<<20, 0); err != nil || l.Used() != 0 {
		t.Errorf("nothing left: %v, %d bytes in use", err, l.Used())
	}
}

// keptBytes returns a third of the memory limit, but at least MinKept and at most MaxKept.
func TestKeptBytes(t *testing.T) {
	for limit, want := range map[int64]int64{96 << 20: MinKept, 300 << 20: 100 << 20, math.MaxInt64: MaxKept} {
		if got := keptBytes(limit); got != want {
			t.Errorf("limit %d: got %d, want %d", limit, got, want)
		}
	}
}
