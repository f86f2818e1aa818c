package calendar

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"dashboard/internal/testing/thorough"
	"dashboard/provider/ical"
)

// rounds is the number of random sequences that the model test runs.
const rounds = 10_000

const davHome = "http://dav.test/shop/"

// An object is a task on the server.
type object struct {
	text []byte
	tag  int
}

// A davModel has two walls, a phone, and a CalDAV server with faults.
type davModel struct {
	t       *testing.T
	rand    *rand.Rand
	objects map[string]object
	tags    int
	faulty  bool
	walls   [2]*modelWall
	deep    bool // whether RoundTrip must not call others(): others() is running, or the random steps are over

	carrying string         // wall that is sending a change, and ID of the change
	applied  map[string]int // number of times that the server accepted a change; the key is a value of `carrying`
	states   map[string][]bool
	titles   map[string]string // last title that the phone has set
	wanted   map[string]wish   // latest state that a person has requested; the key has the wall and the task
	adds     map[string]bool   // titles of new tasks
	gone     map[string]bool
	log      []string
}

// note records an action. If the test fails, its message lists the actions.
func (m *davModel) note(format string, args ...any) {
	m.log = append(m.log, fmt.Sprintf(format, args...))
}

func (m *davModel) fail(format string, args ...any) {
	m.t.Helper()
	m.t.Fatalf("%s\n%s", fmt.Sprintf(format, args...), strings.Join(m.log, "\n"))
}

// put stores an object.
func (m *davModel) put(at string, text []byte) {
	m.tags++
	m.objects[at] = object{slices.Clone(text), m.tags}
	for _, t := range parsed(text).Tasks {
		if s := m.states[at]; len(s) == 0 || s[len(s)-1] != t.Done {
			m.states[at] = append(s, t.Done)
		}
	}
}

func parsed(text []byte) *ical.Calendar {
	c, err := ical.Parse(text, ical.Options{})
	if err != nil {
		return &ical.Calendar{}
	}
	return c
}

// RoundTrip answers a request of a wall. Requests and answers may get lost, and the phone or the other wall may act between two requests.
func (m *davModel) RoundTrip(r *http.Request) (*http.Response, error) {
	if !m.deep && m.rand.IntN(4) == 0 {
		m.deep = true
		was := m.carrying
		m.others()
		m.carrying, m.deep = was, false
	}
	luck := 9
	if m.faulty {
		luck = m.rand.IntN(10)
	}
	switch luck {
	case 0:
		return nil, errors.New("connection refused")
	case 1:
		return m.answer(http.StatusInternalServerError, object{}), nil
	case 2:
		return m.answer(http.StatusPreconditionFailed, object{}), nil
	}
	resp := m.serve(r)
	if luck == 3 {
		m.note("  the answer is lost")
		return nil, errors.New("connection reset")
	}
	return resp, nil
}

func (m *davModel) serve(r *http.Request) *http.Response {
	at := r.URL.String()
	old, there := m.objects[at]
	switch {
	case r.Method == http.MethodGet && there:
		return m.answer(http.StatusOK, old)
	case r.Method == http.MethodGet:
		return m.answer(http.StatusNotFound, object{})
	case r.Header.Get("If-None-Match") == "*" && there, r.Header.Get("If-Match") != "" && r.Header.Get("If-Match") != tagOf(old):
		return m.answer(http.StatusPreconditionFailed, object{})
	case r.Header.Get("If-None-Match")+r.Header.Get("If-Match") == "":
		m.fail("a wall writes without a condition")
	}
	text, _ := io.ReadAll(r.Body)
	m.note("  the server takes %s of %s", r.URL.Path, m.carrying)
	m.applied[m.carrying]++
	m.put(at, text)
	return m.answer(http.StatusNoContent, object{})
}

func tagOf(o object) string { return fmt.Sprintf("%q", fmt.Sprint(o.tag)) }

func (m *davModel) answer(status int, o object) *http.Response {
	h := http.Header{}
	if o.tag > 0 {
		h.Set("ETag", tagOf(o))
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(bytes.NewReader(o.text)), ContentLength: int64(len(o.text))}
}

// others() makes the phone or the other wall act between two requests of a wall.
func (m *davModel) others() {
	if m.rand.IntN(2) == 0 {
		m.phone()
		return
	}
	for _, w := range m.walls {
		if !strings.HasPrefix(m.carrying, fmt.Sprint(w.no)) {
			w.step(false)
		}
	}
}

