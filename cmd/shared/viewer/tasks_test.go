package viewer

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"

	"dashboard/internal/testing/programtest"
	"dashboard/internal/testing/thorough"
)

// A shop is a server with one task. While `down` is true, its requests fail.
type shop struct {
	mu   sync.Mutex
	down bool
	done bool
	got  []string // changes that the server has accepted, in order
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Method == http.MethodGet {
		fmt.Fprintf(w, `[{"id": "1", "title": "Milk", "done": %v}]`, s.done)
		return
	}
	if s.down {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	body, _ := io.ReadAll(r.Body)
	s.done = strings.Contains(string(body), "true")
	s.got = append(s.got, r.URL.Path+string(body))
}

func (s *shop) set(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

func (s *shop) accepted() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.got, " ")
}

// value returns the value of the task provider on the wall.
func (w *wall) value() string {
	resp, err := http.Get(w.url() + "/values/shop")
	if err != nil {
		return ""
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return string(text)
}

// A task is completed on the wall while the task's server is down. The change survives kill -9. The wall shows the change after the next
// start, and the server receives it once.
func TestTickSurvivesKill(t *testing.T) {
	thorough.Only(t)
	s := &shop{down: true}
	h := httptest.NewServer(s)
	defer h.Close()
	w := &wall{t: t, dir: t.TempDir(), port: programtest.FreePort(t)}
	programtest.Write(t, w.dir, map[string]string{
		"conf.yaml":    fmt.Sprintf("graphics: {resolution: [320, 192]}\noutputs: [{type: stream}]\nserver: {port: %d}\n", w.port),
		"widgets.yaml": "widgets: [{widget: list, items: !data .shop, item: {on_tap: done}}]\n",
		"providers.yaml": fmt.Sprintf("providers:\n  shop: {url: '%s', write: true, update_interval: 1, timeout: 600, on: {request: {url: '%s/{id}', body: {done: '{done}'}}}}\n",
			h.URL, h.URL),
	})
	start := func() {
		w.Process = programtest.Start(t, program(t, "dashboard"), w.dir, nil, "--config-dir", w.dir, "--state-dir", w.dir+"/state")
		w.Says("server listening")
	}
	start()
	programtest.Eventually(t, "the list is read", func() bool { return strings.Contains(w.value(), `"title":"Milk"`) })
	resp, err := http.Post(w.url()+"/todo", "application/json", bytes.NewReader([]byte(`{"item": "Milk", "action": "done"}`)))
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatal(resp, err)
	}
	resp.Body.Close()
	w.End(syscall.SIGKILL)
	start()
	programtest.Eventually(t, "the wall shows the tick", func() bool {
		v := w.value()
		return strings.Contains(v, `"done":true`) && strings.Contains(v, `"waiting":true`)
	})
	s.set(false)
	programtest.Eventually(t, "the server has the tick", func() bool { return strings.Contains(w.value(), `"waiting":false`) })
	if got := s.accepted(); got != `/1{"done":true}` {
		t.Errorf("the server got %s", got)
	}
}
