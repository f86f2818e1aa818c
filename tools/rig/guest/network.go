//go:build linux

package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"

	"golang.org/x/sys/unix"
)

// configure gives a network interface an address. It switches on this interface and the loopback interface, see netdevice(7). It sets up
// no routes, so only addresses in the same network can be reached.
func configure(name, address string) error {
	at, err := netip.ParsePrefix(address)
	if err != nil {
		return err
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	err = errors.Join(
		setAddress(fd, unix.SIOCSIFADDR, name, at.Addr().AsSlice()),
		setAddress(fd, unix.SIOCSIFNETMASK, name, net.CIDRMask(at.Bits(), 32)),
		takeUp(fd, name), takeUp(fd, "lo"))
	if err != nil {
		return fmt.Errorf("network %s: %w", name, err)
	}
	return nil
}

func setAddress(fd int, request uint, name string, address []byte) error {
	q, err := unix.NewIfreq(name)
	if err != nil {
		return err
	}
	if err := q.SetInet4Addr(address); err != nil {
		return err
	}
	return unix.IoctlIfreq(fd, request, q)
}

func takeUp(fd int, name string) error {
	q, err := unix.NewIfreq(name)
	if err != nil {
		return err
	}
	q.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, q)
}
