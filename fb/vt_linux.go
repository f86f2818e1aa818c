package fb

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A terminal has the requests of a Console to a virtual terminal.
type terminal interface {
	// number returns the VT's number, 1 to 63.
	number() int
	mode() (int, error) // KDGETMODE
	setMode(int) error  // KDSETMODE
	switching() (vtMode, error)
	setSwitching(vtMode) error
	active() (int, error) // number of the VT in front
	activate() error      // request to come to the front
	reply(int) error      // VT_RELDISP
	write(string) error
	close() error
}

// vt is a terminal of the kernel.
type vt struct {
	fd   int
	num  int
	keep bool // fd is standard input, which must not be closed
}

// openVT opens the virtual terminal with a name. If the name is empty, it opens standard input if that is a terminal, as with
// systemd's StandardInput=tty, and otherwise the active terminal.
func openVT(name string) (*vt, error) {
	if name == "" {
		if n := vtNumber(0); n > 0 {
			return &vt{fd: 0, num: n, keep: true}, nil
		}
		active, err := os.ReadFile("/sys/class/tty/tty0/active")
		if err != nil {
			return nil, fmt.Errorf("fb: active console: %w", err)
		}
		name = strings.TrimSpace(string(active))
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join("/dev", name)
	}
	fd, err := unix.Open(name, unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("fb: open %s: %w", name, err)
	}
	n := vtNumber(fd)
	if n == 0 {
		unix.Close(fd)
		return nil, fmt.Errorf("fb: %s is not a virtual terminal", name)
	}
	return &vt{fd: fd, num: n}, nil
}

// vtNumber returns the number of the virtual terminal that is open as fd, or 0. /dev/tty0 means the active terminal.
func vtNumber(fd int) int {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFCHR {
		return 0
	}
	if unix.Major(uint64(st.Rdev)) != ttyMajor {
		return 0
	}
	n := int(unix.Minor(uint64(st.Rdev)))
	if n == 0 {
		n, _ = (&vt{fd: fd}).active()
	}
	if n > maxConsoles {
		return 0
	}
	return n
}

func (v *vt) number() int { return v.num }

// mode returns the mode. The request writes an int, which has four bytes on every machine.
func (v *vt) mode() (int, error) {
	var mode int32
	err := ioctl(v.fd, kdGetMode, unsafe.Pointer(&mode))
	return int(mode), err
}

func (v *vt) setMode(mode int) error { return unix.IoctlSetInt(v.fd, kdSetMode, mode) }

func (v *vt) switching() (m vtMode, err error) {
	err = ioctl(v.fd, vtGetMode, unsafe.Pointer(&m))
	return m, err
}

func (v *vt) setSwitching(m vtMode) error { return ioctl(v.fd, vtSetMode, unsafe.Pointer(&m)) }

func (v *vt) active() (int, error) {
	var s vtStat
	err := ioctl(v.fd, vtGetState, unsafe.Pointer(&s))
	return int(s.active), err
}

func (v *vt) activate() error     { return unix.IoctlSetInt(v.fd, vtActivate, v.num) }
func (v *vt) reply(arg int) error { return unix.IoctlSetInt(v.fd, vtRelDisp, arg) }

// write writes only if the terminal accepts the text at once. A terminal that was stopped with Ctrl-S would otherwise block the
// caller.
func (v *vt) write(s string) error {
	ready := []unix.PollFd{{Fd: int32(v.fd), Events: unix.POLLOUT}}
	if n, err := unix.Poll(ready, 0); err != nil || n == 0 || ready[0].Revents&unix.POLLOUT == 0 {
		return errors.Join(errors.New("fb: the console takes no text"), err)
	}
	_, err := unix.Write(v.fd, []byte(s))
	return err
}

func (v *vt) close() error {
	if v.keep {
		return nil
	}
	return unix.Close(v.fd)
}
