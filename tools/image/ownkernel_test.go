package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// packaged() returns a folder with the named files. Each file contains its name.
func packaged(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		if err := putFile(filepath.Join(dir, name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// An unpacked kernel package is used unchanged. Its modules may be in either of the two places that Debian uses.
func TestTakeKernel(t *testing.T) {
	const image, tree = "boot/vmlinuz-6-rpi", "usr/lib/linux-image-6-rpi/broadcom/bcm2712-rpi-5-b.dtb"
	for _, modules := range []string{"usr/lib/modules", "lib/modules"} {
		dir := packaged(t, image, tree, modules+"/6-rpi/modules.order")
		b := &builder{options: options{kernel: dir}, base: "debian", work: t.TempDir()}
		if err := b.takeKernel(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{image, tree, "usr/lib/modules/6-rpi/modules.order"} {
			if _, err := os.Stat(filepath.Join(b.from, name)); err != nil {
				t.Error(err)
			}
		}
		if found, err := b.trees(); err != nil || len(found) != 1 || filepath.Base(found[0]) != filepath.Base(tree) {
			t.Errorf("got device trees %q, %v", found, err)
		}
	}
	b := &builder{options: options{kernel: packaged(t, "boot/vmlinuz-1", "boot/vmlinuz-2")}, work: t.TempDir()}
	if err := b.takeKernel(t.Context()); err == nil || !strings.Contains(err.Error(), "one kernel") {
		t.Errorf("two kernels: got %v", err)
	}
	b = &builder{base: "debian"}
	if err := b.takeKernel(t.Context()); err != nil || b.from != "debian" {
		t.Errorf("Debian's: got %q, %v", b.from, err)
	}
}

// If the device trees have Raspberry Pi's own names, config.txt enables the graphics overlay, and the kernel's folder contains the
// overlays. If they have the names of the kernel's source, nothing changes.
func TestOwnFirmware(t *testing.T) {
	const overlay = "usr/lib/linux-image-6-rpi/overlays/vc4-kms-v3d.dtbo"
	for tree, want := range map[string]string{"bcm2710-rpi-3-b.dtb": graphicsLine, "bcm2837-rpi-3-b.dtb": upstreamLine} {
		dir := t.TempDir()
		if err := copyTree("image/raspberry", dir); err != nil {
			t.Fatal(err)
		}
		b := &builder{from: packaged(t, overlay)}
		if err := b.ownFirmware([]string{tree}, dir); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, "config.txt"))
		if err != nil || !strings.Contains(string(text), "\n"+want) || strings.Contains(string(text), graphicsLine) == strings.Contains(string(text), upstreamLine) {
			t.Errorf("%s: got %q, %v, want %q", tree, text, err, want)
		}
		if _, err := os.Stat(filepath.Join(dir, "a/overlays/vc4-kms-v3d.dtbo")); (err == nil) != (want == graphicsLine) {
			t.Errorf("%s: its overlay: %v", tree, err)
		}
	}
}

// A compressed kernel stays unchanged.
func TestCompress(t *testing.T) {
	dir := packaged(t, "vmlinuz")
	once, twice := filepath.Join(dir, "once"), filepath.Join(dir, "twice")
	if err := compress(filepath.Join(dir, "vmlinuz"), once); err != nil {
		t.Fatal(err)
	}
	if err := compress(once, twice); err != nil {
		t.Fatal(err)
	}
	a, _ := os.ReadFile(once)
	b, _ := os.ReadFile(twice)
	if len(a) < 2 || a[0] != 0x1f || string(a) != string(b) {
		t.Errorf("got %d and %d bytes, want the same gzip", len(a), len(b))
	}
}
