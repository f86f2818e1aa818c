package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"dashboard/appliance/card"
	"dashboard/tools/command"
	"dashboard/tools/qemu"
)

// deviceSettings are the lines of settings.txt for the case devices. The name server in these lines does not exist.
const deviceSettings = "use = touch gpio ddc\r\nlight_sensor = bh1750 0x23\r\naddress = 10.0.2.15/24\r\ngateway = 10.0.2.2\r\ndns = 10.0.2.99\r\n"

// testDevices starts a board with a touchscreen, an I2C bus and a GPIO line, and checks that the wall may use them.
func (t *tester) testDevices(ctx context.Context) error {
	if *board != "virt" {
		return nil // QEMU's other boards have no such devices
	}
	l, err := t.newLogin(ctx)
	if err != nil {
		return err
	}
	d, done, err := t.diskWith(ctx, map[string][]byte{card.SettingsFile: []byte(settingsText + deviceSettings + l.line)})
	if err != nil {
		return err
	}
	defer done()
	tree, err := t.treeWithBus(ctx)
	if err != nil {
		return err
	}
	on := *t
	on.forward, on.more = l.forward(), []string{"-device", "virtio-tablet-pci", "-dtb", tree}
	m, err := on.startShown(ctx, d, "devices", "")
	if err != nil {
		return err
	}
	defer m.Stop()
	for _, c := range []struct{ what, line, says string }{
		{"the touchscreen", "journalctl --no-pager -o cat -u dashboard.service | grep 'Virtio Tablet'", `msg="input device"`},
		{"the rights", "systemctl show -p DeviceAllow -p SupplementaryGroups dashboard.service", "char-gpiochip rw"},
		{"the rights", "systemctl show -p SupplementaryGroups dashboard.service", "input"},
		{"the bus", "ls -l /dev/i2c-1", " i2c "},
		{"the line", "ls -l /dev/gpiochip0", " gpio "},
		{"the sensor", "cat /sys/bus/i2c/devices/1-0023/name", "bh1750"},
		{"its driver", "lsmod", "bh1750"},
		{"the name server", "cat /run/appliance/wrong", "No answer from the name server 10.0.2.99"},
		{"the backlight, which use leaves out", "systemctl show -p ProtectKernelTunables dashboard.service", "=yes"},
	} {
		if err := l.awaitText(ctx, c.line+" || true", c.says); err != nil {
			return fmt.Errorf("%s: %w", c.what, err)
		}
	}
	return t.keep(m, "devices")
}

// treeWithBus creates the device tree of QEMU's board "virt" and adds I2C bus 1 on two pins.
func (t *tester) treeWithBus(ctx context.Context) (string, error) {
	path := filepath.Join(t.kit.dir, "virt.dtb")
	arguments := append(qemu.Virt(screenSize), "-nic", "none", "-M", "dumpdtb="+path, "-display", "none")
	if _, err := command.Run(ctx, nil, emulator(), arguments...); err != nil {
		return "", err
	}
	pins, err := command.Run(ctx, nil, "fdtget", "-t", "x", path, "/pl061@9030000", "phandle")
	if err != nil {
		return "", err
	}
	const node = "/i2c-pins"
	pins = strings.TrimSpace(pins)
	for _, edit := range [][]string{
		{"-c", path, node},
		{"-t", "s", path, node, "compatible", "i2c-gpio"},
		{"-t", "x", path, node, "sda-gpios", pins, "4", "6"}, // active high, open drain: include/dt-bindings/gpio/gpio.h
		{"-t", "x", path, node, "scl-gpios", pins, "5", "6"},
		{"-t", "i", path, node, "#address-cells", "1"},
		{"-t", "i", path, node, "#size-cells", "0"},
		{"-t", "s", path, "/aliases", "i2c1", node},
	} {
		if _, err := command.Run(ctx, nil, "fdtput", append([]string{"-p"}, edit...)...); err != nil {
			return "", err
		}
	}
	return path, nil
}
