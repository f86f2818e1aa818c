package drm

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"dashboard/internal/stable"
)

// SysFS is the folder where the kernel lists cards and connectors.
const SysFS = "/sys/class/drm"

// A Port is a connector in the kernel's list. Its state is the result of the kernel's last probe, because reading the list does not probe
// cables.
type Port struct {
	Card      string // such as "card1". The name may change at the next start
	Name      string // such as "HDMI-A-1"
	Connected bool
	Driver    string // such as "vc4", or "" if unknown
}

// Node returns the path of the card's device.
func (p Port) Node() string { return "/dev/dri/" + p.Card }

var portForm = regexp.MustCompile(`^(card([0-9]{1,4}))-([A-Za-z0-9-]+)$`)

// Ports lists the connectors of all cards, sorted by card number and name. `sysfs` is SysFS or a similar folder. An empty list is not an
// error.
func Ports(sysfs string) []Port {
	entries, err := os.ReadDir(sysfs)
	if err != nil {
		return nil
	}
	var ports []Port
	for _, e := range entries {
		m := portForm.FindStringSubmatch(e.Name())
		if m == nil || strings.HasPrefix(m[3], "Writeback-") {
			continue
		}
		ports = append(ports, Port{Card: m[1], Name: m[3], Connected: isConnected(filepath.Join(sysfs, e.Name())), Driver: driver(sysfs, m[1])})
	}
	stable.Sort(ports, func(a, b Port) int {
		return cmp.Or(cmp.Compare(number(a.Card), number(b.Card)), cmp.Compare(a.Name, b.Name))
	})
	return ports
}

func number(card string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(card, "card"))
	return n
}

// isConnected reports whether a connector has a screen. It also returns true for the status "unknown", which some panels have.
func isConnected(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "status"))
	return err == nil && strings.TrimSpace(string(text)) != "disconnected"
}

// driver returns the name of the driver of a card.
func driver(sysfs, card string) string {
	link, err := os.Readlink(filepath.Join(sysfs, card, "device", "driver"))
	if err != nil {
		return ""
	}
	return filepath.Base(link)
}

// Connected reports whether a connector has a screen. `sysfs` is SysFS or a similar folder.
func Connected(sysfs, card, name string) bool {
	return isConnected(filepath.Join(sysfs, card+"-"+name))
}
