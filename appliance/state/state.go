// Package state stores the appliance's state across power cuts: the slot to start, the remaining tries of a new slot, and the time.
//
// The state is one record. It is written alternately to two places of a partition without a file system. A power cut can damage
// only the older record, whose checksum is then wrong.
package state

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"
)

// A Slot identifies a partition with a root file system.
type Slot uint8

// The slots. None is the zero value.
const (
	None Slot = iota
	A
	B
)

// Other returns the other slot.
func (s Slot) Other() Slot {
	if s == A {
		return B
	}
	return A
}

// String implements fmt.Stringer.
func (s Slot) String() string {
	switch s {
	case A:
		return "a"
	case B:
		return "b"
	}
	return "none"
}

// A Record is the state at one time.
type Record struct {
	Seq    uint64            // number that increases by one with every write
	Good   Slot              // slot to start if there is no trial. Usually it has painted a frame
	Trial  Slot              // newly written slot that has not painted yet, or None
	Tries  uint8             // remaining starts of the trial
	Failed uint8             // number of failed trials, slots and updates since the card was written
	Clock  int64             // last known time, in Unix seconds
	Update [sha256.Size]byte // checksum of the update that was written last, so that it is not written again
	Kernel Slot              // folder with the kernel that is tried together with Trial, or None
	Missed Missed            // reason why the kernel of the latest update is not used
	Told   bool              // true if the screen has shown Missed

	Release Release // state of releases from a network
}

// Missed is the reason why an update's kernel is not used.
type Missed uint8

// The reasons.
const (
	NotMissed  Missed = iota
	NotStarted        // the next start used the kernel in the other folder
	NotPainted        // the kernel was given up together with its slot
	NoRoom            // the first partition has no room
	NoFolders         // the card does not have a folder for each kernel
	NotKept           // config.txt could not be changed
	reasons
)

var missed = [reasons]string{
	NotStarted: "it did not start, or the firmware did not follow",
	NotPainted: "it was given up with the update: there was no picture",
	NoRoom:     "the drive DASHBOARD has no room for a second one",
	NoFolders:  "this card has one kernel, not two folders for them",
	NotKept:    "config.txt could not be changed",
}

// String returns the reason in words, or "" for NotMissed.
func (m Missed) String() string { return missed[min(m, reasons-1)] }

// Fresh is the state of a card that was never started.
var Fresh = Record{Good: A}

const (
	// recordSize is the size of one sector. Most cards write a sector completely or not at all. If a card has written only a part, the
	// checksum detects this.
	recordSize = 512
	// placeGap is the distance between the two records, so that they are in different erase blocks of a card.
	placeGap = 1 << 20
	// Size is the minimum size of the partition with the state, in bytes.
	Size = placeGap + recordSize

	magic = "DASHSTA1"
)

// ErrInvalid means that a sector has no valid record.
var ErrInvalid = errors.New("state: no record")

// The type `first` is the first part of a record. Its form never changes, because the first process and the running root file system may
// have different versions.
type first struct {
	Magic       [len(magic)]byte
	Seq         uint64
	Good, Trial Slot
	Tries       uint8
	Failed      uint8
	Clock       int64
	Update      [sha256.Size]byte
}

// The type `second` is the second part of a record. It was added later: older programs ignore it and write zeros.
type second struct {
	Kernel Slot
	Missed Missed
	Told   bool
}

// layout is the form of a record on the card, in little endian. A checksum follows each part. The checksum covers this part and all earlier
// parts, but not the earlier checksums. Zeros fill the rest.
type layout struct {
	First     first
	FirstSum  [sha256.Size]byte
	Second    second
	SecondSum [sha256.Size]byte
	Third     Release
	ThirdSum  [sha256.Size]byte
}

// Encode returns the sector of a record.
func (r Record) Encode() []byte {
	l := layout{
		First:  first{Seq: r.Seq, Good: r.Good, Trial: r.Trial, Tries: r.Tries, Failed: r.Failed, Clock: r.Clock, Update: r.Update},
		Second: second{r.Kernel, r.Missed, r.Told},
		Third:  r.Release,
	}
	copy(l.First.Magic[:], magic)
	l.FirstSum, l.SecondSum, l.ThirdSum = l.sums()
	return append(encode(l), make([]byte, recordSize-binary.Size(l))...)
}

// encode returns the bytes of a value of fixed size.
func encode(v any) []byte {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, v); err != nil {
		panic("state: " + err.Error()) // the types always have a fixed size
	}
	return b.Bytes()
}

// sums() returns the checksums of the parts. The first checksum includes zeros in place of its own bytes.
func (l layout) sums() (one, two, three [sha256.Size]byte) {
	one = sha256.Sum256(encode(struct {
		First first
		Sum   [sha256.Size]byte
	}{First: l.First}))
	two = sha256.Sum256(encode(struct {
		First  first
		Second second
	}{l.First, l.Second}))
	return one, two, sha256.Sum256(encode(struct {
		First  first
		Second second
		Third  Release
	}{l.First, l.Second, l.Third}))
}

