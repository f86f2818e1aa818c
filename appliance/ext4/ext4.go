// Package ext4 repairs a superblock that is half old and half new after a power cut.
package ext4

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// Offsets in the superblock (Documentation/filesystems/ext4/super.rst).
const (
	superAt, superSize  = 1024, 1024
	atMagic, superMagic = 0x38, 0xef53
	atState, hasError   = 0x3a, 2
	atReadOnlyFeatures  = 0x64
	metadataChecksums   = 0x400
	atChecksum          = superSize - 4
)

// Errors of Check.
var (
	ErrNone    = errors.New("no file system")
	ErrMistake = errors.New("the kernel has found an error in the file system")
)

// Check returns an error if there is no file system or the kernel has recorded an error in it.
func Check(device io.ReaderAt) error {
	super, err := read(device)
	switch {
	case err != nil:
		return err
	case binary.LittleEndian.Uint16(super[atState:])&hasError != 0:
		return ErrMistake
	}
	return nil
}

func read(device io.ReaderAt) ([]byte, error) {
	super := make([]byte, superSize)
	if _, err := device.ReadAt(super, superAt); err != nil {
		return nil, fmt.Errorf("superblock: %w", err)
	}
	if binary.LittleEndian.Uint16(super[atMagic:]) != superMagic {
		return nil, ErrNone
	}
	return super, nil
}

// A Device is a partition, or a file with the contents of a partition.
type Device interface {
	io.ReaderAt
	io.WriterAt
}

// MendSuper corrects the checksum of a superblock and reports whether the checksum was wrong.
//
// The kernel writes the superblock in place. After a power cut, its two sectors may therefore be from different writes. The kernel and
// e2fsck -p refuse such a superblock, and a small partition has no copy of it. Each half is valid, but the halves do not always match. So
// the caller must check the file system afterwards, because the check corrects such differences.
func MendSuper(device Device) (torn bool, err error) {
	super, err := read(device)
	if err != nil {
		return false, err
	}
	sum := ^crc32.Checksum(super[:atChecksum], crc32.MakeTable(crc32.Castagnoli)) // the kernel stores the sum without the final inversion
	if binary.LittleEndian.Uint32(super[atReadOnlyFeatures:])&metadataChecksums == 0 || sum == binary.LittleEndian.Uint32(super[atChecksum:]) {
		return false, nil
	}
	binary.LittleEndian.PutUint32(super[atChecksum:], sum)
	_, err = device.WriteAt(super[atChecksum:], superAt+atChecksum)
	return true, err
}
