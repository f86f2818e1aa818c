package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"dashboard/tools/image/nbd"
)

// A machine is QEMU with our card in it.
type machine struct {
	cmd   *exec.Cmd
	dir   string
	began time.Time
	dead  chan struct{} // closed when QEMU has ended
	conn  net.Conn
	in    *json.Decoder
	stray int // the most pixels seen on the way to the picture that were neither black nor its own
}

const (
	socketTime  = 30 * time.Second // for QEMU to make its sockets, on a busy machine
	answerTime  = 30 * time.Second // for it to answer
	socketPause = 20 * time.Millisecond
	lookPause   = 3 * time.Second // looking takes 0.3 s of a processor
	reportPause = 5 * time.Second
)

// cardSize is that of the emulated card: QEMU wants a power of two.
const cardSize = 512 << 20

// start switches a machine on. more is added to the kernel's command line. Without a watchdog, because
// QEMU's Raspberry Pi restarts the moment it is armed.
func (t *tester) start(ctx context.Context, d *nbd.Disk, name, more string) (*machine, error) {
	dir, err := os.MkdirTemp(t.kit.dir, "machine-")
	if err != nil {
		return nil, err
	}
	m := &machine{dir: dir, began: time.Now(), dead: make(chan struct{})}
	disk := filepath.Join(dir, "disk")
	if err := t.insert(ctx, m, d, disk); err != nil {
		return nil, err
	}
	line := t.kit.cmdline + " console=ttyAMA0 systemd.watchdog_sec=0 systemd.default_timeout_start_sec=900 " + more
	args := append(t.hardware(disk), "-kernel", t.kit.kernel, "-initrd", t.kit.initrd, "-append", line,
		"-display", "none", "-no-reboot", "-nodefaults", "-accel", "tcg",
		"-serial", "file:"+filepath.Join(t.dir, name+".log"),
		"-object", "filter-dump,id=dump,netdev=n0,file="+filepath.Join(dir, "net.pcap"),
		"-qmp", "unix:"+filepath.Join(dir, "qmp")+",server=on,wait=off")
	log, err := os.Create(filepath.Join(dir, "qemu.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	m.cmd = exec.CommandContext(ctx, "qemu-system-aarch64", args...)
	m.cmd.Stdout, m.cmd.Stderr = log, log
	if err := m.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = m.cmd.Wait() // that it ended is what counts
		close(m.dead)
	}()
	if err := m.connect(); err != nil {
		m.stop()
		text, _ := os.ReadFile(log.Name())
		return nil, fmt.Errorf("%w: %s", err, text)
	}
	return m, nil
}

// insert serves a disk on a socket for as long as the machine is on.
func (t *tester) insert(ctx context.Context, m *machine, d *nbd.Disk, socket string) error {
	l, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	go func() {
		if err := d.Serve(ctx, l); err != nil {
			t.say("disk: %v", err)
		}
	}()
	go func() {
		select {
		case <-m.dead:
		case <-ctx.Done():
		}
		l.Close()
	}()
	return nil
}

// hardware are QEMU's arguments for the machine under test with its disk.
func (t *tester) hardware(disk string) []string {
	size := []string{strconv.Itoa(screenSize.X), strconv.Itoa(screenSize.Y)}
	if t.test.machine == "raspi3b" {
		// Only one of its processors is started: the others would be emulated waiting.
		return []string{
			"-M", "raspi3b", "-dtb", t.kit.tree, "-global", "bcm2837.enabled-cpus=1",
			"-global", "bcm2835-fb.xres=" + size[0], "-global", "bcm2835-fb.yres=" + size[1],
			"-global", "bcm2835-fb.bpp=32", "-global", "bcm2835-fb.pixo=0",
			"-netdev", "user,id=n0", "-device", "usb-net,netdev=n0",
			"-drive", "if=sd,format=raw,file=nbd+unix:///?socket=" + disk,
		}
	}
	return []string{
		"-M", "virt", "-cpu", "cortex-a72", "-m", "512",
		"-device", "virtio-gpu-pci,xres=" + size[0] + ",yres=" + size[1],
		"-netdev", "user,id=n0", "-device", "virtio-net-pci,netdev=n0,romfile=",
		"-drive", "if=none,id=d0,format=raw,file=nbd+unix:///?socket=" + disk, "-device", "virtio-blk-pci,drive=d0",
	}
}

// connect reaches QEMU's monitor (docs/interop/qmp-spec).
func (m *machine) connect() error {
	for end := time.Now().Add(socketTime); ; time.Sleep(socketPause) {
		var err error
		if m.conn, err = net.Dial("unix", filepath.Join(m.dir, "qmp")); err == nil {
			break
		}
		select {
		case <-m.dead:
			return errors.New("qemu ended")
		default:
		}
		if time.Now().After(end) {
			return err
		}
	}
	m.in = json.NewDecoder(m.conn)
	var greeting map[string]any
	if err := m.in.Decode(&greeting); err != nil {
		return err
	}
	return m.do("qmp_capabilities", nil)
}

// do runs a command of the monitor. Events are skipped.
func (m *machine) do(name string, arguments map[string]any) error {
	if err := m.conn.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return err
	}
	q := map[string]any{"execute": name}
	if arguments != nil {
		q["arguments"] = arguments
	}
	if err := json.NewEncoder(m.conn).Encode(q); err != nil {
		return err
	}
	for {
		var a struct {
			Return json.RawMessage
			Error  *struct{ Desc string }
		}
		switch err := m.in.Decode(&a); {
		case err != nil:
			return fmt.Errorf("qmp: %s: %w", name, err)
		case a.Error != nil:
			return fmt.Errorf("qmp: %s: %s", name, a.Error.Desc)
		case a.Return != nil:
			return nil
		}
	}
}

