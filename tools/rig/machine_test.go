package rig

import (
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"

	"dashboard/fb"
	"dashboard/tools/qemu"
)

// A machine is an emulated computer with a screen.
type machine struct {
	name   string
	size   image.Point
	format fb.Format
	// `boot` lists the modules that the machine loads at the start. `late` lists the modules that create its framebuffer.
	boot, late []string
	// args returns QEMU's arguments. The machine's files are in dir.
	args func(ctx context.Context, m *machine, k *qemu.Kernel, dir string) ([]string, error)

	pad     int  // px in memory between the end of a row and the start of the next row
	brief   bool // true: omit the cases that do not depend on the format, because another machine runs them
	pages   bool // the framebuffer has room for two pages, and the test switches between the pages
	opinion bool // gonutz/framebuffer supports the machine's format, so it can check the picture too
	remote  bool // the machine is a remote screen and has a network
	card    bool // the wall is shown on a connector of a graphics card
	parts   bool // the machine's kernel emulates the devices around a screen
}

// try() boots the machine for its cases.
func (m *machine) try(ctx context.Context, l *lab, dir string) (trial, error) {
	if m.remote {
		return newRemote(ctx, l, m, dir)
	}
	if m.card {
		return newCardBench(ctx, l, m, dir)
	}
	if m.parts {
		return newPartsBench(ctx, l, m, dir)
	}
	return newBench(ctx, l, m, dir)
}

// Names of a machine's files in its folder.
const (
	initrdFile  = "initrd"
	consoleFile = "console.log"
	lineFile    = "line"
)

// quiet is the part of the command line that is the same for all kernels. Only emergency messages and the rig write text on the screen.
// The cursor does not blink, and a panic ends the machine.
const quiet = "console=tty0 quiet loglevel=3 panic=-1 vt.global_cursor_default=0 "

// The network of a remote screen is QEMU's user mode network. In this network, the guest reaches the host's loopback under hostAddress.
const (
	cable        = "cable" // name of the network device in QEMU
	guestAddress = "10.0.2.15/24"
	hostAddress  = "10.0.2.2"
)

// plug connects the network cable if `in` is true. Otherwise it disconnects the cable.
func (r *running) plug(in bool) error {
	return r.Do("set_link", map[string]any{"name": cable, "up": in})
}

// outputs() returns QEMU's arguments for the outputs of the graphics card. If the wall is on a connector, the card has two outputs.
func (m *machine) outputs() []string {
	if !m.card {
		return nil
	}
	return []string{"id=" + cardDevice, "max_outputs=2"}
}

// machines() lists all machines in the order of booting.
func machines() []*machine {
	return []*machine{
		{
			name: "parts-32", size: image.Pt(800, 480), format: fb.XRGB8888, parts: true,
			boot: []string{"virtio_pci", "virtio_console", "virtio_gpu"}, late: partsDrivers, args: virt,
		},
		{
			name: "card-32", size: image.Pt(1280, 720), format: fb.XRGB8888, card: true,
			boot: []string{"virtio_pci", "virtio_console", "virtio_gpu"}, args: virt,
		},
		{
			name: "remote-32", size: image.Pt(1280, 720), format: fb.XRGB8888, args: virt, remote: true,
			boot: []string{"virtio_pci", "virtio_console", "virtio_gpu", "virtio_net"},
		},
		{
			name: "virt-32", size: image.Pt(1280, 720), format: fb.XRGB8888,
			boot: []string{"virtio_pci", "virtio_console"}, late: []string{"virtio_gpu"}, args: virt,
		},
		{
			name: "virt-32-pages", size: image.Pt(1280, 720), format: fb.XRGB8888, pages: true, brief: true,
			boot: []string{"virtio_pci", "virtio_console", "virtio_gpu"}, args: virt,
		},
		{name: "raspi-16", size: image.Pt(800, 480), format: fb.RGB565, args: raspi, opinion: true},
		{name: "raspi-32-bgr", size: image.Pt(800, 480), format: fb.ABGR8888, args: raspi, brief: true, pad: 16},
	}
}

