package state_test

import (
	"crypto/sha256"
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

// Power that goes in the middle of a write leaves what was there before or what was to be there.
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

// One bogus time from the future ends with the next that the network confirmed.
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

// A slot that starts and paints nothing makes way for the other one, outside of trials.
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
