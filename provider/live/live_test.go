package live

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/extract"
	"dashboard/provider"
)

// A wall has programs that read cells. The test publishes into the cells.
type wall struct {
	*Programs
	t     *testing.T
	cells map[string]*provider.Cell
	out   *provider.Cell
}

func newWall(t *testing.T, names ...string) *wall {
	w := &wall{t: t, cells: map[string]*provider.Cell{}, out: provider.NewCell(nil)}
	slices.Sort(names)
	for _, n := range names {
		w.cells[n] = provider.NewCell(nil)
	}
	w.Programs = New(func(name string) (*provider.Cell, bool) { c, ok := w.cells[name]; return c, ok }, nil, names)
	return w
}

func compiled(t testing.TB, source string) *extract.Program {
	t.Helper()
	p, err := extract.Compile(source)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (w *wall) program(source string) *provider.Cell {
	w.t.Helper()
	c, err := w.Add(compiled(w.t, source), provider.Place{At: "widgets.yaml:7:3", What: "card"})
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

// start runs the programs until the test ends.
func (w *wall) start() {
	ctx, cancel := context.WithCancel(w.t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); w.Run(ctx, w.out) }()
	w.t.Cleanup(func() { cancel(); <-ended })
	synctest.Wait()
}

func (w *wall) publish(name string, v any, at time.Time) {
	w.cells[name].Publish(v, at)
	time.Sleep(pace)
	synctest.Wait()
}

var errDown = errors.New("no route")

func TestProgramsFollowWhatTheyRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWall(t, "a", "b", "c")
		sum, a, all := w.program(".a.n + .b.n"), w.program(".a.n"), w.program("keys | length")
		if w.program(".a.n") != a {
			t.Error("the same program twice got two cells")
		}
		w.start()
		if s := sum.Load(); s.Has() || s.Err != nil {
			t.Errorf("before the first sample: got %+v", s)
		}
		now := time.Now()
		w.cells["a"].Promise(time.Minute)
		w.publish("a", map[string]any{"n": 1}, now)
		w.publish("b", map[string]any{"n": 2}, now.Add(-time.Hour))
		s := sum.Load()
		if stale := s.StaleAt(); s.Value != 3 || !s.At.Equal(now.Add(-time.Hour)) || stale == nil || !stale.Equal(now.Add(3*time.Minute)) {
			t.Errorf("got %+v, stale at %v, want 3, as old as the oldest sample, stale together with a", s, stale)
		}
		if s := all.Load(); s.Value != 2 {
			t.Errorf("got %+v, want the keys of both", s)
		}
		seq := a.Load().Seq
		w.publish("c", 1, now)
		if a.Load().Seq != seq || all.Load().Value != 3 {
			t.Error("a program followed what it does not read, or did not follow what it may")
		}
		woken := w.out.Load().Seq
		w.publish("a", map[string]any{"n": 1, "m": 9}, now.Add(time.Second))
		if a.Load().Seq != seq || !a.Load().At.Equal(now.Add(time.Second)) || w.out.Load().Seq != woken {
			t.Error("the same result was published, not confirmed")
		}
	})
}

// TestSettled: Settled returns false from the arrival of a sample until the programs have processed the sample, even if the result is the
// same.
func TestSettled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWall(t, "a")
		w.program(".a.n")
		w.cells["a"].Publish(map[string]any{"n": 1}, time.Now())
		if w.Settled() {
			t.Error("nothing ran, and the programs are said to be settled")
		}
		w.start()
		for range 2 {
			if !w.Settled() {
				t.Error("the programs ran, and are said to be behind")
			}
			w.publish("a", map[string]any{"n": 1, "at": time.Now()}, time.Now())
		}
	})
}

// A program has its result as soon as it is added, if its source already has a value.
func TestProgramsRunWhenAdded(t *testing.T) {
	w := newWall(t, "a")
	w.cells["a"].Publish(7, time.Now())
	if s := w.program(".a * 2").Load(); s.Value != 14 {
		t.Errorf("got %+v, want 14", s)
	}
}

// Run wakes the walls at its start if all programs already have results, for example because they read no provider.
func TestProgramsThatReadNothingAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWall(t, "a")
		w.program("[1, 2]")
		w.start()
		if !w.out.Load().Has() {
			t.Error("whoever waits for all providers waits for ever")
		}
	})
	synctest.Test(t, func(t *testing.T) {
		w := newWall(t, "a")
		w.program(".a")
		w.start()
		if w.out.Load().Has() {
			t.Error("it answered before what it reads")
		}
	})
}

func TestProgramsFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWall(t, "a", "b")
		n, null := w.program(".a.n + 1"), w.program(".a.none")
		both := w.program(".a.n, .b")
		w.start()
		w.publish("a", map[string]any{"n": 1}, time.Now())
		if null.Load().Value != nil || !null.Load().Has() || null.Load().Err != nil {
			t.Errorf("null: got %+v", null.Load())
		}
		w.publish("a", map[string]any{"n": "x"}, time.Now())
		if s := n.Load(); s.Value != nil || s.Err == nil {
			t.Errorf("an error: got %+v, want no value", s)
		}
		if ps := w.Problems(); len(ps) != 1 || ps[0].Place.At != "widgets.yaml:7:3" || ps[0].Program != ".a.n + 1" {
			t.Errorf("got %v, want the program and where it is", ps)
		}
		w.publish("a", map[string]any{"n": 2}, time.Now())
		if s := n.Load(); s.Value != 3 || s.Err != nil || len(w.Problems()) != 0 {
			t.Errorf("well again: got %+v", s)
		}
		w.cells["a"].Fail(errDown, time.Now())
		time.Sleep(pace)
		synctest.Wait()
		var up *provider.Upstream
		if s := n.Load(); s.Value != 3 || !errors.As(s.Err, &up) || !errors.Is(s.Err, errDown) || len(w.Problems()) != 0 {
			t.Errorf("its source fails: got %+v, want the last value, and no problem of the program's", s)
		}
		w.cells["b"].Fail(errDown, time.Now())
		time.Sleep(pace)
		synctest.Wait()
		if s := both.Load(); s.Value != 2 || !errors.Is(s.Err, errDown) {
			t.Errorf("one of two: got %+v", s)
		}
	})
}

func TestProgramsRunByTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWall(t, "a")
		minutes, seconds, none := w.program(".now"), w.program(".now_s"), w.program(".a")
		w.start()
		began := time.Now()
		time.Sleep(90*time.Second + 500*time.Millisecond)
		synctest.Wait()
		if s := minutes.Load(); s.Value != int(began.Add(time.Minute).Unix()) || s.Seq != 2 {
			t.Errorf("got %+v, want the second minute", s)
		}
		if s := seconds.Load(); s.Value != int(began.Unix())+90 || s.Seq != 91 {
			t.Errorf("got %+v, want the 91st second", s)
		}
		if none.Load().Has() {
			t.Error("a program without a value ran by the clock")
		}
	})
}

func TestRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWall(t, "a", "b")
		cell, err := w.AddRows(compiled(t, ".a"), 2, []*extract.Program{compiled(t, ".item.t"), compiled(t, ".index + .b"), compiled(t, ".item.t / 2")}, nil, provider.Place{})
		if err != nil {
			t.Fatal(err)
		}
		w.start()
		w.publish("b", 10, time.Now())
		w.publish("a", []any{map[string]any{"t": 4}, map[string]any{"t": "x"}, map[string]any{"t": 0}}, time.Now())
		rows, _ := provider.Typed[Rows]{Cell: cell}.Value(cell.Load())
		got := rows.List
		if rows.All != 3 || len(got) != 2 || got[0][0].Value != 4 || got[0][1].Value != 10 || got[0][2].Value != 2 || got[1][0].Value != "x" || got[1][1].Value != 11 || got[1][2].Err == nil {
			t.Errorf("got %v", rows)
		}
		if ps := w.Problems(); len(ps) != 1 || !strings.Contains(ps[0].Err.Error(), "row 1") {
			t.Errorf("got %v, want the row that fails", ps)
		}
		w.publish("a", 7, time.Now())
		if s := cell.Load(); !errors.Is(s.Err, errNoList) || len(s.Value.(Rows).List) != 0 {
			t.Errorf("no list: got %+v", s)
		}
		w.publish("a", []any{}, time.Now())
		if s := cell.Load(); s.Err != nil || s.Value == nil || len(s.Value.(Rows).List) != 0 {
			t.Errorf("empty: got %+v", s)
		}
	})
}

func TestUnknownNames(t *testing.T) {
	w := newWall(t, "machine", "living-room")
	for source, want := range map[string]string{
		".machin.load1":     "is .machine meant?",
		".living":           `is .["living-room"] meant?`,
		".nothing_like_it":  "there are: living-room, machine",
		".item.x":           "only there in a row",
		".machine + .index": "only there in a row",
	} {
		if _, err := w.Add(compiled(t, source), provider.Place{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", source, err, want)
		}
	}
	fields := []*extract.Program{compiled(t, ".itm.name")}
	if _, err := w.AddRows(compiled(t, ".machine"), 2, fields, nil, provider.Place{}); err == nil || !strings.Contains(err.Error(), "is .item meant?") {
		t.Errorf("a field of a row: got %v", err)
	}
	for _, source := range []string{".machine | map(.x)", "to_entries | map(.key)", ".now - .now_s", `with_entries(.value) | keys`} {
		if _, err := w.Add(compiled(t, source), provider.Place{}); err != nil {
			t.Errorf("%s: %v", source, err)
		}
	}
	if !reflect.DeepEqual([]bool{Reserved("now"), Reserved("item"), Reserved("house")}, []bool{true, true, false}) {
		t.Error("the names that programs keep for themselves")
	}
}

// BenchmarkThousandsOfPrograms has thousands of programs and a home with a thousand entities. After a change of one provider, only the
// few programs that read this provider run.
func BenchmarkThousandsOfPrograms(b *testing.B) {
	house, other := provider.NewCell(nil), provider.NewCell(nil)
	p := New(func(n string) (*provider.Cell, bool) {
		return map[string]*provider.Cell{"house": house, "other": other}[n], true
	}, nil, []string{"house", "other"})
	home := map[string]any{}
	for i := range 1000 {
		home[fmt.Sprintf("sensor.n%d", i)] = map[string]any{"state": float64(i), "attributes": map[string]any{"unit": "W"}}
	}
	house.Publish(home, time.Now())
	for i := range 5000 {
		if _, err := p.Add(compiled(b, fmt.Sprintf(`.house["sensor.n%d"].state`, i)), provider.Place{}); err != nil {
			b.Fatal(err)
		}
	}
	p.Add(compiled(b, ".other"), provider.Place{})
	for _, bm := range []struct {
		name string
		cell *provider.Cell
		v    any
	}{{"all", house, home}, {"one", other, 1}} {
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				bm.cell.Publish(bm.v, time.Now())
				p.pass(b.Context(), time.Now())
			}
		})
	}
}

