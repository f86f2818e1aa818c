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

// A terminal is a virtual terminal, with the requests that a Console needs.
type terminal interface {
	// number returns the number of the virtual terminal, 1 to 63.
	number() int
	mode() (int, error) // KDGETMODE
	setMode(int) error  // KDSETMODE
	switching() (vtMode, error)
	setSwitching(vtMode) error
	active() (int, error) // number of the terminal in front
	activate() error      // asks the kernel to bring the terminal to the front
	reply(int) error      // VT_RELDISP
	write(string) error
	close() error
}

// vt is a virtual terminal of the kernel.
type vt struct {
	fd   int
	num  int
	keep bool // true: do not close fd, because it is standard input
}

// openVT opens the virtual terminal with the given name. If the name is empty, it uses standard input if that is a terminal, as with
// systemd's StandardInput=tty. Otherwise it opens the active terminal.
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

// vtNumber returns the number of the virtual terminal that is open as fd, or 0 if fd is not a virtual terminal. For /dev/tty0 it returns
// the number of the active terminal.
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

// mode returns the terminal's mode. The kernel writes a C int, which has four bytes on every machine.
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

// write writes s only if the terminal accepts it at once. It must not block, for example on a terminal that was stopped with Ctrl-S.
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
