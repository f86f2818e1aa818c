package wall

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// inText is the element of the text mode that contains the text.
const inText = "document.querySelector('.text-host')?.shadowRoot?.querySelector('.cm-content')"

// atLine waits until the text has the keyboard focus, and its cursor is in the line with `words`. The text editor moves the browser's own
// cursor some milliseconds after the focus. An earlier key would act on the first line.
func atLine(w *walker, words string) {
	w.t.Helper()
	line, root := inText+"?.querySelector('.cm-activeLine')", inText+".getRootNode()"
	w.until(root + ".activeElement === " + inText + " && " + line + "?.contains(" + root + ".getSelection().focusNode)")
	w.until(line + "?.textContent.includes('" + words + "')")
}

// After a mistake in the text, the form of the concerned widget shows the last good values and the line to correct. The form of another
// widget still works. The draft stays if the wall restarts and the browser loads the page again. When the text is corrected, the file contains both changes.
func TestEditAroundAMistake(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	wall := "# the hall\nwidgets:\n  - widget: column\n    children:\n      - {widget: moon, title: Moon}\n      - {widget: countdown, to: 2031-12-25, title: Christmas}\n"
	for _, width := range []int64{390, 1280} {
		port := freePort(t)
		p := start(t, port, files{"conf.yaml": editConf(port), "providers.yaml": "providers: {}\n", "widgets.yaml": wall})
		p.serves("/edit", http.StatusOK)
		w := walk(t, p, width, 844, false)
		phone := width < 720
		if phone {
			w.press("More")
		}
		w.press("Files")
		w.until(inText + "?.innerText.includes('title: Moon')")
		w.run(inText + ".focus(), true")
		w.do(chromedp.KeyEvent(kb.Home, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
		for range 4 {
			w.do(chromedp.KeyEvent(kb.ArrowDown))
		}
		w.do(chromedp.KeyEvent(kb.End), chromedp.KeyEvent(kb.Backspace))
		w.until("document.querySelector('.error-card .what')?.textContent.startsWith('Line 5')")
		// the icon after the name of the file is visible, although it makes the name wider
		w.until("(([r, list]) => r.left >= list.left && r.right <= list.right)(['.file-list .bad', '.file-list'].map((q) => document.querySelector(q).getBoundingClientRect()))")
		w.keep(fmt.Sprintf("mistake-text-%d", width))
		back := map[bool]string{true: "Done", false: "Wall"}[phone]
		form := func(title string) {
			w.press(title)
			if phone {
				w.press("Edit")
			}
		}
		w.press(back)
		w.until("document.querySelector('figcaption')?.textContent.includes('the last good draft')")
		w.keep(fmt.Sprintf("mistake-wall-%d", width))
		form("Christmas")
		w.write("Title", "Xmas")
		w.saved(2)
		w.until("!document.querySelector('.mistake')")
		if phone {
			w.press("Done")
		}
		p.end()
		p = startAt(p.site, files{})
		p.serves("/edit", http.StatusOK)
		w.do(chromedp.Reload()) // the draft with the mistake stays
		w.until("document.querySelector('figcaption')?.textContent.includes('the last good draft')")
		w.run(walkHelp)
		form("Moon")
		w.until("document.querySelector('.mistake')?.textContent.includes('widgets.yaml, line 5: correct this text first.')")
		w.until("document.querySelector('#f-title:disabled')?.value === 'Moon'")
		w.until("document.querySelector('.yaml pre').textContent.includes('title: Moon') && !find('Edit as text')")
		w.keep(fmt.Sprintf("mistake-form-%d", width))
		w.press("Go to line 5")
		w.until(inText + "?.innerText.includes('title: Xmas')")
		atLine(w, "title: Moon") // the cursor is in line 5
		w.do(chromedp.KeyEvent(kb.End), chromedp.KeyEvent("}"))
		w.until("!document.querySelector('.error-card')")
		w.press(back)
		w.until("!document.querySelector('figcaption')")
		w.apply()
		if got, want := p.read("widgets.yaml"), strings.Replace(wall, "Christmas", "Xmas", 1); got != want {
			t.Errorf("%d px: got\n%s\nwant\n%s", width, got, want)
		}
	}
}

// After a mistake in the text of a calendar source, all fields of the source show the last good values and cannot be changed. When the text
// is corrected, they can be changed again.
func TestEditSourceWithAMistake(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	port := freePort(t)
	p := start(t, port, files{
		"conf.yaml": editConf(port), "widgets.yaml": "widgets:\n  - {widget: clock}\n",
		"providers.yaml": "providers:\n  family:\n    type: calendar\n    calendars:\n      - {name: Anna, url: 'file:///nowhere/anna.ics'}\n",
	})
	p.serves("/edit", http.StatusOK)
	w := walk(t, p, 1280, 844, false)
	w.press("Files")
	w.press("providers.yaml")
	w.until(inText + "?.innerText.includes('name: Anna')")
	w.run(inText + ".focus(), true")
	w.do(chromedp.KeyEvent(kb.End, chromedp.KeyModifiers(chromedp.ModifierCtrl)), chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.End))
	w.do(chromedp.KeyEvent(kb.Backspace))
	w.until("document.querySelector('.error-card .what')?.textContent.startsWith('Line 5')")
	w.press("Data")
	w.press("family")
	w.until("document.querySelector('.mistake')?.textContent.includes('providers.yaml, line 5: correct this text first.')")
	w.until("document.querySelector('#c-name-0')?.value === 'Anna'")
	// the reason is above the test and the calendars
	w.until("document.querySelector('.mistake').compareDocumentPosition(document.querySelector('[aria-label=Test]')) & 4")
	const fields = "[...document.querySelectorAll('.calendar input, .calendar select, .calendar button, .fields input, .removes')]"
	w.until(fields + ".length > 8 && " + fields + ".every((e) => e.matches(':disabled')) && find('Add a calendar').matches(':disabled')")
	w.keep("mistake-source")
	w.press("Pick a value")
	w.until("document.querySelector('#v-every')?.matches(':disabled')")
	w.press("Cancel")
	w.press("Go to line 5")
	atLine(w, "name: Anna")
	w.do(chromedp.KeyEvent(kb.End), chromedp.KeyEvent("}"))
	w.until("!document.querySelector('.error-card')")
	w.press("Data")
	w.press("family")
	w.until(fields + ".length > 8 && " + fields + ".every((e) => !e.matches(':disabled')) && !find('Add a calendar').matches(':disabled')")
}
