//go:build linux

// Package kernels keeps two kernels on a card's first partition, each in a folder with its initramfs and device trees. One folder
// contains the kernel that the firmware starts. The other folder contains the previous or the next kernel.
//
// The file system is VFAT, which does not order its writes. After a power cut, any part of the writes may be on the card. For this
// reason, a file that a start needs is never moved, extended or removed. The other folder is filled in steps, and each step is flushed to
// the card before the next step. Then a restart tries the kernel in this folder once. If the kernel works, a single letter in config.txt
// is changed, so that the firmware always starts this folder. A power cut cannot divide a letter.
package kernels

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"dashboard/appliance/card"
	"dashboard/appliance/state"
)

// A Partition is the first partition of a card.
type Partition struct {
	Dir   string                // mount point
	Flush func() error          // returns when all data is on the card, including the tables of the file system
	Free  func() (int64, error) // returns the number of bytes that can still be written
}

// Reasons not to write a kernel.
var (
	// ErrNoFolders means that the card does not start its kernel from a folder.
	ErrNoFolders = errors.New(card.FirmwareFile + " names no folder by os_prefix=a/ or os_prefix=b/")
	// ErrNoRoom means that the partition has no room for a second kernel.
	ErrNoRoom = errors.New("no room for a second kernel on the first partition")
)

// prefix is the beginning of the line in config.txt that names the folder of the kernel to start.
const prefix = "os_prefix="

// maxText is the maximum size of config.txt and of a command line. The firmware's own limit for a line is smaller.
const maxText = 64 << 10

// Named returns the folder that config.txt names.
func (p Partition) Named() (state.Slot, error) {
	text, err := p.text(card.FirmwareFile)
	if err != nil {
		return state.None, err
	}
	folder, _, err := named(text)
	return folder, err
}

func (p Partition) text(name string) ([]byte, error) {
	info, err := os.Stat(filepath.Join(p.Dir, name))
	if err != nil {
		return nil, err
	}
	if info.Size() > maxText {
		return nil, fmt.Errorf("%s has %d bytes", name, info.Size())
	}
	return os.ReadFile(filepath.Join(p.Dir, name))
}

// named() returns the folder that a config.txt names and the offset of the folder's letter. The file must have exactly one line with
// os_prefix, because only the firmware knows which of two lines it uses.
func named(text []byte) (folder state.Slot, at int, err error) {
	begin := 0
	for line := range bytes.Lines(text) {
		if value, ok := strings.CutPrefix(strings.TrimRight(string(line), " \t\r\n"), prefix); ok {
			if folder != state.None {
				return state.None, 0, ErrNoFolders
			}
			if folder = slotOf(value); folder == state.None {
				return state.None, 0, ErrNoFolders
			}
			at = begin + len(prefix)
		}
		begin += len(line)
	}
	if folder == state.None {
		return state.None, 0, ErrNoFolders
	}
	return folder, at, nil
}

// slotOf returns the folder for a value of os_prefix, or None for any other value.
func slotOf(value string) state.Slot {
	for _, s := range []state.Slot{state.A, state.B} {
		if value == s.String()+"/" {
			return s
		}
	}
	return state.None
}

// Running returns the folder from which a kernel was started. `line` is the kernel's command line. If the command line names no folder,
// Running returns None.
func Running(line string) state.Slot {
	for _, word := range strings.Fields(line) {
		if value, ok := strings.CutPrefix(word, card.FolderWord); ok {
			return slotOf(value + "/")
		}
	}
	return state.None
}

// Keep makes the firmware start the kernel in a folder from now on. It overwrites one letter of config.txt in place.
func (p Partition) Keep(folder state.Slot) error {
	text, err := p.text(card.FirmwareFile)
	if err != nil {
		return err
	}
	now, at, err := named(text)
	if err != nil || now == folder {
		return err
	}
	f, err := os.OpenFile(filepath.Join(p.Dir, card.FirmwareFile), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt([]byte(folder.String()), int64(at))
	return errors.Join(err, f.Sync(), f.Close(), p.Flush())
}

// tryText returns a copy of config.txt that names another folder. The firmware uses this copy for one start.
func tryText(text []byte, folder state.Slot) ([]byte, error) {
	_, at, err := named(text)
	if err != nil {
		return nil, err
	}
	text = bytes.Clone(text)
	copy(text[at:], folder.String())
	return text, nil
}

// otherLine returns a kernel's command line for the folder `to`. `line` is the command line of the folder `from`. Parameters that a
// person has added stay.
func otherLine(line []byte, from, to state.Slot) ([]byte, error) {
	word, other := card.FolderWord+from.String(), card.FolderWord+to.String()
	if Running(string(line)) != from || bytes.Count(line, []byte(card.FolderWord)) != 1 {
		return nil, fmt.Errorf("%w, or %s lacks %s", ErrNoFolders, card.CommandLine, word)
	}
	return bytes.Replace(line, []byte(word), []byte(other), 1), nil
}
