//go:build linux

package main

import (
	"fmt"
	"net"
	"time"
)

// bareWrites measures how much of the time in row 17 the kernel takes. A program with one thread writes an event to
// the same number of sockets, one socket after the other, and does nothing else.
func (l *lab) bareWrites() ([]time.Duration, error) {
	p, err := l.program(sockets)
	if err != nil {
		return nil, err
	}
	_, port, err := p.sample("port")
	if err != nil {
		return nil, err
	}
	var all []*listener
	defer func() { closeAll(all) }()
	for len(all) < mostListeners {
		conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%.0f", port))
		if err != nil {
			return nil, err
		}
		all = append(all, &listener{conn: conn})
		if _, _, err := p.sample("accept"); err != nil {
			return nil, err
		}
		if all[len(all)-1], err = hear(conn); err != nil {
			return nil, err
		}
	}
	return tellAll(all, func() error { return p.writeAll(len(all)) })
}

// writeAll makes the program p write an event to n sockets.
func (p *program) writeAll(n int) error {
	_, told, err := p.sample("write")
	if err == nil && int(told) != n {
		err = fmt.Errorf("%.0f of %d sockets took it", told, n)
	}
	return err
}
