package draft

import (
	"strings"
	"testing"
	"time"
)

// When a draft ends, the open pages receive its id and the reason.
func TestEventOfEndedDraft(t *testing.T) {
	b := newBench(t, usual)
	events, end := b.Listen()
	defer end()
	ended := func(id, why string) {
		t.Helper()
		for {
			select {
			case e := <-events:
				if text := string(e); strings.Contains(text, "event: closed") {
					if !strings.Contains(text, `"id":"`+id+`","why":"`+why+`"`) {
						t.Errorf("got %s, want %s, %s", text, id, why)
					}
					return
				}
			case <-time.After(5 * time.Minute):
				t.Fatalf("no event for the reason %s", why)
			}
		}
	}
	first, _ := b.open()
	b.call(204, "close", first, nil)
	ended(first, "closed")
	first, _ = b.open()
	b.pass(2 * time.Minute)
	b.open()
	third, _ := b.open()
	ended(first, "replaced")
	b.pass(IdleTime)
	b.call(200, "summary", "", nil)
	ended(third, "idle")
}
