package stable

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

type entry struct{ key, at int }

func byKey(a, b entry) int { return cmp.Compare(a.key, b.key) }

// entries() returns n entries with random keys. Many keys are equal. The field `at` is the index of the entry.
func entries(n int) []entry {
	r, all := rand.New(rand.NewPCG(1, uint64(n))), make([]entry, n)
	for i := range all {
		all[i] = entry{key: r.IntN(1 + n/3), at: i}
	}
	return all
}

// TestSort compares the result of Sort with the result of slices.SortStableFunc.
func TestSort(t *testing.T) {
	for n := range 200 {
		got := entries(n)
		want := slices.Clone(got)
		Sort(got, byKey)
		slices.SortStableFunc(want, byKey)
		if !slices.Equal(got, want) {
			t.Fatalf("%d entries: got %v, want %v", n, got, want)
		}
	}
}

func BenchmarkSort(b *testing.B) {
	all := entries(1000)
	list := make([]entry, len(all))
	for name, sort := range map[string]func([]entry, func(a, b entry) int){
		"shared": Sort[entry], "slices": slices.SortStableFunc[[]entry],
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				copy(list, all)
				sort(list, byKey)
			}
		})
	}
}
