package server

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// The list of versions is open when the wall deletes the draft, and there is no room for another draft. Then another device saves. When the
// page opens a draft again, the list shows this save.
func TestEditorVersionsOfAnotherDevice(t *testing.T) {
	t.Parallel()
	needsLong(t)
	e := newCannedEditor(t)
	f := newFixture(t)
	var full atomic.Bool // whether the wall has deleted the draft and has no room for another one
	events := make(chan string)
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case path == "/edit/" || !strings.HasPrefix(path, "/edit"):
			f.Handler().ServeHTTP(w, r)
		case path == "/edit/events":
			w.Header().Set("Content-Type", "text/event-stream")
			beat := time.NewTicker(time.Second)
			defer beat.Stop()
			for {
				fmt.Fprint(w, ":\n\n")
				_ = http.NewResponseController(w).Flush()
				select {
				case one := <-events:
					fmt.Fprint(w, one)
				case <-beat.C:
				case <-r.Context().Done():
					return
				}
			}
		case path == "/edit/drafts/d1" && full.Load():
			w.WriteHeader(http.StatusNotFound)
		case path == "/edit/drafts" && full.Load():
			w.WriteHeader(http.StatusTooManyRequests)
			fmt.Fprint(w, `{"error":"two drafts are open"}`)
		default:
			e.answer(t, w, r)
		}
	}))
	t.Cleanup(ts.Close)
	ctx := browser(t, 1280, 800, 1)
	see(t, ctx, chromedp.Navigate(ts.URL+"/edit/"))
	perform(t, ctx, []string{`press("Versions")`, `soon(() => document.querySelectorAll(".version").length === 2)`})
	full.Store(true)
	events <- "event: changed\ndata: {\"id\":\"d1\",\"revision\":99}\n\n"
	until(t, ctx, `document.querySelector("main").textContent.includes("Two drafts are open")`)
	e.mu.Lock()
	e.bodies = map[string]string{"/edit/versions": strings.Replace(cannedBodies["/edit/versions"], `[`, `[{"n":3,"words":"Clock","time":"2026-05-15T11:00:00Z","caller":"Ben","files":["widgets.yaml"],"added":1,"removed":0},`, 1)}
	e.mu.Unlock()
	events <- "event: saved\ndata: {\"draft\":\"d2\",\"caller\":\"Ben\",\"files\":[\"widgets.yaml\"]}\n\n"
	full.Store(false)
	perform(t, ctx, []string{`press("Try now")`, `soon(() => document.querySelectorAll(".version").length === 3)`})
}
