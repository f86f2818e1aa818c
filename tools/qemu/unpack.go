package qemu

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// modulesWanted are the modules whatever machine is booted may need, if the kernel does not have them
// built in.
var modulesWanted = []string{
	"virtio_gpu", "virtio_pci", "virtio_console", "virtio_net",
	"vivid", "vhci_hcd", "i2c_tiny_usb", "i2c_dev", "bh1750", "uinput", "evdev", // what plays televisions, monitors, sensors, touchscreens
}

// modulesFrom are the folders of modules that are kept; * stands for the files of one folder.
var modulesFrom = []string{
	"drivers/gpu/drm/*", "drivers/gpu/drm/virtio/*", "drivers/virtio/*", "drivers/char/virtio_console*",
	"drivers/video/fbdev/core/*", "drivers/i2c/*", "drivers/dma-buf/*",
	"drivers/input/evdev*", "drivers/net/virtio_net*", "drivers/net/net_failover*", "net/core/*",
	"drivers/media/test-drivers/vivid/*", "drivers/media/mc/*", "drivers/media/rc/rc-core*", "drivers/media/v4l2-core/*", "drivers/media/cec/core/*",
	"drivers/media/common/v4l2-tpg/*", "drivers/media/common/videobuf2/*", "drivers/usb/usbip/*", "drivers/usb/core/*", "drivers/usb/common/*",
	"drivers/i2c/busses/i2c-tiny-usb*", "drivers/iio/*", "drivers/iio/light/bh1750*", "drivers/input/misc/uinput*",
}

// unpack puts what is needed of a kernel package into a new folder.
func unpack(ctx context.Context, deb, dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, modulesDir), 0o755); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "dpkg-deb", "--fsys-tarfile", deb)
	var problem bytes.Buffer
	cmd.Stderr = &problem
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = keepFiles(ctx, tar.NewReader(out), dir)
	_, drained := io.Copy(io.Discard, out) // after an error too: dpkg-deb must be able to end
	if err = errors.Join(err, drained, cmd.Wait()); err != nil {
		return fmt.Errorf("%w %s", err, problem.Bytes())
	}
	return nil
}

// keepFiles writes the files of a package that are wanted.
func keepFiles(ctx context.Context, files *tar.Reader, dir string) error {
	for {
		h, err := files.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		to, ok := destination(h.Name)
		if !ok || h.Typeflag != tar.TypeReg {
			continue
		}
		content, err := io.ReadAll(files)
		if err == nil && strings.HasSuffix(h.Name, ".xz") {
			content, err = unxz(ctx, content)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, to), content, 0o644)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", h.Name, err)
		}
	}
}

// destination returns where a file of the package goes, if it is wanted.
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
		if match, _ := path.Match(pattern, module); match { // the patterns are correct
			return path.Join(modulesDir, moduleName(base)+".ko"), true
		}
	}
	return "", false
}

func unxz(ctx context.Context, packed []byte) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "xz", "--decompress", "--stdout")
	cmd.Stdin = bytes.NewReader(packed)
	return cmd.Output()
}
