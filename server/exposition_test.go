package server

import (
	"slices"
	"strings"
	"testing"

	"dashboard/internal/testing/programtest"
)

// TestExposition checks that the samples of a family are together, and that each family has its
// help and its type once. Unknown samples of the runtime are removed.
func TestExposition(t *testing.T) {
	got := string(exposition([]byte("dashboard_night 1\n" +
		"dashboard_provider_stale{provider=\"a b{ \"} 0\ndashboard_provider_failing{provider=\"a\"} 0\ndashboard_provider_stale{provider=\"c\"} 1\n" +
		"go_gc_pauses_seconds_bucket{le=\"0\"} 1\nprocess_unheard_of 7\n" +
		"go_gc_duration_seconds{quantile=\"0\"} 0\ngo_gc_duration_seconds_sum 2\ngo_gc_duration_seconds_count 3\ndashboard_frames_total 4\n")))
	want := `# HELP dashboard_night 1 while the night theme is active.
# TYPE dashboard_night gauge
dashboard_night 1
# HELP dashboard_provider_stale 1 if the provider's value is older than three intervals.
# TYPE dashboard_provider_stale gauge
dashboard_provider_stale{provider="a b{ "} 0
dashboard_provider_stale{provider="c"} 1
# HELP dashboard_provider_failing 1 if the provider's last attempt failed.
# TYPE dashboard_provider_failing gauge
dashboard_provider_failing{provider="a"} 0
# HELP go_gc_duration_seconds Pauses of garbage collection.
# TYPE go_gc_duration_seconds summary
go_gc_duration_seconds{quantile="0"} 0
go_gc_duration_seconds_sum 2
go_gc_duration_seconds_count 3
# HELP dashboard_frames_total Painted frames of the main view.
# TYPE dashboard_frames_total counter
dashboard_frames_total 4
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestHelpPassesPromtool checks that promtool accepts a sample of each family.
func TestHelpPassesPromtool(t *testing.T) {
	var samples []string
	for name := range help {
		if name == summary {
			samples = append(samples, name+"_sum 1\n", name+"_count 1\n")
			continue
		}
		samples = append(samples, name+" 1\n")
	}
	slices.Sort(samples)
	programtest.Promtool(t, exposition([]byte(strings.Join(samples, ""))))
}
