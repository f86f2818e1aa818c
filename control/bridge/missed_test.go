package bridge

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// TestGotifyMissed: missed messages are shown once, the oldest message first. Messages that are too old are not shown. Later messages are
// still shown after an invalid answer, and after a server has begun to count its messages from 1 again.
func TestGotifyMissed(t *testing.T) {
	t.Parallel()
	note := func(id int, age time.Duration) string {
		return fmt.Sprintf(`{"id":%d,"title":"t","message":"m%d","date":%q}`, id, id, time.Now().Add(-age).Format(time.RFC3339))
	}
	list := func(all ...string) string { return "[" + strings.Join(all, ",") + "]" }
	bodies, _ := with(t, Source{Kind: Gotify, Token: "C1"}, 8, &server{
		kept: []string{
			list(note(4, time.Minute), note(3, time.Hour)),
			list(note(7, 0), note(6, 0), note(5, 0), note(4, time.Minute), `7`, `{"id":"x"}`),
			`"none"`,
			list(note(2, -time.Second), note(1, time.Hour)),
		},
		plays: []func(context.Context, *websocket.Conn){
			says(note(4, time.Minute), note(5, 0)),
			says(note(7, 0), note(8, 0)),
			says(note(9, 0)),
			says(note(2, 0), note(3, 0)),
		},
	})
	got := []string{}
	for _, b := range bodies {
		got = append(got, b["text"].(string))
	}
	if want := []string{"m4", "m5", "m6", "m7", "m8", "m9", "m2", "m3"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestGotifyDeleted: if the newest messages were deleted on the server, the older messages are not shown again.
func TestGotifyDeleted(t *testing.T) {
	t.Parallel()
	note := func(id int, age time.Duration) string {
		return fmt.Sprintf(`{"id":%d,"title":"t","message":"m%d","date":%q}`, id, id, time.Now().Add(-age).Format(time.RFC3339Nano))
	}
	four, five := note(4, 2*time.Minute), note(5, time.Minute)
	bodies, _ := with(t, Source{Kind: Gotify, Token: "C1"}, 4, &server{
		kept:  []string{"[" + five + "," + four + "]", "[" + four + "]", "[]"},
		plays: []func(context.Context, *websocket.Conn){says(note(6, time.Second)), says(note(7, 0)), says()},
	})
	got := []string{}
	for _, b := range bodies {
		got = append(got, b["text"].(string))
	}
	if want := []string{"m4", "m5", "m6", "m7"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestGotifyMissedRefused: an error of the server does not make the wall forget which messages it has shown. The messages that were missed
// meanwhile follow with the next connection.
func TestGotifyMissedRefused(t *testing.T) {
	t.Parallel()
	note := func(id int) string {
		return fmt.Sprintf(`{"id":%d,"title":"t","message":"m%d","date":%q}`, id, id, time.Now().Format(time.RFC3339))
	}
	bodies, _ := with(t, Source{Kind: Gotify, Token: "C1"}, 3, &server{
		kept:  []string{"[" + note(4) + "]", refused, "[" + note(6) + "," + note(5) + "," + note(4) + "]"},
		plays: []func(context.Context, *websocket.Conn){says(), says(), says()},
	})
	got := []string{}
	for _, b := range bodies {
		got = append(got, b["text"].(string))
	}
	if want := []string{"m4", "m5", "m6"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
