package wall

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// duplicate opens another tab of the same browser with the draft of this tab, as the browser's command for duplicating a tab does.
func (w *walker) duplicate(p *program) *walker {
	w.t.Helper()
	ctx, end := chromedp.NewContext(w.ctx)
	w.t.Cleanup(end)
	tab := &walker{t: w.t, ctx: ctx, began: w.began}
	tab.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(p.url("/healthz")))
	tab.run(fmt.Sprintf("(sessionStorage.dashboard_draft = %q, true)", w.openID()))
	tab.do(chromedp.Navigate(p.url("/edit/")))
	tab.until("document.querySelector('header h1')")
	tab.run(walkHelp)
	return tab
}

// front shows this tab instead of the other tabs of its window.
func (w *walker) front() {
	w.t.Helper()
	if _, err := chromedp.Call(w.ctx, page.BringToFront, cdp.Empty{}); err != nil {
		w.t.Fatal(err)
	}
}

// Two tabs of a browser show the same draft. Each tab shows the changes of the other one and can undo them. If one tab closes, the other
// one keeps the draft, even if the draft has no change yet.
func TestEditInTwoTabs(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	wall := "widgets:\n  - widget: row\n    children:\n      - {widget: moon, title: Moon}\n      - {widget: countdown, to: 2031-12-25, title: Christmas}\n"
	port := freePort(t)
	p := start(t, port, files{"conf.yaml": editConf(port), "widgets.yaml": wall})
	p.serves("/edit", http.StatusOK)
	a := walk(t, p, 1280, 800, false)
	id := a.openID()
	b := a.duplicate(p)
	b.do(chromedp.Navigate(p.url("/healthz"))) // b closes the unchanged draft
	a.front()
	a.press("Moon")
	a.write("Title", "Full moon")
	a.saved(1)
	b = a.duplicate(p)
	if a.openID() != id || b.openID() != id {
		t.Fatalf("the tabs have the drafts %s and %s, want %s", a.openID(), b.openID(), id)
	}
	b.front()
	b.press("Christmas")
	b.write("Title", "Xmas")
	b.saved(2)
	a.front()
	a.until("find('Xmas') && find('Title').value === 'Full moon'")
	a.saved(2)
	a.press("Undo")
	a.saved(1)
	b.front()
	b.until("find('Christmas')")
	b.press("Redo")
	b.saved(2)
	a.front()
	a.write("Title", "New moon") // on the form that has stayed open
	a.saved(3)
	b.front()
	b.until("find('New moon') && find('Title').value === 'Xmas'")
	b.apply()
	a.front()
	a.until("toasts.some((t) => t.includes('The changes of this draft are on the wall.'))")
	a.saved(0)
	want := strings.NewReplacer("title: Moon", "title: New moon", "Christmas", "Xmas").Replace(wall)
	if got := p.read("widgets.yaml"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
