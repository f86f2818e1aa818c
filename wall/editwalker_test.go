package wall

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// walkHelp is the JavaScript of the tests in the page. It finds a control by words that the page shows or that a screen reader reads.
const walkHelp = `
window.failures = [];
addEventListener('error', (e) => failures.push(e.error?.stack ?? e.message));
addEventListener('unhandledrejection', (e) => failures.push(e.reason?.stack ?? e.reason));
window.shown = (e) => e.getClientRects().length > 0 && getComputedStyle(e).visibility !== 'hidden';
window.named = (e) => (e.getAttribute('aria-label') || e.textContent || '').trim().replace(/\s+/g, ' ');
window.labelled = (e) => e.id && document.querySelector('label[for="' + e.id + '"]') ? named(document.querySelector('label[for="' + e.id + '"]')) : named(e);
window.able = () => [...document.querySelectorAll('button, a, input, textarea, select, [role=treeitem]')].filter((e) => shown(e) && e.getAttribute('aria-disabled') !== 'true');
window.find = (words) => able().find((e) => labelled(e) === words) ?? able().find((e) => labelled(e).startsWith(words));
window.settled = () => new Promise((go) => { let left = 4; const next = () => (left-- ? requestAnimationFrame(next) : go(true)); next(); });
window.middle = (e) => { const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; };
window.place = async (words) => {
  find(words)?.scrollIntoView({block: 'center'});
  await settled();
  const e = find(words), at = e && middle(e);
  await settled();
  if (!e || e !== find(words) || '' + at !== '' + middle(e)) return [];
  const hit = document.elementFromPoint(...at);
  return hit && (e.contains(hit) || hit.contains(e)) ? at : [];
};
window.toasts = [];
new MutationObserver(() => { const t = document.querySelector('.toast')?.textContent; if (t && toasts.at(-1) !== t) toasts.push(t); }).observe(document, {subtree: true, childList: true, characterData: true});
window.clicks = 0, window.missed = 0, window.held = [0, 0], window.aim = '';
addEventListener('click', (e) => {
  const to = aim && find(aim);
  if (!aim || e.detail === 0 || to && (to.contains(e.target) || e.target.contains(to))) { clicks++, aim = ''; return; }
  missed++;
  e.stopImmediatePropagation();
  e.preventDefault();
}, true);
addEventListener('touchstart', (e) => held = [e.timeStamp, e.timeStamp], {capture: true, passive: true});
addEventListener('touchend', (e) => held[1] = e.timeStamp, {capture: true, passive: true});
true`

// A walker uses the editor as a person does, either with one finger or only with the keyboard. It counts the actions.
type walker struct {
	t     *testing.T
	ctx   context.Context
	keys  bool
	taps  int
	began time.Time
}

// walk opens the editor of a program in a browser window.
func walk(t *testing.T, p *program, width, height int64, keys bool) *walker {
	t.Helper()
	w := &walker{t: t, ctx: newChromium(t), keys: keys}
	options := []chromedp.EmulateViewportOption{}
	if !keys && width < 720 {
		options = append(options, chromedp.EmulateTouch)
	}
	w.do(chromedp.EmulateViewport(width, height, options...), chromedp.Navigate(p.url("/edit/")))
	w.until("document.querySelector('header h1')")
	w.run(walkHelp)
	w.began = time.Now()
	return w
}

func (w *walker) do(actions ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	if err := chromedp.Do(w.ctx, actions...); err != nil {
		w.t.Fatal(err)
	}
}

func (w *walker) run(script string) {
	w.t.Helper()
	if _, err := chromedp.Run(w.ctx, chromedp.Evaluate[bool](script)); err != nil {
		w.t.Fatalf("%s: %v", script, err)
	}
}

