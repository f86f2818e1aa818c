package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"dashboard/tools/command"
)

// needs lists the programs that the builder runs.
var needs = []command.Need{
	{Program: "mmdebstrap", Packages: "mmdebstrap"},
	{Program: "mksquashfs", Packages: "squashfs-tools"},
	{Program: "mkfs.vfat", Packages: "dosfstools"},
	{Program: "mcopy", Packages: "mtools"},
	{Program: "depmod", Packages: "kmod"},
	{Program: "xz", Packages: "xz-utils"},
	{Program: "zstd", Packages: "zstd"},
	{Program: "libdeflate-gzip", Packages: "libdeflate-tools"},
}

// ready() returns an error if this machine cannot build an image.
func ready() error {
	if os.Geteuid() != 0 {
		return errRoot
	}
	return check(needs)
}

// check returns an error that lists the packages of missing programs.
func check(lists ...[]command.Need) error {
	var missing []string
	for _, l := range lists {
		missing = append(missing, command.Missing(l...)...)
	}
	if len(missing) > 0 {
		return fmt.Errorf("these Debian packages are missing: apt-get install --no-install-recommends %s", strings.Join(missing, " "))
	}
	return nil
}

// errRoot is returned if the program is not allowed to set the owners of files.
var errRoot = errors.New("only root can make files that belong to others: run it as root, perhaps in a container")
