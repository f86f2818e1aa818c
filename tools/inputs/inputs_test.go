// Package inputs tests touchscreens, keys and GPIO lines of a board with a real kernel in QEMU: make input-test.
package inputs

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dashboard/tools/image/initramfs"
	"dashboard/tools/qemu"
)

var inputs = flag.Bool("inputs", false, "boot a kernel in QEMU and touch it")

// patience is the maximum time of every wait. An emulated board on a busy machine takes a minute to boot.
const patience = 4 * time.Minute

// A console is the file with the board's output.
type console struct {
	t    *testing.T
	path string
}

// says() waits until the board has printed `want`. It ignores the text before `from`. It returns the position after the text.
func (c console) says(from int, want string) (end int) {
	c.t.Helper()
	for begin := time.Now(); time.Since(begin) < patience; time.Sleep(50 * time.Millisecond) {
		text, _ := os.ReadFile(c.path) // before the board prints anything, the file does not exist
		if i := strings.Index(string(text[min(from, len(text)):]), want); i >= 0 {
			return from + i + len(want)
		}
	}
	text, _ := os.ReadFile(c.path)
	c.t.Fatalf("the board did not say %q:\n%s", want, text)
	return 0
}

func kernel(ctx context.Context, t *testing.T) *qemu.Kernel {
	t.Helper()
	k, err := qemu.GetKernel(ctx, []string{"trixie"}, false, t.Logf)
	if err == nil {
		if _, err = k.Modules.Order("virtio_input", "evdev"); err != nil { // the cached kernel does not contain the modules yet
			k, err = qemu.GetKernel(ctx, []string{"trixie"}, true, t.Logf)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// pack creates the board's first file system with the guest and the modules that it loads.
func pack(ctx context.Context, t *testing.T, k *qemu.Kernel, dir string) (path string) {
	t.Helper()
	build := exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(dir, "guest"), "./guest")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=arm64")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	program, err := os.ReadFile(filepath.Join(dir, "guest"))
	if err != nil {
		t.Fatal(err)
	}
	order, err := k.Modules.Order("virtio_pci", "evdev", "virtio_input")
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "initrd")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a := initramfs.NewArchive(f)
	a.Device("dev/console", 5, 1)
	var paths []string
	for _, name := range order {
		paths = append(paths, "/modules/"+name+".ko")
		a.File("/modules/"+name+".ko", k.Modules.File(name))
	}
	a.File("/modules/order", []byte(strings.Join(paths, "\n")))
	a.Program("/init", program)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestInputs boots a board with a touchscreen and a keyboard, and sends events to them from outside.
func TestInputs(t *testing.T) {
	if !*inputs {
		t.Skip("make input-test boots a kernel")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	k, dir := kernel(ctx, t), t.TempDir()
	c := console{t, filepath.Join(dir, "console")}
	m, err := qemu.Start(ctx, qemu.ARM64, dir, "-M", "virt", "-cpu", "cortex-a72", "-m", "256", "-device", "virtio-tablet-pci", "-device", "virtio-keyboard-pci",
		"-kernel", k.Image, "-initrd", pack(ctx, t, k, dir), "-serial", "file:"+c.path, "-append", "console=ttyAMA0 quiet loglevel=3 panic=-1")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Stop()
	do := func(name string, arguments map[string]any) {
		t.Helper()
		if err := m.Do(name, arguments); err != nil {
			t.Fatal(err)
		}
	}
	abs := func(axis string, v int) any {
		return map[string]any{"type": "abs", "data": map[string]any{"axis": axis, "value": v}}
	}
	finger := func(x, y int, down bool) {
		t.Helper()
		do("input-send-event", map[string]any{"events": []any{abs("x", x), abs("y", y), map[string]any{"type": "btn", "data": map[string]any{"button": "left", "down": down}}}})
	}
	key := func(code string) {
		t.Helper()
		do("send-key", map[string]any{"keys": []any{map[string]any{"type": "qcode", "data": code}}})
	}
	at := c.says(0, "wall: line: <nil>")
	at = c.says(at, "line again: GPIO3: device or resource busy: wall has it")
	c.says(at, "QEMU Virtio Tablet: touch true, keys false, full false")
	at = c.says(at, "QEMU Virtio Keyboard: touch false, keys true, full true")
	t.Logf("listening %v after the start", time.Since(m.Began).Round(100*time.Millisecond))
	finger(16384, 8192, true)
	at = c.says(at, "1 down at 0.50,0.25")
	at = c.says(at, "QEMU Virtio Tablet: rests")
	finger(32767, 32767, true)
	at = c.says(at, "1 down at 1.00,1.00")
	finger(32767, 32767, false)
	at = c.says(at, "0 down at 1.00,1.00")
	key("left")
	at = c.says(at, "keys [105]")
	do("system_powerdown", nil)
	at = c.says(at, "line is High")
	at = c.says(at, "line is Low")
	key("9")
	at = c.says(at, "keys [10]")
	at = c.says(at, ": gone")
	at = c.says(at, "QEMU Virtio Tablet: touch true")
	finger(8192, 24576, true)
	c.says(at, "1 down at 0.25,0.75")
}
