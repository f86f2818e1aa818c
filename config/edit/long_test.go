package edit

import "flag"

// `long` makes the random tests check 100,000 cases instead of 1,500.
var long = flag.Bool("long", false, "try 100,000 random operations and pairs")

func operations() int {
	if *long {
		return 100_000
	}
	return 1500
}
