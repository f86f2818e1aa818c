//go:build linux

// Package kernels keeps two kernels on a card's first partition, each in a folder with its initramfs and device trees:
// the one that the firmware starts, and the previous or the next one.
//
// The file system is VFAT, which does not order its writes: a power cut keeps any part of them. So no file that a start
// needs is ever moved, extended or removed. The other folder is filled in steps, each flushed to the card before the
// next. Then a restart tries it once. A single letter in a file makes it the folder to start, and a power cut cannot
// split a letter.
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

// A Partition is a card's first partition.
type Partition struct {
	Dir   string                // mount point
	Flush func() error          // returns when everything is on the card, including the file system's tables
	Free  func() (int64, error) // bytes that can still be written
}

// Reasons not to write a kernel.
var (
	// ErrNoFolders means that the card does not start its kernel from a folder.
	ErrNoFolders = errors.New(card.FirmwareFile + " names no folder by os_prefix=a/ or os_prefix=b/")
	// ErrNoRoom means that the partition has no room for a second kernel.
	ErrNoRoom = errors.New("no room for a second kernel on the first partition")
)

// prefix is how the line of config.txt begins that names the folder.
const prefix = "os_prefix="

// maxText bounds config.txt and a command line. The firmware's bound of a line is smaller.
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

// named finds the folder in a config.txt, and where its letter is. There must be one line that names it: which of two counts is
// the firmware's to know.
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

// slotOf is the folder that a prefix names, or None.
func slotOf(value string) state.Slot {
	for _, s := range []state.Slot{state.A, state.B} {
		if value == s.String()+"/" {
			return s
		}
	}
	return state.None
}

// Running returns the folder that a kernel was started from, according to its command line, or None.
func Running(line string) state.Slot {
	for _, word := range strings.Fields(line) {
		if value, ok := strings.CutPrefix(word, card.FolderWord); ok {
			return slotOf(value + "/")
		}
	}
	return state.None
}

// Keep has config.txt name a folder: one letter is written over, in its place.
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

// tryText is a config.txt that names another folder, for one start.
func tryText(text []byte, folder state.Slot) ([]byte, error) {
	_, at, err := named(text)
	if err != nil {
		return nil, err
	}
	text = bytes.Clone(text)
	copy(text[at:], folder.String())
	return text, nil
}

// otherLine is a command line of one folder for another. Lines that a person wrote into it stay.
func otherLine(line []byte, from, to state.Slot) ([]byte, error) {
	word, other := card.FolderWord+from.String(), card.FolderWord+to.String()
	if Running(string(line)) != from || bytes.Count(line, []byte(card.FolderWord)) != 1 {
		return nil, fmt.Errorf("%w, or %s lacks %s", ErrNoFolders, card.CommandLine, word)
	}
	return bytes.Replace(line, []byte(word), []byte(other), 1), nil
}