// treeFormats maps formats to their names in a device tree (Documentation/devicetree/bindings/display/simple-framebuffer.yaml).
var treeFormats = map[fb.Format]string{
	fb.RGB565: "r5g6b5", fb.ARGB8888: "a8r8g8b8", fb.ABGR8888: "a8b8g8r8",
}

// virt returns the arguments for QEMU's virtual board with a graphics card of 32 bits.
func virt(_ context.Context, m *machine, _ *qemu.Kernel, dir string) ([]string, error) {
	kernel := quiet + "console=ttyAMA0 rig.port=/dev/vport1p1"
	if m.pages {
		kernel += " drm_kms_helper.drm_fbdev_overalloc=200" // size of the framebuffer, in percent of the screen
	}
	if m.parts {
		kernel += partsWords
	}
	args := append(qemu.Virt(m.size, m.outputs()...), "-device", "virtio-serial-pci", "-device", "virtserialport,chardev=line,name=rig", "-append", kernel)
	if m.card {
		args = append(args, "-vnc", "unix:"+filepath.Join(dir, vncFile)+",id=first,display="+cardDevice+",head=0",
			"-vnc", "unix:"+filepath.Join(dir, headFile)+",id=second,display="+cardDevice+",head=1")
	}
	if m.parts {
		args = append(args, "-device", "virtio-keyboard-pci")
	}
	if m.remote {
		args = append(args, "-netdev", "user,id="+cable, "-device", "virtio-net-pci,romfile=,netdev="+cable)
	}
	return args, nil
}

// raspi returns the arguments for a Raspberry Pi 3 whose firmware has set up a screen. The second serial port is the line between the rig
// and the guest.
func raspi(ctx context.Context, m *machine, k *qemu.Kernel, dir string) ([]string, error) {
	tree, err := os.ReadFile(k.Tree)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "tree.dtb")
	if err := os.WriteFile(path, tree, 0o644); err != nil {
		return nil, err
	}
	if err := qemu.Pi3().ScreenTree(ctx, path, m.size, m.pad, m.format.BytesPerPixel(), treeFormats[m.format]); err != nil {
		return nil, err
	}
	// QEMU shows a screen that is as wide as a row in memory. To the right of the real screen, it shows the bytes between two rows.
	return append(qemu.Pi3().Raspi(path, m.size.Add(image.Pt(m.pad, 0)), m.format.Bits, m.format.Red.Offset == 0),
		"-serial", "chardev:line", "-append", quiet+"console=ttyAMA0 rig.port=/dev/ttyS1 maxcpus=1"), nil
}

// The type running is a machine that QEMU has started, with the connection to its guest.
type running struct {
	*qemu.Machine
	guest *guest
}

// bootMachine starts QEMU with the files in `dir` and waits for the guest's first response.
func bootMachine(ctx context.Context, m *machine, k *qemu.Kernel, dir string) (*running, error) {
	args, err := m.args(ctx, m, k, dir)
	if err != nil {
		return nil, err
	}
	console, socket := filepath.Join(dir, consoleFile), filepath.Join(dir, lineFile)
	// On every machine, the console is the first serial port.
	args = append([]string{"-serial", "file:" + console}, args...)
	r := &running{}
	if r.Machine, err = qemu.Start(ctx, qemu.ARM64, dir, append(args, "-kernel", k.Image, "-initrd", filepath.Join(dir, initrdFile),
		"-chardev", "socket,id=line,path="+socket+",server=on,wait=off")...); err != nil {
		return nil, err
	}
	if err := r.connect(ctx, socket); err != nil {
		r.Stop()
		return nil, fmt.Errorf("%w\n%s", err, qemu.LastWords(console))
	}
	return r, nil
}

// connect opens the connection to the guest.
func (r *running) connect(ctx context.Context, socket string) error {
	ctx, cancel := context.WithTimeout(ctx, bootTime)
	defer cancel()
	line, err := qemu.Dial(ctx, socket, r.Dead)
	if err != nil {
		return err
	}
	r.guest, err = newGuest(line)
	return err
}
