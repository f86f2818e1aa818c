package wall

import (
	"testing"
	"time"

	"dashboard/control/notify"
	"dashboard/wall/view"
)

// The notification about the end of a timer is not posted to widgets that show only pictures.
func TestTimerTellsItsEnd(t *testing.T) {
	b := notify.NewBoard(func() {})
	set := b.Begin()
	hall, _ := set.Inbox("hall", notify.Text, notify.View{})
	door, _ := set.Inbox("door", notify.Image, notify.View{})
	b.Commit(set)
	view.TellTimer(b, "Tea", 4*time.Minute)
	n, _ := hall.Current(time.Now(), true)
	if n == nil || n.Text != "Tea\n4:00" || n.Duration != view.TimerOver {
		t.Errorf("got %+v", n)
	}
	if door.Waiting() != 0 {
		t.Error("a widget for pictures was told")
	}
}
