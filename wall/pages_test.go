package wall

import (
	"net/http"
	"strings"
	"testing"
)

const pagesWall = "widgets:\n  - widget: pages\n    dwell: 1h\n    transition: none\n    margin: 0\n    children:\n      - {widget: empty, name: home, color: red}\n" +
	"      - {widget: empty, name: solar, color: blue}\n      - {widget: empty, name: door, color: white, trigger: {when: {value: !data .bell}, hold: 1s}}\n"

// GET /pages contains the reason why a page is shown. The test checks a page that a request has chosen and a page that a pushed value
// shows. The chosen page remains after a reload.
func TestPages(t *testing.T) {
	port := freePort(t)
	f := files{
		"conf.yaml":      wallConf(port, "views:\n  hall: {widgets: hall.yaml}\n"),
		"providers.yaml": "providers:\n  bell: {type: push}\n", "widgets.yaml": pagesWall, "hall.yaml": plainWall("red"),
	}
	p := start(t, port, f)
	p.shows(1, 1, red)
	p.serves("/pages", http.StatusOK)
	tells := func(want ...string) {
		t.Helper()
		_, body := p.get("/pages")
		for _, w := range want {
			if !strings.Contains(body, w) {
				t.Errorf("got %s, want %s", body, w)
			}
		}
	}
	tells(`"page":"home","pages":["home","solar","door"]`, `"why":"turn"`, `"at":"widgets.yaml:7:`)
	if a := p.ask("PUT /values/bell", nil, "true"); a.status != http.StatusOK {
		t.Fatalf("the bell: got %d %s", a.status, a.body)
	}
	p.shows(1, 1, white)
	tells(`"page":"door"`, `"why":"trigger"`, `"until":null`)
	if status, body := p.post("/page", `{"page": "solar"}`); status != http.StatusOK || !strings.Contains(body, `"why":"hand"`) {
		t.Fatalf("solar: got %d %s", status, body)
	}
	p.shows(1, 1, blue)
	p.change(f.with("widgets.yaml", strings.Replace(pagesWall, "      - {widget: empty, name: home", "      - {widget: empty, name: cellar, color: black}\n      - {widget: empty, name: home", 1)))
	p.shows(1, 1, blue)
	tells(`"page":"solar","pages":["cellar","home","solar","door"]`, `"why":"hand"`)
	p.ask("PUT /values/bell", nil, "false")
	if status, body := p.post("/page?view=main", `{"page": "auto"}`); status != http.StatusOK {
		t.Errorf("auto: got %d %s", status, body)
	}
	if status, body := p.post("/page", `{"page": "next"}`); status != http.StatusOK {
		t.Errorf("next: got %d %s", status, body)
	}
	for _, bad := range []struct {
		path, body string
		status     int
		want       string
	}{
		{"/page", `{"page": "slar"}`, 404, `is 'solar' meant?`},
		{"/page?view=hall", `{"page": "solar"}`, 404, "no widget 'pages'"},
		{"/page?view=attic", `{"page": "solar"}`, 404, `"views":["main","hall"]`},
		{"/page", `{"page": "solar", "hold": -3}`, 400, "'hold' must be between"},
	} {
		if status, body := p.post(bad.path, bad.body); status != bad.status || !strings.Contains(body, bad.want) {
			t.Errorf("%s %s: got %d %s, want %d %s", bad.path, bad.body, status, body, bad.status, bad.want)
		}
	}
}
