package recipe

import (
	"strconv"
	"strings"
)

// Less reports whether version a is lower than version b. Both versions are numbers separated by dots.
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
	n, _ := strconv.Atoi(all[i]) // versionShape ensures that each part is a number
	return n
}
