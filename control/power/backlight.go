package power

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// BacklightDir is the folder of the kernel's backlights. Documentation/ABI/stable/sysfs-class-backlight of the kernel describes its
// files.
const BacklightDir = "/sys/class/backlight"

const (
	// maxBacklights is the maximum number of backlights that are examined.
	maxBacklights = 8
	// maxAttribute is the maximum size of a kernel file that is read, in bytes. Such a file has at most one page of memory.
	maxAttribute = 4096
	// gamma converts perceived brightness to light: value = highest value × level^gamma.
	gamma = 2.2
)

// The values of the file bl_power (include/uapi/linux/fb.h, FB_BLANK).
const (
	lit  = 0
	dark = 4
)

// errIgnored is returned if a backlight has ignored a value.
var errIgnored = errors.New("the backlight ignored the value")

// A Panel is a Backend that uses a backlight of the kernel. Only one goroutine may use it.
type Panel struct {
	dir       string
	most      int
	found     int  // value at the time when the backlight was opened
	even      bool // whether equal steps of the value look equal
	connector string
	set       int // value that was written last; negative if none was
}

// FindPanel opens the backlight of a connector, such as DSI-1. `dir` contains the backlights. If no backlight belongs to the connector,
// FindPanel may open the only backlight. It does not do so if this backlight belongs to another connector, or if the connector is for a
// monitor cable. FindPanel returns nil if it finds no backlight.
func FindPanel(dir, connector string) *Panel {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var all []*Panel
	for _, e := range entries[:min(len(entries), maxBacklights)] {
		if p := openPanel(filepath.Join(dir, e.Name())); p != nil {
			all = append(all, p)
		}
	}
	for _, p := range all {
		if connector != "" && p.connector == connector {
			return p
		}
	}
	if len(all) != 1 || all[0].connector != "" && connector != "" || cabled(connector) {
		return nil
	}
	return all[0]
}

// cabled() reports whether a connector is for a monitor cable. It compares the kernel's names of connector types (drm_connector.c).
func cabled(connector string) bool {
	for _, kind := range []string{"HDMI-", "DP-", "VGA-", "DVI-", "USB-", "TV-", "Composite-", "SVIDEO-", "Component-", "DIN-", "Virtual-", "Writeback-"} {
		if strings.HasPrefix(connector, kind) {
			return true
		}
	}
	return false
}

// openPanel returns the backlight in a folder, or nil if the backlight is unusable.
func openPanel(dir string) *Panel {
	p := &Panel{dir: dir, set: -1}
	var err error
	if p.most, err = p.number("max_brightness"); err != nil || p.most <= 0 || p.most > math.MaxInt32 {
		return nil
	}
	if p.found, err = p.number("brightness"); err != nil {
		return nil
	}
	scale, _ := p.read("scale") // older kernels do not have this file. The value is then proportional to the light
	p.even = scale == "non-linear"
	if target, err := filepath.EvalSymlinks(filepath.Join(dir, "device")); err == nil {
		if card, name, ok := strings.Cut(filepath.Base(target), "-"); ok && strings.HasPrefix(card, "card") {
			p.connector = name
		}
	}
	return p
}

// Name returns the name of the backlight.
func (p *Panel) Name() string { return filepath.Base(p.dir) }

// Gone reports whether the driver of the backlight was removed. A later driver may create another backlight.
func (p *Panel) Gone() bool {
	_, err := os.Stat(filepath.Join(p.dir, "brightness"))
	return errors.Is(err, os.ErrNotExist)
}

// Kind implements Backend.
func (p *Panel) Kind() string { return Backlight }

// Power implements Backend. It writes only changes, and it reads each written value back.
func (p *Panel) Power(on bool) error {
	want := dark
	if on {
		want = lit
	}
	is, err := p.number("bl_power")
	if errors.Is(err, os.ErrNotExist) { // without bl_power, write the lowest brightness instead
		return p.powerByValue(on)
	}
	if err != nil || (is == lit) == on {
		return err
	}
	return p.write("bl_power", want)
}

func (p *Panel) powerByValue(on bool) error {
	is, err := p.number("brightness")
	if err != nil || (is > 0) == on {
		return err
	}
	if on {
		return p.write("brightness", p.value())
	}
	return p.write("brightness", 0)
}

// value returns the brightness value to write while the screen is on.
func (p *Panel) value() int {
	switch {
	case p.set > 0:
		return p.set
	case p.found > 0:
		return p.found
	}
	return p.most
}

// Dim implements Dimmer. At level 0 the backlight has the darkest value at which it is on, and at level 1 the brightest value. Dim writes
// a value only if it has changed.
func (p *Panel) Dim(level float64) error {
	if level < 0 {
		return p.undim()
	}
	least := 1
	if !p.even {
		level = math.Pow(level, gamma)
	}
	v := least + int(math.Round(float64(p.most-least)*min(1, max(0, level))))
	if v == p.set {
		return nil
	}
	if err := p.write("brightness", v); err != nil {
		return err
	}
	p.set = v
	return nil
}

// Leave implements Backend. It switches the backlight on and restores the original brightness.
func (p *Panel) Leave() error {
	return errors.Join(p.Power(true), p.undim())
}

// undim restores the original brightness.
func (p *Panel) undim() error {
	if p.set < 0 {
		return nil
	}
	p.set = -1
	return p.write("brightness", p.value())
}

func (p *Panel) read(name string) (string, error) {
	f, err := os.Open(filepath.Join(p.dir, name))
	if err != nil {
		return "", err
	}
	defer f.Close()
	buf := make([]byte, maxAttribute)
	n, err := f.Read(buf)
	if n == 0 {
		return "", fmt.Errorf("%s: nothing to read: %w", f.Name(), err)
	}
	return strings.TrimSpace(string(buf[:n])), nil
}

func (p *Panel) number(name string) (int, error) {
	s, err := p.read(name)
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s of %s is no number: %q", name, p.Name(), s)
	}
	return n, nil
}

// write writes a value to a file and checks it by reading the file again.
func (p *Panel) write(name string, v int) error {
	f, err := os.OpenFile(filepath.Join(p.dir, name), os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(strconv.Itoa(v))
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	is, err := p.number(name)
	if err == nil && is != v {
		err = fmt.Errorf("%s of %s: %w", name, p.Name(), errIgnored)
	}
	return err
}
