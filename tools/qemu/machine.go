// Package qemu runs emulated machines and takes pictures of their screens. It downloads their kernels from Debian.
package qemu

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

	"dashboard/tools/command"
)

// A Machine is a running QEMU.
type Machine struct {
	Monitor
	Dead  chan struct{} // closed when QEMU has ended
	Began time.Time
	cmd   *exec.Cmd
	dir   string
}

const (
	startTime = 2 * time.Minute  // bound of the time until QEMU has created its sockets, for a busy machine
	stopTime  = 20 * time.Second // bound of the time until QEMU has ended after it was killed
)

// ARM64 is the QEMU program that emulates arm64 boards.
const ARM64 = "qemu-system-aarch64"

// Start starts a machine without a window. Its files are in the folder `dir`. The machine ends when ctx ends, and also when it would
// reboot. `program` is the QEMU program for its processor.
func Start(ctx context.Context, program, dir string, args ...string) (*Machine, error) {
	m := &Machine{Dead: make(chan struct{}), Began: time.Now(), dir: dir}
	socket := filepath.Join(dir, "qmp")
	args = append(args, "-accel", "tcg", "-display", "none", "-no-reboot", "-nodefaults", "-qmp", "unix:"+socket+",server=on,wait=off")
	log, err := os.Create(filepath.Join(dir, "qemu.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	m.cmd = exec.CommandContext(ctx, program, args...)
	m.cmd.Stdout, m.cmd.Stderr = log, log
	if err := m.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = m.cmd.Wait() // only the end matters, not the result
		close(m.Dead)
	}()
	if err := m.reach(ctx, socket); err != nil {
		m.Stop()
		return nil, fmt.Errorf("%w: %s", err, LastWords(log.Name()))
	}
	return m, nil
}

func (m *Machine) reach(ctx context.Context, socket string) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	conn, err := Dial(ctx, socket, m.Dead)
	if err != nil {
		return err
	}
	m.Monitor, err = NewMonitor(conn)
	return err
}

// Stop ends the machine at once, as if the power failed.
func (m *Machine) Stop() {
	_ = m.cmd.Process.Kill() // fails if QEMU has ended already
	select {
	case <-m.Dead:
	case <-time.After(stopTime):
	}
	if m.conn != nil {
		m.conn.Close()
	}
}

// screenFile is the file in a machine's folder with the latest picture of its screen.
const screenFile = "screen.png"

// Look returns the picture on the screen. QEMU takes it from outside, without a program in the machine.
func (m *Machine) Look() (*image.RGBA, error) {
	return m.dump(map[string]any{})
}

// LookAt returns the picture on one of several screens of a graphics card.
func (m *Machine) LookAt(device string, head int) (*image.RGBA, error) {
	return m.dump(map[string]any{"device": device, "head": head})
}

func (m *Machine) dump(screen map[string]any) (*image.RGBA, error) {
	screen["filename"], screen["format"] = m.Looked(), "png"
	if err := m.Do("screendump", screen); err != nil {
		return nil, err
	}
	return ReadPNG(m.Looked())
}

// Looked returns the path of the file that Look has written last.
func (m *Machine) Looked() string { return filepath.Join(m.dir, screenFile) }

// Processor returns how much processor time QEMU has used. Other programs on this machine affect elapsed time, but not processor time.
// The result is the sum of fields 14 and 15 in /proc/PID/stat, in ticks of 10 ms, see proc_pid_stat(5).
func (m *Machine) Processor() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", m.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ") // skip the name, because it may contain spaces
	words := strings.Fields(rest)
	if len(words) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(words[11])
	system, _ := strconv.Atoi(words[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// LastWords returns the end of a log file. If the file cannot be read, it returns the error as a text.
func LastWords(path string) string {
	const enough = 2 << 10 // enough for the output of a kernel panic
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text[max(0, len(text)-enough):]))
}

// Virt returns the arguments of QEMU's board "virt" with a graphics card. `card` contains further arguments for this card.
func Virt(size image.Point, card ...string) []string {
	return []string{
		"-M", "virt", "-cpu", "cortex-a72", "-m", "512",
		"-device", strings.Join(append([]string{fmt.Sprintf("virtio-gpu-pci,xres=%d,yres=%d", size.X, size.Y)}, card...), ","),
	}
}

// PC returns the arguments of a PC of 2009 or later with a graphics card. The caller must add the firmware.
func PC(size image.Point) []string {
	return []string{
		"-M", "q35", "-cpu", "max", "-m", "512",
		"-device", fmt.Sprintf("virtio-vga,xres=%d,yres=%d", size.X, size.Y),
	}
}

// A Pi is a model of Raspberry Pi that QEMU can emulate.
type Pi struct {
	Machine string   // QEMU's name of the board
	chip    string   // QEMU's name of a board with the same processors
	cells   int      // number of 32-bit words of an address at the top level of its device tree
	lacks   []string // nodes of the device tree that QEMU does not emulate
	drop    []string // path of a node, and names of its properties that refer to devices without emulation
}

// Pi3 returns a Raspberry Pi 3 B.
func Pi3() Pi { return Pi{"raspi3b", "bcm2837", 1, []string{"/soc/gpu"}, nil} }

// Pi4 returns a Raspberry Pi 4 B, which QEMU emulates since version 9.
func Pi4() Pi {
	return Pi{"raspi4b", "bcm2838", 2, []string{
		"/gpu", "/soc/interrupt-controller@7ef00100", "/soc/clock@7ef00000", "/soc/hdmi@7ef00700", "/soc/hdmi@7ef05700", "/soc/i2c@7ef04500", "/soc/i2c@7ef09500",
		"/emmc2bus/mmc@7e340000",
	}, []string{"/soc/mmc@7e300000", "mmc-pwrseq"}} // QEMU has the card at the place where a real board has the radio
}

// Raspi returns the arguments of a Raspberry Pi with the screen that its device tree describes (see ScreenTree). The machine has one
// processor, because emulating more would only cost time. `redFirst` means that red is in the lowest byte of a 32-bit pixel.
func (p Pi) Raspi(tree string, size image.Point, bits int, redFirst bool) []string {
	order := "0"
	if redFirst || bits < 32 {
		order = "1"
	}
	return []string{
		"-M", p.Machine, "-dtb", tree, "-global", p.chip + ".enabled-cpus=1",
		"-global", "bcm2835-fb.xres=" + strconv.Itoa(size.X), "-global", "bcm2835-fb.yres=" + strconv.Itoa(size.Y),
		"-global", "bcm2835-fb.bpp=" + strconv.Itoa(bits), "-global", "bcm2835-fb.pixo=" + order,
	}
}

// HasMachine reports whether a QEMU program can emulate the given board.
func HasMachine(ctx context.Context, program, machine string) (bool, error) {
	list, err := command.Run(ctx, nil, program, "-M", "help")
	return strings.Contains(list, "\n"+machine+" "), err
}
