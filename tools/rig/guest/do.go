//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"dashboard/internal/testing/programtest"
	"dashboard/tools/first"
	"dashboard/tools/rig/wire"
)

// keepLog bounds how much of a program's output is returned. Only the end of a longer output is kept, because the end matters most.
const keepLog = 64 << 10

// Constants of include/uapi/linux/kd.h and vt.h.
const (
	kdGetMode  = 0x4B3B
	vtGetMode  = 0x5601
	vtGetState = 0x5603
	vtActivate = 0x5606
)

// A guest carries out the requests of the host inside the machine.
type guest struct {
	programs map[int]*program
}

// A program is a program that the host has started.
type program struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when the program has ended
	log  programtest.Log
}

// first() returns the first response. It contains the version of the kernel.
func (g *guest) first() wire.Response {
	var u unix.Utsname
	_ = unix.Uname(&u) // cannot fail with a valid pointer
	return wire.Response{Text: string(bytes.TrimRight(u.Release[:], "\x00"))}
}

// do carries out a request and fills in the response.
func (g *guest) do(q *wire.Request, a *wire.Response) (err error) {
	switch q.Op {
	case wire.Write:
		return write(q.Path, q.Data)
	case wire.Read:
		var text []byte
		text, err = os.ReadFile(q.Path)
		a.Text = string(text)
		return err
	case wire.Load:
		return first.Load(q.Args)
	case wire.Start:
		a.Num, err = g.start(q)
		return err
	case wire.Terminal:
		return terminal(q.Path, a)
	case wire.Activate:
		return onTerminal("/dev/tty0", func(fd int) error { return unix.IoctlSetInt(fd, vtActivate, q.Num) })
	case wire.Network:
		return configure(q.Path, q.Args[0])
	case wire.Fill:
		return fill(q.Path, byte(q.Num))
	case wire.List:
		a.Text, err = list(q.Path)
		return err
	case wire.Permit:
		return permit(q.Path)
	case wire.Remove:
		return os.RemoveAll(q.Path)
	case wire.Fetch:
		a.Text, err = fetch(q.Path)
		return err
	}
	return g.ofProgram(q, a)
}

// ofProgram carries out a request about a program that was started before.
func (g *guest) ofProgram(q *wire.Request, a *wire.Response) error {
	p := g.programs[q.PID]
	if p == nil {
		return fmt.Errorf("%s: no process %d", q.Op, q.PID)
	}
	switch q.Op {
	case wire.Signal:
		return p.cmd.Process.Signal(syscall.Signal(q.Num))
	case wire.Wait:
		p.wait(time.Duration(q.Millis)*time.Millisecond, a)
		return nil
	case wire.Log:
		all := p.log.String()
		a.Text = all[max(0, len(all)-keepLog):]
		return nil
	}
	return fmt.Errorf("unknown request %q", q.Op)
}

// write writes a file and creates its folder. If `path` is a device, write() does not create or truncate it.
func write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|unix.O_NOCTTY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// fill writes the same byte to a whole device of fixed size. It stops when a write after the end of the device fails.
func fill(path string, b byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	row := bytes.Repeat([]byte{b}, 64<<10)
	for {
		n, err := f.Write(row)
		if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EFBIG) || err == nil && n == 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// start starts a program. Its working directory is /.
func (g *guest) start(q *wire.Request) (int, error) {
	p := &program{cmd: exec.Command(q.Args[0], q.Args[1:]...), done: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env = "/", append(os.Environ(), q.Env...)
	p.cmd.Stdout, p.cmd.Stderr = &p.log, &p.log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{}
	if q.User != 0 {
		id := uint32(q.User)
		p.cmd.SysProcAttr.Credential = &syscall.Credential{Uid: id, Gid: id, Groups: []uint32{videoGroup}}
	}
	if q.TTY != "" { // as systemd does with StandardInput=tty
		tty, err := os.OpenFile(q.TTY, os.O_RDWR|unix.O_NOCTTY, 0)
		if err != nil {
			return 0, err
		}
		defer tty.Close()
		p.cmd.Stdin, p.cmd.SysProcAttr.Setsid, p.cmd.SysProcAttr.Setctty = tty, true, true
	}
	if err := p.cmd.Start(); err != nil {
		return 0, err
	}
	pid := p.cmd.Process.Pid
	g.programs[pid] = p
	go func() {
		_ = p.cmd.Wait() // ProcessState contains the result
		close(p.done)
	}()
	return pid, nil
}

// wait waits until the program has ended, for at most the duration `limit`. It stores in `a` how the program has ended.
func (p *program) wait(limit time.Duration, a *wire.Response) {
	began := time.Now()
	select {
	case <-p.done:
	case <-time.After(limit):
		return
	}
	a.Ended, a.Millis = true, int(time.Since(began).Milliseconds())
	a.Status = p.cmd.ProcessState.ExitCode()
	if s, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		a.Status = -int(s.Signal())
	}
}

// terminal stores the state of a virtual terminal in `a`.
func terminal(path string, a *wire.Response) error {
	return onTerminal(path, func(fd int) error {
		var mode int32
		var switching struct {
			mode, waitV      int8
			release, acquire int16
			force            int16
		}
		var state struct{ active, signal, state uint16 }
		err := errors.Join(
			ioctl(fd, kdGetMode, unsafe.Pointer(&mode)),
			ioctl(fd, vtGetMode, unsafe.Pointer(&switching)),
			ioctl(fd, vtGetState, unsafe.Pointer(&state)))
		a.Graphics, a.Leased, a.ActiveNum = mode != 0, switching.mode == 1, int(state.active)
		return err
	})
}

func onTerminal(path string, do func(fd int) error) error {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer unix.Close(fd)
	return do(fd)
}

func ioctl(fd int, request uintptr, p unsafe.Pointer) error {
	if _, _, no := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(p)); no != 0 {
		return no
	}
	return nil
}
