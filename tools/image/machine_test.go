package main

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dashboard/tools/qemu"
)

// A machine is an emulated machine with our card.
type machine struct {
	*qemu.Machine
	kit   *kit
	dir   string
	began bool          // the machine has shown the start screen
	last  *image.RGBA   // the last screenshot
	pause time.Duration // time between two screenshots, or 0 for lookPause
	lit   bool          // true after a screenshot that was not black
	dark  int           // number of consecutive black screenshots after the latest one that was not black
	keeps *album        // stores the screenshots, or nil if they are not stored
	stray int           // largest number of pixels that were neither black nor part of the picture, in a screenshot before the picture
}

const (
	lookPause   = 2 * time.Second // a screenshot takes 0.3 s of processor time
	reportPause = 5 * time.Second
	deadTime    = time.Minute // maximum time from a failed screenshot to the end of QEMU
)

// cardSize is the size of the emulated card: QEMU requires a power of two.
const cardSize = 512 << 20

// longDark gives a kept slot more time for its first frame than a board needs, because an emulated machine is slow. A case may set another
// time earlier on the kernel's command line, because the first value counts.
const longDark = "appliance.dark=2700"

// longLay gives the unit that unpacks the wall of config_url more time than a board needs (systemd.system-credentials(7), systemd.unit-dropin.*).
func longLay() string {
	return "systemd.set_credential_binary=systemd.unit-dropin.appliance-wall-lay.service:" +
		base64.StdEncoding.EncodeToString([]byte("[Service]\nTimeoutStartSec=900\n"))
}

// start switches a machine on. `more` is added to the kernel's command line. The command line disables the watchdog, because QEMU's
// Raspberry Pi restarts as soon as the watchdog is armed.
func (t *tester) start(ctx context.Context, d *disk, name, more string) (*machine, error) {
	dir, err := os.MkdirTemp(t.kit.dir, "machine-")
	if err != nil {
		return nil, err
	}
	disk := filepath.Join(dir, "disk")
	l, err := net.Listen("unix", disk)
	if err != nil {
		return nil, err
	}
	go func() {
		if err := d.Serve(ctx, l); err != nil {
			fmt.Fprintln(os.Stderr, "disk:", err)
		}
	}()
	more = "systemd.watchdog_sec=0 systemd.default_timeout_start_sec=900 " + longLay() + " appliance.paint=120 " + more + " " + *moreLine + " " + longDark
	m := &machine{dir: dir, kit: t.kit}
	program, arguments := t.firmware(dir, more)
	m.Machine, err = qemu.Start(ctx, program, dir, append(append(t.hardware(disk), arguments...), "-serial", "chardev:line", "-chardev", "socket,id=line,server=on,wait=off,path="+m.line()+",logfile="+filepath.Join(t.dir, name+".log"),
		"-object", "filter-dump,id=dump,netdev=n0,file="+filepath.Join(dir, "net.pcap"))...)
	if err != nil {
		l.Close()
		return nil, err
	}
	go func() {
		<-m.Dead // stop serving the disk when the machine has ended
		l.Close()
	}()
	return m, nil
}

