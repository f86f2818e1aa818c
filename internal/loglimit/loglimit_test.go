package loglimit

import (
	"fmt"
	"testing"
	"time"
)

// TestNext checks the log lines of a burst. AtOnce lines are logged, then PerSecond lines each second. The first line after a pause
// contains the number of dropped lines.
func TestNext(t *testing.T) {
	l, now := New(), time.Unix(1795235340, 0)
	told := 0
	for range 10 * AtOnce {
		if _, ok := l.Next(now, "a", 1); ok {
			told++
		}
	}
	if told != AtOnce {
		t.Errorf("%d lines at once, want %d", told, AtOnce)
	}
	for i, want := range []string{"[a 1 untold_before 180]", "[a 1]"} {
		fields, ok := l.Next(now.Add(time.Second), "a", 1)
		if got := fmt.Sprint(fields); !ok || got != want {
			t.Errorf("line %d after a second: got %s, want %s", i, got, want)
		}
	}
	if _, ok := l.Next(now.Add(time.Second), "a", 1); ok {
		t.Errorf("more than %d lines a second", PerSecond)
	}
}
