package wall

import (
	"bytes"
	"fmt"
	"image/png"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"dashboard/internal/testing/radicaletest"
	"dashboard/internal/testing/thorough"
)

// The rows of tasks in TestTicksThroughAWall, each with one task. The last row, tickedRows, shows the new tasks.
const (
	fingerTask = iota // touches change this task
	postTask          // requests change this task
	phoneTask         // the phone changes this task on the server
	bothTask          // touches and requests change this task
	editedTask        // touches change this task while the phone changes its title
	tickedRows
)

// ticksHeight is the height of the wall in px. All rows have the same height. One row shows all new tasks.
const ticksHeight = 360

// A gate passes requests to a server while `closed` is false.
type gate struct {
	to     http.Handler
	closed atomic.Bool
	missed atomic.Int64 // number of requests while `closed` was true

	mu   sync.Mutex
	adds map[string]bool // addresses of the tasks that were added by passed requests
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if g.closed.Load() {
		g.missed.Add(1)
		panic(http.ErrAbortHandler) // closes the connection without an answer
	}
	if r.Method == http.MethodPut && r.Header.Get("If-None-Match") == "*" {
		g.mu.Lock()
		g.adds[r.URL.Path] = true // a set, because the wall may send the request again if the answer was late
		g.mu.Unlock()
	}
	g.to.ServeHTTP(w, r)
}

// A taskWall is a wall with the tasks of a CalDAV server.
type taskWall struct{ *glassWall }

// startTasks runs a wall until the test ends.
func startTasks(t *testing.T, server string) *taskWall {
	t.Helper()
	var rows strings.Builder
	for i := range tickedRows {
		fmt.Fprintf(&rows, "      - {widget: list, card: false, items: !data '[.shop.tasks[] | select(.title | startswith(\"%d\"))]', item: {on_tap: done}}\n", i)
	}
	w := &taskWall{startGlass(t, ticksHeight, files{
		"providers.yaml": "providers:\n  shop: {type: calendar, write: true, update_interval: 30, calendars: " +
			"[{name: Shop, caldav: '" + server + "', auth: {basic: {username: me, password: hush}}, kind: tasks}]}\n",
		"widgets.yaml": "theme: calm\nwidgets:\n  - widget: grid\n    margin: 0\n    gap: 0\n    padding: 0\n    columns: 1\n    rows: 6\n    children:\n" + rows.String() +
			"      - {widget: list, card: false, items: !data '[.shop.tasks[] | select(.title | startswith(\"new\"))] | sort_by(.title)', item: {on_tap: done}}\n",
	})}
	for row := range tickedRows {
		eventually(t, "the task is painted", func() bool { return w.line(row) != "" })
	}
	return w
}

// tasks() returns the state of each task on the wall by its title. x means that a task is done, and … means that a change waits for the
// server.
func (w *taskWall) tasks() map[string]string {
	all := map[string]string{}
	for _, l := range w.s.tasks() {
		for _, t := range l.Tasks {
			state := map[bool]string{true: "x"}[t.Done] + map[bool]string{true: "…"}[t.Waiting] + t.Problem
			if _, twice := all[t.Title]; twice {
				state = "twice"
			}
			all[t.Title] = state
		}
	}
	return all
}

// of() returns the state of the task in a row. The state has the same form as in the result of tasks().
func (w *taskWall) of(row int) string {
	for title, state := range w.tasks() {
		if strings.HasPrefix(title, fmt.Sprint(row)) {
			return state
		}
	}
	return "none"
}

// line returns the line of a row's task in the text of the wall, or "" if the wall does not show the task.
func (w *taskWall) line(row int) string {
	_, text := w.get("/text")
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, fmt.Sprint("- ", row)) {
			return line
		}
	}
	return ""
}

// tap puts a finger on a row and lifts it.
func (w *taskWall) tap(row int) { w.touch(0.5, (float64(row)+0.5)/(tickedRows+1)) }

