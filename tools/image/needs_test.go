package main

import (
	"strings"
	"testing"

	"dashboard/tools/command"
)

// If programs are missing, the error names all Debian packages that contain them, each package once. The builder checks this before a
// build.
func TestNeedsAreNamed(t *testing.T) {
	missing := []command.Need{
		{Program: "no-such-program-1", Packages: "first-package"}, {Program: "no-such-program-2", Packages: "second-package"}, {Program: "go", Packages: "go"},
	}
	err := check(missing[:1], missing[1:])
	if err == nil || !strings.HasSuffix(err.Error(), "apt-get install --no-install-recommends first-package second-package") {
		t.Errorf("got %v, want the packages that are missing and no other", err)
	}
	if err := check(missing[2:]); err != nil {
		t.Errorf("got %v, want nothing missing", err)
	}
}
