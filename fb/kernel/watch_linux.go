package kernel

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Listen opens a Listener. It returns an error if the kernel sends no messages, as in some containers.
func Listen() (*Listener, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, unix.NETLINK_KOBJECT_UEVENT)
	if err != nil {
		return nil, fmt.Errorf("messages of the kernel: %w", err)
	}
	f := os.NewFile(uintptr(fd), "uevents")
	if err := unix.Bind(fd, &unix.SockaddrNetlink{Family: unix.AF_NETLINK, Groups: 1}); err != nil {
		return nil, fmt.Errorf("messages of the kernel: %w", errors.Join(err, f.Close()))
	}
	return &Listener{ear: &socket{f, make([]byte, messageBytes)}}, nil
}

// A socket is a netlink socket that receives the kernel's messages about devices.
type socket struct {
	*os.File
	buf []byte
}

// next() reads one message. If the message has another sender than the kernel, `ok` is false. If messages were lost, next() returns an
// empty message.
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
