package page

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

var t0 = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func at(s int) time.Time { return t0.Add(time.Duration(s) * time.Second) }

// A model is a simple version of a rotation. It counts seconds one by one.
type model struct {
	pages                  []Page
	turn, dwelt            int // index of the page in turn, and the seconds for which it was shown
	hand, handLeft, handed int // index of the chosen page, seconds that are left (-1: no end), and seconds that have passed
	shown                  int
	pause                  int // seconds that are left of the pause after a touch
	why                    Why
	// For each page, numbers of seconds. `held` is the time for which its condition has been true, or -1. `age` is the time for which its
	// trigger has been active, or -1. `left` and `rest` are the remaining times of Hold and Cooldown.
	held, age, left, rest []int
}

func secs(d time.Duration) int { return int(d / time.Second) }

func newModel(pages []Page) *model {
	n := len(pages)
	m := &model{pages: pages, turn: -1, hand: -1, why: Remains, held: make([]int, n), age: make([]int, n), left: make([]int, n), rest: make([]int, n)}
	for i := range pages {
		m.age[i], m.held[i] = -1, -1
	}
	m.turn = slices.IndexFunc(pages, func(p Page) bool { return p.Trigger == nil })
	m.shown = max(m.turn, 0)
	return m
}

// among lists the pages that are in the rotation.
func (m *model) among(in []Condition) (all []int) {
	only := false
	for i, p := range m.pages {
		only = only || p.Only && p.Trigger == nil && in[i].When
	}
	for i, p := range m.pages {
		if p.Trigger == nil && in[i].When && p.Only == only {
			all = append(all, i)
		}
	}
	return all
}

// second lets one second pass, with the given conditions.
func (m *model) second(in []Condition) {
	for i, p := range m.pages {
		if p.Trigger == nil {
			continue
		}
		m.left[i], m.rest[i] = max(0, m.left[i]-1), max(0, m.rest[i]-1)
		if m.age[i] >= 0 {
			m.age[i]++
			if m.left[i] == 0 && !(in[i].When && !in[i].Clear) {
				m.age[i], m.held[i], m.rest[i] = -1, -1, secs(p.Trigger.Cooldown)
			}
		}
		if m.age[i] >= 0 {
			continue
		}
		if in[i].When && in[i].Fire && !in[i].Clear {
			m.held[i]++
		} else {
			m.held[i] = -1
		}
		if m.held[i] >= 0 && m.held[i] >= secs(p.Trigger.After) && m.rest[i] == 0 {
			m.age[i], m.left[i] = 0, secs(p.Trigger.Hold)
		}
	}
	m.dwelt++
	m.pause = max(0, m.pause-1)
	if m.hand >= 0 {
		m.handed++
		if m.handLeft > 0 {
			if m.handLeft--; m.handLeft == 0 {
				m.letGo(in)
			}
		}
	}
	m.decide(in)
}

func (m *model) letGo(in []Condition) {
	if m.hand >= 0 && slices.Contains(m.among(in), m.hand) {
		m.turn, m.dwelt, m.why = m.hand, m.handed, Turn
	}
	m.hand = -1
}

func (m *model) decide(in []Condition) {
	if m.hand >= 0 {
		m.shown, m.why = m.hand, Hand
		return
	}
	best := -1
	for i, p := range m.pages {
		if m.age[i] < 0 {
			continue
		}
		if best < 0 || p.Trigger.Priority < m.pages[best].Trigger.Priority || p.Trigger.Priority == m.pages[best].Trigger.Priority && m.age[i] < m.age[best] {
			best = i
		}
	}
	if best >= 0 {
		s := m.shown
		if m.why == Fired && m.age[s] >= 0 && m.left[s] > 0 && m.pages[best].Trigger.Priority >= m.pages[s].Trigger.Priority {
			best = s
		}
		if m.why != Fired || best != s {
			m.left[best] = secs(m.pages[best].Trigger.Hold)
		}
		m.shown, m.why = best, Fired
		return
	}
	if m.turn < 0 {
		m.why = Remains
		return
	}
	all := m.among(in)
	mine := slices.Contains(all, m.turn)
	if mine && m.why != Turn && m.why != Only {
		m.dwelt = 0
	}
	if !mine || m.pause == 0 && m.dwelt >= secs(m.pages[m.turn].Dwell) {
		for k := 1; k < len(m.pages); k++ {
			if i := (m.turn + k) % len(m.pages); slices.Contains(all, i) {
				m.turn, m.dwelt = i, 0
				break
			}
		}
	}
	m.shown, m.why = m.turn, Turn
	switch {
	case !slices.Contains(all, m.turn):
		m.why = Remains
	case m.pages[m.turn].Only:
		m.why = Only
	}
}

