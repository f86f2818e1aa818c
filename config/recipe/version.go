package recipe

import (
	"strconv"
	"strings"
)

// Less reports whether the version a is lower than the version b. A version consists of numbers with dots between them.
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
	n, _ := strconv.Atoi(all[i]) // cannot fail, because versionShape matches only numbers
	return n
}
