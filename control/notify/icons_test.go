package notify

import (
	"bytes"
	"image"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/budget"
	"dashboard/internal/fetch"
)

// TestIconsAreFetched: an icon is fetched in the sizes that the view needs. An update with the same icon keeps the fetched pictures. If
// the fetch fails, the notification is still shown.
func TestIconsAreFetched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBoard(func() {})
		s := b.Begin()
		over, _ := s.Inbox(Wall, Card, View{Shown: 3, Icons: [2]image.Point{{44, 44}, {24, 24}}})
		b.Commit(s)
		var log bytes.Buffer
		web := &slowWeb{}
		p := NewPoster(b, fetch.NewWith(web), budget.New(), slog.New(slog.NewTextHandler(&log, nil)))
		defer p.Close()
		first := func() *Notification {
			synctest.Wait()
			over.mu.Lock()
			defer over.mu.Unlock()
			return over.items[0].n
		}
		mustSend(t, p, `{"id":"a","title":"Mail","hold":true,"icon":"http://me:word@pics/4"}`)
		if n := first(); n.Fetching || n.Icons != (Icons{}) {
			t.Errorf("at first: %+v", n)
		}
		time.Sleep(5 * time.Second)
		n := first()
		if n.Icons[0] == nil || n.Icons[1] == nil || n.Icons[0].Rect.Dx() != 44 || n.Icons[1].Rect.Dx() != 24 || n.Picture != nil {
			t.Fatalf("fetched: %+v", n)
		}
		mustSend(t, p, `{"id":"a","title":"More mail","hold":true,"icon":"http://me:word@pics/4"}`)
		if again := first(); again.Title != "More mail" || again.Icons != n.Icons {
			t.Errorf("changed: %+v", again)
		}
		if list := b.List(); list[0].Icon != "http://pics" {
			t.Errorf("listed: %+v", list)
		}
		if body := string(p.heldBody(t)); !strings.Contains(body, `"icon":"http://me:word@pics/4"`) || strings.Contains(body, `"url"`) {
			t.Errorf("kept: %s", body)
		}
		mustSend(t, p, `{"id":"a","title":"Mail","hold":true,"icon":"http://gone/1"}`)
		time.Sleep(2 * time.Second)
		if n := first(); n.Icons != (Icons{}) || n.Title != "Mail" || p.Stats().Failed != 1 || p.Stats().Fetching != 0 {
			t.Errorf("failed: %+v, %+v", n, p.Stats())
		}
		if !strings.Contains(log.String(), "a notification's icon cannot be shown") {
			t.Errorf("the log says %s", log.String())
		}
	})
}
