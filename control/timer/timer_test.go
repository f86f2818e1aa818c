package timer

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func at(s float64) time.Time { return noon.Add(time.Duration(s * float64(time.Second))) }

// one() returns two timers: "tea", which takes four minutes, and "watch", which counts up.
func one(t *testing.T) *Timers {
	t.Helper()
	all := New(func() {})
	set := all.Begin()
	set.Timer("tea", "Tea", 4*time.Minute)
	set.Timer("watch", "", 0)
	all.Commit(set)
	return all
}

func TestActions(t *testing.T) {
	for _, tc := range []struct {
		name, timer string
		do          []string
		after       float64 // seconds after the last action; actions are 10 s apart
		state       State
		passed      time.Duration
	}{
		{"ready", "tea", nil, 0, Ready, 0},
		{"started", "tea", []string{"start"}, 5, Running, 5 * time.Second},
		{"started twice", "tea", []string{"start", "start"}, 5, Running, 15 * time.Second},
		{"stopped", "tea", []string{"start", "stop"}, 99, Stopped, 10 * time.Second},
		{"goes on", "tea", []string{"start", "stop", "start"}, 1, Running, 11 * time.Second},
		{"toggled", "tea", []string{"toggle", "toggle", "toggle"}, 1, Running, 11 * time.Second},
		{"reset", "tea", []string{"start", "reset"}, 9, Ready, 0},
		{"over", "tea", []string{"start"}, 240, Over, 4 * time.Minute},
		{"counts up", "watch", []string{"start"}, 5000, Running, 5000 * time.Second},
		{"stopped while ready", "watch", []string{"stop"}, 9, Ready, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			all, now := one(t), noon
			for i, action := range tc.do {
				now = at(float64(10 * i))
				if _, err := all.Do(tc.timer, action, 0, now); err != nil {
					t.Fatal(err)
				}
			}
			for _, s := range all.List(now.Add(time.Duration(tc.after * float64(time.Second)))) {
				if s.Name == tc.timer && (s.State != tc.state || s.Passed != tc.passed) {
					t.Errorf("got %+v, want %s after %v", s, tc.state, tc.passed)
				}
			}
		})
	}
}

func TestRunsOver(t *testing.T) {
	all := one(t)
	all.Do("tea", "start", 0, at(0))
	if s, _ := all.Do("tea", "toggle", 0, at(300)); s.State != Ready || s.Left != 4*time.Minute {
		t.Errorf("over, then toggled: got %+v, want it ready", s)
	}
	if s, _ := all.Do("tea", "start", time.Minute, at(301)); s.Duration != time.Minute || !s.EndsAt.Equal(at(361)) {
		t.Errorf("of another duration: got %+v", s)
	}
	if s, _ := all.Do("tea", "reset", 0, at(302)); s.Duration != 4*time.Minute {
		t.Errorf("reset: got %+v, want its own duration", s)
	}
}

// TestDurationOfTheRunThatBegins: only an action that begins or prepares a new run uses the duration. A stop, and a toggle that continues
// a run, do not change the remaining time.
func TestDurationOfTheRunThatBegins(t *testing.T) {
	for _, tc := range []struct {
		name  string
		do    []string
		state State
		left  time.Duration
	}{
		{"stop", []string{"start", "stop"}, Stopped, 230 * time.Second},
		{"stop while ready", []string{"stop"}, Ready, 4 * time.Minute},
		{"toggle stops", []string{"start", "toggle"}, Stopped, 230 * time.Second},
		{"toggle continues", []string{"start", "stop", "toggle"}, Running, 230 * time.Second},
		{"toggle starts", []string{"toggle"}, Running, 10 * time.Minute},
		{"start again", []string{"start", "stop", "start"}, Running, 10 * time.Minute},
		{"reset", []string{"start", "reset"}, Ready, 10 * time.Minute},
	} {
		t.Run(tc.name, func(t *testing.T) {
			all := one(t)
			var got Status
			for i, action := range tc.do {
				d := time.Duration(0)
				if i == len(tc.do)-1 {
					d = 10 * time.Minute
				}
				var err error
				if got, err = all.Do("tea", action, d, at(float64(10*i))); err != nil {
					t.Fatal(err)
				}
			}
			if got.State != tc.state || got.Left != tc.left {
				t.Errorf("got %s with %v left, want %s with %v", got.State, got.Left, tc.state, tc.left)
			}
		})
	}
}

