package server

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"dashboard/control"
	"dashboard/control/notify"
	"dashboard/internal/testing/programtest"
)

// boardNotices shows the notifications of a board. Requests cannot post notifications to it.
type boardNotices struct{ *notify.Board }

func (boardNotices) Notify(context.Context, []byte, bool) (string, error) {
	return "", errors.New("nothing is posted here")
}

// noticed() returns a server with notifications on a board. The channel `calls` receives the actions of the notifications' buttons.
func noticed(t *testing.T) (f *fixture, b *notify.Board, calls chan control.Action) {
	t.Helper()
	f, calls = newFixture(t), make(chan control.Action, 4)
	b = notify.NewBoard(func() {})
	set := b.Begin()
	set.Inbox(notify.Wall, notify.Card, notify.View{Shown: 3, Usual: time.Minute})
	b.Commit(set)
	f.wall.Notices = boardNotices{b}
	f.parts.Call = func(_ context.Context, a control.Action) error {
		if a.Verb != "mqtt" {
			return control.ErrElsewhere
		}
		calls <- a
		return nil
	}
	f.control()
	f.Configure(Settings{StreamOn: true, HTTPControl: true, ControlToken: pointer("lever")})
	f.show(t, 40)
	return f, b, calls
}

func postNotice(t *testing.T, b *notify.Board, n notify.Notification) {
	t.Helper()
	n.Hold, n.Duration = true, time.Minute
	if err := b.Post(notify.Wall, &n); err != nil {
		t.Fatal(err)
	}
}

// The page lists the notifications. Its buttons have the same effect as the buttons on the wall.
func TestPageNotices(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts a browser")
	}
	f, b, calls := noticed(t)
	postNotice(t, b, notify.Notification{ID: "bell & co", Title: "<b>Front door</b>", Text: "Somebody rang <img src=x>", Actions: []notify.Choice{
		{Label: "Stay", Stays: true, Do: []byte(`{"url":"http://nas.lan/x"}`)}, {Label: "<i>Open</i>", Do: []byte(`{"mqtt":"door/open","payload":"ON"}`)},
	}})
	postNotice(t, b, notify.Notification{ID: "wash", Title: "Laundry is done"})
	postNotice(t, b, notify.Notification{Text: strings.Repeat("long ", 200)})
	address, _ := f.serve(t)
	ctx := browser(t, 800, 600, 1)
	see(t, ctx, chromedp.Navigate("http://"+address+"/"), chromedp.SendKeys(chromedp.CSS("#token"), "lever\r"))
	until(t, ctx, "document.querySelectorAll('.card.notice').length === 3")
	until(t, ctx, `document.body.innerText.includes('<b>Front door</b>') && document.body.innerText.includes('rang <img src=x>') && !document.querySelector('.notice img, .notice b b')`)
	keep(t, ctx, "notices")

	press := func(title, label string) {
		t.Helper()
		until(t, ctx, "[...document.querySelectorAll('.card.notice')].some((n) => n.innerText.includes('"+title+"') && [...n.querySelectorAll('button')].some((b) => b.textContent === '"+label+"' && (b.click(), true)))")
	}
	press("Front door", "Stay")
	until(t, ctx, "document.querySelector('.toast')?.textContent.includes('the other system')")
	press("Front door", "<i>Open</i>")
	until(t, ctx, "document.querySelectorAll('.card.notice').length === 2")
	programtest.Eventually(t, "a message is sent", func() bool { return len(calls) > 0 })
	if c := <-calls; c.Args.Text("topic") != "door/open" || c.Args.Text("payload") != "ON" {
		t.Errorf("got %+v", c)
	}
	press("Laundry", "Dismiss")
	until(t, ctx, "document.querySelectorAll('.card.notice').length === 1 && !document.body.innerText.includes('Laundry')")
	for n := range maxStateNotices + 1 {
		postNotice(t, b, notify.Notification{ID: fmt.Sprint("late", n), Title: "Came by itself"})
	}
	until(t, ctx, "document.querySelectorAll('.card.notice').length === 16 && document.body.innerText.includes('2 more. Dismiss all 18')")
	until(t, ctx, "[...document.querySelectorAll('button')].some((b) => b.textContent === 'Dismiss all 18' && (b.click(), true))")
	until(t, ctx, "!document.querySelector('.card.notice')")
	if left := b.List(); len(left) != 0 || len(calls) != 0 {
		t.Errorf("these are left: %+v, and %d more messages were sent", left, len(calls))
	}
}
