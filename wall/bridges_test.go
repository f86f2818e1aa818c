package wall

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"
)

// TestBridgesOfViews checks which servers a wall connects to. A server of conf.yaml has one connection, for the main view, even if there
// are more views. If another view names a server, the messages of this server appear only on this view.
func TestBridgesOfViews(t *testing.T) {
	var mu sync.Mutex // guards the variable asked
	asked := map[string]int{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.URL.Path]++
		mu.Unlock()
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer c.CloseNow()
		c.Read(r.Context()) // waits until the wall disconnects
	}))
	defer srv.Close()
	port := freePort(t)
	f, _ := viewsWall(t, port, strings.Replace(twoViews, "locale: de", "locale: de, notifications: {kind: toast, ntfy: {url: '"+srv.URL+"', topics: [hall]}}", 1)+
		"notifications: {kind: banner, ntfy: {url: '"+srv.URL+"', topics: [door]}}\n")
	p := start(t, port, f)
	p.shows(1, 1, red)
	p.serves("/", http.StatusOK)
	count := func() (int, int) {
		mu.Lock()
		defer mu.Unlock()
		return asked["/door/ws"], asked["/hall/ws"]
	}
	eventually(t, "both servers are asked", func() bool { door, hall := count(); return door >= 1 && hall >= 1 })
	f.with("hall.yaml", strings.Replace(f["hall.yaml"], "white", "blue", 1)).write(t, p.dir)
	if status := p.ask("POST /reload", nil, "").status; status >= 300 {
		t.Fatalf("the reload was answered with %d", status)
	}
	if door, hall := count(); door != 1 || hall != 1 {
		t.Errorf("topic door was asked for %d times and hall %d times, want once each, through the reload too", door, hall)
	}
	f.with("conf.yaml", strings.Replace(f["conf.yaml"], "kind: toast", "kind: toats", 1)).write(t, p.dir)
	if a := p.ask("POST /reload", nil, ""); a.status < 400 || !strings.Contains(a.body, "toast") {
		t.Errorf("a mistake in a view's notifications: got %d %s", a.status, a.body)
	}
}
