//go:build linux

package appliance

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"aead.dev/minisign"

	"dashboard/appliance/card"
	"dashboard/appliance/state"
)

// keeperOn returns a keeper that runs slot a, and the path of an update. Files represent the card.
func keeperOn(t *testing.T, r state.Record) (k *keeper, update string, sum [sha256.Size]byte) {
	t.Helper()
	dir := t.TempDir()
	k = &keeper{card: &disk{}, slot: state.A}
	for _, n := range []int{card.State, card.SlotA, card.SlotB} {
		k.card.parts[n] = filepath.Join(dir, string(rune('0'+n)))
		if err := os.WriteFile(k.card.parts[n], make([]byte, state.Size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	k.store = openStore(t, k.card.parts[card.State])
	if _, err := state.Save(k.store, r); err != nil {
		t.Fatal(err)
	}
	root := bytes.Repeat([]byte("root"), 1000)
	sum = sha256.Sum256(root)
	update = filepath.Join(dir, "update")
	if err := os.WriteFile(update, append(root, card.Trailer(sum)...), 0o600); err != nil {
		t.Fatal(err)
	}
	return k, update, sum
}

func openStore(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func stateIn(t *testing.T, k *keeper) state.Record {
	t.Helper()
	r, err := state.Load(k.store)
	if err != nil {
		t.Fatal(err)
	}
	r.Seq = 0
	return r
}

func TestUpdateIsTried(t *testing.T) {
	k, update, sum := keeperOn(t, state.Fresh)
	if err := k.update(update, sum); err != nil {
		t.Fatal(err)
	}
	if got, want := stateIn(t, k), state.Fresh.Try(state.B, updateTries, sum); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	slot, _ := os.ReadFile(k.card.partition(card.SlotB))
	if !bytes.HasPrefix(slot, []byte("rootroot")) {
		t.Errorf("slot b begins with %q", slot[:8])
	}
}

// None of the updates in this test changes the other slot.
func TestUpdateIsNotTaken(t *testing.T) {
	for _, tt := range []struct {
		name   string
		before state.Record
		spoil  func(t *testing.T, k *keeper, update string)
		want   error
	}{
		{"a damaged file", state.Fresh, func(t *testing.T, _ *keeper, update string) {
			f := openStore(t, update)
			if _, err := f.WriteAt([]byte("x"), 17); err != nil {
				t.Fatal(err)
			}
		}, errDamaged},
		{"the running slot is on trial", state.Fresh.Try(state.A, 2, [32]byte{}), nil, errTrial},
		{"another update is being written", state.Fresh, func(t *testing.T, k *keeper, _ string) {
			lock, err := lockFile(k.card.partition(card.SlotB))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { lock.Close() })
		}, errBusy},
		{"it is not signed", state.Fresh, func(t *testing.T, k *keeper, _ string) { k.keyFile, _ = keyPair(t) }, errUnsigned},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k, update, sum := keeperOn(t, tt.before)
			if tt.spoil != nil {
				tt.spoil(t, k, update)
			}
			if err := k.update(update, sum); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if got := stateIn(t, k); got != tt.before {
				t.Errorf("got %+v, want the state as it was, %+v", got, tt.before)
			}
			if slot, _ := os.ReadFile(k.card.partition(card.SlotB)); !bytes.Equal(slot, make([]byte, len(slot))) {
				t.Error("slot b was written")
			}
		})
	}
}

// keyPair writes a public key to a file.
func keyPair(t *testing.T) (file string, private minisign.PrivateKey) {
	t.Helper()
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	text, err := public.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "update.pub")
	if err := os.WriteFile(file, append(text, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	return file, private
}

// An update that is signed with the image's key is installed. An update with another key or with a changed root file system is refused.
func TestSignedUpdateIsTaken(t *testing.T) {
	keyFile, private := keyPair(t)
	_, other := keyPair(t)
	root := bytes.Repeat([]byte("root"), 1000)
	sum := sha256.Sum256(root)
	changed := append([]byte("R"), root[1:]...)
	for _, tt := range []struct {
		name string
		root []byte
		by   minisign.PrivateKey
		want error
	}{{"signed", root, private, nil}, {"by another", root, other, errSignedBy}, {"changed", changed, private, errSignedBy}} {
		k, update, _ := keeperOn(t, state.Fresh)
		k.keyFile = keyFile
		block, err := card.SignatureBlock(minisign.Sign(tt.by, sum[:]))
		if err != nil {
			t.Fatal(err)
		}
		body := slices.Concat(tt.root, block)
		all := sha256.Sum256(body)
		if err := os.WriteFile(update, append(body, card.Trailer(all)...), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := k.update(update, all); !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, err, tt.want)
		}
		if trial := stateIn(t, k).Trial; (trial == state.B) != (tt.want == nil) {
			t.Errorf("%s: got slot %v on trial", tt.name, trial)
		}
	}
}

// If two programs write the state at the same time, no change is lost.
func TestStateIsLocked(t *testing.T) {
	k, _, _ := keeperOn(t, state.Fresh)
	const writers, writes = 4, 20
	var done sync.WaitGroup
	for range writers {
		store := openStore(t, k.card.parts[card.State])
		done.Go(func() {
			for range writes {
				if err := change(store, func(r state.Record) state.Record { r.Clock++; return r }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done.Wait()
	if got := stateIn(t, k).Clock; got != writers*writes {
		t.Errorf("got %d changes, want %d", got, writers*writes)
	}
}

// The result of a trial depends on the time of the first frame, not on the time at which the keeper confirms the trial. On a busy
// processor, the keeper may see the frame late.
func TestGuardEndsTrial(t *testing.T) {
	trial := state.Fresh.Try(state.B, 3, [32]byte{})
	for _, tt := range []struct {
		name            string
		framed, painted time.Duration // times from the start to the first frame and to the keeper's confirmation
		want            state.Record
		end             time.Duration
	}{
		{"never", 2 * trialTime, 2 * trialTime, trial.GiveUp(state.NoPicture), trialTime},
		{"at the last moment", trialTime, trialTime, trial.Confirm(state.B), trialTime},
		{"in time", trialTime / 2, trialTime / 2, trial.Confirm(state.B), trialTime / 2},
		{"seen late", trialTime / 2, 2 * trialTime, trial.Confirm(state.B), 2 * trialTime},
		{"late", trialTime + 1, 2 * trialTime, trial.GiveUp(state.NoPicture), trialTime},
		{"reported, and never seen", trialTime / 2, time.Hour, trial.GiveUp(state.NoPicture), trialTime + lateTime},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k, _, _ := keeperOn(t, trial)
			framed := filepath.Join(t.TempDir(), "run", "framed")
			var now time.Duration
			sleep := func(d time.Duration) {
				now += d
				if now >= tt.framed {
					if err := writeFramed(framed, tt.framed); err != nil {
						t.Fatal(err)
					}
				}
				if now == tt.painted {
					if err := k.change(func(r state.Record) state.Record { return r.Confirm(state.B) }); err != nil {
						t.Fatal(err)
					}
				}
			}
			if !watch(k.store, framed, trialTime, func() time.Duration { return now }, sleep) {
				if err := k.change(endTrial); err != nil {
					t.Fatal(err)
				}
			}
			if got := stateIn(t, k); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
			if now != tt.end {
				t.Errorf("the guard ended after %v, want %v", now, tt.end)
			}
		})
	}
}

// The keeper may confirm a trial between the guard's last check and its write. The trial then stays confirmed.
func TestConfirmedTrialStays(t *testing.T) {
	confirmed := state.Fresh.Try(state.B, 3, [32]byte{}).Confirm(state.B)
	if got := endTrial(confirmed); got != confirmed {
		t.Errorf("got %+v, want %+v", got, confirmed)
	}
}

func TestFirstTime(t *testing.T) {
	for _, tt := range []struct {
		name             string
		now, known, made int64
		at               int64
		late             bool
	}{
		{"a clock that begins at 1970", 5, 1000, 900, 1000, true},
		{"a card that was never started", 5, 0, 900, 900, true},
		{"a clock that runs", 2000, 1000, 900, 1000, false},
		{"the same second", 1000, 1000, 900, 1000, false},
	} {
		if at, late := firstTime(tt.now, tt.known, tt.made); at != tt.at || late != tt.late {
			t.Errorf("%s: got %d, %v, want %d, %v", tt.name, at, late, tt.at, tt.late)
		}
	}
}

// watchPainted waits for PaintedFile until the limit of a slot that is not on trial (darkTime). The keeper creates the file when it has
// seen the wall.
func TestGuardOfADarkSlot(t *testing.T) {
	file := filepath.Join(t.TempDir(), "painted")
	var now time.Duration
	clock := func() time.Duration { return now }
	if watchPainted(file, darkTime, clock, func(d time.Duration) { now += d }) || now > darkTime+guardPause {
		t.Errorf("never painted: watched for %v, want the end after %v", now, darkTime)
	}
	now = 0
	paint := func(d time.Duration) {
		if now += d; now == time.Minute {
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !watchPainted(file, darkTime, clock, paint) {
		t.Error("painted after a minute: got the end")
	}
}

// The guard ends a start without a picture only if two conditions hold. The root file system has a keeper that writes PaintedFile, and
// the other slot has painted before.
func TestWhoIsGuarded(t *testing.T) {
	if hasOther(state.Fresh) || !hasOther(state.Fresh.Try(state.B, 1, [32]byte{1}).Confirm(state.B)) {
		t.Error("a card that never had an update has another slot, or one that had has none")
	}
	root := t.TempDir()
	if tellsPainted(root) {
		t.Error("an empty root tells")
	}
	unit, err := os.ReadFile("../image/root/etc/systemd/system/appliance-keep.service")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, "etc/systemd/system/appliance-keep.service")
	if err := put(path, func(path string) error { return os.WriteFile(path, unit, 0o600) }); err != nil {
		t.Fatal(err)
	}
	if !tellsPainted(root) {
		t.Error("the image's own unit does not tell")
	}
}