func TestRefuses(t *testing.T) {
	all := one(t)
	for _, tc := range []struct {
		name, action string
		d            time.Duration
		want         error
	}{{"nobody", "start", 0, ErrUnknown}, {"tea", "begin", 0, ErrAction}, {"tea", "", 0, ErrAction}, {"tea", "start", -1, ErrDuration}, {"tea", "start", MaxDuration + 1, ErrDuration}} {
		if _, err := all.Do(tc.name, tc.action, tc.d, noon); !errors.Is(err, tc.want) {
			t.Errorf("%s %s: got %v, want %v", tc.name, tc.action, err, tc.want)
		}
	}
	set := all.Begin()
	for i := range MaxTimers + 1 {
		if _, ok := set.Timer(string(rune('a'+i)), "", time.Minute); ok != (i < MaxTimers) {
			t.Errorf("timer %d: got %v", i, ok)
		}
	}
}

// A timer that is running continues after a reload. Timers that the new tree does not have cannot be reached.
func TestOutlivesTrees(t *testing.T) {
	all := one(t)
	all.Do("tea", "start", 0, at(0))
	set := all.Begin()
	set.Timer("tea", "Green tea", time.Minute)
	all.Commit(set)
	if got := all.List(at(10)); len(got) != 1 || got[0].State != Running || got[0].Left != 230*time.Second {
		t.Errorf("got %+v, want tea going on", got)
	}
	if s, _ := all.Do("tea", "reset", 0, at(20)); s.Duration != time.Minute {
		t.Errorf("reset: got %+v, want the new duration", s)
	}
}

func TestTellsTheEndOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := one(t)
		ctx, cancel := context.WithCancel(t.Context())
		var told atomic.Int32
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			all.Run(ctx, func(label string, length time.Duration) {
				if told.Add(1); label != "Tea" || length != 4*time.Minute {
					t.Errorf("got %q, %v", label, length)
				}
			})
		}()
		synctest.Wait()
		all.Do("tea", "start", 0, time.Now())
		time.Sleep(4*time.Minute - time.Second)
		synctest.Wait()
		if told.Load() != 0 {
			t.Error("told before its end")
		}
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if told.Load() != 1 {
			t.Errorf("told %d times, want once", told.Load())
		}
		all.Do("tea", "start", 0, time.Now())
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		if told.Load() != 2 {
			t.Errorf("started again: told %d times in all, want twice", told.Load())
		}
		cancel()
		<-ended
	})
}

// TestExpected: Expected returns false for a new set, and true after Expect.
func TestExpected(t *testing.T) {
	set := New(func() {}).Begin()
	if set.Expected() {
		t.Error("nothing is in it")
	}
	if set.Expect(); !set.Expected() {
		t.Error("a name was noted")
	}
}

// TestListIsSorted: the list of timers is always sorted by name.
func TestListIsSorted(t *testing.T) {
	all := New(func() {})
	set := all.Begin()
	for _, name := range []string{"tea", "eggs", "watch", "bread", "pasta", "rice", "cake"} {
		set.Timer(name, "", time.Minute)
	}
	all.Commit(set)
	for range 10 {
		var names []string
		for _, s := range all.List(noon) {
			names = append(names, s.Name)
		}
		if len(names) != 7 || !slices.IsSorted(names) {
			t.Fatalf("got %q", names)
		}
	}
}
