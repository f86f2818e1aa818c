// Package stable sorts slices of all types with the same machine code.
package stable

import "sort"

// Sort sorts list in ascending order. `compare` returns a negative number if a comes before b. Elements that are equal keep their order.
// Sort allocates about 100 bytes and takes four times as long as SortStableFunc of the package slices, whose machine code exists once for
// each type of elements: 4.4 kB in the program for arm64.
func Sort[T any](list []T, compare func(a, b T) int) {
	sort.SliceStable(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}
