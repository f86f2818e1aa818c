package wall

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
)

// openVersion opens the version whose row contains the given words, and waits for its lines.
func (w *walker) openVersion(words, lines string) {
	w.t.Helper()
	w.until(fmt.Sprintf("((row) => (row?.click(), !!row))([...document.querySelectorAll('.version')].find((e) => e.textContent.includes(%q)))", words))
	w.until(fmt.Sprintf("document.querySelector('.version-lines')?.textContent.includes(%q)", lines))
}

// A person compares saves of the editor and of another program, undoes only one of them, and restores an old one. The unsaved change of
// the open draft stays.
func TestEditVersions(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	wall := "# the hall\nwidgets:\n  - widget: row\n    children:\n      - {widget: clock}\n      - {widget: moon, title: Moon}\n      - {widget: countdown, to: 2031-12-25, title: Christmas}\n"
	for _, width := range []int64{390, 1280} {
		port := freePort(t)
		p := start(t, port, files{"conf.yaml": editConf(port), "widgets.yaml": wall})
		p.serves("/edit", http.StatusOK)
		w := walk(t, p, width, 844, false)
		phone := width < 720
		title := func(widget, text string, changes int) {
			w.press(widget)
			if phone {
				w.press("Edit")
			}
			w.write("Title", text)
			w.saved(changes)
			if phone {
				w.press("Done")
			}
		}
		versions := func() {
			if phone {
				w.press("Choose nothing")
				w.press("More")
			}
			w.press("Versions")
		}
		title("Moon", "Full moon", 1)
		w.apply()
		title("Christmas", "Xmas", 1)
		w.apply()
		w.saved(0)                // the message may still be the first one
		title("Clock", "Time", 1) // stays in the draft
		versions()
		w.until("document.querySelectorAll('.version').length === 2")
		two := strings.NewReplacer("title: Moon", "title: Full moon", "Christmas", "Xmas").Replace(wall)
		replace(t, p.dir, "widgets.yaml", strings.Replace(two, "2031", "2032", 1))
		p.reload <- os.Interrupt // the open list then shows the change
		w.until("document.querySelectorAll('.version').length === 3 && document.querySelectorAll('.version')[0].textContent.includes('now on the wall')")
		w.openVersion("changed on disk", "2032-12-25")
		w.openVersion("Moon: title Full moon", "title: Full moon")
		w.keep(fmt.Sprintf("versions-%d", width))
		w.press("Undo only this")
		w.until("document.querySelectorAll('.version').length === 4 && toasts.some((t) => t.includes('Later saves stay.'))")
		if got, want := p.read("widgets.yaml"), strings.NewReplacer("Christmas", "Xmas", "2031", "2032").Replace(wall); got != want {
			t.Errorf("%d px: one save is undone: got\n%s\nwant\n%s", width, got, want)
		}
		w.openVersion("Moon: title Full moon", "title: Full moon")
		w.press("Restore this version")
		w.until("document.querySelectorAll('.version').length === 5 && toasts.some((t) => t.includes('is on the wall again'))")
		w.keep(fmt.Sprintf("restored-%d", width))
		want := strings.Replace(wall, "title: Moon", "title: Full moon", 1)
		if got := p.read("widgets.yaml"); got != want {
			t.Errorf("%d px: restored: got\n%s\nwant\n%s", width, got, want)
		}
		if w.is("toasts.some((t) => t.includes(' saved '))") {
			t.Errorf("%d px: the page announces its own save as a save of another device", width)
		}
		w.press("Back")
		w.saved(1)
		w.until("find('Full moon') && find('Christmas')")
		w.apply()
		want = strings.Replace(want, "{widget: clock}", "{widget: clock, title: Time}", 1)
		if got := p.read("widgets.yaml"); got != want {
			t.Errorf("%d px: the change of the draft: got\n%s\nwant\n%s", width, got, want)
		}
		p.end()
	}
}