// frame returns the pixels of the current frame.
func (w *taskWall) frame() []byte {
	_, body := w.get("/frame")
	m, err := png.Decode(strings.NewReader(body))
	if err != nil {
		return nil
	}
	var all bytes.Buffer
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			r, g, b, _ := m.At(x, y).RGBA()
			all.Write([]byte{byte(r), byte(g), byte(b)})
		}
	}
	return all.Bytes()
}

// onServer returns the state of a row's task on the server: whether it is done, and its title.
func onServer(t *testing.T, root string, row int) (done bool, title string) {
	t.Helper()
	text, _ := radicaletest.Send(t, http.MethodGet, fmt.Sprintf("%s/me/shop/%d.ics", root, row), "", "")
	_, title, _ = strings.Cut(text, "SUMMARY:")
	title, _, _ = strings.Cut(title, "\r\n")
	return strings.Contains(text, "STATUS:COMPLETED"), title
}

// A finger, requests and a phone change tasks at the same time, before, during and after an outage
// of the server. At the end, the server, the wall and its picture agree with a model. No change is
// lost or made twice, no title from the phone is overwritten, and each new task exists once.
func TestTicksThroughAWall(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	root := radicaletest.Start(t)
	radicaletest.MakeCalendar(t, root+"/me/shop/", "VTODO")
	for i := range tickedRows {
		radicaletest.Put(t, fmt.Sprintf("%s/me/shop/%d.ics", root, i), "VTODO", fmt.Sprint(i), "STATUS:NEEDS-ACTION")
	}
	to, err := url.Parse(root)
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{adds: map[string]bool{}, to: &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to); r.Out.Host = r.In.Host }}}
	proxy := httptest.NewServer(g)
	defer proxy.Close()
	w := startTasks(t, proxy.URL)
	m := &ticksModel{t: t, w: w, root: root, done: map[int]bool{}}
	for round := range 3 {
		g.closed.Store(round == 1)
		missed := g.missed.Load()
		m.storm(round)
		if round == 1 {
			eventually(t, "the wall meets the outage", func() bool { return g.missed.Load() > missed })
		}
	}
	m.finger(fingerTask) // the wall reads the tasks again after this tap, and then shows the phone's last changes
	eventually(t, "no change waits", func() bool { return !strings.Contains(fmt.Sprint(w.tasks()), "…") })
	g.mu.Lock()
	adds := len(g.adds)
	g.mu.Unlock()
	m.compare(adds)
}

// A ticksModel contains the expected result of the changes by the finger, the requests and the phone.
type ticksModel struct {
	t    *testing.T
	w    *taskWall
	root string

	mu    sync.Mutex
	done  map[int]bool // last requested state, by row
	added []string
	title string // title that the phone has set last
}

func (m *ticksModel) wish(row int, done bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done[row] = done
}

// storm runs the finger, the requests and the phone at the same time and waits until they have ended.
func (m *ticksModel) storm(round int) {
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() {
		for i := range 4 {
			m.post(postTask, rand.IntN(2) == 0)
			m.request(bothTask, "toggle")
			title := fmt.Sprintf("new %d %d", round, i)
			for range 2 { // the second request names an existing task, so it adds nothing
				m.send(`{"item": "` + title + `"}`)
			}
			m.added = append(m.added, title)
		}
	})
	all.Go(func() {
		for i := range 4 {
			m.phone(phoneTask, "STATUS", map[bool]string{true: "COMPLETED", false: "NEEDS-ACTION"}[i%2 == 0])
			m.wish(phoneTask, i%2 == 0)
			m.title = fmt.Sprintf("%d by phone %d %d", editedTask, round, i)
			m.phone(editedTask, "SUMMARY", m.title)
		}
	})
	for range 4 {
		m.finger(fingerTask)
		m.finger(editedTask)
		m.w.tap(bothTask)
	}
}

// finger taps the row of a task. The wall must show the changed state.
func (m *ticksModel) finger(row int) {
	before := strings.HasPrefix(m.w.of(row), "x")
	m.w.tap(row)
	m.wish(row, !before)
	eventually(m.t, "the tick is shown", func() bool { return strings.HasPrefix(m.w.of(row), "x") == !before })
	m.painted(row, !before)
}

