//go:build linux

package appliance

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
	"dashboard/appliance/kernels"
	"dashboard/appliance/state"
)

const (
	// updateTries is the number of starts of a new slot that may end without a picture. Several starts are allowed, because a power cut may
	// end a start.
	updateTries = 3
	copySize    = 1 << 20
)

// takeUpdate looks for an update on the first partition. If the update is new, takeUpdate writes it to the other slot and restarts the
// board.
func (k *keeper) takeUpdate() error {
	path := filepath.Join(bootFolder, card.UpdateFile)
	if _, err := os.Stat(path); err != nil {
		return nil // usually there is no update
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
	if r, err = state.Load(k.store); err != nil {
		return err
	}
	fmt.Println("the update is written: restarting into it")
	return restart(r)
}

// restart requests a restart of the board for the given state. It returns before the board restarts.
func restart(r state.Record) error {
	out, err := os.StartProcess("/usr/bin/systemctl", restartArguments(r), &os.ProcAttr{})
	if err != nil {
		return err
	}
	return out.Release()
}

// refuse records the reason why the update on the card is refused. The report and the screen show this reason.
func (k *keeper) refuse(err error) error {
	k.refused = fmt.Sprintf("%s: %v", card.UpdateFile, err)
	return errors.Join(errors.New(k.refused), k.tellWrong(), k.report(context.Background()))
}

// tell writes a text to a file that all programs can read.
func tell(file, text string) error {
	path := "/" + file
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return err
	}
	return os.Chmod(path, 0o644)
}

// updateFrom runs "appliance update".
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
	if err := k.update(path, sum); err != nil {
		return err
	}
	r, err := state.Load(k.store)
	if err == nil {
		fmt.Printf("%s tries it\n", restartCommand(r))
	}
	return err
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

// Reasons to refuse an update.
var (
	errDamaged = errors.New("the file is damaged: copy it onto the card again")
	errCard    = errors.New("the card does not keep what is written to it")
	errTrial   = errors.New("the running slot is itself on trial")
	errBusy    = errors.New("another update is being written")
)

// update writes an update into the slot that is not running, reads it back from the card, and prepares its trial at the next start. If
// the update's kernel differs from the running kernel, update writes this kernel into the other folder.
//
// If the power fails before the last step, the next start uses the running slot as before. update writes nothing if the file is damaged,
// or if a signature is required and the file is not signed.
func (k *keeper) update(path string, sum [sha256.Size]byte) error {
	slot := k.card.partition(slotPartition(k.slot.Other()))
	lock, err := lockFile(slot)
	if err != nil {
		return err
	}
	defer lock.Close()
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	u, err := checkUpdate(in, sum)
	if err != nil {
		return err
	}
	if err := checkSigned(k.keyFile, path, u.size); err != nil {
		return err
	}
	to, why, err := k.planKernel(u)
	if err != nil {
		return err
	}
	if err := k.endTrials(); err != nil {
		return err
	}
	if err := k.writeRoot(path, slot, u, sum); err != nil {
		return err
	}
	if to != state.None {
		if err := k.writable(func() error { return k.kernels.Write(*u.kernel, to) }); err != nil {
			return k.refuseForGood(err, sum)
		}
	}
	return k.change(func(r state.Record) state.Record {
		r = r.Try(k.slot.Other(), updateTries, sum).Offer(0, "", k.version)
		if why != state.NotMissed {
			return r.Miss(why)
		}
		return r.TryKernel(to)
	})
}

// writeRoot writes an update's root file system into a slot and reads it back.
func (k *keeper) writeRoot(path, slot string, u contents, sum [sha256.Size]byte) error {
	if err := writeSlot(path, slot, u.root); err != nil {
		return err
	}
	got, err := readBack(slot, u.root)
	if err == nil && !bytes.Equal(got, u.rootSum) {
		err = k.refuseForGood(errCard, sum)
	}
	return err
}

// refuseForGood records an update that the card did not store correctly, so that it is not written again at every start. After any other
// error the update is tried again.
func (k *keeper) refuseForGood(err error, sum [sha256.Size]byte) error {
	if errors.Is(err, errCard) || errors.Is(err, kernels.ErrKept) {
		err = errors.Join(err, k.change(func(r state.Record) state.Record { return r.Refuse(sum) }))
	}
	return err
}

// lockFile locks a slot against other updates until the file is closed.
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

// contents describes the parts of an update.
type contents struct {
	size    int64 // size without the checksum, in bytes
	root    int64 // size in bytes of the root file system, the first part of an update
	rootSum []byte
	kernel  *kernels.Archive // kernel of the update, or nil
}

// checkUpdate returns the contents of an update if its checksum is correct.
func checkUpdate(f *os.File, sum [sha256.Size]byte) (u contents, err error) {
	info, err := f.Stat()
	if err != nil {
		return u, err
	}
	if u, err = contentsOf(f, info.Size()-int64(card.TrailerSize)); err != nil {
		return u, err
	}
	if room := card.Layout()[card.SlotA].Size; u.root > room {
		return u, fmt.Errorf("%d bytes, but a slot has %d", u.root, room)
	}
	if err := unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED); err != nil {
		return u, err
	}
	h, block := sha256.New(), make([]byte, copySize)
	if _, err := io.CopyBuffer(h, io.NewSectionReader(f, 0, u.root), block); err != nil {
		return u, err
	}
	u.rootSum = h.Sum(nil) // from here on, h also hashes the rest of the update
	_, err = io.CopyBuffer(h, io.NewSectionReader(f, u.root, u.size-u.root), block)
	if err == nil && !bytes.Equal(h.Sum(nil), sum[:]) {
		err = errDamaged
	}
	return u, err
}

// contentsOf finds the parts of an update. `size` is the size of the update without its sum.
func contentsOf(f io.ReaderAt, size int64) (u contents, err error) {
	rest := size
	if block, err := tail(f, rest, card.SignatureSize); err != nil {
		return u, err
	} else if _, ok := card.ParseSignature(block); ok {
		rest -= card.SignatureSize
	}
	end, err := tail(f, rest, card.KernelEnd)
	if err != nil {
		return u, err
	}
	u = contents{size: size, root: rest}
	if n, ok := card.ParseKernelEnd(end); ok && n < rest-int64(card.KernelEnd) {
		u.root = rest - int64(card.KernelEnd) - n
		a := kernels.NewArchive(f, u.root, n)
		u.kernel = &a
	}
	return u, nil
}

// tail returns the n bytes before an offset. It returns fewer bytes if the file begins less than n bytes before the offset.
func tail(f io.ReaderAt, at int64, n int) ([]byte, error) {
	block := make([]byte, max(0, min(int64(n), at)))
	_, err := f.ReadAt(block, at-int64(len(block)))
	return block, err
}

// endTrials ends the trial of the slot that is about to be overwritten. It fails if the running slot is on trial.
func (k *keeper) endTrials() error {
	running := false
	err := k.change(func(r state.Record) state.Record {
		if running = r.Trial == k.slot; running {
			return r
		}
		return r.Overwrite()
	})
	if running {
		return errors.Join(errTrial, err)
	}
	return err
}

// writeSlot copies the first `size` bytes of an update, its root file system, to a partition.
func writeSlot(from, to string, size int64) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_EXCL, 0) // with O_EXCL a mounted partition cannot be opened
	if err != nil {
		return err
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{out}, io.LimitReader(in, size), make([]byte, copySize))
	return errors.Join(err, out.Sync(), out.Close())
}

// readBack returns the checksum of the beginning of a file or partition. It reads the card and not the kernel's cache.
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
