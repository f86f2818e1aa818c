package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// suite is the Debian release the image is made of.
const suite = "trixie"

// components of it: the radio's firmware is not free.
const components = "main non-free-firmware"

// keyring is Debian's own; it is on every Debian.
const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg"

// getBase returns a folder with Debian's packages unpacked, for arm64, none of them set up. It is made if it
// is not in the cache.
func getBase(ctx context.Context, o options, say func(string, ...any)) (string, error) {
	packages, err := words(packagesFile)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(suite + strings.Join(packages, ",")))
	dir := filepath.Join(o.cache, suite+"-"+hex.EncodeToString(sum[:6]))
	if _, err := os.Stat(dir); err == nil && !o.renew {
		return dir, nil
	}
	say("getting Debian %s", suite)
	mirrors, err := mirrorLines(ctx)
	if err != nil {
		return "", err
	}
	work := dir + ".new"
	if err := os.RemoveAll(work); err != nil {
		return "", err
	}
	if err := os.MkdirAll(work, 0o755); err != nil {
		return "", err
	}
	args := append([]string{
		"--mode=root", "--variant=extract", "--architectures=arm64", "--aptopt=Acquire::Languages \"none\"",
		"--include=" + strings.Join(packages, ","), suite, work,
	}, mirrors...)
	if _, err := command(ctx, "mmdebstrap", args...); err != nil {
		return "", err
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	return dir, os.Rename(work, dir)
}

// mirrorLines returns lines of sources.list for the suite, from the mirrors this machine uses.
func mirrorLines(ctx context.Context) ([]string, error) {
	known, err := command(ctx, "apt-get", "indextargets", "--format", "$(ORIGIN) $(COMPONENT) $(CREATED_BY) $(CODENAME) $(REPO_URI)")
	if err != nil {
		return nil, err
	}
	lines := sourceLines(known)
	if len(lines) == 0 {
		return nil, fmt.Errorf("apt has no lists of a Debian mirror: run apt-get update")
	}
	return lines, nil
}

// sourceLines makes lines for the suite from what indextargets says: each mirror has the other suites next
// to its own.
func sourceLines(known string) (lines []string) {
	seen := map[string]bool{}
	for line := range strings.Lines(known) {
		f := strings.Fields(line)
		if len(f) != 5 || f[0] != "Debian" || f[1] != "main" || f[2] != "Packages" || seen[f[4]] {
			continue
		}
		wanted := suite
		if _, kind, updates := strings.Cut(f[3], "-"); updates {
			if kind != "security" {
				continue
			}
			wanted += "-security"
		}
		seen[f[4]] = true
		lines = append(lines, fmt.Sprintf("deb [signed-by=%s] %s %s %s", keyring, f[4], wanted, components))
	}
	return lines
}
