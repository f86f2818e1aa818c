//go:build linux

package appliance

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"dashboard/internal/folder"
)

const (
	// firmwareFolder is the folder in which the kernel looks for firmware first. It is in memory and contains the firmware from the
	// card's first partition.
	firmwareFolder = "/etc/firmware"
	// firmwarePath is the kernel's parameter that contains firmwareFolder (Documentation/driver-api/firmware/fw_search_path.rst).
	firmwarePath = "/sys/module/firmware_class/parameters/path"
	// Limits of the copied firmware, because the copy is in memory. The firmware of a radio has three files with 0.5 MB in total.
	maxFirmware      = 8 << 20 // maximum size of all files, in bytes
	maxFirmwareFiles = 32
)

// addFirmware copies the firmware from the first partition to firmwareFolder, before a driver requests it. addFirmware returns the names
// of the copied files.
func addFirmware(root string) (names []string, err error) {
	from := filepath.Join(root+bootFolder, "firmware")
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return nil, nil // usually there is no firmware on the partition
	}
	left := int64(maxFirmware)
	err = filepath.WalkDir(from, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		if len(names) == maxFirmwareFiles {
			return fmt.Errorf("more than %d files", maxFirmwareFiles)
		}
		name, err := filepath.Rel(from, at)
		if err != nil {
			return err
		}
		data, err := folder.Read(folder.Dir(from), name, left)
		if err != nil {
			return err
		}
		left -= int64(len(data))
		names = append(names, name)
		return put(filepath.Join(root+firmwareFolder, firmwareName(name)), func(path string) error { return os.WriteFile(path, data, 0o644) })
	})
	if err != nil {
		err = fmt.Errorf("firmware: %w", err)
	}
	return names, err
}

// firmwareName returns the path by which the kernel requests a file. `name` is the path on the card, in which the user may omit the
// folder brcm of a Raspberry Pi's radio.
func firmwareName(name string) string {
	if lower := strings.ToLower(name); path.Dir(name) == "." && (strings.HasPrefix(lower, "brcmfmac") || strings.HasPrefix(lower, "bcm")) {
		return "brcm/" + name
	}
	return name
}

// useFirmware copies the firmware. It returns problems, and notes for the start screen.
func useFirmware(root string, wifi bool) (notes, problems []string) {
	names, err := addFirmware(root)
	if len(names) > 0 {
		notes = append(notes, "Firmware from the card: "+strings.Join(names, ", "))
		err = errors.Join(err, os.WriteFile(firmwarePath, []byte(firmwareFolder), 0))
	}
	if err != nil {
		problems = append(problems, err.Error())
	}
	for _, n := range notes {
		say("%s", n)
	}
	return append(notes, radioNote(devices("/sys/firmware/devicetree/base/compatible"), wifi, names)...), problems
}

// zeroTwo is the name of a Zero 2 W in its device tree. Some of these boards have a radio that needs the firmware zeroRadio. Debian does
// not include this firmware.
const (
	zeroTwo   = "raspberrypi,model-zero-2-w"
	zeroRadio = "brcmfmac43436-sdio.bin"
)

// radioNote returns a note about missing firmware for a Zero 2 W if wifi_name is set.
func radioNote(here map[string]bool, wifi bool, names []string) (notes []string) {
	for _, n := range names {
		wifi = wifi && path.Base(n) != zeroRadio
	}
	if here[zeroTwo] && wifi {
		notes = append(notes, "If there is no Wi-Fi: this board's radio may need "+zeroRadio+" in the folder firmware of the card")
	}
	return notes
}
