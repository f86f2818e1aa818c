package follow

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"testing"

	"dashboard/appliance/about"
	"dashboard/appliance/manifest"
	"dashboard/appliance/state"
	"dashboard/internal/testing/race"
)

var cutPoints = flag.Int("cuts", 200, "cut points of TestCutAnywhere; 12 with -short")

// TestCutAnywhere cuts the power at random points while a release is fetched, patched, written and tried. After each cut, the card must
// start from a slot that is complete or on trial, and finally show a picture. After the last cut, the installation succeeds and the release
// runs. If the release paints nothing, the old version runs.
func TestCutAnywhere(t *testing.T) {
	points := *cutPoints
	if testing.Short() {
		points = min(points, 12)
	}
	g := newRig(t)
	total := g.live(false)
	for n := range points {
		if race.Left(n, 5) {
			continue
		}
		r := rand.New(rand.NewPCG(uint64(n), 7))
		broken := n%4 == 3
		g := newRig(t)
		if n%3 == 2 {
			g.publish(func(m *manifest.Manifest) { m.Files = m.Files[:1] })
		}
		cuts := 1 + n%2
		for range cuts {
			g.card.power.left = r.IntN(total)
			if g.live(broken) > 0 {
				break // the installation ended before the cut
			}
			g.cut(r)
			g.bootable()
		}
		g.card.power.left = -1
		g.live(broken)
		want, runs := images().fresh, state.B
		if broken {
			want, runs = images().old, state.A
		}
		if s := g.card.record(); s.Good != runs || s.Trial != state.None || g.card.running != runs || !g.card.holds(runs, want) {
			t.Fatalf("point %d: got %+v, slot %v runs", n, s, g.card.running)
		}
	}
}

// live() starts the board again and again until the release runs or has failed. After a start with a picture, it requests the
// installation. It returns the number of steps, or 0 if the power was cut.
func (g *rig) live(broken bool) (steps int) {
	defer func() {
		if e := recover(); e != nil {
			if e != errCut {
				panic(e)
			}
			steps = 0
		}
	}()
	const starts = 10
	before := g.card.power.used
	for range starts {
		if !g.start(broken) {
			continue // the guard has restarted the board
		}
		if r := g.card.record(); r.Good == state.B || r.Release.GivenUp == releaseNumber {
			return g.card.power.used - before
		}
		_ = g.ask(about.DoNow, "")
	}
	g.card.t.Fatalf("after %d starts: %+v, problem %q", starts, g.card.record(), g.card.last().Problem)
	return 0
}

// start does the work of the first process, the guard and the keeper. It reports whether there was a picture.
func (g *rig) start(broken bool) bool {
	r := g.card.record()
	slot, after, changed := r.Next()
	if changed {
		after, _ = state.Save(g.card.state, after)
	}
	g.card.running, g.Slot = slot, slot
	g.release, g.verdict = nil, nil
	paints := g.card.holds(slot, images().old) || g.card.holds(slot, images().fresh) && !broken
	if !paints && after.Trial != slot {
		g.card.t.Fatalf("black: slot %v of %+v is not whole", slot, after)
	}
	g.card.power.step()
	if !paints {
		_ = g.card.Change(func(r state.Record) state.Record { return r.GiveUp(state.NoPicture) })
		return false
	}
	g.Sequence = runningNumber
	if bytes.Equal(g.card.image(slot), images().fresh) {
		g.Sequence = releaseNumber
	}
	_ = g.card.Change(func(r state.Record) state.Record { return r.Confirm(slot) })
	return true
}

// cut cuts the power. A random part of the data that was not flushed is lost.
func (g *rig) cut(r *rand.Rand) {
	g.card.state.cut(r)
	g.card.slots[state.A].cut(r)
	g.card.slots[state.B].cut(r)
	g.card.power.left = -1
}

// bootable() fails the test if the card would start without a picture.
func (g *rig) bootable() {
	g.card.t.Helper()
	r := g.card.record()
	slot, _, _ := r.Next()
	if slot == r.Trial && g.card.holds(slot, images().fresh) {
		return
	}
	if !g.card.holds(slot, images().old) && !g.card.holds(slot, images().fresh) {
		g.card.t.Fatalf("slot %v is not whole: %+v", slot, r)
	}
}
