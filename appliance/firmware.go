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
	// firmwareFolder is where the kernel looks for firmware first, in the root file system: in memory, with what is on the card.
	firmwareFolder = "/etc/firmware"
	// firmwarePath tells the kernel so, Documentation/driver-api/firmware/fw_search_path.rst.
	firmwarePath = "/sys/module/firmware_class/parameters/path"
	// Bounds of what is copied: it lies in memory. A radio's is three files of half a megabyte.
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

// firmwareName is what the kernel calls a file: those of a Raspberry Pi's radio are in a folder that a person may leave out.
func firmwareName(name string) string {
	if lower := strings.ToLower(name); path.Dir(name) == "." && (strings.HasPrefix(lower, "brcmfmac") || strings.HasPrefix(lower, "bcm")) {
		return "brcm/" + name
	}
	return name
}

// useFirmware does all of it and returns what is told on the start screen, and what is wrong.
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

// zeroTwo is what the device tree of a Zero 2 W says it is, and zeroRadio the firmware of some of their radios, which Debian
// does not have.
const (
	zeroTwo   = "raspberrypi,model-zero-2-w"
	zeroRadio = "brcmfmac43436-sdio.bin"
)

// radioNote tells the owner of a Zero 2 W who wants Wi-Fi what its radio may need.
func radioNote(here map[string]bool, wifi bool, names []string) (notes []string) {
	for _, n := range names {
		wifi = wifi && path.Base(n) != zeroRadio
	}
	if here[zeroTwo] && wifi {
		notes = append(notes, "If there is no Wi-Fi: this board's radio may need "+zeroRadio+" in the folder firmware of the card")
	}
	return notes
}
