package wall

import (
	"net/http"
	"net/http/httptest"
	"testing"
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
