package manifest

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"time"
)

// A manifest that is older than staleAfter is reported as old, because the server may be withholding newer manifests.
const staleAfter = 30 * 24 * time.Hour

// A Board has the facts by which a board accepts or refuses a release.
type Board struct {
	Arch      string
	Machine   string // machine ID, for the gradual distribution
	Channel   string
	Sequence  uint64 // sequence number of the running release, 0 for an image that was made by hand
	Highest   uint64 // highest sequence number of all accepted manifests
	Failed    uint64 // sequence number of a release whose trial failed, or 0
	Now       time.Time
	ClockGood bool // true if the clock is set
}

// Reasons why Judge refuses a release.
var (
	ErrOff     = errors.New("updates are off")
	ErrBoard   = errors.New("the release is for another kind of board")
	ErrOlder   = errors.New("the release is older than one that this board has seen")
	ErrNothing = errors.New("this release is already running")
	ErrFrom    = errors.New("the running version is too old for this release: update by hand once")
	ErrChannel = errors.New("the release is on another channel")
	ErrWaits   = errors.New("the release goes to other boards first")
	ErrFailed  = errors.New("the release was tried and given up")
)

// Judge returns nil if a board accepts a release, and otherwise the reason for refusing it.
func (m *Manifest) Judge(b Board) error {
	switch {
	case b.Channel == Off:
		return ErrOff
	case m.Board != b.Arch:
		return fmt.Errorf("%w: %s", ErrBoard, m.Board)
	case m.Sequence < b.Highest || m.Sequence < b.Sequence:
		return fmt.Errorf("%w: number %d, after %d", ErrOlder, m.Sequence, max(b.Highest, b.Sequence))
	case m.Sequence == b.Sequence:
		return ErrNothing
	case m.Sequence == b.Failed:
		return ErrFailed
	case b.Sequence < m.Least:
		return ErrFrom
	case m.Channel == Beta && b.Channel != Beta:
		return ErrChannel
	case place(b.Machine, m.Sequence) >= m.Percent:
		return ErrWaits
	}
	return nil
}

// place returns a board's position in the distribution of a release, from 0 to 99. The position differs between releases, but it is always
// the same for one release.
func place(machine string, sequence uint64) int {
	sum := sha256.Sum256(binary.LittleEndian.AppendUint64([]byte(machine), sequence))
	return int(binary.LittleEndian.Uint64(sum[:]) % 100)
}

// Stale reports whether a manifest is so old that the server may be withholding a newer manifest. It returns false if the time is not
// known.
func (m *Manifest) Stale(b Board) bool { return b.ClockGood && b.Now.Sub(m.Made) > staleAfter }

// Rotate returns the keys after an accepted manifest. If the next key has signed the manifest, this key becomes the current key, and the
// former current key is no longer trusted. If the manifest contains a new key, the new key becomes the next key.
func (k Keys) Rotate(m *Manifest, by Which) Keys {
	if by == ByNext {
		k.Current, k.Next = *k.Next, nil
	}
	if next, err := ParseKey(m.NextKey); m.NextKey != "" && err == nil {
		k.Next = &next
	}
	return k
}
