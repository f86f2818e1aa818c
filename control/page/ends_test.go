package page

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestEnds: Ends predicts the same time as a simulation that goes on second by second. In both, the time of day changes each condition at
// most once.
func TestEnds(t *testing.T) {
	ended := 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 4))
		pages := randomPages(r)
		rot := NewRotation(pages)
		in := make([]Condition, len(pages))
		for i := range in {
			fire := r.IntN(2) == 0
			in[i] = Condition{When: r.IntN(3) > 0, Fire: fire, Clear: !fire}
			if r.IntN(2) == 0 {
				in[i].WhenTurns = at(1 + r.IntN(100))
			}
			if r.IntN(2) == 0 {
				in[i].FireTurns = at(1 + r.IntN(100))
				in[i].ClearTurns = in[i].FireTurns
			}
		}
		rot.Step(at(0), in)
		if r.IntN(4) == 0 {
			rot.Show(r.IntN(len(pages)), time.Duration(r.IntN(3)*20)*time.Second, at(0))
		}
		said, was, why := rot.Ends(), rot.Shown(), rot.Why()
		if !slices.Equal(rot.in, in) {
			t.Fatalf("seed %d: looking ahead changed what holds", seed)
		}
		var want time.Time
		for s := 1; s <= 4000 && want.IsZero(); s++ {
			for i := range in {
				in[i].turn(at(s))
			}
			if rot.Step(at(s), in); rot.Shown() != was || rot.Why() != why {
				want = at(s)
			}
		}
		if !said.Equal(want) {
			t.Fatalf("seed %d: %s page %d ends at %v, want %v\npages %+v", seed, why, was, said, want, pages)
		}
		if !want.IsZero() {
			ended++
		}
	}
	if ended < 200 || ended > 590 {
		t.Errorf("%d of 600 ended", ended)
	}
}
