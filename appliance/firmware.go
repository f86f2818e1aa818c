//go:build linux

package main

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
	// firmwareFolder is where the kernel looks for firmware first, in the root file system. It lies in memory and has
	// the firmware of the card.
	firmwareFolder = "/etc/firmware"
	// firmwarePath is the kernel's parameter for that folder, Documentation/driver-api/firmware/fw_search_path.rst.
	firmwarePath = "/sys/module/firmware_class/parameters/path"
	// Bounds of the copy, which lies in memory. The firmware of a radio is three files of half a megabyte.
	maxFirmware      = 8 << 20 // bytes in all
	maxFirmwareFiles = 32
)

// addFirmware copies the firmware on the first partition to where the kernel looks for it, before a driver asks, and returns
// the names of the files.
func addFirmware(root string) (names []string, err error) {
	from := filepath.Join(root+bootFolder, "firmware")
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return nil, nil // the usual case
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

// firmwareName returns the kernel's name of a file. The user may leave out the folder of a Raspberry Pi's radio.
func firmwareName(name string) string {
	if lower := strings.ToLower(name); path.Dir(name) == "." && (strings.HasPrefix(lower, "brcmfmac") || strings.HasPrefix(lower, "bcm")) {
		return "brcm/" + name
	}
	return name
}

// useFirmware copies the firmware, and returns notes for the start screen and problems.
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

// zeroTwo is the name of a Zero 2 W in its device tree. zeroRadio is the firmware of some of their radios, which Debian
// does not have.
const (
	zeroTwo   = "raspberrypi,model-zero-2-w"
	zeroRadio = "brcmfmac43436-sdio.bin"
)

// radioNote returns a note about missing firmware for a Zero 2 W with a wifi_name.
func radioNote(here map[string]bool, wifi bool, names []string) (notes []string) {
	for _, n := range names {
		wifi = wifi && path.Base(n) != zeroRadio
	}
	if here[zeroTwo] && wifi {
		notes = append(notes, "If there is no Wi-Fi: this board's radio may need "+zeroRadio+" in the folder firmware of the card")
	}
	return notes
}
