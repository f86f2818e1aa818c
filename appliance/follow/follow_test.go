package follow

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"aead.dev/minisign"

	"dashboard/appliance/about"
	"dashboard/appliance/install"
	"dashboard/appliance/manifest"
	"dashboard/appliance/state"
)

// images are an old and a new root file system, with the files that make the new one.
var images = sync.OnceValue(func() (i struct{ old, fresh, small, whole []byte }) {
	var t testing.T
	i.old = noise(1)
	i.fresh = changed(i.old, 2)
	i.small, i.whole = made(&t, i.old, i.fresh), made(&t, nil, i.fresh)
	return i
})

var begin = time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)

// A rig is a card that follows the releases of a server.
type rig struct {
	*Follower
	card    *testCard
	web     *web
	private minisign.PrivateKey
	now     time.Time
	timeSet bool
}

// releaseNumber is the sequence of the release, runningNumber of the root file system that runs.
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

// publish puts a manifest on the server.
func (g *rig) publish(change func(m *manifest.Manifest)) {
	g.card.t.Helper()
	i := images()
	m := manifest.Manifest{
		Sequence: releaseNumber, Version: "1.6.0", Board: "arm64", Channel: manifest.Stable, Made: begin, Percent: 100, Notes: []string{"Moon"},
		Slot: manifest.Slot{Size: int64(len(i.fresh)), Sum: sha256.Sum256(i.fresh)},
		Files: []manifest.File{
			{Name: "whole", Size: int64(len(i.whole)), Sum: sha256.Sum256(i.whole)},
			{Name: "small", Size: int64(len(i.small)), Sum: sha256.Sum256(i.small), From: sha256.Sum256(i.old)},
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

// ask is a person's request.
func (g *rig) ask(do, value string) error {
	work, err := g.answer(about.Ask{Do: do, Value: value})
	if work != nil {
		work(context.Background())
	}
	return err
}

// TestInstalls: the delta is fetched, written and tried. The wall shows each phase, and a progress that never falls.
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

// TestAttacks are servers that lie. None of them gets anything onto trial, and the running slot stays as it is.
func TestAttacks(t *testing.T) {
	_, foreign := keyPair(t, 9)
	for name, tt := range map[string]struct {
		prepare func(g *rig)
		want    string // in the problem, or in the warning
		unread  bool   // nothing but the manifest is requested
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
			g.web.files["small"], g.web.files["whole"] = made(t, images().old, noise(5)), made(t, nil, noise(5))
		}, install.ErrFile.Error(), false},
		"swapped pieces": {func(g *rig) {
			bad := func(b []byte) []byte { b = bytes.Clone(b); b[len(b)-1000] ^= 1; return b }
			g.web.files["small"], g.web.files["whole"] = bad(images().small), bad(images().whole)
		}, "damaged", false},
		"endless": {func(g *rig) {
			g.web.files["small"], g.web.files["whole"] = make([]byte, 64<<20), make([]byte, 64<<20)
		}, "no update of a root file system", false},
		"gone":    {func(g *rig) { delete(g.web.files, "small"); delete(g.web.files, "whole") }, install.ErrGone.Error(), false},
		"no link": {func(g *rig) { g.web.broken = errors.New("no route") }, "no route", true},
	} {
		t.Run(name, func(t *testing.T) {
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

// TestFallsBackToWhole: without a delta, or with a wrong one, the whole file is taken.
func TestFallsBackToWhole(t *testing.T) {
	for name, prepare := range map[string]func(g *rig){
		"gone":        func(g *rig) { delete(g.web.files, "small") },
		"swapped":     func(g *rig) { g.web.files["small"] = images().whole },
		"none fits":   func(g *rig) { g.publish(func(m *manifest.Manifest) { m.Files[1].From = sha256.Sum256(nil) }) },
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

// TestSlow: connections that end again and again are continued where they were, and a server that sends nothing is left.
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

// TestDamagedTwice: a file that made a damaged release twice is not written automatically again, but a person may.
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

// TestFreeze: an old manifest is taken, and warns.
func TestFreeze(t *testing.T) {
	for days, want := range map[int]bool{29: false, 31: true} {
		g := newRig(t)
		g.now = begin.AddDate(0, 0, days)
		g.check(t.Context(), false)
		if u := g.card.last(); strings.Contains(u.Warning, "hold newer ones back") != want || !u.Ready {
			t.Errorf("after %d days: got %+v", days, u)
		}
	}
}

// TestWrongClock: a board that does not know the time installs nothing automatically, says so, and never warns of an old manifest. A person
// and an urgent release do not need the time.
func TestWrongClock(t *testing.T) {
	for _, year := range []int{1970, 2024, 2040} {
		g := newRig(t)
		g.now, g.timeSet = time.Date(year, 5, 4, 3, 40, 0, 0, time.UTC), false
		g.next = time.Time{}
		g.step(t.Context())
		if u := g.card.last(); !u.Ready || u.Warning != "" || !strings.Contains(u.Waits, "time is not set") || g.card.restarts != 0 {
			t.Errorf("%d: got %+v, %d restarts", year, u, g.card.restarts)
		}
		if g.publish(func(m *manifest.Manifest) { m.Urgent = true }); year == 2024 {
			g.next = g.now
			g.step(t.Context())
		} else if err := g.ask(about.DoNow, ""); err != nil {
			t.Error(err)
		}
		if g.card.restarts != 1 {
			t.Errorf("%d: got %d restarts, want one", year, g.card.restarts)
		}
	}
}

// TestClockJumps: a clock that was set back by years does not put the next question off by years.
func TestClockJumps(t *testing.T) {
	g := newRig(t)
	g.check(t.Context(), false)
	asked := len(g.web.asked)
	g.now = g.now.AddDate(-9, 0, 0)
	if g.step(t.Context()); len(g.web.asked) == asked {
		t.Error("the server was not asked")
	}
}

// TestWindow: a release is installed in the window alone, and by the board's place in it.
func TestWindow(t *testing.T) {
	g := newRig(t)
	at := func(hour, minute int) time.Time { return time.Date(2026, 11, 3, hour, minute, 0, 0, time.UTC) }
	g.Jitter = true
	late := int(g.share() * 30)
	for _, tt := range []struct {
		now  time.Time
		want int
	}{{at(2, 59), 0}, {at(4, 0), 0}, {at(3, late), 1}} {
		g.now = tt.now
		g.next = tt.now
		if g.step(t.Context()); g.card.restarts != tt.want {
			t.Errorf("%v: got %d restarts, want %d", tt.now, g.card.restarts, tt.want)
		}
	}
	if late == 0 {
		t.Fatal("the board has no jitter")
	}
}

// TestOff: nothing is asked. A later choice of a channel is written to the settings and asks again.
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

// TestBack returns to the version before, once it is there, and switches updates off.
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

// TestRotationHalfDone: a key that a manifest named signs the next one, although the image does not know it, and the retired one does
// not, even for an earlier image that knows only that one.
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

// TestTrialFailed: a release that showed no picture is reported, kept away, and tried again for a person only.
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

// TestRunsAlready: a manifest whose number differs from the one in the image is not installed night after night.
func TestRunsAlready(t *testing.T) {
	g := newRig(t)
	g.publish(func(m *manifest.Manifest) {
		m.Slot.Sum = sha256.Sum256(images().old)
		m.Files = []manifest.File{{Name: "whole", Size: 1, Sum: manifest.Sum{1}}}
	})
	if err := g.ask(about.DoNow, ""); err != nil || g.card.restarts != 0 || g.card.last().Latest != "" {
		t.Errorf("got %v, %+v", err, g.card.last())
	}
}

// TestNoKey: an image without a key takes nothing from a network.
func TestNoKey(t *testing.T) {
	g := newRig(t)
	g.Keys = nil
	if err := g.ask(about.DoNow, ""); !errors.Is(err, errNoKey) || len(g.web.asked) != 0 {
		t.Errorf("got %v", err)
	}
}

// TestSlotIsLocked: an update that is written by hand at the same time stays alone.
func TestSlotIsLocked(t *testing.T) {
	g := newRig(t)
	g.card.locked = os.ErrPermission
	_ = g.ask(about.DoNow, "")
	if r := g.card.record(); r.Trial != state.None || g.card.last().Problem == "" {
		t.Errorf("got %+v, %q", r, g.card.last().Problem)
	}
}

func TestParseWindow(t *testing.T) {
	for text, want := range map[string]string{
		"03:00-04:00": "03:00-04:00", "23:30 - 1:15": "23:30-01:15", "00:00-24:00": "00:00-24:00", "3-4": "", "": "", "03:60-04:00": "",
		"-1:00-04:00": "", "03:00-24:01": "", "03:00": "", "3:0-4:0": "", "300:00-4:00": "",
	} {
		w, err := ParseWindow(text)
		if got := w.String(); (err == nil) != (want != "") || err == nil && got != want {
			t.Errorf("%q: got %v, %v, want %q", text, got, err, want)
		}
	}
	at := func(hour int) time.Time { return time.Date(2026, 11, 3, hour, 0, 0, 0, time.UTC) }
	night, day := Window{23 * 60, 60}, Window{0, 24 * 60}
	if !night.open(at(0), 0) || night.open(at(1), 0) || night.open(at(12), 0) || !day.open(at(12), 0.9) {
		t.Error("a window across midnight, or a whole day, is wrong")
	}
}
