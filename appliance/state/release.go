package state

import "bytes"

// A Release is the part of the state that belongs to releases from a network. A card that never asked has the zero value.
type Release struct {
	Highest uint64 // sequence of the newest manifest that was accepted. Lower ones are replays
	Trying  uint64 // sequence of the release on trial, or 0
	GivenUp uint64 // sequence of the latest failed release, or 0
	Why     Why    // of GivenUp
	Kept    bool   // the slot that does not run has painted before, so it can be returned to
	Seen    bool   // somebody saw on the wall that GivenUp failed
	Other   Label  // version in that slot
	Tried   Label  // version of Trying or GivenUp
	Current Key    // the key of releases, in place of the one in the root file system, or empty
	Next    Key    // a key that signs as well, or empty
}

// Why is the reason of a failed trial.
type Why uint8

// The reasons.
const (
	NotGivenUp   Why = iota
	NoPicture        // no picture within the limit
	NotMounted       // the slot is no root file system
	NeverPainted     // every start of the trial ended without a picture
	whys
)

// A Label is a version of at most 32 bytes, padded with zeros.
type Label [32]byte

// LabelOf returns a text as a label, cut to its size.
func LabelOf(text string) (l Label) {
	copy(l[:], text)
	return l
}

// String implements fmt.Stringer.
func (l Label) String() string { return string(bytes.TrimRight(l[:], "\x00")) }

// A Key is minisign's public key as text, which has 56 bytes.
type Key [56]byte

// KeyOf returns the text of a key, or an empty key for a text of another size.
func KeyOf(text string) (k Key) {
	if len(text) == len(k) {
		copy(k[:], text)
	}
	return k
}

// String returns the text, "" for an empty key.
func (k Key) String() string { return string(bytes.TrimRight(k[:], "\x00")) }

// giveUp records that the release on trial failed. The other slot, which has it, cannot be returned to.
func (r Release) giveUp(why Why) Release {
	r.Kept = false
	if r.Trying != 0 {
		r.GivenUp, r.Trying, r.Why, r.Seen = r.Trying, 0, why, false
	}
	return r
}

// confirm records that the slot on trial has painted. The slot that ran before has painted earlier.
func (r Release) confirm() Release {
	if r.Trying != 0 {
		r.GivenUp, r.Why = 0, NotGivenUp
	}
	r.Trying, r.Tried, r.Kept = 0, Label{}, true
	return r
}

// Overwrite records that the slot that does not run is about to be written: it can be neither tried nor returned to.
func (r Record) Overwrite() Record {
	r.Trial, r.Tries, r.Release.Trying, r.Release.Kept = None, 0, 0, false
	return r
}

// Offer names the release of a trial that Try has begun, and the version that runs.
func (r Record) Offer(sequence uint64, version, running string) Record {
	r.Release.Trying, r.Release.Tried, r.Release.Other = sequence, LabelOf(version), LabelOf(running)
	return r
}

// Back has the next boots try the other slot again, which has painted before. It changes nothing if that slot was overwritten.
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