// A program that reads only certain entries of a mapping waits only for these entries, and has their age and errors. A program that reads
// the whole mapping waits for all entries.
func TestEntries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		whole := provider.NewCell(nil)
		parts := map[string]*provider.Cell{"a": provider.NewCell(nil), "b": provider.NewCell(nil)}
		asked := 0
		p := New(func(string) (*provider.Cell, bool) { return whole, true }, func(name, entry string, at provider.Place) (*provider.Cell, bool, error) {
			if asked++; entry == "bad" {
				return nil, true, errDown
			}
			if name != "home" || at.At != "w:1" {
				t.Errorf("asked for %s of %s at %v", entry, name, at)
			}
			return parts[entry], true, nil
		}, []string{"home"})
		at := provider.Place{At: "w:1"}
		one, err1 := p.Add(compiled(t, ".home.a.v"), at)
		both, err2 := p.Add(compiled(t, ".home.a.v + .home.b.v"), at)
		all, err3 := p.Add(compiled(t, ".home | length"), at)
		if _, err := p.Add(compiled(t, ".home.bad"), at); !errors.Is(err, errDown) || err1 != nil || err2 != nil || err3 != nil {
			t.Fatal(err, err1, err2, err3)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); _ = p.Run(ctx, provider.NewCell(nil)) }()
		defer func() { cancel(); <-ended }()
		set := func(c *provider.Cell, v any) { c.Publish(v, time.Now()); time.Sleep(pace); synctest.Wait() }
		set(whole, map[string]any{"a": 1, "b": 2, "c": 3})
		set(parts["a"], map[string]any{"v": 1})
		set(parts["b"], map[string]any{"v": 10})
		if one.Load().Value != 1 || both.Load().Value != 11 || all.Load().Value != 3 {
			t.Errorf("got %v, %v, %v", one.Load().Value, both.Load().Value, all.Load().Value)
		}
		before := one.Load()
		set(parts["b"], map[string]any{"v": 20})
		if one.Load() != before || both.Load().Value != 21 {
			t.Errorf("after b changed: got %v, %v", one.Load().Value, both.Load().Value)
		}
		parts["a"].Fail(errDown, time.Now())
		time.Sleep(pace)
		synctest.Wait()
		if s := one.Load(); s.Value != 1 || s.Err == nil || s.Err.Error() != "a: no route" || all.Load().Err != nil {
			t.Errorf("a failed: got %v, %v; all has %v", s.Value, s.Err, all.Load().Err)
		}
	})
}

// Even if a source changes very fast, programs do not run more often than walls are painted. The last value is always used, and programs
// that wait for the clock still run in time.
func TestFloodIsPaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWall(t, "a")
		last, clock := w.program(".a"), w.program(".now_s")
		w.start()
		time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(time.Second)) + pace)
		synctest.Wait()
		before, ticks := last.Load().Seq, clock.Load().Seq
		const changes = 20_000
		for i := range changes {
			w.cells["a"].Publish(i, time.Now())
			time.Sleep(5 * time.Second / changes)
		}
		time.Sleep(pace)
		synctest.Wait()
		if n := last.Load().Seq - before; n < 250 || n > 301+atOnce || last.Load().Value != changes-1 {
			t.Errorf("%d runs in five seconds, the last of them over %v; want at most %d, and the last value", n, last.Load().Value, 301+atOnce)
		}
		if n := clock.Load().Seq - ticks; n != 5 {
			t.Errorf("what waits for seconds ran %d times in five", n)
		}
	})
}

// TestFailsBeforeTheFirstValue: if the source of a program fails before its first value, the program has the error of the source. If the
// source has not answered, the program has no error.
func TestFailsBeforeTheFirstValue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWall(t, "a", "b")
		failing, waiting := w.program(".a.n"), w.program(".b.n")
		w.start()
		w.cells["a"].Fail(errDown, time.Now())
		time.Sleep(pace)
		synctest.Wait()
		if s := failing.Load(); s.Has() || !errors.Is(s.Err, errDown) {
			t.Errorf("its source fails: got %+v", s)
		}
		if s := waiting.Load(); s.Has() || s.Err != nil {
			t.Errorf("its source has not answered: got %+v", s)
		}
	})
}
