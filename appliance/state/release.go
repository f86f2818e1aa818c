package state

import "bytes"

// A Release is the part of the state for releases from a network. It is zero on a card that has never requested releases.
type Release struct {
	Highest uint64 // sequence of the newest accepted manifest. A manifest with a lower sequence is refused
	Trying  uint64 // sequence of the release on trial, or 0
	GivenUp uint64 // sequence of the latest failed release, or 0
	Why     Why    // reason why GivenUp failed
	Kept    bool   // true if the slot that is not running has painted before, so that it can be started again
	Seen    bool   // true if a person has seen on the wall that GivenUp failed
	Other   Label  // version in the slot that is not running
	Tried   Label  // version of the release in Trying or GivenUp
	Current Key    // public key that releases must be signed with, or empty for the key in the root file system
	Next    Key    // second key that may sign releases, or empty
}

// A Why is a reason for a failed trial, or NotGivenUp.
type Why uint8

// The reasons.
const (
	NotGivenUp   Why = iota
	NoPicture        // the trial showed no picture within the limit
	NotMounted       // the slot could not be mounted as a root file system
	NeverPainted     // every start of the trial ended without a picture
	whys
)

// A Label is a version of at most 32 bytes, padded with zeros.
type Label [32]byte

// LabelOf returns a text as a label. It cuts a text that is too long.
func LabelOf(text string) (l Label) {
	copy(l[:], text)
	return l
}

// String implements fmt.Stringer.
func (l Label) String() string { return string(bytes.TrimRight(l[:], "\x00")) }

// A Key is a minisign public key as text, which has 56 bytes.
type Key [56]byte

// KeyOf converts the text of a key to a Key. It returns an empty Key if the text has another size.
func KeyOf(text string) (k Key) {
	if len(text) == len(k) {
		copy(k[:], text)
	}
	return k
}

// String returns the text, or "" for an empty key.
func (k Key) String() string { return string(bytes.TrimRight(k[:], "\x00")) }

// giveUp records that the release on trial has failed. Its slot cannot be started again.
func (r Release) giveUp(why Why) Release {
	r.Kept = false
	if r.Trying != 0 {
		r.GivenUp, r.Trying, r.Why, r.Seen = r.Trying, 0, why, false
	}
	return r
}

// confirm records that the slot on trial has painted. The other slot has painted earlier, so it can be started again.
func (r Release) confirm() Release {
	if r.Trying != 0 {
		r.GivenUp, r.Why = 0, NotGivenUp
	}
	r.Trying, r.Tried, r.Kept = 0, Label{}, true
	return r
}

// Overwrite records that the slot that is not running is about to be written. After this, that slot cannot be tried or started again.
func (r Record) Overwrite() Record {
	r.Trial, r.Tries, r.Release.Trying, r.Release.Kept = None, 0, 0, false
	return r
}

// Offer records the release of a trial that Try has begun, and the running version.
func (r Record) Offer(sequence uint64, version, running string) Record {
	r.Release.Trying, r.Release.Tried, r.Release.Other = sequence, LabelOf(version), LabelOf(running)
	return r
}

// Back prepares a return to the other slot, which has painted before. The next starts try this slot. If that slot was overwritten, or a
// trial is running, Back changes nothing.
func (r Record) Back(tries uint8, running string) Record {
	if !r.Release.Kept || r.Trial != None {
		return r
	}
	tried := r.Release.Other
	r = r.Try(r.Good.Other(), tries, r.Update)
	r.Release.Trying, r.Release.Tried, r.Release.Other = 0, tried, LabelOf(running)
	return r
}

// Accept records the newest manifest and the keys that are trusted from now on.
func (r Record) Accept(sequence uint64, current, next string) Record {
	r.Release.Highest = max(r.Release.Highest, sequence)
	r.Release.Current, r.Release.Next = KeyOf(current), KeyOf(next)
	return r
}
