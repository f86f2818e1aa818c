package notify

import (
	"errors"
	"fmt"
	"image"
	"testing"
	"time"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func at(s float64) time.Time { return noon.Add(time.Duration(s * float64(time.Second))) }

// board returns a board with the text inbox "t" and the picture inbox "i".
func board(t *testing.T) (b *Board, text, img *Inbox) {
	t.Helper()
	b = NewBoard(func() {})
	s := b.Begin()
	text, _ = s.Inbox("t", Text, View{})
	img, _ = s.Inbox("i", Image, View{Box: image.Pt(40, 40)})
	b.Commit(s)
	return b, text, img
}

func post(t *testing.T, b *Board, text string, d time.Duration) {
	t.Helper()
	if err := b.Post("t", &Notification{Text: text, Duration: d}); err != nil {
		t.Fatal(err)
	}
}

// shows() returns the text that an inbox shows.
func shows(in *Inbox, now time.Time) string {
	if n, _ := in.Current(now, true); n != nil {
		return n.Text
	}
	return ""
}

func TestTurns(t *testing.T) {
	b, in, _ := board(t)
	if shows(in, at(0)) != "" {
		t.Error("an empty inbox shows something")
	}
	post(t, b, "a", 5*time.Second)
	post(t, b, "b", 2*time.Second)
	for _, tc := range []struct {
		at   float64
		want string
	}{{10, "a"}, {14.9, "a"}, {15, "b"}, {16.9, "b"}, {17, ""}, {18, ""}} {
		if got := shows(in, at(tc.at)); got != tc.want {
			t.Errorf("after %v s: got %q, want %q", tc.at, got, tc.want)
		}
	}
	post(t, b, "c", time.Second)
	if n, until := in.Current(at(20), true); n == nil || !until.Equal(at(21)) {
		t.Errorf("got %v until %v, want c until its end", n, until)
	}
}

func TestClockIsSet(t *testing.T) {
	b, in, _ := board(t)
	post(t, b, "a", 5*time.Second)
	post(t, b, "b", 5*time.Second)
	shows(in, at(100))
	if got := shows(in, at(0)); got != "b" {
		t.Errorf("set back by more than the duration: got %q, want the next, not the first for minutes", got)
	}
	if got := shows(in, at(1000)); got != "" {
		t.Errorf("set ahead: got %q, want none", got)
	}
}

func TestOutOfView(t *testing.T) {
	b, in, _ := board(t)
	post(t, b, "a", 5*time.Second)
	if n, _ := in.Current(at(0), false); n != nil {
		t.Error("out of view: it began")
	}
	shows(in, at(10))
	if n, _ := in.Current(at(12), false); n == nil {
		t.Error("gone out of view: it ended early")
	}
	if n, _ := in.Current(at(15), false); n != nil {
		t.Error("out of view: it did not end")
	}
}

func TestFull(t *testing.T) {
	b, in, _ := board(t)
	for i := range MaxWaiting {
		post(t, b, fmt.Sprint(i), time.Second)
	}
	if err := b.Post("t", &Notification{Duration: 1}); !errors.Is(err, ErrFull) {
		t.Errorf("got %v, want ErrFull", err)
	}
	for i := range MaxWaiting {
		if got := shows(in, at(float64(i))); got != fmt.Sprint(i) {
			t.Fatalf("got %q, want %d", got, i)
		}
		if i == 0 {
			post(t, b, fmt.Sprint(MaxWaiting), time.Second)
		}
	}
	if got := shows(in, at(MaxWaiting)); got != fmt.Sprint(MaxWaiting) || in.Waiting() != 0 {
		t.Errorf("got %q, want the one that was posted when there was room again", got)
	}
}

func TestLookup(t *testing.T) {
	b := NewBoard(func() {})
	if err := b.Post("t", &Notification{}); !errors.Is(err, ErrNone) || b.Any() {
		t.Errorf("got %v, want ErrNone", err)
	}
	b, _, _ = board(t)
	if err := b.Post("x", &Notification{}); !errors.Is(err, ErrUnknown) || !b.Any() {
		t.Errorf("got %v, want ErrUnknown", err)
	}
	if got := fmt.Sprint(b.Names()); got != "[i t]" {
		t.Errorf("got names %v", got)
	}
}

func TestInboxesOutliveTrees(t *testing.T) {
	b := NewBoard(func() {})
	day, night := b.Begin(), b.Begin()
	byDay, _ := day.Inbox("t", Text, View{Box: image.Pt(10, 10)})
	byNight, _ := night.Inbox("t", Text, View{Box: image.Pt(20, 20)})
	night.Inbox("nights only", Text, View{})
	if byDay != byNight {
		t.Fatal("two trees built at once have two inboxes of one name")
	}
	if _, ok := day.Inbox("t", Text, View{}); ok {
		t.Error("a second widget got the name")
	}
	b.Commit(day)
	post(t, b, "a", time.Minute)
	post(t, b, "b", time.Minute)
	shows(byDay, at(0))
	if got := byDay.View().Box; got != image.Pt(10, 10) {
		t.Errorf("got box %v, want the day's", got)
	}
	b.Commit(night)
	if got := shows(byNight, at(1)); got != "a" || byNight.Waiting() != 1 || byNight.View().Box != image.Pt(20, 20) {
		t.Errorf("after the switch: got %q, %d waiting, box %v", got, byNight.Waiting(), byNight.View().Box)
	}

	failed := b.Begin()
	failed.Inbox("t", Image, View{})
	next := b.Begin()
	if kept, ok := next.Inbox("t", Text, View{}); kept != byDay || !ok {
		t.Error("a failed reload in between lost the inbox")
	}
	other := b.Begin()
	if in, _ := other.Inbox("t", Image, View{}); in == byDay {
		t.Error("a widget of another kind took the inbox over")
	}
	b.Commit(b.Begin())
	if b.Any() {
		t.Error("a tree without such widgets can be notified")
	}
}

func TestCurrentAllocatesNothing(t *testing.T) {
	b, in, _ := board(t)
	post(t, b, "a", time.Hour)
	shows(in, noon)
	if got := testing.AllocsPerRun(100, func() { in.Current(noon, true) }); got != 0 {
		t.Errorf("showing: got %v allocations", got)
	}
	_, empty, _ := board(t)
	if got := testing.AllocsPerRun(100, func() { empty.Current(noon, true) }); got != 0 {
		t.Errorf("empty: got %v allocations", got)
	}
}

func BenchmarkCurrent(b *testing.B) {
	in := &Inbox{}
	b.ReportAllocs()
	for b.Loop() {
		in.Current(noon, true)
	}
}
