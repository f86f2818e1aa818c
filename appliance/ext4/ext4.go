// Package ext4 mends a superblock of which the end of the power has left one half old and one half new.
package ext4

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// Where things are in the superblock, Documentation/filesystems/ext4/super.rst.
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
	ErrNone    = errors.New("it has no file system")
	ErrMistake = errors.New("the kernel has found a mistake in it")
)

// Check reads whether there is a file system in which the kernel has found no mistake.
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

// A Device is a partition, or a file with what is on one.
type Device interface {
	io.ReaderAt
	io.WriterAt
}

// MendSuper gives a superblock the checksum of what it says, if it has another one, and reports whether it had. The kernel writes it in
// place, and its two sectors may be of different times after a power cut: neither the kernel nor e2fsck -p takes it then, and a
// small partition has no copy of it. What either half says is true or counted anew by a check, which must follow.
func MendSuper(device Device) (torn bool, err error) {
	super, err := read(device)
	if err != nil {
		return false, err
	}
	sum := ^crc32.Checksum(super[:atChecksum], crc32.MakeTable(crc32.Castagnoli)) // the kernel's has no inversion at the end
	if binary.LittleEndian.Uint32(super[atReadOnlyFeatures:])&metadataChecksums == 0 || sum == binary.LittleEndian.Uint32(super[atChecksum:]) {
		return false, nil
	}
	binary.LittleEndian.PutUint32(super[atChecksum:], sum)
	_, err = device.WriteAt(super[atChecksum:], superAt+atChecksum)
	return true, err
}
