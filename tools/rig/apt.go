package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// An apt is the package manager with lists of its own: for arm64 and a suite that need not be this
// machine's, from the mirrors this machine uses, changing nothing of the machine.
type apt struct {
	dir     string
	options []string
}

// keyring is Debian's own; it is on every Debian.
const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg"

func newApt(ctx context.Context, suite, dir string) (*apt, error) {
	sources, err := sourcesFor(ctx, suite)
	if err != nil {
		return nil, err
	}
	a := &apt{dir: dir}
	for _, d := range []string{"lists/partial", "archives/partial"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			return nil, err
		}
	}
	for name, text := range map[string]string{"sources.list": sources, "status": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	for _, o := range []string{
		"Dir::Etc::sourcelist=" + filepath.Join(dir, "sources.list"), "Dir::Etc::sourceparts=-",
		"Dir::State::lists=" + filepath.Join(dir, "lists"), "Dir::State::status=" + filepath.Join(dir, "status"),
		"Dir::Cache::archives=" + filepath.Join(dir, "archives"), "Dir::Cache::pkgcache=", "Dir::Cache::srcpkgcache=",
		"APT::Architecture=arm64", "APT::Architectures::=arm64",
		"Acquire::Languages=none", "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false",
		"APT::Sandbox::User=root", // the folder belongs to whoever runs the rig
	} {
		a.options = append(a.options, "-o", o)
	}
	return a, nil
}

// run runs apt-get or apt-cache in the folder.
func (a *apt) run(ctx context.Context, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, append(append([]string{}, a.options...), args...)...)
	cmd.Dir = a.dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	var problem strings.Builder
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", program, strings.Join(args, " "), err, strings.TrimSpace(problem.String()))
	}
	return string(out), nil
}

// sourcesFor returns the lines of sources.list for a suite and its security updates.
func sourcesFor(ctx context.Context, suite string) (string, error) {
	const format = "$(ORIGIN) $(COMPONENT) $(CREATED_BY) $(CODENAME) $(REPO_URI)"
	known, err := command(ctx, nil, "apt-get", "indextargets", "--format", format)
	if err != nil {
		return "", err
	}
	if strings.TrimSpace(known) == "" && os.Geteuid() == 0 { // the machine has no lists yet
		if _, err := command(ctx, nil, "apt-get", "update", "-q"); err != nil {
			return "", err
		}
		if known, err = command(ctx, nil, "apt-get", "indextargets", "--format", format); err != nil {
			return "", err
		}
	}
	lines := sourceLines(known, suite)
	if lines == "" {
		return "", fmt.Errorf("apt has no lists of a Debian mirror; run apt-get update")
	}
	return lines, nil
}

// sourceLines makes lines for a suite from what indextargets says of this machine's: each of its mirrors
// has the other suites next to its own.
func sourceLines(known, suite string) string {
	var lines strings.Builder
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
		fmt.Fprintf(&lines, "deb [arch=arm64 signed-by=%s] %s %s main\n", keyring, f[4], wanted)
	}
	return lines.String()
}
