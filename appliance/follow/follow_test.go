package follow

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"aead.dev/minisign"

	"dashboard/appliance/about"
	"dashboard/appliance/manifest"
	"dashboard/appliance/state"
)

// images contains an old and a new root file system, and the delta files that make the new root file system.
var images = sync.OnceValue(func() (i struct{ old, fresh, small, whole []byte }) {
	var t testing.T
	i.old = noise(1)
	i.fresh = changed(i.old, 2)
	i.small, i.whole = made(&t, i.old, i.fresh), made(&t, nil, i.fresh)
	return i
})

var begin = time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)

// A rig is a board with a follower and a server of releases.
type rig struct {
	*Follower
	card    *testCard
	web     *web
	private minisign.PrivateKey
	now     time.Time
	timeSet bool
}

// releaseNumber is the sequence of the release. runningNumber is the sequence of the running root file system.
const releaseNumber, runningNumber = 12, 11

func newRig(t testing.TB) *rig {
	t.Helper()
	i := images()
	g := &rig{card: newCard(t, i.old), now: begin, timeSet: true}
	g.web = &web{power: &g.card.power, files: map[string][]byte{"small": i.small, "whole": i.whole}}
	public, private := keyPair(t, 1)
	g.private = private
	g.Follower = New(g.board(public), false)
	g.publish(nil)
	return g
}

func (g *rig) board(public minisign.PublicKey) Board {
	return Board{
		Machine: g.card, Source: g.web, Marks: g.card, Slot: g.card.running, Arch: "arm64", ID: "a", Version: "1.5.2", Sequence: runningNumber,
		Keys: &manifest.Keys{Current: public}, Channel: manifest.Stable, Window: Window{180, 240},
		Now: func() time.Time { return g.now }, TimeSet: func() bool { return g.timeSet }, Pause: pause,
	}
}

// publish puts a changed manifest on the server.
func (g *rig) publish(change func(m *manifest.Manifest)) {
	g.card.t.Helper()
	i := images()
	m := manifest.Manifest{
		Sequence: releaseNumber, Version: "1.6.0", Board: "arm64", Channel: manifest.Stable, Made: begin, Percent: 100, Notes: []string{"Moon"},
		Slot: manifest.Slot{Size: int64(len(i.fresh)), Sum: sumOf(i.fresh)},
		Files: []manifest.File{
			{Name: "whole", Size: int64(len(i.whole)), Sum: sumOf(i.whole)},
			{Name: "small", Size: int64(len(i.small)), Sum: sumOf(i.small), From: sumOf(i.old)},
		},
	}
	if change != nil {
		change(&m)
	}
	data, err := manifest.Sign(m, g.private)
	if err != nil {
		g.card.t.Fatal(err)
	}
	g.web.files["stable-arm64.manifest"] = data
}

// ask makes a request, as a person does, and does the work that follows the answer.
func (g *rig) ask(do, value string) error {
	work, err := g.answer(about.Ask{Do: do, Value: value})
	if work != nil {
		work(context.Background())
	}
	return err
}

// TestInstalls checks a whole installation with a delta file. The wall shows each phase, and the progress never decreases.
func TestInstalls(t *testing.T) {
	g := newRig(t)
	g.check(t.Context(), false)
	u := g.card.last()
	if want := int64(len(images().small)); !u.Ready || u.Latest != "1.6.0" || u.Size != want || len(u.Notes) != 1 || u.Problem != "" {
		t.Fatalf("got %+v, want 1.6.0 of %d bytes", u, want)
	}
	if err := g.ask(about.DoNow, ""); err != nil {
		t.Fatal(err)
	}
	r := g.card.record()
	whole := g.card.holds(state.B, images().fresh)
	if !whole || r.Trial != state.B || r.Release.Trying != releaseNumber || r.Release.Other.String() != "1.5.2" || g.card.restarts != 1 {
		t.Fatalf("got %+v, %d restarts", r, g.card.restarts)
	}
	phases, percent := []string{}, 0
	for _, u := range g.card.told {
		if len(phases) == 0 || phases[len(phases)-1] != u.Phase {
			phases = append(phases, u.Phase)
			percent = 0
		}
		if u.Percent < percent {
			t.Errorf("the progress falls from %d to %d", percent, u.Percent)
		}
		percent = u.Percent
	}
	if want := []string{"fetch", "", "fetch", "", "fetch", "write", "check", "trial"}; !slices.Equal(phases, want) {
		t.Errorf("got the phases %v, want %v", phases, want)
	}
	if !slices.Contains(g.web.asked, "small 0") || slices.Contains(g.web.asked, "whole 0") {
		t.Errorf("asked for %v, want the delta", g.web.asked)
	}
}

