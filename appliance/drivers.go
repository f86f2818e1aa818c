//go:build linux

package appliance

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// orderFile is a file of the initramfs. It lists the modules in the order of loading.
const orderFile = "/modules.order"

// loadDrivers loads the drivers of this board. It calls the function `after` for each module that it has tried to load.
func loadDrivers(after func()) { loadModules(devices("/sys/firmware/devicetree/base"), after) }

// loadModules loads the modules that this machine needs. The list orderFile has a line for each module: the path of the module and the
// devices that the module drives. The keys of the map `here` are the devices of this machine. A module without devices is always loaded.
// loadModules calls the function `after` for each module that it has tried to load.
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

// devices() returns the names of the devices in the machine's device tree.
func devices(tree string) map[string]bool {
	here := map[string]bool{}
	_ = filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "compatible" {
			return nil // a tree that cannot be read counts as empty
		}
		text, _ := os.ReadFile(path)
		for name := range strings.SplitSeq(string(text), "\x00") {
			here[name] = true
		}
		return nil
	})
	return here
}

// videoGroup is the ID of the group video in /etc/group.
const videoGroup = 44

// openScreens allows the group video to open the existing framebuffers and graphics cards. udev would allow this some seconds later.
// Until then, the wall would run on the framebuffer, and later it would move to the graphics card.
func openScreens(dev string) {
	for _, kind := range []string{"fb[0-9]*", "dri/card[0-9]*"} {
		screens, _ := filepath.Glob(filepath.Join(dev, kind)) // the pattern is valid
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
