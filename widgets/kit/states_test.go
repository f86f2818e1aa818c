package kit

import (
	"errors"
	"image"
	"math/rand/v2"
	"testing"
	"time"

	"dashboard/provider"
	"dashboard/render"
)

// TestWatchedShortcut compares updates that end early with full updates, while sources send values, fail and become outdated.
func TestWatchedShortcut(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	cells := []*provider.Cell{provider.NewCell(nil), provider.NewCell(nil)}
	for _, c := range cells {
		c.Promise(time.Minute)
	}
	fast, full, early := watched{Cells: cells}, watched{Cells: cells}, 0
	for i := range 2000 {
		c := cells[random.IntN(len(cells))]
		switch random.IntN(6) {
		case 0, 1:
			c.Publish(i, now)
		case 2:
			c.Fail(errors.New("no route"), now)
		case 3:
			now = now.Add(2 * time.Minute)
		}
		now = now.Add(time.Second)
		a, b := render.NewTick(now, image.Pt(9, 9)), render.NewTick(now, image.Pt(9, 9))
		if fast.calm && fast.fresh(a) {
			early++
		}
		full.calm = false
		got, want := fast.update(a), full.update(b)
		_, wake := a.Reported()
		_, wakeFull := b.Reported()
		if got != want || !wake.Equal(wakeFull) || !fast.stale.Equal(full.stale) || !fast.Failed.Equal(full.Failed) || fast.waiting != full.waiting {
			t.Fatalf("update %d: changed %t, wake %v, %+v\nwant %t, %v, %+v", i, got, wake, fast, want, wakeFull, full)
		}
	}
	if early < 100 {
		t.Errorf("%d updates ended early", early)
	}
}