// TestFallsBackToWhole checks that the complete file is used if there is no delta file or the delta file is wrong.
func TestFallsBackToWhole(t *testing.T) {
	for name, prepare := range map[string]func(g *rig){
		"gone":        func(g *rig) { delete(g.web.files, "small") },
		"swapped":     func(g *rig) { g.web.files["small"] = images().whole },
		"none fits":   func(g *rig) { g.publish(func(m *manifest.Manifest) { m.Files[1].From = sha256.Sum256(nil) }) },
		"cut":         func(g *rig) { g.web.files["small"] = images().small[:len(images().small)/2] },
		"empty":       func(g *rig) { g.web.files["small"] = nil },
		"made by us?": func(g *rig) { g.web.files["small"] = bytes.Repeat([]byte("x"), len(images().small)) },
	} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t)
			prepare(g)
			if err := g.ask(about.DoNow, ""); err != nil || !g.card.holds(state.B, images().fresh) || g.card.record().Trial != state.B {
				t.Errorf("got %v, problem %q", err, g.card.last().Problem)
			}
		})
	}
}

// TestWholeContinues checks that the complete file continues after an interruption, although the delta file is tried first. Otherwise the
// delta file would overwrite the slot and the mark at each try.
func TestWholeContinues(t *testing.T) {
	g := newRig(t)
	i := images()
	g.web.files["small"] = i.small[:len(i.small)-10]
	g.web.files["whole"] = i.whole[:len(i.whole)-10]
	if err := g.ask(about.DoNow, ""); err != nil || g.card.last().Problem == "" {
		t.Fatalf("got %v, and no problem with files that are too short", err)
	}
	g.web.files["whole"], g.web.asked = i.whole, nil
	if err := g.ask(about.DoNow, ""); err != nil || !g.card.holds(state.B, i.fresh) {
		t.Fatalf("got %v, problem %q", err, g.card.last().Problem)
	}
	for _, asked := range g.web.asked {
		if asked == "whole 0" || strings.HasPrefix(asked, "small") {
			t.Errorf("got the requests %v, want only the rest of the complete file", g.web.asked)
			break
		}
	}
}

// TestDeltaAfterWhole checks that the delta file is used if the complete file has begun and cannot be used any more.
func TestDeltaAfterWhole(t *testing.T) {
	i := images()
	for name, whole := range map[string][]byte{"gone": nil, "cut": i.whole[:len(i.whole)-10]} {
		t.Run(name, func(t *testing.T) {
			g := newRig(t)
			g.web.files["small"], g.web.files["whole"] = i.small[:len(i.small)-10], i.whole[:len(i.whole)-10]
			if err := g.ask(about.DoNow, ""); err != nil || g.card.Load().File != sumOf(i.whole) {
				t.Fatalf("got %v, %+v, want the mark of the complete file", err, g.card.Load())
			}
			g.web.files["small"], g.web.files["whole"] = i.small, whole
			if whole == nil {
				delete(g.web.files, "whole")
			}
			if err := g.ask(about.DoNow, ""); err != nil || !g.card.holds(state.B, i.fresh) || g.card.record().Trial != state.B {
				t.Errorf("got %v, problem %q, requests %v", err, g.card.last().Problem, g.web.asked)
			}
		})
	}
}

// TestSlow checks that a download continues after each lost connection and requests each byte only once.
func TestSlow(t *testing.T) {
	g := newRig(t)
	g.web.cutAt = 200 << 10
	if err := g.ask(about.DoNow, ""); err != nil || !g.card.holds(state.B, images().fresh) {
		t.Fatalf("got %v, problem %q", err, g.card.last().Problem)
	}
	if n := len(g.web.asked); n > 2+len(images().small)/g.web.cutAt+1 {
		t.Errorf("%d requests, want each byte once: %v", n, g.web.asked)
	}
}

// A dripping is a server that sends one byte a minute without an end.
type dripping struct{ ctx context.Context }

func (dripping) Open(ctx context.Context, _ string, _ int64) (io.ReadCloser, error) {
	return io.NopCloser(dripping{ctx}), nil
}

func (d dripping) Read(p []byte) (int, error) {
	select {
	case <-d.ctx.Done():
		return 0, net.ErrClosed // as package relay does
	case <-time.After(time.Minute):
		return copy(p, "x"), nil
	}
}

