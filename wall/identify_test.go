package wall

import (
	"image/color"
	"net/http"
	"strings"
	"testing"
)

// TestIdentify checks that a request to identify a wall shows a sign with the wall's name, for the requested time. Other walls show no
// sign.
func TestIdentify(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	p := start(t, port, files{
		"conf.yaml":    wallConf(port, "mqtt: {url: 'mqtt://127.0.0.1:1', name: Kitchen wall, discovery: false}\nviews:\n  hall: {widgets: hall.yaml}\n"),
		"widgets.yaml": plainWall("red"), "hall.yaml": plainWall("blue"),
	})
	p.shows(1, 1, red)
	p.serves("/", http.StatusOK)
	edge := color.RGBA{255, 176, 32, 255}
	if status, body := p.post("/identify", `{"view": "hall", "for": 600}`); status != http.StatusOK {
		t.Fatalf("hall: got %d %s", status, body)
	}
	p.shows(1, 1, red)
	eventually(t, "main shows its name", func() bool { // repeated, because the name disappears after some seconds if "for" is missing
		if status, body := p.post("/identify", ""); status != http.StatusOK {
			t.Fatalf("main: got %d %s", status, body)
		}
		return p.pixel(0, 0) == edge
	})
	if status, body := p.post("/identify", `{"for": 0.2}`); status != http.StatusOK {
		t.Fatalf("main, less: got %d %s", status, body)
	}
	p.shows(1, 1, red)
	for _, bad := range []struct {
		path, body string
		status     int
		want       string
	}{
		{"/identify?view=attic", "", 404, `"views":["main","hall"]`},
		{"/identify", `{"for": 601}`, 400, "at most 600"},
		{"/identify", `{"for": 0}`, 400, "'for' must be"},
		{"/identify", `{"for": "long"}`, 400, "JSON object"},
		{"/identify", `{"lasts": 3}`, 400, "lasts"},
		{"/identify", `[`, 400, "JSON object"},
	} {
		if status, body := p.post(bad.path, bad.body); status != bad.status || !strings.Contains(body, bad.want) {
			t.Errorf("%s %s: got %d %s, want %d %s", bad.path, bad.body, status, body, bad.status, bad.want)
		}
	}
}
