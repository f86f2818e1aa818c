package main

import (
	"context"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"dashboard/fb"
)

// A machine is a computer that QEMU makes, with its screen.
type machine struct {
	name   string
	size   image.Point
	format fb.Format
	// boot are the modules it needs at the start, late those that make its framebuffer.
	boot, late []string
	// args returns QEMU's arguments; the machine's files are in dir.
	args func(m *machine, k *kernel, dir string) ([]string, error)

	brief   bool // what does not depend on the format was tried on another machine
	pages   bool // its memory has room for two pages, which are to be flipped
	opinion bool // there is a second opinion about its format
	remote  bool // it is a remote screen, with a network
}

// try boots the machine for what is tried on it.
func (m *machine) try(ctx context.Context, l *lab, dir string) (trial, error) {
	if m.remote {
		return newRemote(ctx, l, m, dir)
	}
	return newBench(ctx, l, m, dir)
}

// Names of a machine's files in its folder.
const (
	initrdFile  = "initrd"
	consoleFile = "console.log"
	monitorFile = "qmp"
	lineFile    = "line"
)

// quiet is what every kernel is told: text on the screen only if it is an emergency or comes from the rig,
// no blinking cursor in the pictures, and the end of the machine instead of a standstill.
const quiet = "console=tty0 quiet loglevel=3 panic=-1 vt.global_cursor_default=0 "

// The network of a remote screen: QEMU's user mode, in which the host's loopback has an address.
const (
	cable        = "cable" // its name in QEMU
	guestAddress = "10.0.2.15/24"
	hostAddress  = "10.0.2.2"
)

// plug connects and disconnects the network cable.
func (r *running) plug(in bool) error {
	return r.monitor.do("set_link", map[string]any{"name": cable, "up": in})
}

// machines are all there are, in the order in which they are booted.
func machines() []*machine {
	return []*machine{
		{
			name: "virt-32", size: image.Pt(1280, 720), format: fb.XRGB8888,
			boot: []string{"virtio_pci", "virtio_console"}, late: []string{"virtio_gpu"}, args: virt,
		},
		{
			name: "virt-32-pages", size: image.Pt(1280, 720), format: fb.XRGB8888, pages: true, brief: true,
			boot: []string{"virtio_pci", "virtio_console", "virtio_gpu"}, args: virt,
		},
		{name: "raspi-16", size: image.Pt(800, 480), format: fb.RGB565, args: raspi, opinion: true},
		{name: "raspi-32-bgr", size: image.Pt(800, 480), format: fb.ABGR8888, args: raspi, brief: true},
		{
			name: "remote-32", size: image.Pt(1280, 720), format: fb.XRGB8888, args: virt, remote: true,
			boot: []string{"virtio_pci", "virtio_console", "virtio_gpu", "virtio_net"},
		},
	}
}

// virt is QEMU's board without a model, with a graphics card of 32 bits.
func virt(m *machine, k *kernel, dir string) ([]string, error) {
	kernel := quiet + "console=ttyAMA0 rig.port=/dev/vport1p1"
	if m.pages {
		kernel += " drm_kms_helper.drm_fbdev_overalloc=200" // percent of the screen
	}
	args := []string{
		"-M", "virt", "-cpu", "cortex-a72", "-m", "512", "-accel", "tcg",
		"-device", fmt.Sprintf("virtio-gpu-pci,xres=%d,yres=%d", m.size.X, m.size.Y),
		"-serial", "file:" + filepath.Join(dir, consoleFile),
		"-device", "virtio-serial-pci", "-device", "virtserialport,chardev=line,name=rig",
		"-append", kernel,
	}
	if m.remote {
		args = append(args, "-netdev", "user,id="+cable, "-device", "virtio-net-pci,romfile=,netdev="+cable)
	}
	return args, nil
}

// raspi is a Raspberry Pi 3 whose firmware has set up a screen. Only one of its processors is started: the
// others would be emulated waiting. The line is its second serial port.
func raspi(m *machine, k *kernel, dir string) ([]string, error) {
	dtb := filepath.Join(dir, dtbFile)
	if err := screenTree(k.dtb, dtb, m.size, m.format); err != nil {
		return nil, err
	}
	order := "1" // as the formats are usual: of 32 bits, with red in the lowest byte
	if m.format.Bits == 32 && m.format.Red.Offset > 0 {
		order = "0"
	}
	return []string{
		"-M", "raspi3b", "-accel", "tcg", "-dtb", dtb, "-global", "bcm2837.enabled-cpus=1",
		"-global", "bcm2835-fb.xres=" + strconv.Itoa(m.size.X), "-global", "bcm2835-fb.yres=" + strconv.Itoa(m.size.Y),
		"-global", "bcm2835-fb.bpp=" + strconv.Itoa(m.format.Bits), "-global", "bcm2835-fb.pixo=" + order,
		"-serial", "file:" + filepath.Join(dir, consoleFile), "-serial", "chardev:line",
		"-append", quiet + "console=ttyAMA0 rig.port=/dev/ttyS1 maxcpus=1",
	}, nil
}

// A running machine.
type running struct {
	*monitor
	guest *guest
	cmd   *exec.Cmd
	dead  chan struct{} // closed when QEMU has ended
}

// bootMachine starts QEMU on the files in dir and waits for the guest's first word.
func bootMachine(ctx context.Context, m *machine, k *kernel, dir string) (*running, error) {
	args, err := m.args(m, k, dir)
	if err != nil {
		return nil, err
	}
	args = append(args, "-kernel", k.image, "-initrd", filepath.Join(dir, initrdFile),
		"-display", "none", "-no-reboot", "-nodefaults",
		"-qmp", "unix:"+filepath.Join(dir, monitorFile)+",server=on,wait=off",
		"-chardev", "socket,id=line,path="+filepath.Join(dir, lineFile)+",server=on,wait=off")
	r := &running{cmd: exec.CommandContext(ctx, "qemu-system-aarch64", args...), dead: make(chan struct{})}
	log, err := os.Create(filepath.Join(dir, "qemu.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	r.cmd.Stdout, r.cmd.Stderr = log, log
	if err := r.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = r.cmd.Wait() // how it ended is of no interest, that it did is
		close(r.dead)
	}()
	if err := r.connect(ctx, dir); err != nil {
		r.stop()
		return nil, fmt.Errorf("%w\n%s\n%s", err, lastWords(filepath.Join(dir, consoleFile)), lastWords(log.Name()))
	}
	return r, nil
}

// lastWords is the end of a log, as far as there is one.
func lastWords(path string) string {
	const enough = 2 << 10 // a kernel's panic
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text[max(0, len(text)-enough):]))
}

// connect reaches the monitor and the guest.
func (r *running) connect(ctx context.Context, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, bootTime)
	defer cancel()
	line, err := dial(ctx, filepath.Join(dir, lineFile), r.dead)
	if err != nil {
		return err
	}
	conn, err := dial(ctx, filepath.Join(dir, monitorFile), r.dead)
	if err != nil {
		return err
	}
	if r.monitor, err = newMonitor(conn); err != nil {
		return err
	}
	r.guest, err = newGuest(line)
	return err
}

// stop pulls the plug.
func (r *running) stop() {
	_ = r.cmd.Process.Kill() // it may have ended
	select {
	case <-r.dead:
	case <-time.After(monitorTime):
	}
}
