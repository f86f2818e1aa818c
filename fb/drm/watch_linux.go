package drm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// settleTime is how long events are gathered: a plug that goes in makes several.
	settleTime = 300 * time.Millisecond
	// messageBytes is the longest message of the kernel (UEVENT_BUFFER_SIZE of include/linux/kobject.h is 2048).
	messageBytes = 8 << 10
)

// Watch calls changed whenever a screen or a card came, went or changed, until ctx is done: once for all that happens within
// 0.3 s, so long after the first of it. Property says that only a property changed, no plug. It fails where the kernel's
// messages cannot be had, as in some containers.
func Watch(ctx context.Context, changed func(property bool)) error {
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
		e, ok, err := next(f, buf)
		if err != nil || !ok {
			if errors.Is(err, os.ErrDeadlineExceeded) || err == nil {
				continue
			}
			return err
		}
		property := gather(ctx, f, buf, e)
		if ctx.Err() == nil {
			changed(property)
		}
	}
	return nil
}

// gather reads on for settleTime after the first event.
func gather(ctx context.Context, f *os.File, buf []byte, first event) (property bool) {
	property = first.property != 0
	_ = f.SetReadDeadline(time.Now().Add(settleTime))
	for ctx.Err() == nil {
		e, ok, err := next(f, buf)
		if err != nil {
			break
		}
		property = property && (!ok || e.property != 0)
	}
	if ctx.Err() == nil { // else the deadline that ends Watch stays
		_ = f.SetReadDeadline(time.Time{})
	}
	return property
}

// next reads one message. What does not come from the kernel is no event; messages that were lost are one.
func next(f *os.File, buf []byte) (e event, ok bool, err error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return event{}, false, err
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
		return event{}, false, err
	case errors.Is(problem, unix.ENOBUFS):
		return event{}, true, nil
	case problem != nil:
		return event{}, false, problem
	}
	if sender, is := from.(*unix.SockaddrNetlink); !is || sender.Pid != 0 {
		return event{}, false, nil
	}
	e, ok = parseEvent(buf[:n])
	return e, ok, nil
}
