package server

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// browserTime is the time limit for each wait for the browser. It is long, because the browser starts slowly on a busy machine.
// windowTime is the time limit for all actions in one window.
const browserTime, windowTime = 5 * time.Minute, 20 * time.Minute

var inFull = flag.Bool("long", false, "open every part of the page in a browser")

// needsLong skips a test, unless the command "make long" runs it, because a window of Chromium needs a second of processor time.
func needsLong(t *testing.T) {
	t.Helper()
	if !*inFull {
		t.Skip("make long opens this part of the page in a browser")
	}
}

// `needless` lists the features of Chromium that are turned off, because their processes would take as much processor time as a page.
const needless = "SpareRendererForSitePerProcess,PaintHolding,BackForwardCache,GlobalMediaControls,WebUIPreload,PreloadTopChromeWebUI"

// chromium returns the context of the browser that all tests share. Its first call starts the browser. endChromium ends the browser.
var chromium, endChromium = func() (func() (context.Context, error), func()) {
	end := func() {}
	start := sync.OnceValues(func() (context.Context, error) {
		path, err := exec.LookPath("chromium")
		if err != nil {
			return nil, err
		}
		dir, err := os.MkdirTemp("", "chromium-")
		if err != nil {
			return nil, err
		}
		opts := []chromedp.ExecAllocatorOption{
			chromedp.ExecPath(path), chromedp.UserDataDir(dir), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
			chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Flag("disable-quic", true), chromedp.Flag("disable-sync", true),
			chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
			chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("in-process-gpu", true),
			chromedp.Flag("disable-features", needless), chromedp.WSURLReadTimeout(browserTime),
			chromedp.Flag("disable-background-timer-throttling", true), chromedp.Flag("disable-renderer-backgrounding", true),
		}
		ctx, cancelAlloc := chromedp.NewExecAllocator(context.Background(), opts...)
		ctx, cancelTab := chromedp.NewContext(ctx)
		end = func() {
			_ = chromedp.Cancel(ctx) // waits until the browser has ended
			cancelTab()
			cancelAlloc()
			os.RemoveAll(dir)
		}
		return ctx, chromedp.Do(ctx)
	})
	return start, func() { end() }
}()

// browser opens a window of Chromium with the given size in CSS pixels. It shares no cookies and no storage with other windows.
func browser(t *testing.T, w, h int, scale float64) context.Context {
	t.Helper()
	shared, err := chromium()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("SKIPPED, THE PAGE IS NOT TESTED: there is no chromium here (Debian: apt install chromium)")
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(shared, windowTime)
	t.Cleanup(cancel)
	ctx, cancelTab := chromedp.NewContext(ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits until the window has closed
		cancelTab()
	})
	see(t, ctx, chromedp.EmulateViewport(int64(w), int64(h), chromedp.EmulateScale(scale)))
	steadied(t, ctx)
	return ctx
}

// see runs actions in the browser.
func see(t *testing.T, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// until() waits until a JavaScript expression is true. An expression that fails, for example because an element is missing, counts as
// false.
func until(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	limit, cancel := context.WithTimeout(ctx, browserTime)
	defer cancel()
	wait := "new Promise((go) => { const met = () => { try { return (" + expression + ") } catch { return false } }, " +
		"look = () => met() ? go(true) : setTimeout(look, 50); look(); })"
	if _, err := chromedp.Run(limit, chromedp.Evaluate[bool](wait, chromedp.EvalAwaitPromise)); err != nil {
		page, _ := chromedp.Run(ctx, chromedp.Evaluate[string]("document.body.innerText + ' ' + document.body.dataset.state"))
		t.Fatalf("%s: %v; the page shows %q", expression, err, page)
	}
}

// keep() saves a screenshot as an artifact of the test (go test -artifacts), so that a person can look at it.
func keep(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(t.ArtifactDir(), name+".png"), png, 0o644); err != nil {
		t.Fatal(err)
	}
}

// greyAt returns an expression that is true if the canvas has this size and this gray, within the precision of JPEG.
func greyAt(w, h, grey int) string {
	return fmt.Sprintf("((c) => c && c.width === %d && c.height === %d && Math.abs(c.getContext('2d').getImageData(%d, %d, 1, 1).data[0] - %d) < 3)(document.querySelector('canvas'))",
		w, h, w/2, h/2, grey)
}

// The page shows the changes of the wall, and scales the picture to whole device pixels. It
// continues after a change of the resolution and after a restart of the service.
func TestPageInABrowser(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts a browser")
	}
	f := newFixture(t)
	f.side.X, f.side.Y = 1600, 900
	f.show(t, 40)
	address, stop := f.serveAt(t, ownPort(t))
	ctx := browser(t, 400, 600, 2)
	see(t, ctx, chromedp.Navigate("http://"+address+"/"))
	until(t, ctx, greyAt(800, 450, 40)+" && document.querySelector('canvas').clientWidth === 400 && document.querySelector('canvas').clientHeight === 225")
	f.show(t, 90)
	until(t, ctx, greyAt(800, 450, 90))
	keep(t, ctx, "live")
	f.side.X, f.side.Y = 300, 600 // a reload changes the resolution to portrait
	f.show(t, 95)
	until(t, ctx, "document.querySelector('canvas').clientHeight <= 0.46 * innerHeight + 1 && "+
		"Math.abs(document.querySelector('canvas').clientHeight - 2 * document.querySelector('canvas').clientWidth) < 3 && "+
		"((c) => Math.abs(c.getContext('2d').getImageData(9, 9, 1, 1).data[0] - 95) < 3)(document.querySelector('canvas'))")
	stop()
	until(t, ctx, "document.querySelector('.link.lost')")
	again := newFixture(t)
	again.show(t, 200)
	again.serveAt(t, address)
	until(t, ctx, greyAt(64, 48, 200)+" && document.querySelector('.dot')")
}
