// Package state keeps what an appliance must remember across power cuts: which of its two root slots to
// boot, how often a new one may still be tried, and what time it was.
//
// The state is one record, written alternately to two places of a partition without a file system. Whatever
// is half written when the power goes is the older of the two, or fails its checksum: the other one stands.
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

// A Slot is a partition that holds a root file system.
type Slot uint8

// The slots. None is also the zero value.
const (
	None Slot = iota
	A
	B
)

// Other returns the slot that s is not.
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
	Seq    uint64            // grows by one with every write
	Good   Slot              // the slot that has painted a frame
	Trial  Slot              // a newly written slot that has not yet, or None
	Tries  uint8             // how often the trial may still be booted
	Failed uint8             // trials and slots that were given up, since the card was written
	Clock  int64             // Unix seconds
	Update [sha256.Size]byte // of the update that was written last, so that it is not written again
}

// Fresh is the state of a card that has never been started.
var Fresh = Record{Good: A}

const (
	// recordSize is one sector: what a card writes at once or not at all, if it keeps its promise. The
	// checksum is for those that do not.
	recordSize = 512
	// placeGap keeps the two records in different erase blocks of a card.
	placeGap = 1 << 20
	// Size is the smallest partition that holds a state, bytes.
	Size = placeGap + recordSize

	magic = "DASHSTA1"
)

// ErrInvalid says that a sector holds no record.
var ErrInvalid = errors.New("state: no record")

// layout is a record on the card, little endian: magic, fields, checksum of both, zeros.
type layout struct {
	Magic  [len(magic)]byte
	Fields Record
	Sum    [sha256.Size]byte
}

// Encode returns the sector of a record.
func (r Record) Encode() []byte {
	l := layout{Fields: r}
	copy(l.Magic[:], magic)
	l.Sum = sum(l)
	sector := make([]byte, recordSize)
	if _, err := binary.Encode(sector, binary.LittleEndian, l); err != nil {
		panic("state: " + err.Error()) // the layout is of fixed size, and smaller than a sector
	}
	return sector
}

// Decode reads a sector. Errors are ErrInvalid.
func Decode(sector []byte) (Record, error) {
	var l layout
	if _, err := binary.Decode(sector, binary.LittleEndian, &l); err != nil {
		return Record{}, ErrInvalid
	}
	if string(l.Magic[:]) != magic || l.Sum != sum(l) || !l.Fields.sound() {
		return Record{}, ErrInvalid
	}
	return l.Fields, nil
}

// sound reports whether the fields can be what this program wrote.
func (r Record) sound() bool {
	return (r.Good == A || r.Good == B) && r.Trial <= B && r.Trial != r.Good
}

func sum(l layout) [sha256.Size]byte {
	l.Sum = [sha256.Size]byte{}
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, l); err != nil {
		panic("state: " + err.Error())
	}
	return sha256.Sum256(b.Bytes())
}

// Load returns the newest record of a partition, or Fresh if there is none.
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

// A Store is a partition open for writing. Sync returns when the card has what was written.
type Store interface {
	io.ReaderAt
	io.WriterAt
	Sync() error
}

// Save writes the record that follows r to the place that does not hold r, and returns it.
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

// Next decides which slot is booted now. A trial is counted before it is booted: the changed record must be
// saved first.
func (r Record) Next() (slot Slot, after Record, changed bool) {
	switch {
	case r.Trial == None:
		return r.Good, r, false
	case r.Tries == 0:
		r = r.GiveUp()
		return r.Good, r, true
	}
	r.Tries--
	return r.Trial, r, true
}

// GiveUp ends a trial without success.
func (r Record) GiveUp() Record {
	r.Trial, r.Tries = None, 0
	r.Failed++
	return r
}

// Leave makes the other slot the one to boot: this one starts, and paints nothing.
func (r Record) Leave() Record {
	if r.Trial == None {
		r.Good = r.Good.Other()
		r.Failed++
	}
	return r
}

// Confirm makes the slot that has painted the one to boot. painted is the slot that is running.
func (r Record) Confirm(painted Slot) Record {
	if r.Trial == painted && painted != None {
		r.Good, r.Trial, r.Tries = painted, None, 0
	}
	return r
}

// Try has the next boots try a slot that was just written.
func (r Record) Try(slot Slot, tries uint8, update [sha256.Size]byte) Record {
	r.Good, r.Trial, r.Tries, r.Update = slot.Other(), slot, tries, update
	return r
}

// At sets the clock. A time that the network confirmed is taken as it is, so that a wrong one from the future does not
// stay; any other never goes back.
func (r Record) At(now time.Time, confirmed bool) Record {
	if confirmed || now.Unix() > r.Clock {
		r.Clock = now.Unix()
	}
	return r
}

// Refuse remembers an update that the card does not hold as it was sent, so that it is not written again.
func (r Record) Refuse(update [sha256.Size]byte) Record {
	r.Update = update
	r.Failed++
	return r
}
