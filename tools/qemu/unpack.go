package qemu

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"dashboard/tools/command"
	"dashboard/tools/image/initramfs"
)

// modulesWanted lists the modules that a machine may need. The kernel package must contain each as a file or built in.
var modulesWanted = []string{
	"virtio_gpu", "virtio_pci", "virtio_console", "virtio_net",
	"vivid", "vhci_hcd", "i2c_tiny_usb", "i2c_dev", "bh1750", "uinput", "evdev", // emulate televisions, monitors, sensors, touchscreens
}

// modulesFrom lists the folders whose modules are kept. * stands for all files in one folder.
var modulesFrom = []string{
	"drivers/gpu/drm/*", "drivers/gpu/drm/virtio/*", "drivers/virtio/*", "drivers/char/virtio_console*",
	"drivers/video/fbdev/core/*", "drivers/i2c/*", "drivers/dma-buf/*",
	"drivers/input/evdev*", "drivers/net/virtio_net*", "drivers/net/net_failover*", "net/core/*",
	"drivers/media/test-drivers/vivid/*", "drivers/media/mc/*", "drivers/media/rc/rc-core*", "drivers/media/v4l2-core/*", "drivers/media/cec/core/*",
	"drivers/media/common/v4l2-tpg/*", "drivers/media/common/videobuf2/*", "drivers/usb/usbip/*", "drivers/usb/core/*", "drivers/usb/common/*",
	"drivers/i2c/busses/i2c-tiny-usb*", "drivers/iio/*", "drivers/iio/light/bh1750*", "drivers/input/misc/uinput*",
}

// unpack copies the needed files of a kernel package to a new folder.
func unpack(ctx context.Context, deb, dir string) error {
	all := filepath.Join(filepath.Dir(dir), "all")
	if _, err := command.Run(ctx, nil, "dpkg-deb", "--extract", deb, all); err != nil {
		return err
	}
	return pick(ctx, all, dir)
}

// pick copies the needed files of an unpacked kernel package to a new folder.
func pick(ctx context.Context, all, dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, modulesDir), 0o755); err != nil {
		return err
	}
	return filepath.WalkDir(all, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		to, ok := destination("." + strings.TrimPrefix(path, all))
		if !ok {
			return nil
		}
		if to = filepath.Join(dir, to); strings.HasSuffix(path, ".xz") {
			return unxz(ctx, path, to)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(to, content, 0o644)
	})
}

// destination returns the path to which a file of the package is copied. ok is false if the file is not needed.
func destination(name string) (string, bool) {
	base := path.Base(name)
	switch {
	case strings.HasPrefix(name, "./boot/vmlinuz-"):
		return imageFile, true
	case base == "bcm2837-rpi-3-b.dtb":
		return dtbFile, true
	case base == builtinFile:
		return builtinFile, true
	}
	_, module, ok := strings.Cut(name, "/kernel/")
	if !ok || !strings.Contains(base, ".ko") {
		return "", false
	}
	for _, pattern := range modulesFrom {
		if match, _ := path.Match(pattern, module); match { // cannot fail: the patterns are valid
			return path.Join(modulesDir, initramfs.ModuleName(base)+".ko"), true
		}
	}
	return "", false
}

func unxz(ctx context.Context, from, to string) error {
	content, err := command.Run(ctx, nil, "xz", "--decompress", "--stdout", from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, []byte(content), 0o644)
}
