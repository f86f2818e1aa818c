package widgets

import (
	"bytes"
	"math"
	"slices"
	"testing"
	"time"

	"dashboard/provider"
)

type pastShelf map[string][]byte

func (s pastShelf) Load(kind, key string) ([]byte, bool) { d, ok := s[kind+key]; return d, ok }

func (s pastShelf) Save(kind, key string, data []byte) error {
	s[kind+key] = bytes.Clone(data)
	return nil
}

// notes has a past follow a number at so many minutes after t0.
func notes(p *past, v float64, minutes ...int) {
	for _, m := range minutes {
		p.follow(&input{cell: provider.NewCell(nil), seen: &provider.Sample{Value: v, At: t0.Add(time.Duration(m) * time.Minute), Seq: 1}})
	}
}

func minutesOf(p *past) (all []int) {
	for _, d := range p.data {
		all = append(all, int((d.at-seconds(t0))/60))
	}
	return all
}

// What a number was is the same in all trees, and after the next start.
func TestPastsAreKept(t *testing.T) {
	store := pastShelf{}
	pasts := NewPasts(store, "/home")
	tree := func() *past {
		return builder(Env{Pasts: pasts}).pastOf(new(int), ".p", time.Hour)
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
	pasts = NewPasts(store, "/home")
	again := tree()
	if got, want := minutesOf(again), []int{0, 1, 2, 3, 4, 5}; !slices.Equal(got, want) || again.data[3].v != 2 {
		t.Errorf("after a restart: %v, want %v", again.data, want)
	}
	pasts = NewPasts(store, "/elsewhere")
	if other := tree(); len(other.data) != 0 {
		t.Errorf("another configuration knows %v", other.data)
	}
}

// A clock that ran ahead does not stop a past for ever.
func TestPastOfAWrongClock(t *testing.T) {
	pasts := NewPasts(pastShelf{}, "")
	p := builder(Env{Pasts: pasts}).pastOf(new(int), ".p", time.Hour)
	const years = 20 * 365 * 24 * 60
	notes(p, 1, 0, years)
	notes(p, 1, 10, 11)
	if got, want := minutesOf(p), []int{0, 10, 11}; !slices.Equal(got, want[len(want)-len(got):]) || len(got) < 2 {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestPastsAreBounded(t *testing.T) {
	store := pastShelf{}
	pasts := NewPasts(store, "")
	for i := range maxPasts + 10 {
		pasts.of(string(rune('a'+i)), 1)
	}
	if len(pasts.all) != maxPasts {
		t.Errorf("got %d, want %d", len(pasts.all), maxPasts)
	}
	long := bytes.Repeat([]byte{0}, 10*datumBytes*pastMost)
	for name, data := range map[string][]byte{"nothing": nil, "long": long, "half": long[:datumBytes+3], "noise": bytes.Repeat([]byte{0xff, 0x7f, 3}, 5000)} {
		if got := readPast(make([]datum, 0, pastMost), data); len(got) > pastMost || slices.ContainsFunc(got, func(d datum) bool { return math.IsInf(d.v, 0) }) {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestPastsAllocateNothing(t *testing.T) {
	p := builder(Env{Pasts: NewPasts(pastShelf{}, "")}).pastOf(new(int), ".p", time.Hour)
	in, at := &input{cell: provider.NewCell(nil), seen: &provider.Sample{Value: 1.0, Seq: 1}}, t0
	if n := testing.AllocsPerRun(2000, func() { at = at.Add(time.Minute); in.seen.At = at; p.follow(in) }); n != 0 {
		t.Errorf("got %v allocations, want 0", n)
	}
}
