//go:build linux

package main

import (
	"regexp"
	"time"
)

// Bounds of row 11 of docs/benchmarks.md, in ms.
const (
	mostWhole  = 25
	mostSecond = 0.4
)

// frameLine matches the log lines of TestWallFrames: the name of a wall at the start of its test, or a kind of frame with its durations.
var frameLine = regexp.MustCompile(`(?m)^=== RUN +TestWallFrames/(\w+)$|: (another minute|another second|painted whole|fade frame): least \S+, median (\S+)$`)

// frames() measures row 11: the time of frames of the built-in walls at 1080p with recorded values. The result is the median of 25 frames.
func frames(l *lab) error {
	all, err := l.logged([]string{"DASHBOARD_FRAMES=1"}, "./wall/scene", "^TestWallFrames$", frameLine)
	if err != nil {
		return err
	}
	wall := ""
	for _, m := range all {
		if m[1] != "" {
			wall = m[1]
			continue
		}
		took, err := time.ParseDuration(m[3])
		if err != nil {
			return err
		}
		ms, what := float64(took)/1e6, wall+" 1080p, "+m[2]
		switch m[2] {
		case "painted whole":
			l.table.limit(11, what, "%.2f ms", ms, mostWhole)
		case "another second":
			l.table.limit(11, what, "%.3f ms", ms, mostSecond)
		default:
			l.table.figure(11, what, "%.2f ms", ms)
		}
	}
	return nil
}
