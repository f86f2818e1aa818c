package wall

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// openID returns the id of the draft that the page shows.
func (w *walker) openID() string {
	w.t.Helper()
	id, err := chromedp.Run(w.ctx, chromedp.Evaluate[string]("sessionStorage.dashboard_draft"))
	if err != nil || id == "" {
		w.t.Fatalf("got the draft %q, %v", id, err)
	}
	return id
}

// Another device saves the draft of an open page, and later discards it. The page shows both events although it sends no request, and
// keeps its text. The page does not open a new draft automatically. There may be only MaxDrafts drafts, and the other device may need one
// of them.
func TestEditSeesOtherDevice(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	wall := "widgets:\n  - {widget: moon, title: Moon}\n"
	port := freePort(t)
	p := start(t, port, files{"conf.yaml": editConf(port), "widgets.yaml": wall})
	p.serves("/edit", http.StatusOK)
	w := walk(t, p, 1280, 800, false)
	w.press("Moon")
	w.write("Title", "Full moon")
	w.saved(1)
	w.press("Apply")
	w.until("document.querySelector('.apply .card')?.textContent.includes('widgets.yaml')")
	id := w.openID()
	p.draft("POST /edit/drafts/"+id+"/apply", "{}", http.StatusOK)
	w.until("document.querySelector('h1').textContent === 'Nothing to apply' && document.querySelector('.apply').textContent.includes('The draft is like the files.')")
	w.until("toasts.some((t) => t.includes('saved widgets.yaml. The changes of this draft are on the wall.'))")
	w.press("Back")
	w.press("Full moon")
	w.write("Title", "New moon")
	w.saved(1)
	w.until("sessionStorage.dashboard_texts?.includes('New moon')")
	if a := p.ask("DELETE /edit/drafts/"+id, nil, ""); a.status != http.StatusNoContent {
		t.Fatalf("got %d: %s", a.status, a.body)
	}
	w.until("find('Edit') && document.querySelector('.gone')?.textContent.includes('widgets.yaml') && document.body.textContent.includes('Another device has thrown this draft away.')")
	w.keep("thrown-away")
	if a := p.ask("GET /edit", nil, ""); !strings.Contains(a.body, `"drafts":[]`) {
		t.Errorf("the page opened a draft: %s", a.body)
	}
	w.press("Put it into a new draft")
	w.saved(1)
	w.apply()
	if got, want := p.read("widgets.yaml"), strings.Replace(wall, "title: Moon", "title: New moon", 1); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
