package board

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
	"periph.io/x/conn/v3/gpio"

	"dashboard/fb/kernel"
)

// Requests and numbers of include/uapi/linux/gpio.h. The structures come from x/sys/unix.
const (
	getChipInfo = 0x8044b401 // GPIO_GET_CHIPINFO_IOCTL

	flagInput    = 1 << 2
	flagRising   = 1 << 4
	flagFalling  = 1 << 5
	flagPullUp   = 1 << 8
	flagPullDown = 1 << 9
	flagNoPull   = 1 << 10

	eventBytes = 48 // struct gpio_v2_line_event
	maxChips   = 16
)

// A Line is one input. Only one goroutine may use it, but any goroutine may call Halt.
type Line struct {
	number int
	file   *kernel.File
	pull   gpio.Pull
	buf    [eventBytes]byte
	broken atomic.Pointer[error]
}

var _ gpio.PinIn = (*Line)(nil)

// Open requests the line with the given number as an input that reports its edges. Other programs see `consumer` as the name of the line's
// user.
func Open(number int, pull gpio.Pull, consumer string) (*Line, error) {
	return openIn("/dev", number, pull, consumer)
}

func openIn(dev string, number int, pull gpio.Pull, consumer string) (*Line, error) {
	chips, refused := chipsIn(dev, lineName(number))
	path, offset, err := choose(chips, number)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", lineName(number), cmp.Or(refused, err))
	}
	c, err := kernel.Open(path)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	f, err := request(c, offset, pull, consumer)
	if errors.Is(err, unix.EBUSY) {
		err = fmt.Errorf("%w: %s has it", err, holder(c, offset))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", lineName(number), err)
	}
	return &Line{number: number, file: f, pull: pull}, nil
}

// chipsIn lists the chips in the folder `dev`. For each chip, it also returns the offset of the line with the given name. `refused` is
// the error of the last chip that could not be opened.
func chipsIn(dev, name string) (all []chip, refused error) {
	paths, _ := filepath.Glob(filepath.Join(dev, "gpiochip*"))
	for _, path := range paths[:min(len(paths), maxChips)] {
		f, err := kernel.Open(path)
		if err != nil {
			refused = err
			continue
		}
		var info unix.GPIOChipInfo
		if err := f.Ioctl(getChipInfo, unsafe.Pointer(&info)); err == nil {
			c := chip{path: path, label: text(info.Label[:]), lines: int(min(info.Lines, MaxNumber+1)), named: -1}
			c.named = find(f, c.lines, name)
			all = append(all, c)
		}
		_ = f.Close()
	}
	return all, refused
}

// find returns the offset of the line with a name. The result is below 0 if there is no such line.
func find(f *kernel.File, lines int, name string) int {
	for i := range lines {
		info := unix.GPIOV2LineInfo{Offset: uint32(i)}
		if f.Ioctl(unix.GPIO_V2_GET_LINEINFO_IOCTL, unsafe.Pointer(&info)) == nil && text(info.Name[:]) == name {
			return i
		}
	}
	return -1
}

// holder describes the program that uses a line, for an error message.
func holder(f *kernel.File, offset int) string {
	info := unix.GPIOV2LineInfo{Offset: uint32(offset)}
	if f.Ioctl(unix.GPIO_V2_GET_LINEINFO_IOCTL, unsafe.Pointer(&info)) != nil {
		return "something else"
	}
	return cmp.Or(text(info.Consumer[:]), "something else")
}

func text(b []byte) string {
	s, _, _ := bytes.Cut(b, []byte{0})
	return string(s)
}

func request(c *kernel.File, offset int, pull gpio.Pull, consumer string) (*kernel.File, error) {
	r := unix.GPIOV2LineRequest{Num_lines: 1}
	r.Offsets[0] = uint32(offset)
	copy(r.Consumer[:len(r.Consumer)-1], consumer)
	r.Config.Flags = flagInput | flagRising | flagFalling
	switch pull {
	case gpio.PullUp:
		r.Config.Flags |= flagPullUp
	case gpio.PullDown:
		r.Config.Flags |= flagPullDown
	case gpio.Float:
		r.Config.Flags |= flagNoPull
	}
	r.Config.Num_attrs = 1
	a := &r.Config.Attrs[0]
	a.Attr.Id, a.Mask = unix.GPIO_V2_LINE_ATTR_ID_DEBOUNCE, 1
	a.Attr.Flags = uint64(Debounce.Microseconds()) // this value is debounce_period_us, which is in the same union as Flags
	if err := c.Ioctl(unix.GPIO_V2_GET_LINE_IOCTL, unsafe.Pointer(&r)); err != nil {
		return nil, err
	}
	return kernel.FileOf(int(r.Fd), "gpio line")
}

// In implements gpio.PinIn. It accepts only the mode of the open line: an input with both edges.
func (l *Line) In(pull gpio.Pull, edge gpio.Edge) error {
	if pull != gpio.PullNoChange && pull != l.pull || edge != gpio.BothEdges {
		return errors.New("a line keeps the pull that it was opened with, and tells both edges")
	}
	return nil
}

// Read implements gpio.PinIn. If the line was removed, it returns Low, and Err returns the reason.
func (l *Line) Read() gpio.Level {
	v := unix.GPIOV2LineValues{Mask: 1}
	if err := l.file.Ioctl(unix.GPIO_V2_LINE_GET_VALUES_IOCTL, unsafe.Pointer(&v)); err != nil {
		l.broken.Store(&err)
		return gpio.Low
	}
	return v.Bits&1 != 0
}

// WaitForEdge implements gpio.PinIn. If the line was removed or halted, it returns false at once, and Err returns the reason.
func (l *Line) WaitForEdge(timeout time.Duration) bool {
	var by time.Time
	if timeout >= 0 {
		by = time.Now().Add(timeout)
	}
	err := l.file.SetReadDeadline(by)
	if err == nil {
		_, err = l.file.Read(l.buf[:])
	}
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		l.broken.Store(&err)
	}
	return err == nil
}

// Err returns the reason why the line can no longer be read, or nil.
func (l *Line) Err() error {
	if e := l.broken.Load(); e != nil {
		return *e
	}
	return nil
}

// Pull implements gpio.PinIn.
func (l *Line) Pull() gpio.Pull { return l.pull }

// DefaultPull implements gpio.PinIn. The default is unknown.
func (l *Line) DefaultPull() gpio.Pull { return gpio.PullNoChange }

// String implements conn.Resource.
func (l *Line) String() string { return l.Name() }

// Halt implements conn.Resource. It releases the line. A running WaitForEdge then returns.
func (l *Line) Halt() error { return l.file.Close() }

// Name implements pin.Pin.
func (l *Line) Name() string { return lineName(l.number) }

// Number implements pin.Pin.
func (l *Line) Number() int { return l.number }

// Function implements pin.Pin.
func (l *Line) Function() string { return "In" }

// Lines returns a short description of each chip.
func Lines() (all []string) {
	chips, refused := chipsIn("/dev", "")
	for _, c := range chips {
		all = append(all, fmt.Sprintf("%s: %s, %d lines", c.path, cmp.Or(c.label, "without a name"), c.lines))
	}
	if refused != nil {
		all = append(all, refused.Error())
	}
	return all
}
