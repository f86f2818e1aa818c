package panel

import (
	"testing"
	"time"
)

func TestPolicy(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	noon := time.Date(2026, 5, 14, 12, 0, 0, 0, berlin)
	bw := Policy{Partial: true, FullEvery: 10, MinInterval: time.Minute, Location: berlin}
	color := Policy{FullEvery: 10, MinInterval: 15 * time.Minute, Location: berlin}
	clean := noon.Add(-9 * time.Hour) // the cleaning at three o'clock
	known := State{Known: true, Full: noon.Add(-10 * time.Minute), Cleaned: clean, Updated: noon.Add(-20 * time.Minute)}
	with := func(change func(*State)) State {
		s := known
		change(&s)
		return s
	}
	few, equal := Change{Rows: 20, Of: 480}, Change{Equal: true, Of: 480}
	tests := []struct {
		name   string
		policy Policy
		state  State
		change Change
		want   Action
		again  time.Duration // from noon
	}{
		{"a cold start", bw, State{}, equal, Full, 0},
		{"after a cut, too early", bw, State{Updated: noon.Add(-50 * time.Second)}, few, Skip, 10 * time.Second},
		{"the same picture", bw, known, equal, Skip, 0},
		{"a clock", bw, known, few, Partial, 0},
		{"too early", bw, with(func(s *State) { s.Updated = noon.Add(-time.Second) }), few, Skip, 59 * time.Second},
		{"a clock that was set back", bw, with(func(s *State) { s.Updated = noon.Add(time.Hour) }), few, Partial, 0},
		{"much of it", bw, known, Change{Rows: 192, Of: 480}, Full, 0},
		{"not quite much of it", bw, known, Change{Rows: 191, Of: 480}, Partial, 0},
		{"the tenth part", bw, with(func(s *State) { s.Partials = 9 }), few, Partial, 0},
		{"the eleventh", bw, with(func(s *State) { s.Partials = 10 }), few, Full, 0},
		{"an hour of parts", bw, with(func(s *State) { s.Partials, s.Full = 1, noon.Add(-time.Hour) }), few, Full, 0},
		{"an hour of nothing", bw, with(func(s *State) { s.Full = noon.Add(-time.Hour) }), few, Partial, 0},
		{"not cleaned last night", bw, with(func(s *State) { s.Cleaned = clean.Add(-time.Second) }), equal, Clean, 0},
		{"colors are always whole", color, known, few, Full, 0},
		{"colors take their time", color, with(func(s *State) { s.Updated = noon.Add(-time.Minute) }), few, Skip, 14 * time.Minute},
		{"colors are not cleaned", color, with(func(s *State) { s.Cleaned = time.Time{} }), equal, Skip, 0},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, again := tc.policy.Next(tc.state, noon, tc.change)
			if got != tc.want {
				t.Errorf("got %v, want %v", got, tc.want)
			}
			if want := (time.Time{}); tc.again != 0 {
				if want = noon.Add(tc.again); !again.Equal(want) {
					t.Errorf("ask again at %v, want %v", again, want)
				}
			} else if !again.IsZero() {
				t.Errorf("ask again at %v, want never", again)
			}
		})
	}
}

// TestPolicyOfNights: a panel with partial refreshes is cleaned once in every night, even when summer time begins or ends.
func TestPolicyOfNights(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	p := Policy{Partial: true, Location: berlin}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, berlin)
	s := State{Known: true, Cleaned: at, Full: at}
	cleans := map[string]int{}
	for range 365 * 24 * 4 {
		if a, _ := p.Next(s, at, Change{Equal: true}); a == Clean {
			s = s.Begin(at).Done(a, at)
			cleans[at.Format(time.DateOnly)]++
			if h := at.Hour(); h != cleanHour {
				t.Errorf("cleaned at %v", at)
			}
		}
		if next := p.NextNight(at); !next.After(at) || next.Sub(at) > 25*time.Hour {
			t.Fatalf("after %v comes %v", at, next)
		}
		at = at.Add(15 * time.Minute)
	}
	if len(cleans) != 365 {
		t.Errorf("%d nights", len(cleans))
	}
	for day, n := range cleans {
		if n != 1 {
			t.Errorf("%s: %d times", day, n)
		}
	}
}

func TestPolicyKeepsCount(t *testing.T) {
	at := time.Date(2026, 5, 14, 12, 0, 0, 0, time.UTC)
	s := State{}.Begin(at)
	if s.Known || !s.Updated.Equal(at) {
		t.Errorf("begun: %+v", s)
	}
	s = s.Done(Full, at)
	if !s.Known || s.Partials != 0 || !s.Full.Equal(at) || !s.Cleaned.Equal(at) {
		t.Errorf("full: %+v", s)
	}
	s = s.Begin(at.Add(time.Minute)).Done(Partial, at.Add(time.Minute))
	if s.Partials != 1 || !s.Full.Equal(at) {
		t.Errorf("partial: %+v", s)
	}
	s = s.Begin(at.Add(time.Hour)).Done(Clean, at.Add(time.Hour))
	if s.Partials != 0 || !s.Cleaned.Equal(at.Add(time.Hour)) {
		t.Errorf("clean: %+v", s)
	}
}