// phone() changes or deletes an object on the server, as another client does. It does not delete recurring tasks, and it does not delete
// tasks that a wall has added.
func (m *davModel) phone() {
	all := slices.Sorted(maps.Keys(m.objects))
	at := all[m.rand.IntN(len(all))]
	text := m.objects[at].text
	task := parsed(text).Tasks[0]
	switch n := m.rand.IntN(12); {
	case n == 0 && strings.Contains(at, "/plain"):
		m.note("phone deletes %s", at)
		delete(m.objects, at)
		m.gone[at] = true
	case n < 6 && task.Instance == "":
		m.note("phone sets %s done %v", at, !task.Done)
		out, _, err := ical.Tick{UID: task.UID, ID: "phone", Done: !task.Done, At: noon}.Apply(text)
		if err != nil {
			m.fail("%v", err)
		}
		m.put(at, out)
	default:
		title := fmt.Sprint("title", m.rand.IntN(1000))
		m.note("phone names %s %s", at, title)
		m.titles[at] = title
		m.put(at, bytes.Replace(text, []byte("SUMMARY:"+task.Title+"\r\n"), []byte("SUMMARY:"+title+"\r\n"), 1))
	}
}

// newDAVModel returns a model whose server has four plain tasks and a weekly task.
func newDAVModel(t *testing.T, seed uint64) *davModel {
	m := &davModel{
		t: t, rand: rand.New(rand.NewPCG(seed, 7)), objects: map[string]object{}, faulty: true, applied: map[string]int{}, states: map[string][]bool{},
		titles: map[string]string{}, wanted: map[string]wish{}, adds: map[string]bool{}, gone: map[string]bool{},
	}
	for i := range 4 {
		text := strings.Replace(string(ical.NewTask(fmt.Sprint("u", i), "x", noon)), "SUMMARY:x", "SUMMARY:x\r\nX-SORT:7", 1)
		m.put(fmt.Sprintf("%splain%d.ics", davHome, i), []byte(text))
	}
	weekly := strings.Replace(string(ical.NewTask("w", "x", noon)), "SUMMARY:x", "SUMMARY:x\r\nX-SORT:7\r\nDUE;VALUE=DATE:20260514\r\nRRULE:FREQ=WEEKLY", 1)
	m.put(davHome+"weekly.ics", []byte(weekly))
	for i := range m.walls {
		m.walls[i] = &modelWall{m: m, no: i, disk: &modelDisk{}, now: noon}
		m.walls[i].start()
	}
	return m
}

// run makes random steps and then waits until nothing changes any more.
func (m *davModel) run() {
	for range 12 + m.rand.IntN(24) {
		w := m.walls[m.rand.IntN(2)]
		switch n := m.rand.IntN(12); {
		case n < 4:
			w.touch()
		case n < 7:
			w.step(false)
		case n < 8:
			w.step(true)
		case n < 10:
			w.read()
		default:
			m.phone()
		}
	}
	m.faulty, m.deep = false, true
	for range 2 {
		for _, w := range m.walls {
			for range 60 {
				w.step(false)
			}
			w.read()
		}
	}
}

// check compares the walls with the server, and the server with the changes that people have requested.
func (m *davModel) check() {
	titles := map[string]int{}
	for at, o := range m.objects {
		task := parsed(o.text).Tasks[0]
		titles[task.Title]++
		if want, ok := m.titles[at]; ok && task.Title != want {
			m.fail("%s: the title of the phone is lost: %q, want %q", at, task.Title, want)
		}
		if !strings.Contains(at, "plain") && !strings.Contains(at, "weekly") {
			continue
		}
		if !bytes.Contains(o.text, []byte("\r\nX-SORT:7\r\n")) {
			m.fail("%s: a line is lost: %s", at, o.text)
		}
	}
	for title := range m.adds {
		renamed := 0
		for at := range m.titles {
			if !strings.Contains(at, "plain") && !strings.Contains(at, "weekly") {
				renamed++
			}
		}
		if n := titles[title]; n > 1 || n == 0 && renamed == 0 {
			m.fail("%s was added %d times", title, n)
		}
	}
	if fixed := 5 - len(m.gone); len(m.objects) != fixed+len(m.adds) {
		m.fail("the server has %d tasks, want %d", len(m.objects), fixed+len(m.adds))
	}
	want := ""
	for _, w := range m.walls {
		marks := w.q.Marks()
		for _, k := range marks.Tasks {
			if k.Waiting || k.Problem == "" {
				m.fail("wall %d still has %+v", w.no, k)
			}
		}
		if len(marks.New) > 0 {
			m.fail("wall %d still has new tasks", w.no)
		}
		got := w.shownTasks()
		if want == "" {
			want = got
		}
		if got != want || got != m.serverTasks() {
			m.fail("wall %d shows %s, want %s", w.no, got, m.serverTasks())
		}
	}
}

func (m *davModel) serverTasks() string {
	var all []string
	for _, o := range m.objects {
		t := parsed(o.text).Tasks[0]
		all = append(all, fmt.Sprint(t.Title, t.Done, t.Due.Format(time.DateOnly)))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// Two walls, a phone and a server with faults act in random order. No change is lost or made twice,
// and the changes of the phone stay. In the end, both walls show the tasks of the server.
func TestTasksModel(t *testing.T) {
	thorough.Only(t)
	n := rounds
	if testing.Short() {
		n = rounds / 20
	}
	for seed := range n {
		m := newDAVModel(t, uint64(seed))
		m.run()
		m.check()
	}
}
