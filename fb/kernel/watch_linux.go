package kernel

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Watch gives every message of the kernel to heard, and calls changed at the first that heard wants to know of, and once more when
// SettleTime has passed since: one change makes several, and not all of it is known when the first one is told. It returns when
// ctx is done, or at once where the messages cannot be had, as in some containers.
func Watch(ctx context.Context, heard func(Message) bool, changed func()) error {
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
	return listen(ctx, &socket{f, make([]byte, messageBytes)}, heard, changed)
}

// A socket is where the kernel tells what happens to devices.
type socket struct {
	*os.File
	buf []byte
}

// next reads one message. What does not come from the kernel is none; that messages were lost is one.
func (s *socket) next() (m Message, ok bool, err error) {
	raw, err := s.SyscallConn()
	if err != nil {
		return nil, false, err
	}
	var n int
	var from unix.Sockaddr
	var problem error
	err = raw.Read(func(fd uintptr) bool {
		n, from, problem = unix.Recvfrom(int(fd), s.buf, 0)
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
	return Message(s.buf[:n]), n > 0, nil
}
