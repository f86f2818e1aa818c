package notify

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"

	"dashboard/internal/budget"
	"dashboard/internal/fetch"
)

func TestBounds(t *testing.T) {
	overWall(t, func(p *Poster, b *Board, over *Inbox) {
		if MaxHeld != 64 {
			t.Errorf("%d may be held, want 64", MaxHeld)
		}
		for i := range MaxHeld {
			mustSend(t, p, fmt.Sprintf(`{"title":"%d","id":"held%d","hold":true}`, i, i))
		}
		if err := send(p, `{"title":"x","hold":true}`); !errors.Is(err, ErrHeld) || !errors.Is(err, ErrFull) {
			t.Errorf("got %v, want ErrHeld", err)
		}
		n := 0
		for send(p, fmt.Sprintf(`{"title":"t%d","mode":"queue"}`, n)) == nil {
			n++
		}
		if n != MaxWaiting {
			t.Errorf("%d could wait beside those held, want %d", n, MaxWaiting)
		}
		if err := send(p, `{"title":"no more","id":"held7"}`); !errors.Is(err, ErrFull) {
			t.Errorf("one that is held no more, and has no room to wait: got %v", err)
		}
		if _, err := b.Delete("held7", ""); err != nil {
			t.Fatal(err)
		}
		mustSend(t, p, `{"title":"again","id":"held7","hold":true}`)
		if all := b.List(); len(all) != MaxHeld+MaxWaiting {
			t.Errorf("%d are there, want %d", len(all), MaxHeld+MaxWaiting)
		}
	})
}

func TestTenThousand(t *testing.T) {
	b, over, _ := wall(t)
	p := NewPoster(b, fetch.NewWith(&slowWeb{}), budget.New(), slog.New(slog.DiscardHandler))
	defer p.Close()
	now := noon
	b.now = func() time.Time { return now }
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // pools are empty after the second collection
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	round := func(n int) {
		for i := range n {
			now = now.Add(50 * time.Millisecond)
			body := fmt.Sprintf(`{"title":"t%d","message":"%s","id":"i%d","mode":"%s","ttl":5,"duration":1,"priority":%d}`,
				i, strings.Repeat("word ", 200), i%50, modes[i%3], i%5+1)
			if err := send(p, body); err != nil && !errors.Is(err, ErrFull) {
				t.Fatal(err)
			}
			over.Shown(nil, now, true)
		}
	}
	round(1000)
	before := heap()
	round(9000)
	if after := heap(); after > before+1<<20 {
		t.Errorf("%d bytes before, %d after 9,000 more", before, after)
	}
}

func TestShownAllocatesNothing(t *testing.T) {
	b, over, _ := wall(t)
	for i := range 8 {
		b.Post(Wall, &Notification{Title: fmt.Sprint(i), Duration: time.Hour, Posted: noon})
	}
	dst, _, _ := over.Shown(nil, noon, true)
	if got := testing.AllocsPerRun(100, func() { dst, _, _ = over.Shown(dst[:0], noon, true) }); got != 0 {
		t.Errorf("got %v allocations", got)
	}
}