func randomPages(r *rand.Rand) []Page {
	s := func(n int) time.Duration { return time.Duration(r.IntN(n)) * time.Second }
	pages := make([]Page, 1+r.IntN(6))
	for i := range pages {
		pages[i] = Page{Name: string(rune('a' + i)), Dwell: time.Second + s(12), Only: r.IntN(4) == 0}
		if r.IntN(5) < 2 {
			pages[i].Trigger = &Trigger{After: s(4) * time.Duration(r.IntN(2)), Hold: s(15), Cooldown: s(20) * time.Duration(r.IntN(2)), Priority: r.IntN(3)}
		}
	}
	return pages
}

// change inverts one random condition.
func change(r *rand.Rand, pages []Page, in []Condition, clears []bool) {
	i := r.IntN(len(in))
	switch r.IntN(4) {
	case 0:
		in[i].When = !in[i].When
	case 1:
		in[i].Clear = !in[i].Clear && clears[i]
	default:
		in[i].Fire = !in[i].Fire
	}
	if !clears[i] {
		in[i].Clear = !in[i].Fire
	}
}

// TestModel compares a rotation with a model. The rotation is stepped only at changes and at the times that it has requested. The model is
// stepped every second.
func TestModel(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		pages := randomPages(r)
		m, rot := newModel(pages), NewRotation(pages)
		in, clears := make([]Condition, len(pages)), make([]bool, len(pages))
		for i := range in {
			in[i].When, clears[i] = r.IntN(4) > 0, r.IntN(2) == 0
			in[i].Clear = !clears[i]
		}
		for s := range 600 {
			changed := s == 0
			for r.IntN(8) == 0 {
				change(r, pages, in, clears)
				changed = true
			}
			m.second(in)
			if due := rot.Next(); changed || !due.IsZero() && !at(s).Before(due) {
				was := *rot
				was.states = slices.Clone(rot.states)
				rot.Step(at(s), in)
				if !changed && idle(&was, rot) {
					t.Fatalf("seed %d, second %d: asked for a step in which nothing happens", seed, s)
				}
				if next := rot.Next(); !next.IsZero() && !next.After(at(s)) {
					t.Fatalf("seed %d, second %d: asks for %v at %v, which would be without end", seed, s, next, at(s))
				}
			}
			if rot.Shown() != m.shown || rot.Why() != m.why {
				t.Fatalf("seed %d, second %d: got page %d (%s), want %d (%s)\npages %+v\nconditions %+v", seed, s, rot.Shown(), rot.Why(), m.shown, m.why, pages, in)
			}
			if r.IntN(40) == 0 {
				command(r, rot, m, in, at(s))
			}
		}
	}
}

// idle() reports whether nothing has happened between two steps, not even the end of a hold.
func idle(was, is *Rotation) bool {
	for i, s := range is.states {
		if s != was.states[i] || s.active && s.until.Equal(is.now) {
			return false
		}
	}
	return was.shown == is.shown && was.why == is.why && was.turnSince.Equal(is.turnSince) && was.hand == is.hand
}

// command makes the same random request to the rotation and the model.
func command(r *rand.Rand, rot *Rotation, m *model, in []Condition, now time.Time) {
	hold := r.IntN(3) * 7
	switch kind := r.IntN(5); kind {
	case 0, 1:
		by, i := 1-2*kind, m.shown
		for k := 1; k < len(m.pages); k++ {
			if j := ((m.shown+by*k)%len(m.pages) + len(m.pages)) % len(m.pages); slices.Contains(m.among(in), j) {
				i = j
				break
			}
		}
		if rot.Go(by, time.Duration(hold)*time.Second, now) {
			if hold == 0 {
				hold = secs(m.pages[i].Dwell)
			}
			m.hand, m.handLeft, m.handed = i, hold, 0
		}
	case 2:
		i := r.IntN(len(m.pages))
		rot.Show(i, time.Duration(hold)*time.Second, now)
		m.hand, m.handLeft, m.handed = i, hold, 0
	case 3:
		rot.Auto(now)
		m.letGo(in)
	case 4:
		rot.Touched(now)
		m.pause = secs(TouchPause)
	}
	m.decide(in)
}

