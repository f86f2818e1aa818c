package mdns

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"

	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"
	"golang.org/x/time/rate"
)

// A packet is a message from a host, received on an interface.
type packet struct {
	link int // index of the interface
	from netip.AddrPort
	data []byte // the receiver of the packet owns these bytes
}

// sockets are the two connections to the network, one for IPv4 and one for IPv6. One of them may be missing. Only one goroutine writes to
// them.
type sockets struct {
	v4 *ipv4.PacketConn
	v6 *ipv6.PacketConn

	in   chan packet
	rate *rate.Limiter
	done sync.WaitGroup

	mu    sync.Mutex // guards links
	links map[int]Interface
}

var errNoSocket = errors.New("mdns: cannot listen on IPv4 or IPv6")

// open() listens on the port of multicast DNS, which it shares with other programs.
func open(ctx context.Context) (*sockets, error) {
	s := &sockets{in: make(chan packet, queued), rate: rate.NewLimiter(packetsPerSecond, packetBurst), links: map[int]Interface{}}
	lc := net.ListenConfig{Control: share}
	c4, err4 := lc.ListenPacket(ctx, "udp4", fmt.Sprintf("0.0.0.0:%d", port))
	if err4 == nil {
		s.v4 = ipv4.NewPacketConn(c4)
		_ = s.v4.SetControlMessage(ipv4.FlagInterface, true) // after an error, linkOf compares addresses instead
		_ = s.v4.SetMulticastTTL(255)                        // section 11
		_ = s.v4.SetMulticastLoopback(true)                  // other programs of this machine must receive the messages
	}
	c6, err6 := lc.ListenPacket(ctx, "udp6", fmt.Sprintf("[::]:%d", port))
	if err6 == nil {
		s.v6 = ipv6.NewPacketConn(c6)
		_ = s.v6.SetControlMessage(ipv6.FlagInterface, true)
		_ = s.v6.SetMulticastHopLimit(255)
		_ = s.v6.SetMulticastLoopback(true)
	}
	if s.v4 == nil && s.v6 == nil {
		return nil, fmt.Errorf("%w: %w, %w", errNoSocket, err4, err6)
	}
	s.listen()
	return s, nil
}

func (s *sockets) listen() {
	if s.v4 != nil {
		s.done.Go(func() {
			s.read(func(b []byte) (int, int, net.Addr, error) {
				n, cm, from, err := s.v4.ReadFrom(b)
				if cm != nil {
					return n, cm.IfIndex, from, err
				}
				return n, 0, from, err
			})
		})
	}
	if s.v6 != nil {
		s.done.Go(func() {
			s.read(func(b []byte) (int, int, net.Addr, error) {
				n, cm, from, err := s.v6.ReadFrom(b)
				if cm != nil {
					return n, cm.IfIndex, from, err
				}
				return n, 0, from, err
			})
		})
	}
}

// read receives packets of the local network and sends them to s.in. It drops a packet that is too large or exceeds the rate limit. It
// also drops packets while s.in is full.
func (s *sockets) read(next func([]byte) (n, link int, from net.Addr, err error)) {
	buf := make([]byte, maxPacket+1)
	for {
		n, link, from, err := next(buf)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		at, ok := from.(*net.UDPAddr)
		if err != nil || !ok || n > maxPacket || !s.rate.Allow() {
			continue
		}
		addr := at.AddrPort()
		if link = s.linkOf(link, addr.Addr()); link == 0 {
			continue
		}
		select {
		case s.in <- packet{link, netip.AddrPortFrom(addr.Addr().Unmap(), addr.Port()), append([]byte(nil), buf[:n]...)}:
		default:
		}
	}
}

// linkOf returns the index of the interface that has received a packet. If the sender is not in a local network, it returns 0.
func (s *sockets) linkOf(index int, from netip.Addr) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l, ok := s.links[index]; ok {
		if l.reaches(from) {
			return index
		}
		return 0
	}
	for i, l := range s.links {
		if index == 0 && l.reaches(from) {
			return i
		}
	}
	return 0
}

// join joins the multicast groups of an interface. A second call does nothing.
func (s *sockets) join(i Interface) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.links[i.Index] = i
	ifi := &net.Interface{Index: i.Index, Name: i.Name}
	if s.v4 != nil && i.speaks(true) {
		_ = s.v4.JoinGroup(ifi, &net.UDPAddr{IP: group4.AsSlice()}) // it fails if the interface is already joined
	}
	if s.v6 != nil && i.speaks(false) {
		_ = s.v6.JoinGroup(ifi, &net.UDPAddr{IP: group6.AsSlice()})
	}
}

// leave leaves the multicast groups of an interface. Perhaps the interface does not exist any more.
func (s *sockets) leave(i Interface) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.links, i.Index)
	ifi := &net.Interface{Index: i.Index, Name: i.Name}
	if s.v4 != nil {
		_ = s.v4.LeaveGroup(ifi, &net.UDPAddr{IP: group4.AsSlice()})
	}
	if s.v6 != nil {
		_ = s.v6.LeaveGroup(ifi, &net.UDPAddr{IP: group6.AsSlice()})
	}
}

// send multicasts a packet on an interface. If the parameter `to` is a valid address, send sends the packet only to this address. It
// reports no errors, because packets can also be lost on the network.
func (s *sockets) send(i *Interface, to netip.AddrPort, data []byte) {
	switch {
	case len(data) == 0:
	case to.IsValid() && to.Addr().Is4() && s.v4 != nil:
		_, _ = s.v4.WriteTo(data, nil, net.UDPAddrFromAddrPort(to))
	case to.IsValid() && to.Addr().Is6() && s.v6 != nil:
		_, _ = s.v6.WriteTo(data, nil, net.UDPAddrFromAddrPort(to))
	case !to.IsValid():
		s.sendAll(i, data)
	}
}

func (s *sockets) sendAll(i *Interface, data []byte) {
	ifi := &net.Interface{Index: i.Index, Name: i.Name}
	if s.v4 != nil && i.speaks(true) && s.v4.SetMulticastInterface(ifi) == nil {
		_, _ = s.v4.WriteTo(data, nil, &net.UDPAddr{IP: group4.AsSlice(), Port: port})
	}
	if s.v6 != nil && i.speaks(false) && s.v6.SetMulticastInterface(ifi) == nil {
		_, _ = s.v6.WriteTo(data, nil, &net.UDPAddr{IP: group6.AsSlice(), Port: port, Zone: i.Name})
	}
}

// close closes both sockets and waits for their goroutines.
func (s *sockets) close() {
	if s.v4 != nil {
		_ = s.v4.Close()
	}
	if s.v6 != nil {
		_ = s.v6.Close()
	}
	s.done.Wait()
}
