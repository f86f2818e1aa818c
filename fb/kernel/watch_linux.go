package kernel

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Watch passes every message of the kernel to heard. When heard returns true for a message, Watch calls changed, and again after
// SettleTime. The second call is needed because one change causes several messages, and some information is still missing when the first
// message arrives. Watch returns when ctx is done. It returns an error at once if the kernel sends no messages, as in some containers.
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

// A socket is a netlink socket that receives the kernel's messages about devices.
type socket struct {
	*os.File
	buf []byte
}

// next reads one message. It ignores messages of other senders. If messages were lost, it returns an empty message.
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
