package notify

import (
	"testing"
	"testing/synctest"
	"time"
)

// A memoryKeeper is a Keeper that stores data in memory.
type memoryKeeper struct {
	data  []byte
	saves int
}

func (k *memoryKeeper) Load(string, string) ([]byte, bool) { return k.data, k.data != nil }

func (k *memoryKeeper) Save(_, _ string, data []byte) error {
	k.data, k.saves = data, k.saves+1
	return nil
}

func TestHeldSurviveARestart(t *testing.T) {
	keeper := &memoryKeeper{}
	overWall(t, func(p *Poster, b *Board, over *Inbox) {
		p.Keep(keeper, "main", onlyRed)
		mustSend(t, p, `{"title":"a","message":"**b**","id":"a","hold":true,"icon":"mdi:bell","priority":4,"color":"warn","progress":30}`, `{"title":"gone soon"}`,
			`{"title":"d","id":"d","hold":true}`, `{"title":"c","hold":true,"id":"c"}`, `{"widget":"t","text":"e","hold":true}`)
		saves := keeper.saves
		mustSend(t, p, `{"title":"not held"}`)
		if keeper.saves != saves {
			t.Error("what is not held was written")
		}
		p.Delete("d", "")
	})
	overWall(t, func(p *Poster, b *Board, over *Inbox) {
		p.Keep(keeper, "main", onlyRed)
		if got := titles(over, 0); got != "a c" {
			t.Errorf("after the restart: got %q, want %q", got, "a c")
		}
		all, _, _ := over.Shown(nil, time.Now(), true)
		n := all[0]
		if n.Text != "**b**" || !n.Marked || n.ID != "a" || n.Icon != "mdi:bell" || n.Role != "warn" || *n.Progress != 0.3 || n.priority() != 4 {
			t.Errorf("got %+v", n.Notification)
		}
		text, _ := b.Lookup("t")
		if got := shows(text, time.Now()); got != "e" {
			t.Errorf("the widget shows %q", got)
		}
	})
	keeper.data = []byte(`[{"body":{"widget":"gone","text":"x"}},{"body":7},{"body":{"title":"ok","hold":true}}]`)
	overWall(t, func(p *Poster, b *Board, over *Inbox) {
		p.Keep(keeper, "main", onlyRed)
		if got := titles(over, 0); got != "ok" {
			t.Errorf("of what is half wrong: got %q", got)
		}
	})
}

// TestDismissedStaysDismissed: a held notification that a person dismisses at the screen does not return after a restart. Neither does a
// notification that was removed because it could not be drawn.
func TestDismissedStaysDismissed(t *testing.T) {
	for name, dismiss := range map[string]func(*Inbox, *Notification) bool{
		"b": (*Inbox).Dismiss,
		"":  func(in *Inbox, _ *Notification) bool { in.Clear(); return true },
	} {
		keeper := &memoryKeeper{}
		overWall(t, func(p *Poster, _ *Board, over *Inbox) {
			p.Keep(keeper, "main", onlyRed)
			mustSend(t, p, `{"title":"b","id":"b","hold":true}`, `{"title":"a","id":"a","hold":true}`)
			all, _, _ := over.Shown(nil, time.Now(), true)
			if !dismiss(over, all[0].Notification) {
				t.Fatal("not dismissed")
			}
			synctest.Wait()
		})
		overWall(t, func(p *Poster, _ *Board, over *Inbox) {
			p.Keep(keeper, "main", onlyRed)
			if got := titles(over, 0); got != name {
				t.Errorf("after the restart: got %q, want %q", got, name)
			}
		})
	}
}

// TestHeldKeepsItsCount: after two restarts, a held notification has the number of its arrivals. Its picture and its icon may still come
// from this machine.
func TestHeldKeepsItsCount(t *testing.T) {
	keeper := &memoryKeeper{}
	overWall(t, func(p *Poster, b *Board, _ *Inbox) {
		p.Keep(keeper, "main", onlyRed)
		for range 3 {
			r, err := b.Parse([]byte(`{"title":"Bell","hold":true,"image":"http://pics/1","icon":"http://pics/2"}`), onlyRed)
			if err != nil {
				t.Fatal(err)
			}
			r.Local, r.LocalIcon = true, true
			if err := p.Post(r); err != nil {
				t.Fatal(err)
			}
		}
	})
	for range 2 {
		overWall(t, func(p *Poster, _ *Board, over *Inbox) {
			p.Keep(keeper, "main", onlyRed)
			if len(over.items) != 1 {
				t.Fatalf("got %d notifications, want 1", len(over.items))
			}
			if one := over.items[0]; one.n.Count != 3 || !one.from.Local || !one.from.LocalIcon {
				t.Errorf("got count %d, picture from this machine %v, icon %v", one.n.Count, one.from.Local, one.from.LocalIcon)
			}
			p.keep()
		})
	}
}

// TestHeldOrderSurvivesARestart: held notifications have the same order after two restarts, in each mode.
func TestHeldOrderSurvivesARestart(t *testing.T) {
	for mode, want := range map[string]string{"queue": "a b c", "stack": "c b a"} {
		keeper := &memoryKeeper{}
		overWall(t, func(p *Poster, _ *Board, over *Inbox) {
			p.Keep(keeper, "main", onlyRed)
			for _, title := range []string{"a", "b", "c"} {
				mustSend(t, p, `{"title":"`+title+`","id":"`+title+`","hold":true,"mode":"`+mode+`"}`)
			}
			if got := titles(over, 0); got != want {
				t.Errorf("%s: got %q, want %q", mode, got, want)
			}
		})
		for range 2 {
			overWall(t, func(p *Poster, _ *Board, over *Inbox) {
				p.Keep(keeper, "main", onlyRed)
				if got := titles(over, 0); got != want {
					t.Errorf("%s, after a restart: got %q, want %q", mode, got, want)
				}
				p.keep()
			})
		}
	}
}
