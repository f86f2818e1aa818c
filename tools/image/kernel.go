package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dashboard/tools/command"
	"dashboard/tools/image/initramfs"
)

// one() returns the only file that matches a pattern. If no file or several files match, it returns an error.
func one(pattern string) (string, error) {
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) != 1 {
		return "", fmt.Errorf("%s: %d files, want 1: %w", pattern, len(found), err)
	}
	return found[0], nil
}

// initrd returns the path of the initramfs that is built.
func (b *builder) initrd() string { return filepath.Join(b.work, "initrd.img") }

// `boards` are patterns for the names of the device trees that the image supports: 2837 is the Pi 3 and the Zero 2 W, 2711 is the Pi 4
// and the Pi 400. ownBoards are the names in Raspberry Pi's own kernel. There, the Pi 3 is 2710 instead of 2837, and 2712 is the Pi 5.
var (
	boards    = []string{"bcm2837-*.dtb", "bcm2711-*.dtb"}
	ownBoards = []string{"bcm2837-*.dtb", "bcm2710-*.dtb", "bcm2711-*.dtb", "bcm2712-*.dtb"}
)

// trees() returns the files of the device trees of all supported boards.
func (b *builder) trees() (all []string, err error) {
	patterns := boards
	if b.kernel != "" {
		patterns = ownBoards
	}
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(b.from, "usr/lib/linux-image-*/broadcom", pattern))
		if err != nil || len(found) == 0 && b.kernel == "" {
			return nil, fmt.Errorf("%s: %d device trees: %w", pattern, len(found), err)
		}
		all = append(all, found...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no device tree of a Raspberry Pi", b.kernel)
	}
	return all, nil
}

// makeInitramfs packs the first process and the kernel's modules. Only the modules that udev loads are compressed.
func (b *builder) makeInitramfs(ctx context.Context) error {
	kernel, err := one(filepath.Join(b.from, "usr/lib/modules/*"))
	if err != nil {
		return err
	}
	release := filepath.Base(kernel)
	modules, err := readModuleLists(ctx, b.from, kernel)
	if err != nil {
		return err
	}
	boot, all, err := b.chooseModules(modules)
	if err != nil {
		return err
	}
	tree := filepath.Join(b.work, "modules")
	folder := filepath.Join("usr/lib/modules", release)
	loaded := func(file string) bool {
		return slices.ContainsFunc(boot, func(l initramfs.Load) bool { return l.File == file })
	}
	if err := unpackModules(ctx, kernel, filepath.Join(tree, folder), all, loaded); err != nil {
		return err
	}
	if _, err := command.Run(ctx, nil, "depmod", "--basedir", filepath.Join(tree, "usr"), release); err != nil {
		return err
	}
	var order strings.Builder
	for _, l := range boot {
		fmt.Fprintf(&order, "/%s/%s %s\n", folder, unpacked(l.File), strings.Join(l.For, " "))
	}
	return b.pack(ctx, tree, order.String())
}

// readModuleLists runs depmod, and returns its facts about the modules of the kernel.
func readModuleLists(ctx context.Context, base, kernel string) (*initramfs.Modules, error) {
	if _, err := command.Run(ctx, nil, "depmod", "--basedir", filepath.Join(base, "usr"), filepath.Base(kernel)); err != nil {
		return nil, err
	}
	var text [3]string
	for i, name := range []string{"modules.dep", "modules.alias", "modules.builtin"} {
		content, err := os.ReadFile(filepath.Join(kernel, name))
		if err != nil {
			return nil, err
		}
		text[i] = string(content)
	}
	return initramfs.ParseModules(text[0], text[1], text[2]), nil
}

// dataModules is a word in the initramfs's list of modules. In a line, it takes the place of a device's name. It marks a module that the
// first process loads for the data partition.
const dataModules = "data"

// chooseModules returns the modules to load at the start, in order, and the files of all modules to pack.
func (b *builder) chooseModules(m *initramfs.Modules) (boot []initramfs.Load, all []string, err error) {
	devices, err := b.devices()
	if err != nil {
		return nil, nil, err
	}
	lists, err := readModules(b.arch)
	if err != nil {
		return nil, nil, err
	}
	if b.kernel != "" {
		lists.boot, lists.later, lists.data = m.Known(lists.boot), m.Known(lists.later), m.Known(lists.data)
	}
	m.Without(lists.without...)
	if boot, err = m.Plan(lists.boot, devices); err != nil {
		return nil, nil, err
	}
	data, err := m.Order(lists.data...)
	if err != nil {
		return nil, nil, err
	}
	for _, file := range data {
		boot = append(boot, initramfs.Load{File: file, For: []string{dataModules}})
	}
	if all, err = m.Order(lists.later...); err != nil {
		return nil, nil, err
	}
	for _, l := range boot {
		if !slices.Contains(all, l.File) {
			all = append(all, l.File)
		}
	}
	return boot, all, nil
}

