package excerpt

import "flag"

// inFull is set by `make long`.
var inFull = flag.Bool("long", false, "everything that is shortened, whole: docs/dev/tests.md")
