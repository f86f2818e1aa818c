package todo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var quiet = slog.New(slog.DiscardHandler)

// A memory is a disk that outlives its queues.
type memory struct {
	data []byte
	full bool
}

func (m *memory) Load() ([]byte, error) {
	if m.data == nil {
		return nil, fs.ErrNotExist
	}
	return m.data, nil
}

func (m *memory) Save(data []byte) error {
	if m.full {
		return errors.New("no space left on device")
	}
	m.data = data
	return nil
}

// A sourceFunc is a source made from a function.
type sourceFunc func(ctx context.Context, c Change) error

func (f sourceFunc) Carry(ctx context.Context, c Change) error { return f(ctx, c) }

// An outage of an hour causes few requests, and the completed tasks stay visible on the wall. After the outage, the source gets each
// change once.
func TestOutageOfAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var asked, carried atomic.Int32
		source := sourceFunc(func(_ context.Context, c Change) error {
			if asked.Add(1); time.Since(began) < time.Hour {
				return Silent(errors.New("no route to host"))
			}
			carried.Add(1)
			return nil
		})
		q := NewQueue("t", &memory{}, quiet)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go q.Run(ctx, source)
		if err := q.Put(Change{Task: "milk", Done: true, At: began}); err != nil {
			t.Fatal(err)
		}
		for _, task := range []string{"eggs", "bread"} {
			if err := q.Put(Change{Task: task, Done: true, At: began}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Hour - time.Second)
		synctest.Wait()
		if m, ok := q.Marks().Of("milk"); !ok || !m.Done || !m.Waiting || m.Problem != "" {
			t.Errorf("during the outage: got %+v, %v, want a tick that waits", m, ok)
		}
		if n := asked.Load(); n > 30 {
			t.Errorf("asked %d times in an hour, want at most 30", n)
		}
		time.Sleep(mostPause + time.Second)
		synctest.Wait()
		if m := q.Marks(); carried.Load() != 3 || !m.Unread || m.Tasks["milk"].Waiting || !m.Tasks["milk"].Done {
			t.Errorf("after the outage: %d changes at the source, want 3; marks %+v", carried.Load(), m)
		}
		late := q.Begin()
		q.Read(late)
		if m := q.Marks(); len(m.Tasks) != 0 || m.Unread {
			t.Errorf("after a reading: got marks %+v, want none", m)
		}
	})
}

// If the program crashes during the first attempt, the next program's attempt is marked as begun, because the source may already have the
// change.
func TestCrashDuringAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk, begun, crash := &memory{}, []bool{}, []byte(nil)
		source := sourceFunc(func(_ context.Context, c Change) error {
			begun = append(begun, c.Begun)
			if crash == nil {
				crash = disk.data
			}
			return nil
		})
		for range 2 {
			ctx, cancel := context.WithCancel(t.Context())
			q := NewQueue("t", disk, quiet)
			if len(begun) == 0 {
				if err := q.Put(Change{Task: "milk", New: true}); err != nil {
					t.Fatal(err)
				}
			}
			go q.Run(ctx, source)
			synctest.Wait()
			cancel()
			synctest.Wait()
			disk = &memory{data: crash}
		}
		if !slices.Equal(begun, []bool{false, true}) {
			t.Errorf("got attempts with the mark begun %v, want false, true", begun)
		}
	})
}

// A reading that started before the source had the change does not remove the change from the wall.
func TestReadingUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue("t", &memory{}, quiet)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		early := q.Begin()
		if err := q.Put(Change{Task: "milk", Done: true}); err != nil {
			t.Fatal(err)
		}
		go q.Run(ctx, sourceFunc(func(context.Context, Change) error { return nil }))
		synctest.Wait()
		q.Read(early)
		if m, _ := q.Marks().Of("milk"); !m.Done || m.Waiting {
			t.Errorf("got %+v, want a tick that was sent", m)
		}
		q.Read(q.Begin())
		if _, ok := q.Marks().Of("milk"); ok {
			t.Error("the mark stays after a reading that began later")
		}
	})
}

// After a change was rejected, the wall shows the state of the server and, for a while, the reason. The change is not in the list of
// completed tasks.
func TestRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue("t", &memory{}, quiet)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go q.Run(ctx, sourceFunc(func(context.Context, Change) error { return Refused("%s", strings.Repeat("no. ", 1000)) }))
		if err := q.Put(Change{Task: "milk", Done: true}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		m, _ := q.Marks().Of("milk")
		if m.Waiting || len(m.Problem) != maxProblem || len(q.Marks().Ticks) != 0 {
			t.Errorf("got %+v and %d ticks, want a short problem and none", m, len(q.Marks().Ticks))
		}
		time.Sleep(problemTime + time.Second)
		synctest.Wait()
		if _, ok := q.Marks().Of("milk"); ok {
			t.Error("the problem stays")
		}
	})
}

