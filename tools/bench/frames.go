//go:build linux

package main

import (
	"errors"
	"os"
	"os/exec"
	"regexp"
	"time"
)

// Bounds of row 11, ms.
const (
	mostWhole  = 25
	mostSecond = 0.4
)

// frameLine is what TestWallFrames logs: a wall's name, when it is done with it, or a kind of frame and what those take.
var frameLine = regexp.MustCompile(`(?m)^=== RUN +TestWallFrames/(\w+)$|: (another minute|another second|painted whole|a frame of a fade): least \S+, median (\S+)$`)

// frames is row 11: what the walls that come with the program take at 1080p, with recorded answers. The frame in the middle of 25.
func frames(l *lab) error {
	cmd := exec.CommandContext(l.ctx, "go", "test", "-count", "1", "-run", "^TestWallFrames$", "-v", "./cmd/dashboard")
	cmd.Env = append(os.Environ(), "DASHBOARD_FRAMES=1")
	out, err := cmd.Output()
	if err != nil {
		return err
	}
	wall, found := "", 0
	for _, m := range frameLine.FindAllSubmatch(out, -1) {
		if len(m[1]) > 0 {
			wall = string(m[1])
			continue
		}
		took, err := time.ParseDuration(string(m[3]))
		if err != nil {
			return err
		}
		found++
		ms, what := float64(took)/1e6, "the wall \""+wall+"\" at 1080p, "+string(m[2])
		switch string(m[2]) {
		case "painted whole":
			l.table.limit(11, what, "%.2f ms", ms, mostWhole)
		case "another second":
			l.table.limit(11, what, "%.3f ms", ms, mostSecond)
		default:
			l.table.figure(11, what, "%.2f ms", ms)
		}
	}
	if found == 0 {
		return errors.New("no frame was measured")
	}
	return nil
}
