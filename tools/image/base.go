package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"dashboard/tools/command"
	"dashboard/tools/qemu"
)

// suite is the Debian release of the image.
const suite = "trixie"

// components are the parts of Debian that the image uses. The component non-free-firmware contains the firmware for radio chips.
const components = "main non-free-firmware"

// getBase returns a folder with Debian's packages, unpacked but not configured. If the cache does not contain it, or if the option renew
// is set, getBase creates it.
func getBase(ctx context.Context, o options, say func(string, ...any)) (string, error) {
	packages, err := archWords(packagesFile, o.arch)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(suite + strings.Join(packages, ",")))
	dir := filepath.Join(o.cache, suite+"-"+hex.EncodeToString(sum[:6]))
	if _, err := os.Stat(dir); err == nil && !o.renew {
		return dir, nil
	}
	say("getting Debian %s", suite)
	mirrors, err := qemu.Sources(ctx, o.arch, suite, components)
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
		"--mode=root", "--variant=extract", "--architectures=" + o.arch, "--aptopt=Acquire::Languages \"none\"",
		"--include=" + strings.Join(packages, ","), suite, work,
	}, mirrors...)
	if _, err := command.Run(ctx, nil, "mmdebstrap", args...); err != nil {
		return "", err
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	return dir, os.Rename(work, dir)
}
