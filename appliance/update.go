//go:build linux

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"dashboard/appliance/card"
	"dashboard/appliance/state"
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
		return k.refuse(err)
	}
	r, err := state.Load(k.store)
	if err != nil || r.Update == sum {
		return err
	}
	if err := k.update(path, sum); err != nil {
		return k.refuse(err)
	}
	fmt.Println("the update is written: restarting into it")
	if out, err := os.StartProcess("/usr/bin/systemctl", []string{"systemctl", "reboot"}, &os.ProcAttr{}); err != nil {
		return err
	} else {
		return out.Release()
	}
}

// refuse tells in the report and on the screen why the update on the card is not taken.
func (k *keeper) refuse(err error) error {
	k.refused = fmt.Sprintf("%s: %v", card.UpdateFile, err)
	return errors.Join(errors.New(k.refused), k.tellWrong(), k.report(context.Background()))
}

// tell writes a file that every program may read.
func tell(file, text string) error {
	path := "/" + file
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return err
	}
	return os.Chmod(path, 0o644)
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

// Reasons not to take an update.
var (
	errDamaged = errors.New("the file is damaged: copy it onto the card again")
	errCard    = errors.New("the card does not keep what is written to it")
	errTrial   = errors.New("the running slot is itself on trial")
	errBusy    = errors.New("another update is being written")
)

// update writes an update into the slot that is not running, reads it back from the card, and only then has
// the next start try it. A power cut before that leaves everything as it was. A damaged file is not written at all, nor is one
// that must be signed and is not.
func (k *keeper) update(path string, sum [sha256.Size]byte) error {
	slot := k.card.partition(slotPartition(k.slot.Other()))
	lock, err := lockFile(slot)
	if err != nil {
		return err
	}
	defer lock.Close()
	size, err := checkUpdate(path, sum)
	if err != nil {
		return err
	}
	if err := checkSigned(k.keyFile, path, size); err != nil {
		return err
	}
	if err := k.endTrials(); err != nil {
		return err
	}
	if err := writeSlot(path, slot, size); err != nil {
		return err
	}
	got, err := readBack(slot, size)
	if err != nil {
		return err
	}
	if !bytes.Equal(got, sum[:]) {
		return errors.Join(errCard, k.change(func(r state.Record) state.Record { return r.Refuse(sum) }))
	}
	return k.change(func(r state.Record) state.Record { return r.Try(k.slot.Other(), updateTries, sum) })
}

// lockFile keeps other updates away from a slot until the file is closed.
func lockFile(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(errBusy, f.Close())
	}
	return f, nil
}

// checkUpdate returns the size of an update's root file system, if that is what its checksum says.
func checkUpdate(path string, sum [sha256.Size]byte) (size int64, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	size = info.Size() - int64(card.TrailerSize)
	if room := card.Layout()[card.SlotA].Size; size > room {
		return 0, fmt.Errorf("%d bytes, but a slot has %d", size, room)
	}
	got, err := readBack(path, size)
	if err == nil && !bytes.Equal(got, sum[:]) {
		err = errDamaged
	}
	return size, err
}

// endTrials forgets a trial of the slot that is about to be written: what it holds can no longer be booted. It fails if
// the running slot is on trial.
func (k *keeper) endTrials() error {
	running := false
	err := k.change(func(r state.Record) state.Record {
		if running = r.Trial == k.slot; !running {
			r.Trial, r.Tries = state.None, 0
		}
		return r
	})
	if running {
		return errors.Join(errTrial, err)
	}
	return err
}

// writeSlot copies an update's root file system, size bytes, to a partition.
func writeSlot(from, to string, size int64) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_EXCL, 0) // O_EXCL: not one that is mounted
	if err != nil {
		return err
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{out}, io.LimitReader(in, size), make([]byte, copySize))
	return errors.Join(err, out.Sync(), out.Close())
}

// readBack returns the checksum of the beginning of a file or partition, read from the card and not from memory.
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
