package rig

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"net"
	"time"
)

// A plug is a client of QEMU's VNC server. A client may request a size for the screen. With such requests, tests can unplug a machine's
// screen and plug in another screen (RFB 3.8 with the extensions of the community's rfbproto.rst).
type plug struct{ conn net.Conn }

// Numbers of the RFB protocol.
const (
	rfbVersion          = "RFB 003.008\n"
	rfbSecurityNone     = 1
	rfbSetEncodings     = 2
	rfbUpdateRequest    = 3
	rfbSetDesktopSize   = 251
	rfbExtendedDesktop  = -308
	rfbServerInitLength = 24 // size of the message in bytes, without the name
)

// newPlug performs the handshake with the server.
func newPlug(conn net.Conn) (*plug, error) {
	p := &plug{conn}
	if err := conn.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return nil, err
	}
	if err := p.greet(); err != nil {
		return nil, fmt.Errorf("vnc: %w", err)
	}
	go func() { _, _ = io.Copy(io.Discard, conn) }() // the content is ignored until the connection ends
	return p, conn.SetDeadline(time.Time{})
}

func (p *plug) greet() error {
	if err := p.expect(len(rfbVersion)); err != nil {
		return err
	}
	if _, err := p.conn.Write([]byte(rfbVersion)); err != nil {
		return err
	}
	var kinds [1]byte
	if _, err := io.ReadFull(p.conn, kinds[:]); err != nil {
		return err
	}
	if kinds[0] == 0 {
		return errors.New("no kind of security")
	}
	if err := p.expect(int(kinds[0])); err != nil {
		return err
	}
	if _, err := p.conn.Write([]byte{rfbSecurityNone}); err != nil {
		return err
	}
	if err := p.expect(4); err != nil { // skip the result of the authentication
		return err
	}
	if _, err := p.conn.Write([]byte{1}); err != nil { // share the screen with other clients
		return err
	}
	init := make([]byte, rfbServerInitLength)
	if _, err := io.ReadFull(p.conn, init); err != nil {
		return err
	}
	if err := p.expect(int(binary.BigEndian.Uint32(init[20:]))); err != nil { // skip the name of the server
		return err
	}
	extended := int32(rfbExtendedDesktop)
	hello := []byte{rfbSetEncodings, 0, 0, 1}
	hello = binary.BigEndian.AppendUint32(hello, uint32(extended))
	hello = append(hello, rfbUpdateRequest, 0, 0, 0, 0, 0, 0, 1, 0, 1)
	_, err := p.conn.Write(hello)
	return err
}

// expect reads n bytes and ignores them.
func (p *plug) expect(n int) error {
	_, err := io.CopyN(io.Discard, p.conn, int64(n))
	return err
}

// ask requests a screen of the given size. The zero size requests no screen.
func (p *plug) ask(size image.Point) error {
	w, h := uint16(size.X), uint16(size.Y)
	ask := []byte{rfbSetDesktopSize, 0}
	ask = binary.BigEndian.AppendUint16(ask, w)
	ask = binary.BigEndian.AppendUint16(ask, h)
	ask = append(ask, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0) // one screen: first its number and position
	ask = binary.BigEndian.AppendUint16(ask, w)
	ask = binary.BigEndian.AppendUint16(ask, h)
	ask = append(ask, 0, 0, 0, 0) // flags of the screen
	_, err := p.conn.Write(ask)
	return err
}
