package homeassistant

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	fake "dashboard/internal/testing/homeassistanttest"
	"dashboard/internal/testing/thorough"
)

// listRounds is the number of random sequences that the model test runs.
const listRounds = 200

// A listModel has two walls, a phone, and a Home Assistant with faults.
type listModel struct {
	s      *fake.Server
	h      *house
	walls  [2]*listWall
	touch  map[string]bool // items that the phone has changed
	wanted map[string]bool // latest state that a wall has requested for each item
	mixed  map[string]bool // items for which the walls have requested both states
	adds   []string

	mu     sync.Mutex // guards the fields below
	rand   *rand.Rand
	faulty bool
}

func (m *listModel) luck(n int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.rand.IntN(n)
}

// before() decides whether a request or its answer gets lost, or whether Home Assistant rejects the request.
func (m *listModel) before(c *fake.Client, msg map[string]any) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.faulty || msg["type"] != "call_service" {
		return false
	}
	id, _ := msg["id"].(float64)
	switch m.rand.IntN(8) {
	case 0:
		c.Cut()
	case 1:
		c.Carry(msg)
		c.Cut()
	case 2:
		c.Refuse(int(id), "home_assistant_error", "the service is busy")
	default:
		return false
	}
	return true
}

// do makes a random step.
func (m *listModel) do(n int) {
	w := m.walls[m.luck(2)]
	switch m.luck(12) {
	case 0, 1, 2, 3:
		m.tick(w)
		m.h.pass(time.Millisecond)
	case 4:
		title := fmt.Sprint("new", n)
		m.adds = append(m.adds, title)
		w.wish("add", title)
	case 5:
		m.s.Drop()
	case 6:
		m.h.away.Store(!m.h.away.Load())
	case 7:
		for i := range m.walls {
			if m.walls[i] == w {
				m.walls[i] = w.killed()
			}
		}
	case 8:
		uid := fmt.Sprint(m.luck(4))
		m.touch[uid] = true
		done := m.luck(2) == 0
		m.s.ChangeList(shop, setDone(uid, done))
	case 9:
		uid := fmt.Sprint(m.luck(4))
		m.s.ChangeList(shop, func(all []fake.Item) []fake.Item {
			for i := range all {
				if all[i].UID == uid {
					all[i].Summary = "named " + uid
				}
			}
			return all
		})
	default:
		m.h.pass(time.Duration(m.luck(100)) * time.Second)
	}
}

// tick toggles a random task at the wall and checks that the wall shows the change at once. Nothing else may change the task between the
// two calls of Tasks. synctest.Wait makes earlier changes arrive before the first call. While tick holds m.mu, before() cannot reject the
// request before the second call.
func (m *listModel) tick(w *listWall) {
	synctest.Wait()
	tasks := w.p.TaskLists("")[0].Tasks()
	if len(tasks) == 0 {
		return
	}
	t := tasks[m.luck(len(tasks))]
	if t.ID == "" {
		return
	}
	if was, ok := m.wanted[t.ID]; ok && was == t.Done {
		m.mixed[t.ID] = true
	}
	m.wanted[t.ID] = !t.Done
	m.mu.Lock()
	defer m.mu.Unlock()
	w.put("toggle", w.p.lists["shop"].board.Queue.Tag(t.ID))
	for _, now := range w.p.TaskLists("")[0].Tasks() {
		if now.ID == t.ID && now.Done == t.Done {
			m.h.t.Errorf("the tick of %s does not show at once", t.ID)
		}
	}
}

// check compares the walls with the server, and the server with the states that the walls have requested.
func (m *listModel) check(t *testing.T, seed int) {
	server := strings.ReplaceAll(onServer(m.s), ",", "")
	for _, w := range m.walls {
		if got := words(w.part); got != server {
			t.Errorf("seed %d: a wall shows %q, the server has %q", seed, got, server)
		}
	}
	for _, i := range m.s.List(shop) {
		if want, ok := m.wanted[i.UID]; ok && !m.touch[i.UID] && !m.mixed[i.UID] && want != (i.Status == completed) {
			t.Errorf("seed %d: a change of %s is lost", seed, i.Summary)
		}
	}
	for _, title := range m.adds {
		if n := strings.Count(" "+strings.ReplaceAll(server, "✓", "")+" ", " "+title+" "); n != 1 {
			t.Errorf("seed %d: %s is there %d times: %s", seed, title, n, server)
		}
	}
}

// Two walls, a phone and a Home Assistant with faults act in random order. No change is lost, and
// no item exists twice. In the end, both walls show the list of the server.
func TestListsModel(t *testing.T) {
	thorough.Only(t)
	n := listRounds
	if testing.Short() {
		n /= 20
	}
	for seed := range n {
		s := &fake.Server{}
		m := &listModel{
			s: s, rand: rand.New(rand.NewPCG(uint64(seed), 7)), faulty: true, touch: map[string]bool{}, wanted: map[string]bool{}, mixed: map[string]bool{},
		}
		s.Before = m.before
		s.SetList(shop, item("0", "a"), item("1", "b"), item("2", "c"), item("3", "d"))
		inHouse(t, s, func(h *house) {
			m.h = h
			for i := range m.walls {
				m.walls[i] = h.listWall(t.TempDir(), nil)
			}
			h.pass(2 * time.Second)
			for i := range 30 {
				m.do(i)
			}
			m.mu.Lock()
			m.faulty = false
			m.mu.Unlock()
			h.away.Store(false)
			h.pass(30 * time.Minute)
			m.check(t, seed)
			for _, w := range m.walls {
				w.manager.Close()
			}
		})
	}
}
