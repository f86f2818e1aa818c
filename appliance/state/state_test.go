package state_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"testing"
	"time"

	"dashboard/appliance/state"
)

// A card is a partition in memory.
type card struct{ data []byte }

func newCard() *card { return &card{make([]byte, state.Size)} }

func (c *card) ReadAt(p []byte, at int64) (int, error) {
	n := copy(p, c.data[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
func (c *card) WriteAt(p []byte, at int64) (int, error) { return copy(c.data[at:], p), nil }
func (c *card) Sync() error                             { return nil }

func save(t *testing.T, c *card, r state.Record) state.Record {
	t.Helper()
	r, err := state.Save(c, r)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func load(t *testing.T, c *card) state.Record {
	t.Helper()
	r, err := state.Load(c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEmptyCardIsFresh(t *testing.T) {
	if got := load(t, newCard()); got != state.Fresh {
		t.Errorf("got %+v, want %+v", got, state.Fresh)
	}
}

func TestSavedIsLoaded(t *testing.T) {
	c := newCard()
	want := state.Fresh
	for i := range 5 {
		want.Clock = int64(i)
		want = save(t, c, want)
		if got := load(t, c); got != want {
			t.Fatalf("write %d: got %+v, want %+v", i, got, want)
		}
	}
}

// A power cut during a write leaves either the old or the new record.
func TestTornWrite(t *testing.T) {
	for bytes := 0; bytes <= 512; bytes += 16 {
		for _, garbage := range []bool{false, true} {
			c := newCard()
			before := save(t, c, save(t, c, state.Fresh))
			whole := &card{append([]byte{}, c.data...)}
			after := save(t, whole, before.Try(state.B, 3, sha256.Sum256(nil)))
			torn := int64(after.Seq%2) << 20
			copy(c.data[torn:torn+int64(bytes)], whole.data[torn:])
			for i := torn + int64(bytes); garbage && i < torn+512; i++ {
				c.data[i] = 0xff
			}
			if got := load(t, c); got != before && got != after {
				t.Fatalf("%d bytes written, garbage %v: got %+v, want %+v or %+v", bytes, garbage, got, before, after)
			}
		}
	}
}

func TestTrialIsGivenUp(t *testing.T) {
	r := state.Fresh.Try(state.B, 2, [32]byte{})
	for boot, want := range []state.Slot{state.B, state.B, state.A, state.A} {
		var got state.Slot
		got, r, _ = r.Next()
		if got != want {
			t.Errorf("boot %d: got slot %v, want %v", boot, got, want)
		}
	}
	if r.Failed != 1 || r.Trial != state.None {
		t.Errorf("got %+v, want one failed trial and no other", r)
	}
}

func TestTrialIsConfirmed(t *testing.T) {
	r := state.Fresh.Try(state.B, 2, [32]byte{})
	_, r, _ = r.Next()
	r = r.Confirm(state.B)
	if slot, _, changed := r.Next(); slot != state.B || changed {
		t.Errorf("got slot %v, changed %v, want b, unchanged", slot, changed)
	}
	if again := r.Try(state.A, 2, [32]byte{}); again.Good != state.B || again.Trial != state.A {
		t.Errorf("got %+v, want a on trial and b good", again)
	}
}

func TestOldSlotDoesNotConfirmTheNew(t *testing.T) {
	r := state.Fresh.Try(state.B, 2, [32]byte{})
	if got := r.Confirm(state.A); got != r {
		t.Errorf("got %+v, want %+v", got, r)
	}
}

func TestClockNeverGoesBack(t *testing.T) {
	r := state.Fresh.At(time.Unix(2000, 0), false).At(time.Unix(1000, 0), false)
	if r.Clock != 2000 {
		t.Errorf("got %d, want 2000", r.Clock)
	}
}

// If the recorded time is in the future, the next time from the network replaces it.
func TestConfirmedClockGoesBack(t *testing.T) {
	r := state.Fresh.At(time.Unix(4000000000, 0), false).At(time.Unix(1000, 0), true)
	if r.Clock != 1000 {
		t.Errorf("got %d, want 1000", r.Clock)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(state.Fresh.Encode())
	f.Add([]byte("DASHSTA1"))
	f.Fuzz(func(t *testing.T, sector []byte) {
		r, err := state.Decode(sector)
		if err != nil {
			if !errors.Is(err, state.ErrInvalid) {
				t.Errorf("got %v, want ErrInvalid", err)
			}
			return
		}
		if again, err := state.Decode(r.Encode()); err != nil || again != r {
			t.Errorf("got %+v, %v, want %+v", again, err, r)
		}
	})
}

// If a slot that is not on trial starts without painting, the other slot is started.
func TestDarkSlotIsLeft(t *testing.T) {
	r := state.Record{Good: state.B, Update: [32]byte{1}}.Leave()
	if slot, _, changed := r.Next(); slot != state.A || changed || r.Failed != 1 {
		t.Errorf("got slot %v of %+v, want a", slot, r)
	}
	trial := state.Fresh.Try(state.B, 3, [32]byte{1})
	if got := trial.Leave(); got != trial {
		t.Errorf("a trial: got %+v, want it left to its own end", got)
	}
}

// A kernel is tried together with its slot. A start from another folder ends only the trial of the kernel. If the slot is given up, both
// trials end.
func TestKernelOnTrial(t *testing.T) {
	r := state.Fresh.Try(state.B, 3, [32]byte{1}).TryKernel(state.B)
	if got := r.StartedFrom(state.B); got != r {
		t.Errorf("started: got %+v, want %+v", got, r)
	}
	for _, folder := range []state.Slot{state.A, state.None} {
		got := r.StartedFrom(folder)
		if got.Kernel != state.None || got.Missed != state.NotStarted || got.Trial != state.B || got.Tries != 3 {
			t.Errorf("started from %v: got %+v, want the slot alone on trial", folder, got)
		}
	}
	if got := r.GiveUp(state.NoPicture); got.Kernel != state.None || got.Missed != state.NotPainted {
		t.Errorf("given up: got %+v", got)
	}
	if got := r.StartedFrom(state.A).GiveUp(state.NoPicture); got.Missed != state.NotStarted {
		t.Errorf("given up without the kernel: got %v", got.Missed)
	}
	if got := r.Confirm(state.B); got.Kernel != state.None || got.Missed != state.NotMissed {
		t.Errorf("confirmed: got %+v", got)
	}
	told := r.Miss(state.NoRoom)
	told.Told = true
	if got := told.Try(state.A, 1, [32]byte{2}); got.Missed != state.NotMissed || got.Told {
		t.Errorf("the next update: got %+v, want nothing of the last", got)
	}
}

// Each reason why a kernel is not used has its own text.
func TestMissedInWords(t *testing.T) {
	seen := map[string]bool{}
	for m := state.NotStarted; m <= state.NotKept; m++ {
		if s := m.String(); s == "" || seen[s] {
			t.Errorf("%d: got %q", m, s)
		}
		seen[m.String()] = true
	}
	if s := state.NotMissed.String(); s != "" {
		t.Errorf("got %q for none", s)
	}
}

// earlier() returns a record as programs without support for kernels write it. This record is the result of Try(B, 3, {1}) on a fresh card
// with the clock 7.
func earlier() []byte {
	b := binary.LittleEndian.AppendUint64([]byte("DASHSTA1"), 5)
	b = binary.LittleEndian.AppendUint64(append(b, byte(state.A), byte(state.B), 3, 0), 7)
	update := [32]byte{1}
	b = append(b, update[:]...)
	sum := sha256.Sum256(append(b[:len(b):len(b)], make([]byte, sha256.Size)...))
	b = append(b, sum[:]...)
	return append(b, make([]byte, 512-len(b))...)
}

// The first process and the root file system may have different versions. Values that both support are in the same place.
func TestEarlierRecords(t *testing.T) {
	want := state.Fresh.Try(state.B, 3, [32]byte{1})
	want.Seq, want.Clock = 5, 7
	got, err := state.Decode(earlier())
	if err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	const known = 92 // number of bytes that both versions support
	if now := got.TryKernel(state.B).Encode(); !bytes.Equal(now[:known], earlier()[:known]) {
		t.Errorf("got % x, want what an earlier program reads, % x", now[:known], earlier()[:known])
	}
	now := got.Miss(state.NoRoom).Encode()
	now[known+1] ^= 2
	if got, err := state.Decode(now); err != nil || got != want {
		t.Errorf("a second part that is damaged: got %+v, %v, want the first", got, err)
	}
}