// devices() returns the names of all devices in the device trees of the boards, sorted.
func (b *builder) devices() (devices []string, err error) {
	if b.arch != arm64 {
		return nil, nil // a PC has no device trees
	}
	trees, err := b.trees()
	if err != nil {
		return nil, err
	}
	for _, path := range trees {
		dtb, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		found, err := initramfs.Compatible(dtb)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		devices = append(devices, found...)
	}
	slices.Sort(devices)
	return slices.Compact(devices), nil
}

// unpacked() returns the name that the file of a module has after decompression.
func unpacked(file string) string { return strings.TrimSuffix(file, ".xz") }

// unpackModules copies modules and the input of depmod to a new folder. Modules that the first process loads are decompressed, because
// the first process cannot decompress them. Modules that only udev loads are compressed with zstd, which udev can read (kmod(8)). This
// way, the kernel has less to unpack at the start.
func unpackModules(ctx context.Context, from, to string, files []string, loaded func(file string) bool) error {
	for _, name := range []string{"modules.builtin", "modules.builtin.modinfo", "modules.order"} {
		if err := copyFile(filepath.Join(from, name), filepath.Join(to, name)); err != nil {
			return err
		}
	}
	for _, file := range files {
		content, err := command.Run(ctx, nil, "xz", "--decompress", "--force", "--stdout", filepath.Join(from, file))
		if err != nil {
			return err
		}
		target := filepath.Join(to, unpacked(file))
		if err := putFile(target, unsigned([]byte(content)), 0o644); err != nil {
			return err
		}
		if loaded(file) {
			continue
		}
		if _, err := command.Run(ctx, nil, "zstd", "-19", "--rm", "--quiet", target); err != nil {
			return err
		}
	}
	return nil
}

// A signed module ends with three parts, see include/linux/module_signature.h: the signature, 12 bytes, and this text. The last four of the
// 12 bytes are the length of the signature.
const (
	signatureEnd  = "~Module signature appended~\n"
	signatureInfo = 12
)

// unsigned() returns a module without Debian's signature, because a board needs a tenth of a second to check a signature. The check would
// not stop an attacker. An attacker who can change a module here can also change the program that loads the module.
func unsigned(module []byte) []byte {
	rest, ok := bytes.CutSuffix(module, []byte(signatureEnd))
	if !ok || len(rest) < signatureInfo {
		return module
	}
	size := int(binary.BigEndian.Uint32(rest[len(rest)-4:]))
	if size > len(rest)-signatureInfo {
		return module
	}
	return rest[:len(rest)-signatureInfo-size]
}

// moduleIndexes lists files that depmod writes and libkmod reads.
var moduleIndexes = []string{
	"modules.dep.bin", "modules.alias.bin", "modules.symbols.bin", "modules.builtin.bin", "modules.builtin.alias.bin", "modules.softdep",
}

// pack writes the initramfs with the files in the folder `tree`. `order` is its list of modules.
func (b *builder) pack(ctx context.Context, tree, order string) error {
	program, err := os.ReadFile(b.appliance())
	if err != nil {
		return err
	}
	var cpio bytes.Buffer
	a := initramfs.NewArchive(&cpio)
	a.Device("dev/console", 5, 1)
	a.Program("init", program)
	a.File("modules.order", []byte(order))
	err = filepath.Walk(tree, func(path string, info os.FileInfo, err error) error {
		wanted := strings.HasSuffix(path, ".ko") || strings.HasSuffix(path, ".ko.zst") || slices.Contains(moduleIndexes, filepath.Base(path))
		if err != nil || info.IsDir() || !wanted {
			return err
		}
		content, err := os.ReadFile(path)
		a.File(strings.TrimPrefix(path, tree), content)
		return err
	})
	if err != nil {
		return err
	}
	if err := a.Close(); err != nil {
		return err
	}
	raw := filepath.Join(b.work, "initrd.cpio")
	if err := os.WriteFile(raw, cpio.Bytes(), 0o644); err != nil {
		return err
	}
	_, err = command.Run(ctx, nil, "zstd", "-19", "--quiet", "--force", raw, "-o", b.initrd())
	return err
}
