package thorough

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"dashboard/internal/testing/race"
)

// marked is set in the process that TestOnly starts.
const marked = "DASHBOARD_MARKED"

// TestOnly runs a marked test in another process. Only -short skips it.
func TestOnly(t *testing.T) {
	if race.Enabled || strconv.IntSize == 32 {
		t.Skip("Only skips no test here")
	}
	for short, want := range map[string]string{"true": "--- SKIP: TestMarked", "false": "--- PASS: TestMarked"} {
		cmd := exec.Command(os.Args[0], "-test.v", "-test.run=^TestMarked$", "-test.short="+short)
		cmd.Env = append(os.Environ(), marked+"=1")
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), want) {
			t.Errorf("-short=%s: got %q, %v, want %q", short, out, err, want)
		}
	}
}

// TestMarked is the marked test.
func TestMarked(t *testing.T) {
	if os.Getenv(marked) == "" {
		t.Skip("TestOnly runs it")
	}
	Only(t)
}
