package notify

import (
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"dashboard/internal/budget"
)

// TestAllTargetsOrNone: if one of the two widgets that a request names has no room, the other widget does not get the notification
// either. This is still true if the request is repeated.
func TestAllTargetsOrNone(t *testing.T) {
	b := NewBoard(func() {})
	s := b.Begin()
	s.Inbox("a", Text, View{})
	s.Inbox("b", Text, View{})
	b.Commit(s)
	p := NewPoster(b, nil, budget.New(), slog.New(slog.DiscardHandler))
	defer p.Close()
	for range MaxWaiting {
		mustSend(t, p, `{"widget":"b","text":"x"}`)
	}
	for range 3 {
		if err := send(p, `{"target":["a","b"],"text":"doorbell"}`); !errors.Is(err, ErrFull) {
			t.Fatal(err)
		}
	}
	a, _ := b.Lookup("a")
	if n := a.Waiting(); n != 0 {
		t.Errorf("%d refused notifications wait at a", n)
	}
	mustSend(t, p, `{"target":["a","a"],"text":"once"}`)
	if n := a.Waiting(); n != 1 {
		t.Errorf("a widget that is named twice has %d notifications, want 1", n)
	}
}

// fill posts normal notifications from one sender until the inbox is full.
func fill(t *testing.T, p *Poster, sender string) (n int) {
	t.Helper()
	for sendFrom(p, sender, fmt.Sprintf(`{"title":"%s%d","mode":"queue"}`, sender, n)) == nil {
		n++
	}
	return n
}

// sendFrom posts a body as a message of a server.
func sendFrom(p *Poster, sender, body string) error {
	r, err := p.board.Parse([]byte(body), onlyRed)
	if err != nil {
		return err
	}
	r.From = sender
	return p.Post(r)
}

// TestUrgentFindsRoom: in a full inbox, a more important notification replaces the last of the least important notifications. It is
// rejected only if 32 notifications that are at least as important are waiting.
func TestUrgentFindsRoom(t *testing.T) {
	overWall(t, func(p *Poster, b *Board, over *Inbox) {
		fill(t, p, "")
		for i := range MaxWaiting {
			if err := send(p, fmt.Sprintf(`{"title":"urgent%d","priority":5}`, i)); err != nil {
				t.Fatalf("urgent message %d of %d: %v", i, MaxWaiting, err)
			}
			if n := over.Waiting(); n > MaxWaiting {
				t.Fatalf("%d wait, want at most %d", n, MaxWaiting)
			}
		}
		if err := send(p, `{"title":"x","priority":5}`); !errors.Is(err, ErrFull) {
			t.Errorf("33rd urgent message: got %v, want ErrFull", err)
		}
		if err := send(p, `{"title":"x","priority":4}`); !errors.Is(err, ErrFull) {
			t.Errorf("a less important message: got %v, want ErrFull", err)
		}
	})
}

// TestBacklogLeavesRoom: many messages of one server do not keep out the messages of another server. In the end, the same number of
// messages from each server is waiting.
func TestBacklogLeavesRoom(t *testing.T) {
	overWall(t, func(p *Poster, b *Board, over *Inbox) {
		fill(t, p, "ntfy")
		if n := fill(t, p, "gotify"); n != MaxWaiting/2 {
			t.Errorf("%d messages of the second server wait, want %d", n, MaxWaiting/2)
		}
		if err := sendFrom(p, "ntfy", `{"title":"x","mode":"queue"}`); !errors.Is(err, ErrFull) {
			t.Errorf("one more of the first server: got %v, want ErrFull", err)
		}
		if err := send(p, `{"title":"of a caller","mode":"queue"}`); err != nil {
			t.Errorf("a caller's notification: %v", err)
		}
	})
}
