//go:build linux

// Package air is a test binary that runs on the machine under test. It moves an emulated radio to another network namespace, and acts as
// the name server of a home network. It also passes the connections of a browser on to the phone's network.
package air

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"dashboard/appliance/setup/radio"
)

func TestMain(m *testing.M) {
	if len(os.Args) < 2 || strings.HasPrefix(os.Args[1], "-") {
		os.Exit(m.Run()) // no arguments: this is the machine that builds the binary, so run its tests
	}
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "air:", err)
		os.Exit(1)
	}
}

// attribute() pads each attribute to a multiple of four bytes, and find() finds the attribute again.
func TestAttribute(t *testing.T) {
	body := append(attribute(familyName, []byte("nl80211\x00")), attribute(familyID, []byte{7, 0})...)
	got, err := find(append(make([]byte, headSize), body...), familyID)
	if err != nil || len(body) != 20 || len(got) != 2 || got[0] != 7 {
		t.Errorf("got %v of %v, %v", got, body, err)
	}
	if _, err := find(make([]byte, headSize+3), familyID); err == nil {
		t.Error("without an attribute: got no error")
	}
}

func run(args []string) error {
	switch {
	case len(args) == 3 && args[0] == "move": // arguments: the number of a radio, and a process in the other namespace
		phy, err1 := strconv.ParseUint(args[1], 10, 32)
		pid, err2 := strconv.ParseUint(args[2], 10, 32)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		return move(uint32(phy), uint32(pid))
	case len(args) == 2 && args[0] == "names":
		address, err := netip.ParseAddr(args[1])
		if err != nil {
			return err
		}
		conn, err := net.ListenPacket("udp4", args[1]+":53")
		if err != nil {
			return err
		}
		return radio.ServeNames(context.Background(), honest{conn}, address, func() {})
	case len(args) == 3 && args[0] == "relay":
		return relay(args[1], args[2])
	}
	return errors.New("usage: air move PHY PID, air names ADDRESS, air relay ADDRESS FILE")
}

// An honest connection passes on only questions for the time servers, and answers that other names do not exist. A server that answers
// every name is a captive portal.
type honest struct{ net.PacketConn }

func (h honest) ReadFrom(p []byte) (n int, from net.Addr, err error) {
	for {
		if n, from, err = h.PacketConn.ReadFrom(p); err != nil || bytes.Contains(p[:n], []byte("\x06debian\x04pool\x03ntp\x03org")) {
			return n, from, err
		}
		if n > 3 {
			p[2], p[3] = p[2]|0x80, p[3]&0xf0|3 // the header's bit QR and RCODE NXDOMAIN (RFC 1035, section 4.1.1)
			_, _ = h.WriteTo(p[:n], from)       // if the answer is lost, the client asks again
		}
	}
}

// relay() listens at an address and passes each connection on to the address in a file.
func relay(from, file string) error {
	l, err := net.Listen("tcp", from)
	if err != nil {
		return err
	}
	for {
		near, err := l.Accept()
		if err != nil {
			return err
		}
		go pass(near, file)
	}
}

// dialTime and passTime limit a relayed connection, because the phone may leave its network and the connection would then stay open.
const dialTime, passTime = 3 * time.Second, 10 * time.Second

// pass() connects `near` with the address in a file until one side ends.
func pass(near net.Conn, file string) {
	defer near.Close()
	to, err := os.ReadFile(file)
	if err != nil {
		return
	}
	far, err := net.DialTimeout("tcp", strings.TrimSpace(string(to)), dialTime)
	if err != nil {
		return // the phone is not connected to a network at the moment
	}
	defer far.Close()
	end := time.Now().Add(passTime)
	if errors.Join(near.SetDeadline(end), far.SetDeadline(end)) != nil {
		return
	}
	done := make(chan struct{}, 2)
	for _, way := range [][2]net.Conn{{near, far}, {far, near}} {
		go func() {
			_, _ = io.Copy(way[0], way[1]) // a lost network ends the connection
			done <- struct{}{}
		}()
	}
	<-done
}

// Commands and attributes of generic netlink and nl80211 (include/uapi/linux/genetlink.h and nl80211.h).
const (
	genlController    = 0x10
	getFamily         = 3
	familyID          = 1
	familyName        = 2
	setWiphyNetns     = 49
	attributeWiphy    = 1
	attributePID      = 82
	headSize          = 16 + 4 // nlmsghdr and genlmsghdr
	attributeHeadSize = 4
)

// move moves a radio into the network namespace of a process.
func move(phy, pid uint32) error {
	s, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_GENERIC)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	answer, err := ask(s, genlController, getFamily, attribute(familyName, append([]byte("nl80211"), 0)))
	if err != nil {
		return err
	}
	family, err := find(answer, familyID)
	if err != nil {
		return err
	}
	body := append(attribute(attributeWiphy, binary.NativeEndian.AppendUint32(nil, phy)), attribute(attributePID, binary.NativeEndian.AppendUint32(nil, pid))...)
	_, err = ask(s, binary.NativeEndian.Uint16(family), setWiphyNetns, body)
	return err
}

// attribute returns a netlink attribute with its padding.
func attribute(kind uint16, value []byte) []byte {
	b := binary.NativeEndian.AppendUint16(nil, uint16(attributeHeadSize+len(value)))
	b = append(binary.NativeEndian.AppendUint16(b, kind), value...)
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

// ask sends a netlink message of the given family and returns the answer.
func ask(s int, family uint16, command uint8, body []byte) ([]byte, error) {
	m := binary.NativeEndian.AppendUint32(nil, uint32(headSize+len(body)))
	m = binary.NativeEndian.AppendUint16(m, family)
	m = binary.NativeEndian.AppendUint16(m, unix.NLM_F_REQUEST|unix.NLM_F_ACK)
	m = append(m, make([]byte, 8)...) // sequence number and port
	m = append(m, command, 1, 0, 0)   // version 1
	if err := unix.Sendto(s, append(m, body...), 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return nil, err
	}
	answer := make([]byte, 16<<10)
	n, _, err := unix.Recvfrom(s, answer, 0)
	if err != nil || n < headSize {
		return nil, errors.Join(errors.New("no answer"), err)
	}
	if kind := binary.NativeEndian.Uint16(answer[4:]); kind == unix.NLMSG_ERROR {
		if code := int32(binary.NativeEndian.Uint32(answer[16:])); code != 0 {
			return nil, unix.Errno(-code)
		}
	}
	return answer[:n], nil
}

// find returns the value of an attribute.
func find(answer []byte, kind uint16) ([]byte, error) {
	for b := answer[headSize:]; len(b) >= attributeHeadSize; {
		size := int(binary.NativeEndian.Uint16(b))
		if size < attributeHeadSize || size > len(b) {
			break
		}
		if binary.NativeEndian.Uint16(b[2:]) == kind {
			return b[attributeHeadSize:size], nil
		}
		b = b[min(len(b), (size+3)&^3):]
	}
	return nil, errors.New("nl80211 is not there")
}