// painted() waits until the wall shows a row's task with the given state, so that the next tap changes this state.
func (m *ticksModel) painted(row int, done bool) {
	m.t.Helper()
	eventually(m.t, "the tick is painted", func() bool {
		line := m.w.line(row)
		return line != "" && strings.Contains(line, "crossed out") == done
	})
}

// post sends a request that sets the state of a task.
func (m *ticksModel) post(row int, done bool) {
	m.request(row, map[bool]string{true: "done", false: "open"}[done])
	m.wish(row, done)
	if shown := strings.HasPrefix(m.w.of(row), "x"); shown != done {
		m.t.Errorf("row %d is shown done: %v after the request for %v", row, shown, done)
	}
}

func (m *ticksModel) request(row int, action string) {
	m.send(fmt.Sprintf(`{"item": "%d", "action": "%s", "by": "Anna"}`, row, action))
}

func (m *ticksModel) send(body string) {
	if status, answer := m.w.post("/todo", body); status != http.StatusOK {
		m.t.Errorf("%s: got %d %s", body, status, answer)
	}
}

// phone changes a property of a task on the server. If the server has a newer version of the task, phone tries again.
func (m *ticksModel) phone(row int, property, to string) {
	at := fmt.Sprintf("%s/me/shop/%d.ics", m.root, row)
	for {
		now := m.dav(http.MethodGet, at, "", "")
		before, after, _ := strings.Cut(now.body, "\r\n"+property+":")
		_, after, _ = strings.Cut(after, "\r\n")
		put := m.dav(http.MethodPut, at, now.header.Get("ETag"), before+"\r\n"+property+":"+to+"\r\n"+after)
		switch put.status {
		case http.StatusPreconditionFailed:
		case http.StatusCreated, http.StatusNoContent:
			return
		default:
			m.t.Errorf("the phone gets %d %s", put.status, put.body)
			return
		}
	}
}

// dav sends a request to the server, as the phone does.
func (m *ticksModel) dav(method, at, tag, body string) answer {
	req, err := http.NewRequestWithContext(m.t.Context(), method, at, strings.NewReader(body))
	if err != nil {
		return answer{body: err.Error()}
	}
	req.SetBasicAuth("me", "hush")
	if tag != "" {
		req.Header.Set("Content-Type", "text/calendar")
		req.Header.Set("If-Match", tag)
	}
	return exchange(http.DefaultClient, req)
}

// compare compares the server, the wall and its picture with the model. `adds` is the number of added tasks.
func (m *ticksModel) compare(adds int) {
	want := map[string]string{}
	for row := range tickedRows {
		done, title := onServer(m.t, m.root, row)
		if wish, known := m.done[row]; known && done != wish {
			m.t.Errorf("row %d: the server has done: %v, the last wish was %v", row, done, wish)
		}
		want[title] = map[bool]string{true: "x"}[done]
		if row == editedTask && title != m.title {
			m.t.Errorf("the title of the phone is %q, the server has %q", m.title, title)
		}
	}
	for _, title := range m.added {
		want[title] = ""
	}
	// The wall shows this state after it has read the tasks again.
	eventually(m.t, fmt.Sprintf("the wall has %v", want), func() bool { return fmt.Sprint(m.w.tasks()) == fmt.Sprint(want) })
	list, _ := radicaletest.Send(m.t, http.MethodGet, m.root+"/me/shop/", "", "")
	if got := strings.Count(list, "BEGIN:VTODO"); got != tickedRows+len(m.added) || adds != len(m.added) {
		m.t.Errorf("the server has %d tasks after %d were added, want %d and %d", got, adds, tickedRows+len(m.added), len(m.added))
	}
	fresh := startTasks(m.t, m.root)
	eventually(m.t, "the picture is the one of a wall that starts now", func() bool {
		now := m.w.frame()
		return now != nil && bytes.Equal(now, fresh.frame())
	})
}