// A queue accepts a limited number of changes, also after a restart. In a full queue, a change can still replace the previous change of
// the same task.
func TestFull(t *testing.T) {
	disk := &memory{}
	q := NewQueue("t", disk, quiet)
	for i := range MaxChanges {
		if err := q.Put(Change{Task: fmt.Sprint(i), Done: true, Title: strings.Repeat("<", 10*MaxTitle)}); err != nil {
			t.Fatal(i, err)
		}
	}
	if err := q.Put(Change{Task: "more", Done: true}); !errors.Is(err, ErrFull) {
		t.Errorf("got %v, want ErrFull", err)
	}
	for range MaxTicks + 10 {
		if err := q.Put(Change{Task: "7", Done: true}); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(q.Marks().Tasks); n != MaxChanges || len(q.Marks().Ticks) != MaxTicks || len(disk.data) > maxFile {
		t.Errorf("got %d marks, %d ticks, %d bytes", n, len(q.Marks().Ticks), len(disk.data))
	}
	if err := q.Put(Change{Task: strings.Repeat("x", MaxTask), Done: true}); !errors.Is(err, ErrLong) {
		t.Errorf("a long id: got %v", err)
	}
	if err := q.Put(Change{Task: "x", Ref: strings.Repeat("x", maxRef+1)}); !errors.Is(err, ErrLong) {
		t.Errorf("a long address: got %v", err)
	}
	again := NewQueue("t", disk, quiet)
	if len(again.all) != MaxChanges || len(again.ticks) != MaxTicks {
		t.Errorf("after a restart: %d changes, %d ticks", len(again.all), len(again.ticks))
	}
}

// If the disk is full or has an unreadable file, a queue still accepts changes.
func TestBadDisk(t *testing.T) {
	for _, disk := range []*memory{{full: true}, {data: []byte("{")}, {data: []byte(`{"Changes": 7}`)}} {
		q := NewQueue("t", disk, quiet)
		if err := q.Put(Change{Task: "milk", Done: true}); err != nil {
			t.Fatal(err)
		}
		if m, _ := q.Marks().Of("milk"); !m.Done {
			t.Error("the tick is not shown")
		}
	}
}

// A queue outlives its users and the program. The number of lists is limited.
func TestQueues(t *testing.T) {
	dir := t.TempDir()
	d := NewQueues(dir, quiet)
	q, err := d.Queue("https://example.org/dav/")
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Put(Change{Task: "milk", Done: true, By: "Anna"}); err != nil {
		t.Fatal(err)
	}
	if again, _ := d.Queue("https://example.org/dav/"); again != q {
		t.Error("a second user gets another queue")
	}
	next, _ := NewQueues(dir, quiet).Queue("https://example.org/dav/")
	if m, _ := next.Marks().Of("milk"); !m.Done || m.By != "Anna" {
		t.Errorf("after a restart: got %+v", m)
	}
	if other, _ := d.Queue("https://example.org/other/"); len(other.Marks().Tasks) != 0 || other.Tag("x") == q.Tag("x") {
		t.Error("another list shares the changes or the tag")
	}
	for i := range MaxQueues {
		_, err = d.Queue(fmt.Sprint(i))
	}
	if !errors.Is(err, ErrQueues) {
		t.Errorf("got %v, want ErrQueues", err)
	}
	if q, err := (*Queues)(nil).Queue("x"); q != nil || err != nil || q.Tag("x") != "" || q.Marks() == nil {
		t.Error("nil queues have a queue")
	}
}

// A wish finds its task by ID and by title. It does nothing if the task already has the state, and it adds no open task twice.
func TestWishes(t *testing.T) {
	q := NewQueue("t", &memory{}, quiet)
	l := List{Name: "shop", Queue: q, Tasks: func() []Task {
		return []Task{{ID: "1", Title: "Milk", Done: true}, {ID: "2", Title: "Milk"}, {ID: "3", Title: "Eggs", Done: true}, {Title: "Waiting"}}
	}}
	for _, c := range []struct {
		item, action, list string
		want               string // expected change; "" for no change
	}{
		{"t:2", "done", "", "2 true"}, {"t:2", "toggle", "", "2 true"}, {"t:3", "toggle", "", "3 false"}, {"milk", "done", "shop", "2 true"},
		{"MILK", "open", "", "1 false"}, {"t:1", "done", "", ""}, {"eggs", "done", "", ""}, {"t:2", "open", "", ""},
		{" Bread ", "add", "", "Bread"}, {"milk", "add", "", ""}, {"Eggs", "add", "Shop", "Eggs [3]"},
		{"x:2", "done", "", ErrNoTask.Error()}, {"Milk", "done", "garden", ErrNoList.Error()}, {" ", "add", "", ErrTitle.Error()},
		{"a\nb", "add", "", ErrTitle.Error()}, {strings.Repeat("x", MaxTitle+1), "add", "", ErrTitle.Error()},
	} {
		q.all = nil
		got := ""
		if err := Do([]List{l}, Wish{Item: c.item, Action: c.action, List: c.list}); err != nil {
			got = err.Error()
		}
		for _, p := range q.all {
			if got = fmt.Sprint(p.Task, " ", p.Done); p.New {
				got = p.Title
			}
			if p.Known != nil {
				got += fmt.Sprint(" ", p.Known)
			}
		}
		if got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.action, c.item, got, c.want)
		}
	}
	if err := Do(nil, Wish{Item: "x", Action: "add"}); !errors.Is(err, ErrNone) {
		t.Errorf("got %v, want ErrNone", err)
	}
	q.all = nil
	for range 2 {
		if err := Do([]List{l}, Wish{Item: "Bread", Action: "add"}); err != nil {
			t.Fatal(err)
		}
	}
	if len(q.all) != 1 {
		t.Errorf("two taps add %d tasks, want 1", len(q.all))
	}
}
