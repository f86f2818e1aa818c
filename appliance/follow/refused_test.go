package follow

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"aead.dev/minisign"

	"dashboard/appliance/about"
	"dashboard/appliance/install"
	"dashboard/appliance/manifest"
	"dashboard/appliance/state"
	"dashboard/internal/testing/race"
	"dashboard/internal/testing/thorough"
)

// TestAttacks checks that no release of a hostile server is tried, and that the running slot does not change.
func TestAttacks(t *testing.T) {
	thorough.Only(t)
	_, foreign := keyPair(t, 9)
	for name, tt := range map[string]struct {
		prepare func(g *rig)
		want    string // expected text in the problem or in the warning
		unread  bool   // true if only the manifest may be requested
	}{
		"replay": {func(g *rig) {
			if err := g.card.Change(func(r state.Record) state.Record { r.Release.Highest = 13; return r }); err != nil {
				panic(err)
			}
		}, "older than one that this board has seen", true},
		"older than the running one": {func(g *rig) { g.publish(func(m *manifest.Manifest) { m.Sequence = 10 }) }, "older", true},
		"foreign board":              {func(g *rig) { g.publish(func(m *manifest.Manifest) { m.Board = "amd64" }) }, "another kind of board", true},
		"foreign key":                {func(g *rig) { g.private = foreign; g.publish(nil) }, "not signed", true},
		"truncated manifest": {func(g *rig) {
			g.web.files["stable-arm64.manifest"] = g.web.files["stable-arm64.manifest"][:600]
		}, "not signed", true},
		"huge manifest": {func(g *rig) { g.web.files["stable-arm64.manifest"] = make([]byte, 10<<20) }, "too long", true},
		"truncated": {func(g *rig) {
			g.web.files["small"], g.web.files["whole"] = images().small[:100<<10], nil
		}, "ends after", false},
		"swapped delta": {func(g *rig) {
			other := changed(images().old, 5)
			g.web.files["small"], g.web.files["whole"] = made(t, images().old, other), made(t, nil, other)
		}, install.ErrFile.Error(), false},
		"swapped pieces": {func(g *rig) {
			bad := func(b []byte) []byte { b = bytes.Clone(b); b[len(b)-1000] ^= 1; return b }
			g.web.files["small"], g.web.files["whole"] = bad(images().small), bad(images().whole)
		}, "damaged", false},
		"endless": {func(g *rig) {
			g.web.files["small"], g.web.files["whole"] = make([]byte, 64<<20), make([]byte, 64<<20)
		}, "not an update of a root file system", false},
		"gone":    {func(g *rig) { delete(g.web.files, "small"); delete(g.web.files, "whole") }, install.ErrGone.Error(), false},
		"no link": {func(g *rig) { g.web.broken = errors.New("no route") }, "no route", true},
	} {
		t.Run(name, func(t *testing.T) {
			if race.Enabled && name == "swapped delta" {
				t.Skip("makes two delta files, in one goroutine")
			}
			g := newRig(t)
			tt.prepare(g)
			before := g.card.record()
			_ = g.ask(about.DoNow, "")
			u, r := g.card.last(), g.card.record()
			if !strings.Contains(u.Problem+u.Warning, tt.want) {
				t.Errorf("got problem %q and warning %q, want %q", u.Problem, u.Warning, tt.want)
			}
			if r.Trial != state.None || r.Good != state.A || g.card.restarts != 0 || !g.card.holds(state.A, images().old) || u.Phase != "" {
				t.Errorf("got %+v, phase %q, %d restarts", r, u.Phase, g.card.restarts)
			}
			if tt.unread && (len(g.web.asked) != 1 || r.Release != before.Release) {
				t.Errorf("asked for %v, the state is %+v", g.web.asked, r.Release)
			}
		})
	}
}

// TestDamagedTwice checks that a file that has produced two damaged releases is not tried again automatically. A person can try it again.
func TestDamagedTwice(t *testing.T) {
	g := newRig(t)
	g.publish(func(m *manifest.Manifest) { m.Files = m.Files[:1] })
	good := g.web.files["whole"]
	bad := bytes.Clone(good)
	bad[len(bad)-1000] ^= 1
	g.web.files["whole"] = bad
	g.check(t.Context(), false)
	for range 4 {
		g.install(t.Context(), false)
	}
	if got := g.card.last().Problem; got != install.ErrBad.Error() || g.card.mark.Bad != 2 {
		t.Errorf("got %q after %d writes, want it refused after two", got, g.card.mark.Bad)
	}
	g.web.files["whole"] = good
	if err := g.ask(about.DoNow, ""); err != nil || !g.card.holds(state.B, images().fresh) {
		t.Errorf("by hand: got %v, problem %q", err, g.card.last().Problem)
	}
}

// TestRotationHalfDone: after a manifest has announced a new key, this key can sign the next manifest, although the image does not contain
// the key. After that, the old key is refused, even if the image contains only the old key.
func TestRotationHalfDone(t *testing.T) {
	g := newRig(t)
	first := g.private
	nextPublic, next := keyPair(t, 2)
	g.private = next
	g.publish(nil)
	if g.check(t.Context(), false); !strings.Contains(g.card.last().Problem, "not signed") {
		t.Fatalf("a key that nobody named: got %+v", g.card.last())
	}
	step := func(key minisign.PrivateKey, sequence uint64, nextKey string) string {
		g.private = key
		g.publish(func(m *manifest.Manifest) { m.Sequence, m.NextKey = sequence, nextKey })
		g.check(t.Context(), false)
		return g.card.last().Problem
	}
	if p := step(first, 12, nextPublic.String()); p != "" {
		t.Fatal(p)
	}
	if p := step(first, 12, nextPublic.String()); p != "" {
		t.Errorf("half done: the first key still signs, got %q", p)
	}
	if p := step(next, 13, ""); p != "" {
		t.Fatalf("the next key: got %q", p)
	}
	if p := step(first, 14, ""); !strings.Contains(p, "not signed") {
		t.Errorf("the retired key: got %q", p)
	}
}

// TestNoKey checks that an image without a key accepts no releases from a network.
func TestNoKey(t *testing.T) {
	g := newRig(t)
	g.Keys = nil
	if err := g.ask(about.DoNow, ""); !errors.Is(err, errNoKey) || len(g.web.asked) != 0 {
		t.Errorf("got %v", err)
	}
}

// TestSlotIsLocked checks that nothing is installed while an update is written by hand.
func TestSlotIsLocked(t *testing.T) {
	g := newRig(t)
	g.card.locked = os.ErrPermission
	_ = g.ask(about.DoNow, "")
	if r := g.card.record(); r.Trial != state.None || g.card.last().Problem == "" {
		t.Errorf("got %+v, %q", r, g.card.last().Problem)
	}
}
