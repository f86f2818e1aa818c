// Package probe prints a description of this machine's screens and of the ways to switch and dim them.
package probe

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dashboard/fb"
	"dashboard/fb/drm"
)

// A prober prints the description to `w`. In tests, its folders are not the folders of the kernel.
type prober struct {
	w          io.Writer
	sysfs      string // sysfs folder of package drm
	backlights string
	devices    string // /dev
	open       func(path string) (*drm.Card, error)
}

// maxModesTold is the maximum number of modes that are listed for a connector. Televisions have about thirty modes.
const maxModesTold = 8

// Screens prints a description of this machine's screens and of the devices that switch and dim them. It changes no settings, but its
// requests may wake a monitor.
func Screens(w io.Writer) {
	p := prober{w: w, sysfs: drm.SysFS, backlights: "/sys/class/backlight", devices: "/dev", open: drm.Open}
	p.cards()
	p.framebuffers()
	p.lights()
	p.wires()
}

// Inputs describes touchscreens, keys, light sensors and the board's pins.
func Inputs(w io.Writer) { prober{w: w, devices: "/dev"}.inputs() }

func (p prober) say(format string, args ...any) { fmt.Fprintf(p.w, format+"\n", args...) }

// cards() prints a description of every graphics card with a connector.
func (p prober) cards() {
	ports := drm.Ports(p.sysfs)
	if len(ports) == 0 {
		p.say("No graphics card has a connector: driver: auto uses a framebuffer, where there is one.")
		return
	}
	for i, port := range ports {
		if i == 0 || ports[i-1].Card != port.Card {
			p.card(port, ports)
		}
	}
}

// card prints a description of one graphics card.
func (p prober) card(of drm.Port, ports []drm.Port) {
	p.say("Graphics card %s, driver %s:", of.Card, cmp.Or(of.Driver, "unknown"))
	c, err := p.open(of.Node())
	if err != nil {
		p.say("  it cannot be asked: %v", err)
		for _, port := range ports {
			if port.Card == of.Card {
				p.say("  connector: %s, %s", port.Name, map[bool]string{true: "with a screen", false: "no screen"}[port.Connected])
			}
		}
		return
	}
	defer c.Close()
	if err := c.Paintable(); err != nil {
		p.say("  it cannot be used: %v", err)
		return
	}
	if c.Take() != nil {
		p.say("  another program shows something on it: %s", cmp.Or(strings.Join(drm.Holders("/proc", of.Node()), ", "), "its name is unknown"))
	}
	_ = c.Drop() // ignore the error, because nothing was changed
	all, err := c.Connectors(true)
	if err != nil {
		p.say("  it cannot be asked: %v", err)
		return
	}
	for _, k := range all {
		p.connector(of.Card, k)
	}
}

// connector prints a description of a connector and of its screen.
func (p prober) connector(card string, k *drm.Connector) {
	if !k.Connected {
		p.say("  connector: %s, no screen", k.Name)
		return
	}
	name := "a screen that says nothing of itself"
	if e, err := drm.ParseEDID(k.EDID); err == nil {
		name = cmp.Or(e.String(), "a screen without a name")
	}
	size := ""
	if k.WidthMM > 0 && k.HeightMM > 0 {
		size = fmt.Sprintf(", %d x %d cm", (k.WidthMM+5)/10, (k.HeightMM+5)/10)
	}
	p.say("  connector: %s, %s%s", k.Name, name, size)
	if m, ok := drm.Choose(k.Modes, drm.Wish{}); ok {
		p.say("    mode: %s by itself; there are %s", m, modesTold(k.Modes))
	} else {
		p.say("    mode: it offers none")
	}
	p.say("    rgb_range: %s", strings.Join(k.Ranges(), ", "))
	p.say("    power: %s", strings.Join(p.powers(card, k), "; "))
}

// modesTold returns a list of the modes as text, each mode once.
func modesTold(modes []drm.Mode) string {
	var list []string
	for _, m := range modes {
		if s := m.String(); !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	if more := len(list) - maxModesTold; more > 0 {
		return strings.Join(list[:maxModesTold], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(list, ", ")
}

// powers() describes each backend that can switch the screen of a connector off.
func (p prober) powers(card string, k *drm.Connector) []string {
	var ways []string
	if k.CanPower() {
		ways = append(ways, "drm: the signal can be switched off, and is "+map[bool]string{true: "on", false: "off"}[k.IsOn()])
	}
	if to, err := os.Readlink(filepath.Join(p.sysfs, card+"-"+k.Name, "ddc")); err == nil {
		ways = append(ways, "ddc: perhaps, by "+filepath.Base(to))
	}
	if strings.HasPrefix(k.Name, "HDMI") {
		if cecs, _ := filepath.Glob(filepath.Join(p.devices, "cec*")); len(cecs) > 0 {
			ways = append(ways, "cec: perhaps, by "+strings.Join(cecs, ", "))
		}
	}
	if len(ways) == 0 {
		return []string{"there is no way to switch it off"}
	}
	return ways
}

// framebuffers() prints a description of every framebuffer.
func (p prober) framebuffers() {
	paths, _ := filepath.Glob(filepath.Join(p.devices, "fb[0-9]*"))
	for _, path := range paths {
		g, err := geometryAt(path)
		if err != nil {
			p.say("Framebuffer %s: it cannot be used: %v", path, err)
			continue
		}
		p.say("Framebuffer %s: %s, %dx%d, %v", path, g.Driver, g.Width, g.Height, g.Format)
	}
	if len(paths) == 0 {
		p.say("There is no framebuffer.")
	}
	if len(paths) == 0 && len(drm.Ports(p.sysfs)) == 0 {
		p.say("No screen was found. If a screen is connected, a container needs the device /dev/dri or /dev/fb0.")
		p.say("For other screens and browsers, write in conf.yaml: outputs: [{type: stream}] and server: {host: 0.0.0.0}")
	}
}

func geometryAt(path string) (fb.Geometry, error) {
	dev, err := fb.OpenDevice(path)
	if err != nil {
		return fb.Geometry{}, err
	}
	defer dev.Close()
	return dev.Geometry()
}

// lights() prints a description of every backlight.
func (p prober) lights() {
	entries, _ := os.ReadDir(p.backlights)
	for _, e := range entries {
		most, err := os.ReadFile(filepath.Join(p.backlights, e.Name(), "max_brightness"))
		if err != nil {
			continue
		}
		p.say("Backlight %s: brightness from 0 to %s", e.Name(), strings.TrimSpace(string(most)))
	}
}
