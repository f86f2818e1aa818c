package history_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"dashboard/provider"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/history"
	"dashboard/widgets/walltest"
)

type pastShelf map[string][]byte

func (s pastShelf) Load(kind, key string) ([]byte, bool) { d, ok := s[kind+key]; return d, ok }

func (s pastShelf) Save(kind, key string, data []byte) error {
	s[kind+key] = bytes.Clone(data)
	return nil
}

// notes() records a value in a history at the given minutes after t0.
func notes(p *history.Past, v float64, minutes ...int) {
	for _, m := range minutes {
		p.Follow(&kit.Input{Cell: provider.NewCell(nil), Seen: &provider.Sample{Value: v, At: walltest.T0.Add(time.Duration(m) * time.Minute), Seq: 1}})
	}
}

func minutesOf(p *history.Past) (all []int) {
	for _, d := range p.Data {
		all = append(all, int((d.At-history.Seconds(walltest.T0))/60))
	}
	return all
}

// TestPastsAreKept checks that all trees of widgets share a history, and that the history survives a restart.
func TestPastsAreKept(t *testing.T) {
	store := pastShelf{}
	pasts := history.NewPasts(store, "/home")
	tree := func() *history.Past {
		return walltest.Builder(kit.Env{Data: kit.Data{Pasts: pasts}}).PastOf(new(int), ".p", time.Hour)
	}
	day, night := tree(), tree()
	notes(day, 1, 0, 1, 2)
	notes(night, 2, 3, 4)
	notes(day, 1, 5)
	if got, want := minutesOf(day), []int{0, 1, 2, 3, 4, 5}; !slices.Equal(got, want) {
		t.Errorf("the tree of the day knows %v, want %v", got, want)
	}
	if err := pasts.Save(); err != nil {
		t.Fatal(err)
	}
	pasts = history.NewPasts(store, "/home")
	again := tree()
	if got, want := minutesOf(again), []int{0, 1, 2, 3, 4, 5}; !slices.Equal(got, want) || again.Data[3].V != 2 {
		t.Errorf("after a restart: %v, want %v", again.Data, want)
	}
	pasts = history.NewPasts(store, "/elsewhere")
	if other := tree(); len(other.Data) != 0 {
		t.Errorf("another configuration knows %v", other.Data)
	}
}

// TestPastOfAWrongClock checks that a history recovers after the clock was ahead.
func TestPastOfAWrongClock(t *testing.T) {
	pasts := history.NewPasts(pastShelf{}, "")
	p := walltest.Builder(kit.Env{Data: kit.Data{Pasts: pasts}}).PastOf(new(int), ".p", time.Hour)
	const years = 20 * 365 * 24 * 60
	notes(p, 1, 0, years)
	notes(p, 1, 10, 11)
	if got, want := minutesOf(p), []int{0, 10, 11}; !slices.Equal(got, want[len(want)-len(got):]) || len(got) < 2 {
		t.Errorf("got %v, want %v", got, want)
	}
}

// fullShelf is a store that fails while it is full.
type fullShelf struct {
	pastShelf
	full bool
}

func (s *fullShelf) Save(kind, key string, data []byte) error {
	if s.full {
		return errors.New("no space left")
	}
	return s.pastShelf.Save(kind, key, data)
}

// TestPastIsSavedLater checks that a history is written again after a failed write, even if no new numbers arrive.
func TestPastIsSavedLater(t *testing.T) {
	store := &fullShelf{pastShelf: pastShelf{}, full: true}
	pasts := history.NewPasts(store, "")
	notes(walltest.Builder(kit.Env{Data: kit.Data{Pasts: pasts}}).PastOf(new(int), ".p", time.Hour), 1, 0)
	if err := pasts.Save(); err == nil || len(store.pastShelf) > 0 {
		t.Fatalf("a full store: got %v", err)
	}
	store.full = false
	if err := pasts.Save(); err != nil || len(store.pastShelf) != 1 {
		t.Errorf("got %v and %d histories, want one", err, len(store.pastShelf))
	}
}

// TestPastBefore checks that the method Before returns no value for a time within a gap.
func TestPastBefore(t *testing.T) {
	p := history.New(time.Hour)
	p.Add(100, 7)
	p.Add(200, math.NaN())
	p.Add(300, 8)
	for at, want := range map[float64]float64{99: 0, 100: 7, 150: 7, 200: 0, 250: 0, 300: 8, 400: 8} {
		if v, ok := p.Before(at); ok != (want != 0) || ok && v != want {
			t.Errorf("before %v: got %v, %v, want %v", at, v, ok, want)
		}
	}
}

func TestPastsAreBounded(t *testing.T) {
	store := pastShelf{}
	pasts := history.NewPasts(store, "")
	for i := range history.MaxPasts + 10 {
		pasts.Of(string(rune('a'+i)), 1)
	}
	if len(pasts.All) != history.MaxPasts {
		t.Errorf("got %d, want %d", len(pasts.All), history.MaxPasts)
	}
	long := bytes.Repeat([]byte{0}, 10*history.DatumBytes*history.Most)
	for name, data := range map[string][]byte{"nothing": nil, "long": long, "half": long[:history.DatumBytes+3], "noise": bytes.Repeat([]byte{0xff, 0x7f, 3}, 5000)} {
		if got := history.Read(make([]history.Datum, 0, history.Most), data); len(got) > history.Most || slices.ContainsFunc(got, func(d history.Datum) bool { return math.IsInf(d.V, 0) }) {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestPastsAllocateNothing(t *testing.T) {
	p := walltest.Builder(kit.Env{Data: kit.Data{Pasts: history.NewPasts(pastShelf{}, "")}}).PastOf(new(int), ".p", time.Hour)
	in, at := &kit.Input{Cell: provider.NewCell(nil), Seen: &provider.Sample{Value: 1.0, Seq: 1}}, walltest.T0
	if n := testing.AllocsPerRun(2000, func() { at = at.Add(time.Minute); in.Seen.At = at; p.Follow(in) }); n != 0 {
		t.Errorf("got %v allocations, want 0", n)
	}
}