// Decode reads a sector. The only error is ErrInvalid.
func Decode(sector []byte) (Record, error) {
	var l layout
	if n, err := binary.Decode(sector, binary.LittleEndian, &l); err != nil || n > recordSize {
		return Record{}, ErrInvalid
	}
	f := l.First
	r := Record{Seq: f.Seq, Good: f.Good, Trial: f.Trial, Tries: f.Tries, Failed: f.Failed, Clock: f.Clock, Update: f.Update}
	one, two, three := l.sums()
	if string(f.Magic[:]) != magic || l.FirstSum != one || !r.sound() {
		return Record{}, ErrInvalid
	}
	if s := l.Second; l.SecondSum == two && s.Kernel <= B && s.Missed < reasons {
		r.Kernel, r.Missed, r.Told = s.Kernel, s.Missed, s.Told
	}
	if l.ThirdSum == three && l.Third.Why < whys {
		r.Release = l.Third
	}
	return r, nil
}

// sound() reports whether this program could have written these values.
func (r Record) sound() bool {
	return (r.Good == A || r.Good == B) && r.Trial <= B && r.Trial != r.Good
}

// Load returns the newest record of a partition, or Fresh if there is no record.
func Load(p io.ReaderAt) (Record, error) {
	newest, found := Fresh, false
	for place := range int64(2) {
		sector := make([]byte, recordSize)
		if _, err := p.ReadAt(sector, place*placeGap); err != nil {
			return Fresh, fmt.Errorf("state: read: %w", err)
		}
		r, err := Decode(sector)
		if err == nil && (!found || r.Seq > newest.Seq) {
			newest, found = r, true
		}
	}
	return newest, nil
}

// A Store is a partition that is open for writing. Sync returns when all data is on the card.
type Store interface {
	io.ReaderAt
	io.WriterAt
	Sync() error
}

// Save stores r with the next sequence number and returns the stored record. It overwrites the older of the two stored records.
func Save(p Store, r Record) (Record, error) {
	r.Seq++
	if _, err := p.WriteAt(r.Encode(), int64(r.Seq%2)*placeGap); err != nil {
		return r, fmt.Errorf("state: write: %w", err)
	}
	if err := p.Sync(); err != nil {
		return r, fmt.Errorf("state: sync: %w", err)
	}
	return r, nil
}

// Next returns the slot to start now. If `changed` is true, the caller must save the record before it starts the slot, so that a start
// that fails is counted too.
func (r Record) Next() (slot Slot, after Record, changed bool) {
	switch {
	case r.Trial == None:
		return r.Good, r, false
	case r.Tries == 0:
		r = r.GiveUp(NeverPainted)
		return r.Good, r, true
	}
	r.Tries--
	return r.Trial, r, true
}

// GiveUp ends a trial without success, including the trial of a kernel.
func (r Record) GiveUp(why Why) Record {
	r.Release = r.Release.giveUp(why)
	r.Trial, r.Tries = None, 0
	r.Failed++
	if r.Kernel != None {
		r = r.Miss(NotPainted)
	}
	return r
}

// TryKernel makes the next starts try the kernel in a folder together with the slot on trial.
func (r Record) TryKernel(folder Slot) Record {
	r.Kernel = folder
	return r
}

// Miss ends the trial of a kernel and records the reason why the kernel is not used.
func (r Record) Miss(why Missed) Record {
	r.Kernel, r.Missed, r.Told = None, why, false
	return r
}

// StartedFrom compares the folder of the running kernel with the state. If a kernel is on trial in another folder, StartedFrom ends this
// trial. The trial of the slot continues, because any root file system works with any kernel.
func (r Record) StartedFrom(folder Slot) Record {
	if r.Kernel != None && r.Kernel != folder {
		return r.Miss(NotStarted)
	}
	return r
}

// Leave makes the next start use the other slot, because the running slot starts but paints nothing.
func (r Record) Leave() Record {
	if r.Trial == None {
		r.Good = r.Good.Other()
		r.Failed++
		r.Release.Kept = false
	}
	return r
}

// Confirm ends the trial of `painted`, which is the running slot and has shown a picture. The next starts then use this slot. If `painted`
// is not on trial, Confirm changes nothing.
func (r Record) Confirm(painted Slot) Record {
	if r.Trial == painted && painted != None {
		r.Good, r.Trial, r.Tries, r.Kernel = painted, None, 0, None
		r.Release = r.Release.confirm()
	}
	return r
}

// Try makes the next starts try a newly written slot, with the present kernel.
func (r Record) Try(slot Slot, tries uint8, update [sha256.Size]byte) Record {
	r.Good, r.Trial, r.Tries, r.Update = slot.Other(), slot, tries, update
	return r.Miss(NotMissed)
}

// At records the time. A time from the network always replaces the recorded time, because the recorded time may be wrong and lie in the
// future. Any other time replaces it only if it is later.
func (r Record) At(now time.Time, confirmed bool) Record {
	if confirmed || now.Unix() > r.Clock {
		r.Clock = now.Unix()
	}
	return r
}

// Refuse records an update that the card does not store correctly, so that it is not written again.
func (r Record) Refuse(update [sha256.Size]byte) Record {
	r.Update = update
	r.Failed++
	return r
}
