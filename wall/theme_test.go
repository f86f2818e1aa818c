package wall

import (
	"net/http"
	"strings"
	"testing"
)

func TestThemeByHand(t *testing.T) {
	port := freePort(t)
	p := start(t, port, themed(port))
	p.shows(1, 1, red)
	p.serves("/theme", http.StatusOK)
	for _, step := range []struct {
		body   string
		status int
		says   string
	}{
		{`{"mode": "night"}`, 200, `"mode":"night"`},
		{`{"mode": "night", "hold": "forever"}`, 200, `"held_until":null`},
		{`{"mode": "day"}`, 200, `"mode":"day"`},
		{`{"mode": "auto"}`, 400, "latitude"},
		{`{"mode": "dusk"}`, 400, "day, night, auto"},
	} {
		status, body := p.post("/theme", step.body)
		if status != step.status || !strings.Contains(body, step.says) {
			t.Errorf("%s: got %d %s, want %d and %s", step.body, status, body, step.status, step.says)
		}
		if strings.Contains(body, `"mode":"night"`) {
			p.shows(1, 1, blue)
		} else {
			p.shows(1, 1, red)
		}
	}
}

func TestHoldOutlivesReload(t *testing.T) {
	port := freePort(t)
	f := themed(port)
	p := start(t, port, f)
	p.serves("/theme", http.StatusOK)
	if status, body := p.post("/theme", `{"mode": "night", "hold": "forever"}`); status != http.StatusOK {
		t.Fatalf("got %d %s", status, body)
	}
	p.change(f.with("night.yaml", "colors: {wall: white}\n"))
	p.shows(1, 1, white)
	if _, body := p.get("/theme"); !strings.Contains(body, `"mode":"night"`) {
		t.Errorf("got %s, want night to be held", body)
	}
}

func TestOneTheme(t *testing.T) {
	port := freePort(t)
	p := start(t, port, themed(port), "--theme", "night.yaml")
	p.shows(1, 1, blue)
	p.serves("/theme", http.StatusBadRequest)
	if status, body := p.post("/theme", `{"mode": "day"}`); status != http.StatusBadRequest || !strings.Contains(body, "--theme") {
		t.Errorf("got %d %s, want 400 that says why", status, body)
	}
}
