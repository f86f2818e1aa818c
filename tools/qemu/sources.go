package qemu

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"dashboard/tools/command"
)

// keyring is the file with the keys of Debian's archives. Every Debian system has this file.
const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg"

// Sources returns lines for sources.list with this machine's mirrors: lines for a suite and its security updates, for one architecture.
func Sources(ctx context.Context, arch, suite, components string) ([]string, error) {
	known, err := targets(ctx)
	if err == nil && strings.TrimSpace(known) == "" && os.Geteuid() == 0 { // this machine has no package lists yet
		if _, err = command.Run(ctx, nil, "apt-get", "update", "-q"); err == nil {
			known, err = targets(ctx)
		}
	}
	if err != nil {
		return nil, err
	}
	lines := sourceLines(known, arch, suite, components)
	if len(lines) == 0 {
		return nil, errors.New("apt has no lists of a Debian mirror: run apt-get update")
	}
	return lines, nil
}

func targets(ctx context.Context) (string, error) {
	return command.Run(ctx, nil, "apt-get", "indextargets", "--format", "$(ORIGIN) $(COMPONENT) $(CREATED_BY) $(CODENAME) $(REPO_URI)")
}

// sourceLines makes the lines for a suite. `known` is the output of indextargets on this machine, which contains its mirrors. All suites
// of a mirror have the same address.
func sourceLines(known, arch, suite, components string) (lines []string) {
	seen := map[string]bool{}
	for line := range strings.Lines(known) {
		f := strings.Fields(line)
		if len(f) != 5 || f[0] != "Debian" || f[1] != "main" || f[2] != "Packages" {
			continue
		}
		_, kind, updates := strings.Cut(f[3], "-")
		if updates && kind != "security" || seen[f[4]] {
			continue
		}
		seen[f[4]] = true
		wanted := suite
		if updates {
			wanted += "-" + kind
		}
		lines = append(lines, fmt.Sprintf("deb [arch=%s signed-by=%s] %s %s %s", arch, keyring, f[4], wanted, components))
	}
	return lines
}