// TestDrip checks that a server with an endless manifest does not keep the follower from a person's requests for days.
func TestDrip(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		g.Source = dripping{}
		start := time.Now()
		g.check(t.Context(), true)
		if took, u := time.Since(start), g.card.last(); took != checkTime || !strings.Contains(u.Warning, "did not arrive within 5m") || u.Phase != "" {
			t.Errorf("after %v: got %+v", took, u)
		}
	})
}

// TestOff checks that a board on the channel off sends no requests. If a person chooses a channel, the channel is written to the settings
// and the server is asked again.
func TestOff(t *testing.T) {
	g := newRig(t)
	if err := g.ask(about.DoChannel, manifest.Off); err != nil {
		t.Fatal(err)
	}
	g.now = g.now.Add(48 * time.Hour)
	g.step(t.Context())
	if err := g.ask(about.DoNow, ""); !errors.Is(err, manifest.ErrOff) || len(g.web.asked) != 0 {
		t.Errorf("got %v, asked for %v", err, g.web.asked)
	}
	if err := g.ask(about.DoChannel, manifest.Beta); err != nil {
		t.Fatal(err)
	}
	g.step(t.Context())
	if !slices.Equal(g.card.set, []string{"update = off", "update = beta"}) || !slices.Equal(g.web.asked, []string{"beta-arm64.manifest 0"}) {
		t.Errorf("set %v, asked for %v", g.card.set, g.web.asked)
	}
	for _, bad := range []about.Ask{{Do: about.DoChannel, Value: "nightly"}, {Do: "format"}, {Do: about.DoWindow, Value: "25:00-26:00"}} {
		if err := g.ask(bad.Do, bad.Value); err == nil {
			t.Errorf("%v passed", bad)
		}
	}
}

// TestBack checks the return to the previous version. The board also switches updates off.
func TestBack(t *testing.T) {
	g := newRig(t)
	if err := g.ask(about.DoBack, ""); !errors.Is(err, errNoBack) {
		t.Errorf("a card without another version: got %v", err)
	}
	if err := g.ask(about.DoNow, ""); err != nil {
		t.Fatal(err)
	}
	if err := g.card.Change(func(r state.Record) state.Record { return r.Confirm(state.B) }); err != nil {
		t.Fatal(err)
	}
	g.tell("", 0)
	if u := g.card.last(); u.Back != "1.5.2" {
		t.Fatalf("got %q to return to", u.Back)
	}
	if err := g.ask(about.DoBack, ""); err != nil {
		t.Fatal(err)
	}
	if r := g.card.record(); r.Trial != state.A || r.Good != state.B || g.Channel != manifest.Off || g.card.restarts != 2 {
		t.Errorf("got %+v, channel %s", r, g.Channel)
	}
}

// TestTrialFailed checks that a release that showed no picture is reported, and is tried again only at a person's request.
func TestTrialFailed(t *testing.T) {
	g := newRig(t)
	if err := g.ask(about.DoNow, ""); err != nil {
		t.Fatal(err)
	}
	if err := g.card.Change(func(r state.Record) state.Record { return r.GiveUp(state.NoPicture) }); err != nil {
		t.Fatal(err)
	}
	g.now = time.Date(2026, 11, 3, 3, 40, 0, 0, time.UTC)
	g.next = g.now
	g.step(t.Context())
	u := g.card.last()
	if u.Failed != "1.6.0" || u.Why != "showed no picture in time" || u.Ready || u.Waits == "" || u.Back != "" || g.card.restarts != 1 {
		t.Errorf("got %+v, %d restarts", u, g.card.restarts)
	}
	if err := g.ask(about.DoSeen, ""); err != nil || !g.card.last().Seen {
		t.Errorf("seen: got %v, %+v", err, g.card.last())
	}
	if err := g.ask(about.DoNow, ""); err != nil || g.card.restarts != 2 {
		t.Errorf("by hand: got %v, %d restarts", err, g.card.restarts)
	}
}

// TestRunsAlready checks a release that has another sequence number but the same root file system as the running release. The board does
// not install this release, because otherwise it would install the release every night.
func TestRunsAlready(t *testing.T) {
	g := newRig(t)
	g.publish(func(m *manifest.Manifest) {
		m.Slot.Sum = sumOf(images().old)
		m.Files = []manifest.File{{Name: "whole", Size: 1, Sum: manifest.Sum{1}}}
	})
	if err := g.ask(about.DoNow, ""); err != nil || g.card.restarts != 0 || g.card.last().Latest != "" {
		t.Errorf("got %v, %+v", err, g.card.last())
	}
}
