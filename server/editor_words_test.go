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
// the type. The list shows the names of the calendars for the key calendars. After a key, it offers the values of this key.
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
			// press presses a key until an expression holds, because the page may still load the schemas, and a new list ignores keys for a moment.
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
			// An event of the page, because the browser's own Enter would also add a line.
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
