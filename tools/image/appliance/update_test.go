//go:build linux

package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"dashboard/tools/image/card"
	"dashboard/tools/image/state"
)

// keeperOn returns a keeper of a card in files that runs slot a, and the path of an update.
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

// Each of these leaves the other slot as it was.
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

// Two that write the state at the same time lose nothing of each other.
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

// A trial without a picture ends at the limit, for good; one with a picture is left alone.
func TestGuardEndsTrial(t *testing.T) {
	trial := state.Fresh.Try(state.B, 3, [32]byte{})
	for _, tt := range []struct {
		name    string
		painted time.Duration // since the start
		want    state.Record
	}{
		{"never", 2 * trialTime, trial.GiveUp()},
		{"at the last moment", trialTime, trial.Confirm(state.B)},
		{"in time", trialTime / 2, trial.Confirm(state.B)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k, _, _ := keeperOn(t, trial)
			var now time.Duration
			sleep := func(d time.Duration) {
				if now += d; now == tt.painted {
					if err := k.change(func(r state.Record) state.Record { return r.Confirm(state.B) }); err != nil {
						t.Fatal(err)
					}
				}
			}
			if !watch(k.store, trialTime, func() time.Duration { return now }, sleep) {
				if err := k.change(endTrial); err != nil {
					t.Fatal(err)
				}
			}
			if got := stateIn(t, k); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
			if now > trialTime {
				t.Errorf("watched for %v, want at most %v", now, trialTime)
			}
		})
	}
}

// The picture may come between the guard's last look and its writing.
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