// startShown starts a machine and waits for its picture.
func (t *tester) startShown(ctx context.Context, d *disk, name, more string) (*machine, error) {
	m, err := t.start(ctx, d, name, more)
	if err != nil {
		return nil, err
	}
	if _, err := m.await(ctx, t.kit.want, paintTolerance, pictureTime); err != nil {
		m.Stop()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// line returns the socket of the machine's serial line. The machine's log also contains the output on this line.
func (m *machine) line() string { return filepath.Join(m.dir, "line") }

// The firmware of a PC, and the file with the firmware's settings. Each machine has its own copy of the settings file.
const (
	efiCode     = "/usr/share/OVMF/OVMF_CODE_4M.fd"
	efiSettings = "/usr/share/OVMF/OVMF_VARS_4M.fd"
)

// firmware returns the QEMU program and the arguments that start the kernel. `more` is added to the kernel's command line. For a
// Raspberry Pi, QEMU loads the kernel itself. For a PC, QEMU runs the firmware OVMF, from which the boot loader reads `more`
// (systemd-boot(7), io.systemd.boot.kernel-cmdline-extra).
func (t *tester) firmware(dir, more string) (program string, arguments []string) {
	if processor() == arm64 {
		return emulator(), []string{
			"-kernel", t.kit.kernel, "-initrd", t.kit.initrd, "-append", t.kit.cmdline + " console=ttyAMA0 " + processors() + more,
		}
	}
	return emulator(), []string{
		"-drive", "if=pflash,format=raw,readonly=on,file=" + efiCode, "-drive", "if=pflash,format=raw,snapshot=on,file=" + efiSettings,
		"-smbios", "type=11,value=io.systemd.boot.kernel-cmdline-extra=console=ttyS0 " + more,
	}
}

// processors() limits the kernel of a Raspberry Pi to one processor, because QEMU starts only one processor. The kernel would wait five
// seconds for each of the other processors.
func processors() string {
	if strings.HasPrefix(*board, "raspi") {
		return "maxcpus=1 "
	}
	return ""
}

// countInstructions makes the machine's clock count instructions, 2 ns each. So the clock does not depend on the load of the host.
var countInstructions = []string{"-icount", "shift=1,sleep=off"}

// hardware returns QEMU's arguments for the machine under test and its disk.
func (t *tester) hardware(disk string) []string {
	args := append(t.board(disk), t.more...)
	if *icount {
		args = append(args, countInstructions...)
	}
	return args
}

func (t *tester) board(disk string) []string {
	drive := "format=raw,file=nbd+unix:///?socket=" + disk
	if *board == "q35" {
		return append(qemu.PC(screenSize),
			"-netdev", "user,id=n0"+t.forward, "-device", "virtio-net-pci,netdev=n0,romfile=",
			"-drive", "if=none,id=d0,"+drive, "-device", "ide-hd,drive=d0,bus=ide.0")
	}
	switch *board {
	case qemu.Pi3().Machine:
		return append(qemu.Pi3().Raspi(t.kit.tree, screenSize, 32, false),
			"-netdev", "user,id=n0"+t.forward, "-device", "usb-net,netdev=n0", "-drive", "if=sd,"+drive)
	case qemu.Pi4().Machine: // QEMU does not emulate the Ethernet of this board, or the PCI bus to which its USB controller is connected
		return append(qemu.Pi4().Raspi(t.kit.tree, screenSize, 32, false),
			"-netdev", "user,id=n0"+t.forward, "-device", "usb-net,netdev=n0", "-drive", "if=sd,"+drive)
	}
	return append(qemu.Virt(screenSize),
		"-netdev", "user,id=n0"+t.forward, "-device", "virtio-net-pci,netdev=n0,romfile=",
		"-drive", "if=none,id=d0,"+drive, "-device", "virtio-blk-pci,drive=d0")
}

// errEnded reports that the machine switched itself off or restarted. QEMU reports both events in the same way.
var errEnded = errors.New("the machine restarted")

// await waits for the picture. It returns the time from the start to the first screenshot with the picture. The picture may have appeared
// earlier, by at most one pause between two screenshots.
func (m *machine) await(ctx context.Context, want *image.RGBA, tolerance int, limit time.Duration) (time.Duration, error) {
	left := 0
	for time.Since(m.Began) < limit {
		got, err := m.Look()
		if err != nil {
			m.awaitDead(ctx)
		}
		select {
		case <-m.Dead:
			return 0, errEnded
		case <-ctx.Done():
			return 0, ctx.Err()
		default:
		}
		if err != nil {
			return 0, err
		}
		m.last = got
		m.keeps.add(m)
		if left = differ(m.kit.wall(got), m.kit.wall(want), tolerance); left == 0 {
			return time.Since(m.Began), nil
		}
		m.seen(got)
		for _, s := range m.kit.starts {
			m.began = m.began || differ(got, s, tolerance) == 0
		}
		if processor() == amd64 && !m.began {
			time.Sleep(cmp.Or(m.pause, lookPause)) // the firmware's own picture is not checked
			continue
		}
		m.stray = max(m.stray, strayPixels(m.kit.wall(got), tolerance, append(m.kit.starts, want)...))
		time.Sleep(cmp.Or(m.pause, lookPause))
	}
	return 0, fmt.Errorf("after %v %d pixels of the picture are others", limit, left)
}

// awaitDead waits for the end of QEMU after a failed screenshot. QEMU closes its socket before it ends.
func (m *machine) awaitDead(ctx context.Context) {
	select {
	case <-m.Dead:
	case <-ctx.Done():
	case <-time.After(deadTime):
	}
}

// seen() counts the consecutive black screenshots after a screenshot that was not black. A screen of another size is QEMU's own screen.
func (m *machine) seen(got *image.RGBA) {
	if got.Rect != m.kit.want.Rect {
		return
	}
	if black(got) {
		if m.lit {
			m.dark++
		}
		return
	}
	m.lit, m.dark = true, 0
}

func black(pic *image.RGBA) bool {
	for i := 0; i < len(pic.Pix); i += 4 {
		if apart(pic.Pix[i:], []uint8{0, 0, 0}, 0) {
			return false
		}
	}
	return true
}

// keep() writes the last screenshot into the folder of pictures.
func (t *tester) keep(m *machine, name string) error {
	content, err := os.ReadFile(m.Looked())
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(t.dir, name+".png"), content, 0o644)
}
