package wall

import (
	"fmt"
	"strings"
	"testing"
)

// The gallery asks for one of the keys of which a new widget needs one, and a new widget that must contain widgets gets some. With the
// example of each field, the draft has no error.
func TestEditAddsValidWidgets(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	port := freePort(t)
	p := start(t, port, files{"conf.yaml": editConf(port), "widgets.yaml": "widgets:\n  - widget: column\n    children:\n      - {widget: clock}\n"})
	p.serves("/edit", 200)
	w := walk(t, p, 1280, 844, false)
	for title, field := range map[string]string{
		"Camera": "url", "Chart": "value", "Countdown": "to", "Layout": "", "Markdown": "text", "Nowplaying": "entity", "Pages": "", "QR code": "text", "Ticker": "text",
	} {
		w.press("Add")
		w.write("Find a widget", title)
		w.press(title)
		if field != "" {
			w.until(fmt.Sprintf("document.querySelector('#n-%s') && document.querySelector('.help').textContent", field))
			w.keep("add-" + strings.ToLower(title))
			text := "document.querySelector('#n-" + field + "').placeholder"
			if title == "Chart" {
				text = "'21'"
			}
			w.run(fmt.Sprintf("((f) => { f.value = %s; return f.dispatchEvent(new Event('input')); })(document.querySelector('#n-%s'))", text, field))
			w.press("Choose its place")
		}
		w.press("2")
		w.until("document.querySelector('[role=tree]') && document.querySelector('.state')")
		state := "document.querySelector('.state').textContent.trim()"
		w.until("/^1 (change|warning)/.test(" + state + ")")
		w.press("Undo")
		w.until(state + " === 'No changes'")
	}
	w.report("widgets are added")
}