// look returns what the screen shows, seen from outside the machine.
func (m *machine) look() (*image.RGBA, error) {
	path := filepath.Join(m.dir, "screen.png")
	if err := m.do("screendump", map[string]any{"filename": path, "format": "png"}); err != nil {
		return nil, err
	}
	return readPNG(path)
}

// stop pulls the plug: no process of the machine does anything more.
func (m *machine) stop() {
	_ = m.cmd.Process.Kill() // it may have ended
	<-m.dead
	if m.conn != nil {
		m.conn.Close()
	}
}

// processor returns how long QEMU has kept a processor busy: unlike the time, it does not depend on what
// else this machine does. Clock ticks of 10 ms are in fields 14 and 15, proc_pid_stat(5).
func (m *machine) processor() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", m.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name may have spaces
	words := strings.Fields(rest)
	if len(words) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(words[11])
	system, _ := strconv.Atoi(words[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// errEnded says that the machine switched itself off, or restarted, which QEMU is told to take for the same.
var errEnded = errors.New("the machine restarted")

// await looks until the picture is there. It returns how long after the start that was, the time between
// two looks included.
func (m *machine) await(ctx context.Context, want *image.RGBA, tolerance int, limit time.Duration) (time.Duration, error) {
	left := 0
	for time.Since(m.began) < limit {
		got, err := m.look()
		select {
		case <-m.dead:
			return 0, errEnded
		case <-ctx.Done():
			return 0, ctx.Err()
		default:
		}
		if err != nil {
			return 0, err
		}
		if left = differ(got, want, tolerance); left == 0 {
			return time.Since(m.began), nil
		}
		m.stray = max(m.stray, strayPixels(got, want, tolerance))
		time.Sleep(lookPause)
	}
	return 0, fmt.Errorf("after %v %d pixels of the picture are others", limit, left)
}

// keep writes the screen as it was last looked at into the folder of pictures.
func (t *tester) keep(m *machine, name string) error {
	content, err := os.ReadFile(filepath.Join(m.dir, "screen.png"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(t.dir, name+".png"), content, 0o644)
}
