package server

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The list of words offers the keys of the widget around the cursor, in the order of the form. Each row has the word, a description and
// the type. For the key `calendars`, the list shows the names of the calendars. After any other key, the list offers the values of this
// key.
func TestEditorCompletion(t *testing.T) {
	t.Parallel()
	needsLong(t)
	for _, width := range []int{390, 1280} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			t.Parallel()
			e := newCannedEditor(t)
			e.text = strings.Repeat("#\n", 12) + "widgets:\n  - widget: row\n    children:\n      - {widget: clock}\n      - {widget: agenda, area: agenda, days: 3, "
			address := serveEditor(t, e)
			ctx := browser(t, width, 844, 1)
			see(t, ctx, chromedp.Navigate(address))
			perform(t, ctx, editorSteps["words"])
			const root, list = "document.querySelector('.text-host').shadowRoot", "document.querySelector('.text-host').shadowRoot.querySelector('.cm-tooltip-autocomplete')"
			words := func(want string) {
				t.Helper()
				until(t, ctx, fmt.Sprintf("[...(%s?.querySelectorAll('li') ?? [])].map((li) => li.querySelector('.cm-completionLabel').textContent).join() === %q", list, want))
			}
			chosen := func(want string) {
				t.Helper()
				until(t, ctx, fmt.Sprintf("%s?.querySelector('[aria-selected] .cm-completionLabel')?.textContent === %q", list, want))
			}
			until(t, ctx, root+".querySelector('.cm-content').innerText.includes('days: 3')")
			// press presses a key again and again until an expression is true. One press may not be enough, because the page may still
			// load the schemas, and a new list ignores keys for a moment.
			press := func(expression, key string, modifiers ...chromedp.KeyOption) {
				t.Helper()
				for end := time.Now().Add(browserTime); ; {
					yes, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("new Promise((go) => setTimeout(() => go(!!("+expression+")), 100))", chromedp.EvalAwaitPromise))
					if err != nil || time.Now().After(end) {
						t.Fatalf("%s never holds: %v", expression, err)
					}
					if yes {
						return
					}
					see(t, ctx, chromedp.KeyEvent(key, modifiers...))
				}
			}
			control := chromedp.KeyModifiers(chromedp.ModifierCtrl)
			see(t, ctx, chromedp.KeyEvent(kb.End, control), chromedp.KeyEvent("ca"))
			if width < 720 {
				until(t, ctx, "[...document.querySelectorAll('.word-row button')].map((b) => b.textContent).join() === 'calendars,card'")
			}
			press(list, " ", control)
			keep(t, ctx, fmt.Sprintf("completion-%d", width))
			words("calendars,card")
			chosen("calendars")
			until(t, ctx, list+".querySelector('li').innerText.replace(/\\s+/g, ' ') === 'calendars Names of the calendars to show list'")
			until(t, ctx, list+".querySelector('.cm-completionInfo').textContent === 'In family: Anna, Ben, Birthdays, Bins'")
			until(t, ctx, "(() => { const r = "+list+".getBoundingClientRect(); return r.left >= 0 && r.right <= innerWidth && r.bottom <= innerHeight; })()")
			press(list+"?.querySelector('[aria-selected] .cm-completionLabel')?.textContent === 'card'", kb.ArrowDown)
			// Send the key press as an event of the page, because a key press of the browser would also add a line.
			until(t, ctx, root+".querySelector('.cm-content').dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', keyCode: 13, bubbles: true, cancelable: true})) || true")
			until(t, ctx, root+".querySelector('.cm-content').innerText.includes('days: 3, card')")
			see(t, ctx, chromedp.KeyEvent(": t"))
			press(list, " ", control)
			words("true")
			see(t, ctx, chromedp.KeyEvent(kb.Escape))
			until(t, ctx, "!"+list)
		})
	}
}

// On a phone, a row of buttons shows the words that begin with the typed letters. A tap on a word
// completes the typed word. On a computer there is no such row.
func TestEditorWordRow(t *testing.T) {
	t.Parallel()
	needsLong(t)
	address := serveEditor(t, newCannedEditor(t))
	ctx := browser(t, 390, 844, 1)
	see(t, ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch), chromedp.Navigate(address))
	perform(t, ctx, editorSteps["words"])
	const text = "document.querySelector('.text-host').shadowRoot.querySelector('.cm-content').innerText"
	until(t, ctx, text+".includes('widget: clock')")
	see(t, ctx, chromedp.KeyEvent(kb.End, chromedp.KeyModifiers(chromedp.ModifierCtrl)), chromedp.KeyEvent("agen"))
	until(t, ctx, "[...document.querySelectorAll('.word-row button')].some((b) => b.textContent === 'agenda')")
	keep(t, ctx, "words")
	const list = "document.querySelector('.text-host').shadowRoot.querySelector('.cm-tooltip-autocomplete')"
	// On a computer, a list of words would appear 0.1 s after the last key. On a phone it must not appear.
	if both, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("new Promise((go) => setTimeout(() => go(!!"+list+"), 500))", chromedp.EvalAwaitPromise)); err != nil || both {
		t.Errorf("the row of words and the list at the cursor are both there: %v", err)
	}
	see(t, ctx, chromedp.KeyEvent(" ", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	until(t, ctx, list+" && !document.querySelector('.word-row')")
	see(t, ctx, chromedp.KeyEvent(kb.Escape))
	until(t, ctx, "!"+list+" && document.querySelector('.word-row')")
	tap(t, ctx, ".word-row button")
	until(t, ctx, text+".includes('agenda') && !document.querySelector('.word-row')")
}
