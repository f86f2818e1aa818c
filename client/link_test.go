package client

import (
	"testing"
	"time"
)

func TestLink(t *testing.T) {
	const (
		staleAfter = 30 * time.Second
		soon       = staleAfter - 1
	)
	start := time.Unix(1000, 0)
	type step struct {
		after time.Duration // since the start
		do    func(l *link, now time.Time)
		want  State
		next  time.Duration // expected result of next(), since the start. 0 means never
	}
	look := func(*link, time.Time) {}
	open := func(l *link, _ time.Time) { l.accepted(); l.opened() }
	end := func(l *link, now time.Time) { l.closed(now) }
	refuse := func(l *link, now time.Time) { l.refused(); l.closed(now) }
	for name, steps := range map[string][]step{
		"never connected": {
			{0, look, Down, emptyTime}, {soon, look, Down, staleAfter}, {staleAfter, look, Stale, 0}, {time.Hour, end, Stale, 0},
		},
		"lost": {
			{0, open, Connected, 0}, {time.Hour, look, Connected, 0}, {time.Hour, end, Down, time.Hour + staleAfter},
			{time.Hour + soon, look, Down, time.Hour + staleAfter}, {time.Hour + staleAfter, look, Stale, 0},
		},
		"tries in vain do not begin the downtime anew": {
			{0, open, Connected, 0}, {time.Second, end, Down, time.Second + staleAfter}, {20 * time.Second, end, Down, time.Second + staleAfter},
			{time.Second + staleAfter, look, Stale, 0},
		},
		"back before it is stale": {
			{0, open, Connected, 0}, {time.Second, end, Down, time.Second + staleAfter}, {3 * time.Second, open, Connected, 0},
			{10 * time.Second, end, Down, 10*time.Second + staleAfter},
		},
		"back after it is stale": {
			{staleAfter, look, Stale, 0}, {time.Minute, open, Connected, 0},
		},
		"rejected at once, until it is not": {
			{0, open, Connected, 0}, {time.Second, refuse, Rejected, 0}, {time.Hour, look, Rejected, 0}, {time.Hour, open, Connected, 0},
		},
		"an answer without events ends the rejection, not the downtime": {
			{0, refuse, Rejected, 0}, {time.Minute, func(l *link, _ time.Time) { l.accepted() }, Stale, 0},
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLink(start, staleAfter)
			for i, s := range steps {
				now := start.Add(s.after)
				s.do(&l, now)
				if got := l.state(now); got != s.want {
					t.Fatalf("step %d: got state %v, want %v", i, got, s.want)
				}
				var want time.Time
				if s.next != 0 {
					want = start.Add(s.next)
				}
				if got := l.next(now); !got.Equal(want) {
					t.Errorf("step %d: got the next change at %v, want %v", i, got, want)
				}
			}
		})
	}
}

func TestStates(t *testing.T) {
	for s, want := range map[State]struct {
		name  string
		warns bool
	}{Down: {"down", false}, Connected: {"connected", false}, Stale: {"stale", true}, Rejected: {"rejected", true}} {
		if s.String() != want.name || s.warns() != want.warns {
			t.Errorf("state %d: got %s, warns %v, want %v", s, s, s.warns(), want)
		}
	}
}

// TestLinkDark: the screen is off while the wall's screen is off, and for some time after the connection is lost. If the token is
// rejected, the screen is on.
func TestLinkDark(t *testing.T) {
	now := time.Unix(1000, 0)
	l := newLink(now, time.Second)
	l.opened()
	if l.off(now) {
		t.Error("off before anything was told")
	}
	l.dark = true
	if !l.off(now.Add(48 * time.Hour)) {
		t.Error("on while the wall's is off")
	}
	l.closed(now)
	if !l.off(now.Add(darkLimit-1)) || l.off(now.Add(darkLimit)) {
		t.Error("without the service it is to stay off for a while, and then go on")
	}
	l.refused()
	if l.off(now) {
		t.Error("nobody can read that the token is refused")
	}
}