// is() evaluates an expression and returns whether it is true.
func (w *walker) is(expression string) bool {
	w.t.Helper()
	yes, err := chromedp.Run(w.ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
	if err != nil {
		w.t.Fatalf("%s: %v", expression, err)
	}
	return yes
}

// until() waits until an expression is true.
func (w *walker) until(expression string) {
	w.t.Helper()
	for end := time.Now().Add(patience); !w.is(expression); time.Sleep(30 * time.Millisecond) {
		if time.Now().After(end) {
			page, _ := chromedp.Run(w.ctx, chromedp.Evaluate[string]("document.body.innerText + ' errors: ' + window.failures"))
			w.keep("stuck")
			w.t.Fatalf("%s never holds; the page shows %q", expression, page)
		}
	}
}

// mostAccepts is the maximum number of taps that accept warnings.
const mostAccepts = 12

// soon() waits until an expression is true. If it stays false for as long as a person waits before a second try, soon returns false.
func (w *walker) soon(expression string) bool {
	w.t.Helper()
	for end := time.Now().Add(10 * time.Second); !w.is(expression); time.Sleep(30 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// reaction is the pause before a press, in which a person reacts. It is shorter than the time that a person needs between two taps.
const reaction = 80 * time.Millisecond

// press activates the control with the given words, with a tap or with the keyboard.
func (w *walker) press(words string) {
	w.t.Helper()
	time.Sleep(reaction)
	w.until(fmt.Sprintf("window.find && find(%q)", words))
	w.evaluate("toasts = [], settled().then(() => [])") // wait, because a new screen takes the focus and scrolls after two frames
	w.taps++
	if w.keys {
		w.tabTo(words)
		if !w.is("document.activeElement.matches('input, textarea, select, [role=treeitem]')") {
			w.do(chromedp.KeyEvent(kb.Enter))
		}
		return
	}
	for w.tap(words); !w.clicked(); w.tap(words) {
	}
}

// tap taps a control as soon as the control does not move and is not covered. If the control moves before the tap, the page does not
// receive the click.
func (w *walker) tap(words string) {
	w.t.Helper()
	var at []float64
	eventually(w.t, words+" can be tapped", func() bool {
		at = w.evaluate(fmt.Sprintf("aim = %[1]q, clicks = missed = 0, place(%[1]q)", words))
		return len(at) == 2
	})
	w.do(chromedp.TapXY(at[0], at[1]))
}

// clicked() waits for the click of a tap. It returns false if the tap has missed, or if the browser was so slow that the tap was a long
// press, which clicks nothing.
func (w *walker) clicked() (yes bool) {
	w.t.Helper()
	const long, late = 300, 3000 // in ms
	eventually(w.t, "the tap clicks", func() bool {
		yes = w.is("!window.held || clicks > 0") // a new page does not have the variable held
		return yes || w.is(fmt.Sprintf("missed > 0 || held[1] - held[0] > %d && performance.now() - held[1] > %d", long, late))
	})
	return yes
}

// evaluate waits for a JavaScript promise and returns its numbers.
func (w *walker) evaluate(promise string) []float64 {
	w.t.Helper()
	numbers, err := chromedp.Run(w.ctx, chromedp.Evaluate[[]float64](promise, chromedp.EvalAwaitPromise))
	if err != nil {
		w.t.Fatalf("%s: %v", promise, err)
	}
	return numbers
}

// mostTabs is the maximum number of key presses on the way to a control.
const mostTabs = 120

// tabTo moves the focus to a control, with Tab and, inside of a tree, with the arrow keys.
func (w *walker) tabTo(words string) {
	w.t.Helper()
	there := fmt.Sprintf("document.activeElement === find(%q)", words)
	inTree := fmt.Sprintf("document.activeElement.closest('[role=tree]') && find(%q)?.closest('[role=tree]')", words)
	for range mostTabs {
		if w.is(there) {
			return
		}
		key := kb.Tab
		if w.is(inTree) {
			key = kb.ArrowDown
			if w.is(fmt.Sprintf("find(%q).compareDocumentPosition(document.activeElement) & Node.DOCUMENT_POSITION_FOLLOWING", words)) {
				key = kb.ArrowUp
			}
		}
		w.do(chromedp.KeyEvent(key))
		time.Sleep(20 * time.Millisecond)
	}
	w.keep("lost")
	w.t.Fatalf("the keyboard does not reach %q", words)
}

// write types a text into the field with the given words.
func (w *walker) write(words, text string) {
	w.t.Helper()
	w.press(words)
	w.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)), chromedp.KeyEvent(text))
	w.until(fmt.Sprintf("[...document.querySelectorAll('input, textarea')].some((e) => e.value === %q)", text))
}

// saved() waits until the draft has the given number of changes.
func (w *walker) saved(changes int) {
	w.t.Helper()
	w.until(fmt.Sprintf("document.title.includes(', %d changes') || (%d === 0 && document.title.startsWith('Edit'))", changes, changes))
}

// keep() saves a picture among the artifacts of go test -artifacts.
func (w *walker) keep(name string) {
	w.t.Helper()
	png, err := chromedp.Run(w.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(w.t.ArtifactDir(), name+".png"), png, 0o644)
	}
	if err != nil {
		w.t.Log(err)
	}
}

// apply accepts all warnings and saves the files.
func (w *walker) apply() {
	w.t.Helper()
	w.press("Apply")
	w.until("document.querySelector('h1')?.textContent.startsWith('Apply')")
	for range mostAccepts {
		if w.until("document.querySelector('.at-foot .main')"); w.is("document.querySelector('.at-foot .main').getAttribute('aria-disabled') !== 'true'") {
			break
		}
		w.press("Accept this warning")
		if !w.soon("document.querySelector('.check[aria-checked=true]:not([aria-label])')") {
			continue // the page grew under the finger, so the tap has missed
		}
		w.run("document.querySelector('.check[aria-checked=true]:not([aria-label])').setAttribute('aria-label', 'accepted'), true")
	}
	w.keep("apply")
	w.press("Apply to ")
	w.until(onTheWall)
}

// onTheWall is true if the page has shown, since the last press, that the files are saved. The message disappears after some seconds.
const onTheWall = "toasts.some((t) => t.includes('on the wall'))"

func (w *walker) report(name string) {
	w.t.Logf("%s: %d taps, %.0f s of a tireless user", name, w.taps, time.Since(w.began).Seconds())
}
