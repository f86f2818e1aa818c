package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"dashboard/appliance/state"
	"dashboard/tools/command"
)

// takeKernel finds the kernel. It is Debian's kernel, or a kernel in a folder with an unpacked Debian package, such as Raspberry Pi's own
// linux-image-rpi-2712. takeKernel copies such a folder, because depmod later writes new lists of modules into the copy.
func (b *builder) takeKernel(ctx context.Context) error {
	b.from = b.base
	if b.kernel == "" {
		return nil
	}
	b.from = filepath.Join(b.work, "kernel")
	for _, part := range []struct{ pattern, to string }{
		{"boot/vmlinuz-*", "boot"}, {"usr/lib/linux-image-*", "usr/lib"},
		{"{usr/,}lib/modules/*", "usr/lib/modules"}, // Debian 13 and later use usr/, older releases do not
	} {
		found, err := oneOf(b.kernel, part.pattern)
		if err != nil {
			return fmt.Errorf("%w: want a folder with one kernel, as dpkg-deb -x unpacks it", err)
		}
		to := filepath.Join(b.from, part.to)
		if err := os.MkdirAll(to, 0o755); err != nil {
			return err
		}
		if _, err := command.Run(ctx, nil, "cp", "-R", "--reflink=auto", found, to); err != nil {
			return err
		}
	}
	return nil
}

// oneOf returns the only file in a folder that matches a pattern. The pattern may begin with {usr/,}.
func oneOf(dir, pattern string) (string, error) {
	rest, either := strings.CutPrefix(pattern, "{usr/,}")
	if !either {
		return one(filepath.Join(dir, pattern))
	}
	found, err := one(filepath.Join(dir, "usr", rest))
	if err == nil {
		return found, nil
	}
	return one(filepath.Join(dir, rest))
}

// Lines of config.txt. With the first line, the firmware expects device trees with the names in the kernel's source. The second line
// enables a graphics card with Raspberry Pi's own device trees (boot/overlays/README of its firmware, vc4-kms-v3d).
const (
	upstreamLine = "upstream_kernel=1\n"
	graphicsLine = "dtoverlay=vc4-kms-v3d\n"
)

// ownFirmware adapts the files to Raspberry Pi's own kernel. The device trees of this kernel have other names, and overlays adapt them to a
// board.
func (b *builder) ownFirmware(trees []string, dir string) error {
	for _, t := range trees {
		if strings.HasPrefix(filepath.Base(t), "bcm2837-") {
			return nil // the trees have the names of the kernel's source, so this is Debian's or a similar kernel
		}
	}
	overlays, err := one(filepath.Join(b.from, "usr/lib/linux-image-*/overlays"))
	to := filepath.Join(dir, state.A.String(), "overlays")
	if err == nil { // the firmware reads overlays in a folder only if it has a README
		err = putFile(filepath.Join(to, "README"), []byte("The overlays of the kernel in this folder.\n"), 0o644)
	}
	if err == nil {
		err = copyTree(overlays, to)
	}
	path := filepath.Join(dir, "config.txt")
	text, failed := os.ReadFile(path)
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	return putFile(path, bytes.Replace(text, []byte(upstreamLine), []byte(graphicsLine), 1), 0o644)
}
