// Package command runs programs of other projects for the tools, and lists the missing programs.
package command

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Run runs a program and waits for its end. `env` is added to its environment. If the program fails, Run also returns its output.
func Run(ctx context.Context, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(append(os.Environ(), "LC_ALL=C"), env...)
	var out, problem bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problem
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(problem.String()))
	}
	return out.String(), nil
}

// A Need is a program, and the Debian packages that contain it.
type Need struct{ Program, Packages string }

// Missing returns the packages that contain the missing programs.
func Missing(needs ...Need) (packages []string) {
	for _, n := range needs {
		if _, err := exec.LookPath(n.Program); err != nil {
			packages = append(packages, strings.Fields(n.Packages)...)
		}
	}
	return packages
}
