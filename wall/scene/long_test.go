package scene

import "flag"

// inFull is the flag that `make long` sets.
var inFull = flag.Bool("long", false, "everything that is shortened, whole: docs/dev/tests.md")