// TestInvariants: a page that a trigger shows stays for its hold, unless a page with a stronger trigger replaces it. The page is shown
// again only after its cooldown.
func TestInvariants(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		pages := randomPages(r)
		rot := NewRotation(pages)
		in, clears := make([]Condition, len(pages)), make([]bool, len(pages))
		for i := range in {
			in[i].When, clears[i] = true, r.IntN(2) == 0
		}
		fired, since, ended := -1, 0, map[int]int{}
		for s := range 600 {
			for r.IntN(5) == 0 {
				change(r, pages, in, clears)
			}
			rot.Step(at(s), in)
			now := -1
			if rot.Why() == Fired {
				now = rot.Shown()
			}
			for i, st := range rot.states {
				if end, ok := ended[i]; ok && st.active && st.begun.Equal(at(s)) && s-end < secs(pages[i].Trigger.Cooldown) {
					t.Fatalf("seed %d: page %d begins %d s after its end", seed, i, s-end)
				}
			}
			if now != fired && fired >= 0 {
				hold := secs(pages[fired].Trigger.Hold)
				if s-since < hold && (now < 0 || pages[now].Trigger.Priority >= pages[fired].Trigger.Priority) {
					t.Fatalf("seed %d: page %d was shown for %d s, its hold is %d", seed, fired, s-since, hold)
				}
				if !rot.states[fired].active {
					ended[fired] = s
				}
			}
			if now != fired {
				fired, since = now, s
			}
		}
	}
}

// TestClockSetBack: after the clock was set back, no hold and no choice of a user lasts longer than its duration.
func TestClockSetBack(t *testing.T) {
	pages := []Page{{Name: "a", Dwell: 10 * time.Second}, {Name: "b", Dwell: 10 * time.Second}, {Name: "c", Trigger: &Trigger{Hold: 5 * time.Second, Cooldown: 20 * time.Second}}}
	rot := NewRotation(pages)
	in := []Condition{{When: true}, {When: true}, {When: true, Fire: true}}
	rot.Step(at(100000), in)
	if rot.Why() != Fired {
		t.Fatalf("got %s", rot.Why())
	}
	in[2] = Condition{When: true, Clear: true}
	rot.Step(at(0), in)
	if next := rot.Next(); next.After(at(5)) {
		t.Errorf("the hold ends at %v, want %v at the latest", next, at(5))
	}
	rot.Step(at(5), in)
	if rot.Why() != Turn || !rot.Next().Equal(at(15)) {
		t.Errorf("got %s until %v", rot.Why(), rot.Next())
	}
	rot.Show(1, time.Minute, at(6))
	rot.Step(at(-5000), in)
	if until := rot.Until(); until.After(at(-5000).Add(time.Minute)) {
		t.Errorf("chosen by hand until %v", until)
	}
}

// TestAllocatesNothing: a step never allocates.
func TestAllocatesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	pages := randomPages(r)
	rot, in, s := NewRotation(pages), make([]Condition, len(pages)), 0
	if n := testing.AllocsPerRun(500, func() {
		s++
		in[s%len(in)].When = s%7 > 2
		in[s%len(in)].Fire = s%5 > 2
		rot.Step(at(s), in)
		_ = rot.Next()
	}); n != 0 {
		t.Errorf("got %v allocations a step", n)
	}
}

// BenchmarkStep measures one step with 16 pages, half of which have triggers.
func BenchmarkStep(b *testing.B) {
	pages, in := make([]Page, 16), make([]Condition, 16)
	for i := range pages {
		pages[i], in[i].When = Page{Dwell: time.Minute}, true
		if i%2 == 1 {
			pages[i].Trigger = &Trigger{Hold: time.Minute}
		}
	}
	rot := NewRotation(pages)
	for b.Loop() {
		rot.Step(t0, in)
		_ = rot.Next()
	}
}
