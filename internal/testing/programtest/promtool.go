package programtest

import (
	"bytes"
	"os"
	"os/exec"
	"testing"
)

// Promtool checks metrics with Prometheus' own tool. It skips the test if the tool is not installed, unless DASHBOARD_CI is set.
func Promtool(t *testing.T, metrics []byte) {
	t.Helper()
	tool, err := exec.LookPath("promtool")
	if err != nil {
		if os.Getenv("DASHBOARD_CI") != "" {
			t.Fatal(err)
		}
		t.Skip("promtool is not installed")
	}
	cmd := exec.CommandContext(t.Context(), tool, "check", "metrics")
	cmd.Stdin = bytes.NewReader(metrics)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("promtool: %v\n%s", err, out)
	}
}
