package state_test

import (
	"testing"

	"dashboard/appliance/state"
)

// TestReleaseIsKept checks that a record keeps the state of releases, which is the last part of the record. If only this part is damaged,
// the other parts are still valid.
func TestReleaseIsKept(t *testing.T) {
	r := state.Fresh.Accept(12, "RWQK", "")
	r.Release.Current = state.KeyOf("RWSBPIzDqWJXaO6qVkVvdEEtXwpHnvHlLDYDDZSAVWDZhb4pHDdJDdBz")
	r = r.Try(state.B, 3, [32]byte{1}).Offer(12, "1.6.0", "1.5.2")
	got, err := state.Decode(r.Encode())
	if err != nil || got != r || got.Release.Tried.String() != "1.6.0" || got.Release.Current.String()[:4] != "RWSB" {
		t.Errorf("got %+v, %v", got, err)
	}
	sector := r.Encode()
	sector[140] ^= 1 // a byte of the last part
	got, err = state.Decode(sector)
	if err != nil || got.Trial != state.B || got.Release != (state.Release{}) {
		t.Errorf("a damaged last part: got %+v, %v", got, err)
	}
}

// A return to the other slot is possible only if this slot has painted and was not overwritten afterwards.
func TestBack(t *testing.T) {
	if got := state.Fresh.Back(3, "1.0.0"); got != state.Fresh {
		t.Errorf("a new card: got %+v", got)
	}
	r := state.Fresh.Try(state.B, 3, [32]byte{}).Offer(12, "1.6.0", "1.5.2").Confirm(state.B)
	if !r.Release.Kept || r.Release.Other.String() != "1.5.2" || r.Release.Trying != 0 {
		t.Fatalf("confirmed: got %+v", r.Release)
	}
	if got := r.Overwrite().Back(3, "1.6.0"); got.Trial != state.None {
		t.Errorf("overwritten: got %+v", got)
	}
	back := r.Back(3, "1.6.0")
	if back.Trial != state.A || back.Good != state.B || back.Release.Other.String() != "1.6.0" {
		t.Errorf("got %+v", back)
	}
	if again := back.GiveUp(state.NoPicture); again.Release.Kept || again.Release.GivenUp != 0 {
		t.Errorf("a return without a picture: got %+v", again.Release)
	}
}

// A failed release is recorded with the reason until another release paints.
func TestGivenUp(t *testing.T) {
	r := state.Fresh.Try(state.B, 1, [32]byte{}).Offer(12, "1.6.0", "1.5.2")
	_, r, _ = r.Next()
	_, r, _ = r.Next()
	if r.Release.GivenUp != 12 || r.Release.Why != state.NeverPainted || r.Release.Kept {
		t.Errorf("got %+v", r.Release)
	}
	r = r.Try(state.B, 1, [32]byte{}).Offer(13, "1.6.1", "1.5.2").Confirm(state.B)
	if r.Release.GivenUp != 0 || r.Release.Why != state.NotGivenUp {
		t.Errorf("after another release: got %+v", r.Release)
	}
}
