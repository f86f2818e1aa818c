package wall

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestEditInterval changes the interval of a source on the page that shows the source's values. Only this value of the file changes.
func TestEditInterval(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"power": 1240}`)) }))
	defer srv.Close()
	at := "providers:\n  # on the roof\n  solar:   {url: '" + srv.URL + "', update_interval: "
	for _, width := range []int64{390, 1280} {
		port := freePort(t)
		p := start(t, port, files{
			"conf.yaml": editConf(port), "providers.yaml": at + "45s}   # slow\n", "widgets.yaml": "widgets:\n  - {widget: text, text: !data .solar.power}\n",
		})
		p.serves("/edit", 200)
		w := walk(t, p, width, 844, false)
		w.press("Data")
		w.press("solar")
		w.press("Pick a value")
		w.until("document.querySelector('#v-every')?.selectedOptions[0].label === '45 s'")
		w.until("[...document.querySelector('#v-every').options].map((o) => o.label).slice(0, 3).join() === 'Default: 60 s,45 s,10 s'")
		w.until("(() => { const s = document.querySelector('#v-every'); s.value = '5m'; s.dispatchEvent(new Event('change')); return true; })()")
		w.saved(1)
		w.keep("interval")
		w.until("document.querySelector('#v-every').selectedOptions[0].label === '5 min'")
		w.press("Back")
		w.press("Done")
		if width < 720 {
			w.press("Back")
		}
		w.apply()
		w.report("an interval is changed")
		if got, want := p.read("providers.yaml"), at+"5m}   # slow\n"; got != want {
			t.Errorf("%d px: got\n%s\nwant\n%s", width, got, want)
		}
		p.end()
	}
}

// A person adds a source and picks one of its values before the source is on the wall. The values are the answer to the test.
func TestEditPicksFromANewSource(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"power": 1240, "text": "a long text that needs several lines on the narrow page of a phone"}`))
	}))
	defer srv.Close()
	port := freePort(t)
	p := start(t, port, files{"conf.yaml": editConf(port), "widgets.yaml": "widgets:\n  - widget: row\n    children:\n      - {widget: clock}\n"})
	p.serves("/edit", 200)
	w := walk(t, p, 360, 740, false)
	w.press("Data")
	w.press("Add")
	w.press("JSON address")
	w.until("document.querySelector('form')?.textContent.includes('Fill in what is needed first.')")
	w.write("Name", "solar")
	w.write("Address", srv.URL)
	w.until("document.querySelector('form') && !document.querySelector('form').textContent.includes('Fill in what is needed first.')")
	w.press("Add and test")
	w.press("Pick a value")
	w.until("[...document.querySelectorAll('[role=treeitem]')].map((e) => e.querySelector('.name').textContent).join() === 'power,text'")
	w.until("(([a, b]) => a.clientHeight === b.clientHeight)([...document.querySelectorAll('[role=treeitem] .name')])") // no name is broken
	w.keep("pick")
	w.press("power")
	w.until("document.querySelector('.figure').textContent.startsWith('1240')")
	w.press("Use this value")
	w.press("1")
	w.saved(2)
	w.apply()
	if got, want := p.read("providers.yaml"), "providers:\n  solar:\n    type: rest\n    url: "+srv.URL+"\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := p.read("widgets.yaml"), "title: Power, value: !data .solar.power}"; !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant %s", got, want)
	}
}

// A calendar with an impossible address gets an error that names the reason. Replace opens the field for a new address, and the focus
// returns to Replace after the save.
func TestEditReplacesAnAddress(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	port := freePort(t)
	p := start(t, port, files{"conf.yaml": editConf(port), "widgets.yaml": "widgets:\n  - {widget: clock}\n"})
	p.serves("/edit", 200)
	w := walk(t, p, 390, 844, false)
	w.press("Data")
	w.press("Add")
	w.press("Home Assistant")
	// the form names the place of the token, and the words fit
	w.until("((e) => e?.placeholder.startsWith('in Home Assistant: ') && e.scrollWidth <= e.clientWidth)(document.querySelector('#t-token, [type=password]'))")
	w.keep("home-assistant")
	w.press("Back")
	w.press("Calendar")
	w.write("Name", "Anna")
	w.write("Private address", "town.example.org")
	w.press("Add and test")
	w.until("document.querySelector('[aria-label=Test] .wrong')?.textContent.includes('has no scheme')")
	w.press("Replace")
	w.until("document.activeElement.id === 's-anna_ics' && !find('Keep it')")
	w.do(chromedp.KeyEvent("file:///nowhere/anna.ics"))
	w.press("Keep it")
	w.until("document.activeElement.id === 'r-anna_ics' && find('Replace')")
	if got := p.read("secrets.yaml"); !strings.Contains(got, "file:///nowhere/anna.ics") {
		t.Errorf("got secrets.yaml\n%s", got)
	}
}
