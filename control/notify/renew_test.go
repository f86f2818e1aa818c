package notify

import (
	"testing"
	"time"
)

// TestUpdateKeepsItsTime: an update with a shorter duration does not end the notification early. The notification keeps its first
// duration.
func TestUpdateKeepsItsTime(t *testing.T) {
	overWall(t, func(p *Poster, b *Board, over *Inbox) {
		mustSend(t, p, `{"title":"50 %","id":"oven","duration":60}`)
		if got := titles(over, 0); got != "50 %" {
			t.Fatalf("got %q", got)
		}
		mustSend(t, p, `{"title":"60 %","id":"oven"}`)
		if got := titles(over, time.Second); got != "60 %" {
			t.Errorf("a second after the update: got %q", got)
		}
		if all := b.List(); len(all) != 1 || all[0].Left != 59 {
			t.Errorf("the list has %+v, want one entry with 59 seconds left", all)
		}
		if got := titles(over, 58*time.Second); got != "60 %" {
			t.Errorf("after 59 seconds: got %q", got)
		}
		if got := titles(over, time.Second); got != "" {
			t.Errorf("after a minute: got %q", got)
		}
	})
}

// TestClockSetBack: if the clock is set back by a day, a notification does not stay for a day.
func TestClockSetBack(t *testing.T) {
	in := &Inbox{Name: "n", Kind: Card}
	if err := in.put(&Notification{Text: "x", Duration: time.Minute, Posted: noon}, nil); err != nil {
		t.Fatal(err)
	}
	if n, _ := in.Current(noon, true); n == nil {
		t.Fatal("not shown")
	}
	if n, _ := in.Current(noon.Add(-24*time.Hour), true); n != nil {
		t.Error("still shown after the clock was set back")
	}
}
