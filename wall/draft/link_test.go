package draft

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// If the address of a calendar leads to a web page, the test of the provider offers the link to a calendar on this page. If the address
// is a secret, the program stores the link as the new secret, and the browser does not receive the link.
func TestLinkFound(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/bins":
			http.Redirect(w, r, "/page/bins", http.StatusFound)
		case "/gone":
			w.WriteHeader(http.StatusNotFound)
		case "/bins.ics":
			fmt.Fprint(w, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n")
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html><a href='/about.html'>About</a><link rel=alternate type=text/calendar\n href=\"../bins.ics\">")
		}
	}))
	defer web.Close()
	files := map[string]string{"conf.yaml": testConf, "widgets.yaml": testWall}
	files["providers.yaml"] = "providers:\n  town:\n    type: calendar\n    calendars:\n      - {name: Bins, url: " + web.URL + "/bins}\n  two:\n    type: calendar\n    calendars:\n      - {name: Gone, url: " + web.URL + "/gone}\n      - {name: Bins, url: " + web.URL + "/bins}\n  mine:\n    type: calendar\n    calendars:\n      - {name: Bins, url: !secret bins}\n"
	b := newBench(t, files)
	b.call(204, "secret", "", SecretToStore{"bins", web.URL + "/bins"})
	id, _ := b.open()
	got := b.call(200, "test", id, map[string]any{"provider": "town"})
	if got["link"] != "bins.ics" || got["link_key"] != "calendars.0.url" || got["link_to"] != web.URL+"/bins.ics" {
		t.Errorf("a plain address: %v", got)
	}
	got = b.call(200, "test", id, map[string]any{"provider": "two"})
	if got["link"] != "bins.ics" || got["link_key"] != "calendars.1.url" {
		t.Errorf("another calendar has an error: %v", got)
	}
	got = b.call(200, "test", id, map[string]any{"provider": "mine"})
	if got["link"] != "bins.ics" || got["link_to"] != nil || strings.Contains(fmt.Sprint(got), web.URL) {
		t.Errorf("a secret address: %v", got)
	}
	// a refused test stores no link
	b.setFile(id, "providers.yaml", strings.Replace(files["providers.yaml"], "!secret bins}", "!secret bins", 1))
	b.call(422, "test", id, map[string]any{"provider": "mine", "use": true})
	b.setFile(id, "providers.yaml", files["providers.yaml"])
	b.setFile(id, "conf.yaml", testConf+"no_such_key: 1\n")
	b.call(422, "test", id, map[string]any{"provider": "mine", "use": true})
	b.setFile(id, "conf.yaml", testConf)
	if text := b.read("secrets.yaml"); strings.Contains(text, ".ics") {
		t.Errorf("a refused test stored %s", text)
	}
	if got = b.call(200, "test", id, map[string]any{"provider": "mine", "use": true}); got["works"] != true || got["link"] != nil {
		t.Errorf("the link: %v", got)
	}
	if text := b.read("secrets.yaml"); !strings.Contains(text, web.URL+"/bins.ics") || b.read("providers.yaml") != files["providers.yaml"] {
		t.Errorf("the link was stored as %s", text)
	}
	b.call(409, "test", id, map[string]any{"provider": "mine", "use": true})
}

// A key of conf.yaml sets the size of all text. A picture can show one widget alone.
func TestTextSizeAndOneWidget(t *testing.T) {
	b := newBench(t, usual)
	id, _ := b.open()
	if got := b.call(200, "theme", id, nil); got["scale"] != "1" {
		t.Errorf("the size of the text: %v", got["scale"])
	}
	b.ops(200, id, Op{Op: "scale", Value: "1.1"})
	b.ops(200, id, Op{Op: "scale", Value: "1.2"})
	d, err := b.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	conf, err := d.File("conf.yaml")
	if got := b.call(200, "theme", id, nil); err != nil || got["scale"] != "1.2" || !strings.Contains(conf["text"].(string), "graphics: {resolution: [800, 480], text-scale: 1.2}") {
		t.Errorf("the size of the text: %v\n%v", got["scale"], conf["text"])
	}
	shot := Shot{Width: 320, Height: 192, Widget: "{widget: card, title: One, value: 7}"}
	seven, err := d.Picture(shot)
	shot.Widget = strings.Replace(shot.Widget, "7", "8", 1)
	eight, err2 := d.Picture(shot)
	if err != nil || err2 != nil || string(seven) == string(eight) {
		t.Errorf("one widget: %v, %v, %d and %d bytes", err, err2, len(seven), len(eight))
	}
	shot.Widget = "{widget: card, value: ["
	if _, err := d.Picture(shot); err == nil {
		t.Error("a broken widget was drawn")
	}
	if got := b.text(id); got != testWall {
		t.Errorf("the picture has changed the draft:\n%s", got)
	}
}
