package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
)

// Numbers of the network block device protocol, https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md
const (
	magicServer  = 0x4e42444d41474943 // "NBDMAGIC"
	magicOption  = 0x49484156454f5054 // "IHAVEOPT"
	magicReply   = 0x0003e889045565a9 // begins an answer to an option
	magicRequest = 0x25609513
	magicAnswer  = 0x67446698

	flagFixed    = 1 << 0 // newstyle negotiation
	flagNoZeroes = 1 << 1

	optionExport = 1
	optionAbort  = 2
	optionGo     = 7
	replyAck     = 1
	replyInfo    = 3
	replyUnknown = 1<<31 + 1

	infoExport    = 0
	flagHas       = 1 << 0 // there are flags
	flagSendFlush = 1 << 2
	flagSendFUA   = 1 << 3

	commandRead  = 0
	commandWrite = 1
	commandEnd   = 2
	commandFlush = 3
	commandFUA   = 1 << 0 // bit in the command's flags

	errorIO      = 5
	errorInvalid = 22
)

// maxRequest is the maximum size of one request of QEMU, in bytes.
const maxRequest = 32 << 20

// Serve answers one client after the other until the context ends or the listener is closed. At the end it closes the listener.
func (d *disk) Serve(ctx context.Context, l net.Listener) error {
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	for {
		c, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
				return nil
			}
			return err
		}
		end := context.AfterFunc(ctx, func() { c.Close() })
		err = d.serveOne(c)
		end()
		c.Close()
		if err != nil && ctx.Err() == nil && !hungUp(err) {
			return fmt.Errorf("nbd: %w", err)
		}
	}
}

// hungUp reports whether the client has closed the connection, for example because it was killed.
func hungUp(err error) bool {
	var n *net.OpError
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &n)
}

// A session is one client's connection.
type session struct {
	disk *disk
	in   *bufio.Reader
	out  *bufio.Writer
}

func (d *disk) serveOne(c io.ReadWriter) error {
	s := &session{d, bufio.NewReader(c), bufio.NewWriter(c)}
	if err := s.negotiate(); err != nil {
		return err
	}
	for {
		more, err := s.request()
		if err != nil || !more {
			return err
		}
	}
}

// send writes numbers in big-endian order.
func (s *session) send(values ...any) error {
	for _, v := range values {
		if err := binary.Write(s.out, binary.BigEndian, v); err != nil {
			return err
		}
	}
	return s.out.Flush()
}

func (s *session) receive(v any) error { return binary.Read(s.in, binary.BigEndian, v) }

// negotiate ends when the client has selected the only export.
func (s *session) negotiate() error {
	if err := s.send(uint64(magicServer), uint64(magicOption), uint16(flagFixed|flagNoZeroes)); err != nil {
		return err
	}
	var flags uint32
	if err := s.receive(&flags); err != nil {
		return err
	}
	for {
		var option struct {
			Magic        uint64
			Code, Length uint32
		}
		if err := s.receive(&option); err != nil {
			return err
		}
		if option.Magic != magicOption || option.Length > maxRequest {
			return fmt.Errorf("option %x of %d bytes", option.Magic, option.Length)
		}
		if _, err := io.CopyN(io.Discard, s.in, int64(option.Length)); err != nil {
			return err
		}
		done, err := s.option(option.Code, flags)
		if err != nil || done {
			return err
		}
	}
}

// transmission contains the flags of the export.
const transmission = uint16(flagHas | flagSendFlush | flagSendFUA)

// option answers one option and reports whether it was the last option.
func (s *session) option(code, flags uint32) (bool, error) {
	size := uint64(s.disk.size)
	switch code {
	case optionExport:
		if flags&flagNoZeroes != 0 {
			return true, s.send(size, transmission)
		}
		return true, s.send(size, transmission, [124]byte{})
	case optionGo:
		return true, s.send(
			uint64(magicReply), code, uint32(replyInfo), uint32(12), uint16(infoExport), size, transmission,
			uint64(magicReply), code, uint32(replyAck), uint32(0))
	case optionAbort:
		return true, io.EOF
	}
	return false, s.send(uint64(magicReply), code, uint32(replyUnknown), uint32(0))
}

// request answers one request. It reports whether another request may follow.
func (s *session) request() (bool, error) {
	var q struct {
		Magic       uint32
		Flags, Type uint16
		Handle      uint64
		Offset      uint64
		Length      uint32
	}
	if err := s.receive(&q); err != nil {
		return false, err
	}
	if q.Magic != magicRequest || q.Length > maxRequest {
		return false, fmt.Errorf("request %x of %d bytes", q.Magic, q.Length)
	}
	var data []byte
	problem := uint32(0)
	switch q.Type {
	case commandEnd:
		return false, nil
	case commandFlush:
		s.disk.Flush()
	case commandRead:
		data = make([]byte, q.Length)
		if _, err := s.disk.ReadAt(data, int64(q.Offset)); err != nil {
			data, problem = nil, errorIO
		}
	case commandWrite:
		in := make([]byte, q.Length)
		if _, err := io.ReadFull(s.in, in); err != nil {
			return false, err
		}
		if _, err := s.disk.WriteAt(in, int64(q.Offset)); err != nil {
			problem = errorIO
		}
		if q.Flags&commandFUA != 0 {
			s.disk.Flush()
		}
	default:
		problem = errorInvalid
	}
	return true, s.send(uint32(magicAnswer), problem, q.Handle, data)
}
