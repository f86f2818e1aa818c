package kernel

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Watch gives every message of the kernel to heard, and calls settled once for all that heard wants to know of within
// SettleTime, so long after the first of them. It returns when ctx is done, or at once where the messages cannot be had, as in
// some containers.
func Watch(ctx context.Context, heard func(Message) bool, settled func()) error {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, unix.NETLINK_KOBJECT_UEVENT)
	if err != nil {
		return fmt.Errorf("messages of the kernel: %w", err)
	}
	f := os.NewFile(uintptr(fd), "uevents")
	defer f.Close()
	if err := unix.Bind(fd, &unix.SockaddrNetlink{Family: unix.AF_NETLINK, Groups: 1}); err != nil {
		return fmt.Errorf("messages of the kernel: %w", err)
	}
	defer context.AfterFunc(ctx, func() { _ = f.SetReadDeadline(time.Unix(1, 0)) })()
	buf := make([]byte, messageBytes)
	for ctx.Err() == nil {
		m, ok, err := next(f, buf)
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
		case err != nil:
			return err
		case ok && heard(m):
			gather(ctx, f, buf, heard)
			if ctx.Err() == nil {
				settled()
			}
		}
	}
	return nil
}

// gather reads on for SettleTime.
func gather(ctx context.Context, f *os.File, buf []byte, heard func(Message) bool) {
	_ = f.SetReadDeadline(time.Now().Add(SettleTime))
	for ctx.Err() == nil {
		m, ok, err := next(f, buf)
		if err != nil {
			break
		}
		if ok {
			heard(m)
		}
	}
	if ctx.Err() == nil { // else the deadline that ends Watch stays
		_ = f.SetReadDeadline(time.Time{})
	}
}

// next reads one message. What does not come from the kernel is none; that messages were lost is one.
func next(f *os.File, buf []byte) (m Message, ok bool, err error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return nil, false, err
	}
	var n int
	var from unix.Sockaddr
	var problem error
	err = raw.Read(func(fd uintptr) bool {
		n, from, problem = unix.Recvfrom(int(fd), buf, 0)
		return !errors.Is(problem, unix.EAGAIN) && !errors.Is(problem, unix.EINTR)
	})
	switch {
	case err != nil:
		return nil, false, err
	case errors.Is(problem, unix.ENOBUFS):
		return nil, true, nil
	case problem != nil:
		return nil, false, problem
	}
	if sender, is := from.(*unix.SockaddrNetlink); !is || sender.Pid != 0 {
		return nil, false, nil
	}
	return Message(buf[:n]), n > 0, nil
}
