package server

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"dashboard/internal/testing/programtest"
)

// A lostWall is a wall that a test can stop in different ways.
type lostWall struct {
	editor  *cannedEditor
	pages   http.Handler
	streams atomic.Int32 // open streams of events
	held    atomic.Int32 // number of the next pictures that get no answer

	mu     sync.Mutex
	silent bool          // true if requests get no answer, and streams get no bytes
	ended  bool          // true if the wall closes every connection
	none   bool          // true if the wall does not have the draft
	closed chan struct{} // closed when all streams end
}

func (l *lostWall) set(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
	if l.ended {
		close(l.closed)
		l.closed = make(chan struct{})
	}
}

func (l *lostWall) state() (silent, ended, none bool, closed chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.silent, l.ended, l.none, l.closed
}

func (l *lostWall) serve(t *testing.T, w http.ResponseWriter, r *http.Request) {
	silent, ended, none, closed := l.state()
	switch path := r.URL.Path; {
	case ended:
		panic(http.ErrAbortHandler)
	case silent || strings.HasSuffix(path, "/picture") && l.held.Add(-1) >= 0:
		<-r.Context().Done() // even if the wall answers other requests again
	case path == "/edit/events":
		l.stream(w, r, closed)
	case path == "/edit/" || !strings.HasPrefix(path, "/edit"):
		l.pages.ServeHTTP(w, r)
	case none && r.Method == http.MethodGet && path == "/edit/drafts/d1":
		w.WriteHeader(http.StatusNotFound)
	default:
		l.editor.answer(t, w, r)
	}
}

// stream sends only heartbeats.
func (l *lostWall) stream(w http.ResponseWriter, r *http.Request, closed chan struct{}) {
	l.streams.Add(1)
	defer l.streams.Add(-1)
	w.Header().Set("Content-Type", "text/event-stream")
	beat := time.NewTicker(500 * time.Millisecond)
	defer beat.Stop()
	for {
		if silent, _, _, _ := l.state(); !silent {
			fmt.Fprint(w, ":\n\n")
			_ = http.NewResponseController(w).Flush()
		}
		select {
		case <-closed:
			panic(http.ErrAbortHandler)
		case <-r.Context().Done():
			return
		case <-beat.C:
		}
	}
}

func serveLost(t *testing.T) (*lostWall, string) {
	t.Helper()
	l := &lostWall{editor: newCannedEditor(t), pages: newFixture(t).Handler(), closed: make(chan struct{})}
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { l.serve(t, w, r) }))
	t.Cleanup(ts.Close)
	t.Cleanup(ts.CloseClientConnections) // of requests without an answer
	return l, ts.URL + "/edit/"
}

// The header of each screen shows when the wall does not answer: the wall has ended, or a network loses all bytes. When the wall answers
// again, the page opens its stream again and the header shows nothing, even if the wall has deleted the draft, or if no request from the
// time without a connection ever gets an answer.
func TestEditorWithoutConnection(t *testing.T) {
	t.Parallel()
	needsLong(t)
	axe := axeCore(t)
	const lost = "document.querySelector('header').textContent.includes('no connection')"
	for _, width := range []int{390, 768, 1280} {
		l, address := serveLost(t)
		ctx := browser(t, width, 844, 1)
		see(t, ctx, chromedp.Navigate(address))
		recovers := func(name string, stop, start func()) {
			t.Helper()
			programtest.Eventually(t, "the page listens", func() bool { return l.streams.Load() == 1 })
			until(t, ctx, "!"+lost)
			l.set(stop)
			until(t, ctx, lost)
			until(t, ctx, "document.documentElement.scrollWidth <= innerWidth")
			keep(t, ctx, fmt.Sprintf("lost-%s-%d", name, width))
			l.set(start)
			until(t, ctx, "!"+lost)
			programtest.Eventually(t, "the page listens again", func() bool { return l.streams.Load() == 1 })
		}
		perform(t, ctx, []string{`await soon(() => document.querySelector(".tree, [role=tree]"))`})
		recovers("wall", func() { l.ended = true }, func() { l.ended = false })
		perform(t, ctx, []string{`press("Data")`, `press("solar")`, `await soon(() => document.querySelector(".fields input"))`})
		recovers("form", func() { l.ended = true }, func() { l.ended, l.none = false, true })
		recovers("silent", func() { l.silent, l.none = true, false }, func() { l.silent = false })
		perform(t, ctx, []string{`press("Back")`, `await soon(() => document.querySelector("header").textContent.includes("Data"))`})
		l.set(func() { l.ended = true })
		until(t, ctx, lost)
		for _, scheme := range []string{"dark", "light"} {
			emulateScheme(t, ctx, scheme)
			checkAxe(t, ctx, axe, width)
		}
		keep(t, ctx, fmt.Sprintf("lost-data-%d", width))
	}
}

// A picture that the wall does not send ends after the time limit, and is then requested again. Otherwise such pictures would use the few
// places for requests of pictures.
func TestEditorPictureTimeLimit(t *testing.T) {
	t.Parallel()
	needsLong(t)
	l, address := serveLost(t)
	l.held.Store(1)
	ctx := browser(t, 1280, 800, 1)
	if _, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: heldLimits}); err != nil {
		t.Fatal(err)
	}
	see(t, ctx, chromedp.Navigate(address))
	programtest.Eventually(t, "the page asks for the picture", func() bool { return l.held.Load() < 1 })
	perform(t, ctx, []string{`endLimits()`})
	until(t, ctx, "(dispatchEvent(new Event('resize')), document.querySelector('.canvas img')?.complete)") // the page draws itself again
}

// The editor works in a browser without AbortSignal.timeout, such as Safari 15.
func TestEditorInAnOldBrowser(t *testing.T) {
	t.Parallel()
	needsLong(t)
	ctx := browser(t, 1280, 800, 1)
	if _, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: "delete AbortSignal.timeout"}); err != nil {
		t.Fatal(err)
	}
	see(t, ctx, chromedp.Navigate(serveEditor(t, newCannedEditor(t))))
	perform(t, ctx, []string{`choose()`})
}
