//go:build linux

package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// orderFile lists the modules to load, in the initramfs.
const orderFile = "/modules.order"

// loadDrivers loads the drivers of this board. after is called after each.
func loadDrivers(after func()) { loadModules(devices("/sys/firmware/devicetree/base"), after) }

// loadModules loads the modules for the devices that are here. A line of the list is a module's path and, unless it is
// always wanted, the devices that it drives. after is called after each.
func loadModules(here map[string]bool, after func()) {
	order, err := os.ReadFile(orderFile)
	if err != nil {
		say("%v", err)
		return
	}
	for line := range strings.Lines(string(order)) {
		words := strings.Fields(line)
		if len(words) == 0 || !wanted(words[1:], here) {
			continue
		}
		if err := loadModule(words[0]); err != nil {
			say("module %s: %v", words[0], err)
		}
		after()
	}
}

func wanted(devices []string, here map[string]bool) bool {
	return len(devices) == 0 || slices.ContainsFunc(devices, func(d string) bool { return here[d] })
}

// devices returns what the machine's device tree calls its devices.
func devices(tree string) map[string]bool {
	here := map[string]bool{}
	_ = filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "compatible" {
			return nil // a tree that cannot be read has no devices
		}
		text, _ := os.ReadFile(path)
		for name := range strings.SplitSeq(string(text), "\x00") {
			here[name] = true
		}
		return nil
	})
	return here
}

// videoGroup is the group video, as in /etc/group.
const videoGroup = 44

// openScreens lets the group video open the existing framebuffers and graphics cards. udev would do so seconds later,
// so the wall would begin on the framebuffer and then move to the card.
func openScreens(dev string) {
	for _, kind := range []string{"fb[0-9]*", "dri/card[0-9]*"} {
		screens, _ := filepath.Glob(filepath.Join(dev, kind)) // the pattern is correct
		for _, s := range screens {
			if err := errors.Join(os.Chown(s, 0, videoGroup), os.Chmod(s, 0o660)); err != nil {
				say("%v", err)
			}
		}
	}
}

func loadModule(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	err = unix.FinitModule(int(f.Fd()), "", 0)
	if errors.Is(err, unix.EEXIST) {
		return nil
	}
	return err
}
