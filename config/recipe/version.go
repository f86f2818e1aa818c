package recipe

import (
	"strconv"
	"strings"
)

// Less reports whether version a is lower than version b. Both are numbers separated by dots.
func Less(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range max(len(x), len(y)) {
		if p, q := part(x, i), part(y, i); p != q {
			return p < q
		}
	}
	return false
}

func part(all []string, i int) int {
	if i >= len(all) {
		return 0
	}
	n, _ := strconv.Atoi(all[i]) // versionShape has already matched it
	return n
}
