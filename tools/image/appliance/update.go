//go:build linux

package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"dashboard/tools/image/card"
	"dashboard/tools/image/state"
)

const (
	// updateTries is how often a new slot may be booted without painting: more than once, because the power
	// may be cut in the meantime.
	updateTries = 3
	copySize    = 1 << 20
)

// takeUpdate writes the update on the first partition, if there is a new one, and restarts.
func (k *keeper) takeUpdate() error {
	path := filepath.Join(bootFolder, card.UpdateFile)
	if _, err := os.Stat(path); err != nil {
		return nil // the normal case
	}
	sum, err := trailerOf(path)
	if err != nil {
		return fmt.Errorf("%s: %w", card.UpdateFile, err)
	}
	r, err := state.Load(k.store)
	if err != nil || r.Update == sum {
		return err
	}
	if err := k.update(path, sum); err != nil {
		return fmt.Errorf("%s: %w", card.UpdateFile, err)
	}
	fmt.Println("the update is written: restarting into it")
	if out, err := os.StartProcess("/usr/bin/systemctl", []string{"systemctl", "reboot"}, &os.ProcAttr{}); err != nil {
		return err
	} else {
		return out.Release()
	}
}

// updateFrom is "appliance update".
func updateFrom(path string) error {
	sum, err := trailerOf(path)
	if err != nil {
		return err
	}
	k, err := newKeeper()
	if err != nil {
		return err
	}
	defer k.store.Close()
	return k.update(path, sum)
}

// trailerOf returns the checksum at the end of an update.
func trailerOf(path string) (sum [sha256.Size]byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	if _, err := f.Seek(-int64(card.TrailerSize), io.SeekEnd); err != nil {
		return sum, card.ErrNoUpdate
	}
	t, err := io.ReadAll(f)
	if err != nil {
		return sum, err
	}
	return card.ParseTrailer(t)
}

// update writes an update into the slot that is not running, reads it back from the card, and only then has
// the next start try it. A power cut before that leaves everything as it was.
func (k *keeper) update(path string, sum [sha256.Size]byte) error {
	other := k.slot.Other()
	// What the other slot holds can no longer be booted from here on.
	r, err := state.Load(k.store)
	if err != nil {
		return err
	}
	if r.Trial == k.slot {
		return errors.New("the running slot is itself on trial")
	}
	if err := k.change(func(r state.Record) state.Record { r.Trial, r.Tries = state.None, 0; return r }); err != nil {
		return err
	}
	size, err := writeSlot(path, k.card.partition(slotPartition(other)))
	if err != nil {
		return err
	}
	got, err := readBack(k.card.partition(slotPartition(other)), size)
	if err != nil {
		return err
	}
	if !bytes.Equal(got, sum[:]) {
		return errors.New("what is on the card is not what the update says: is the file damaged?")
	}
	return k.change(func(r state.Record) state.Record { return r.Try(other, updateTries, sum) })
}

// writeSlot copies an update without its trailer to a partition, and returns how much that was.
func writeSlot(from, to string) (size int64, err error) {
	in, err := os.Open(from)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return 0, err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_EXCL, 0) // O_EXCL: not one that is mounted
	if err != nil {
		return 0, err
	}
	size = info.Size() - int64(card.TrailerSize)
	if room := card.Layout()[card.SlotA].Size; size > room {
		return 0, errors.Join(fmt.Errorf("%d bytes, but a slot has %d", size, room), out.Close())
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{out}, io.LimitReader(in, size), make([]byte, copySize))
	return size, errors.Join(err, out.Sync(), out.Close())
}

// readBack returns the checksum of a partition's beginning, read from the card and not from memory.
func readBack(path string, size int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED); err != nil {
		return nil, err
	}
	h := sha256.New()
	_, err = io.CopyBuffer(h, io.LimitReader(f, size), make([]byte, copySize))
	return h.Sum(nil), err
}
