// Package homeassistanttest is a small Home Assistant for tests. It implements the part of the WebSocket API that a wall uses, with the
// messages of the real server. Its own test connects Home Assistant's JavaScript client to it.
package homeassistanttest

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// Token is the access token that the server accepts.
const Token = "let-me-in"

// A Server is an http.Handler. The test sets its fields before the server receives a request.
type Server struct {
	// History contains the answers to history/history_during_period. Forecast contains the answers to weather/subscribe_forecast, by the
	// type of forecast.
	History  map[string][]any
	Forecast map[string][]any
	// Calendars contains the events of each calendar entity, in the format of the endpoint /api/calendars/ENTITY.
	Calendars map[string][]any
	// Render returns the result of a template or an error. If Render is nil, the result is the template itself.
	Render func(template string) (any, error)
	// Before receives each message before the server handles it. If Before returns true, the server does not handle the message. Before
	// may be nil.
	Before func(c *Client, m map[string]any) bool

	mu       sync.Mutex
	starting bool
	states   map[string]Entity
	todo     map[string][]Item
	added    int // number of to-do items that commands have added
	clients  map[*Client]struct{}
	asked    []map[string]any
}

// An Entity is a state with its attributes.
type Entity struct {
	State      string
	Attributes map[string]any
	Changed    float64 // Unix seconds
}

// A Client is one connection.
type Client struct {
	s         *Server
	conn      *websocket.Conn
	ctx       context.Context
	coalesce  bool
	mu        sync.Mutex // guards the following fields, and keeps sent messages in order
	entities  map[int][]string
	templates map[int]string
	lists     map[int]string
}

// compressed() returns an entity in the format of subscribe_entities, in which the keys have one letter.
func (e Entity) compressed() map[string]any {
	return map[string]any{"s": e.State, "a": e.Attributes, "c": "01HZX0000000000000000000AB", "lc": e.Changed}
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if id, ok := strings.CutPrefix(r.URL.Path, "/api/calendars/"); ok {
		s.calendar(w, r, id)
		return
	}
	if r.URL.Path != "/api/websocket" {
		http.NotFound(w, r)
		return
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return
	}
	defer conn.CloseNow()
	c := &Client{s: s, conn: conn, ctx: r.Context(), entities: map[int][]string{}, templates: map[int]string{}, lists: map[int]string{}}
	c.Send(map[string]any{"type": "auth_required", "ha_version": "2026.8.0"})
	m, ok := c.read()
	if !ok {
		return
	}
	if m["access_token"] != Token {
		c.Send(map[string]any{"type": "auth_invalid", "message": "Invalid access token or password"})
		_ = conn.Close(websocket.StatusNormalClosure, "")
		return
	}
	c.Send(map[string]any{"type": "auth_ok", "ha_version": "2026.8.0"})
	s.add(c)
	defer s.remove(c)
	for {
		m, ok := c.read()
		if !ok {
			return
		}
		s.note(m)
		if s.Before == nil || !s.Before(c, m) {
			c.answer(m)
		}
	}
}

// calendar() answers a request for the events of an entity. It requires valid times for the start and the end, but always sends all
// events.
func (s *Server) calendar(w http.ResponseWriter, r *http.Request, id string) {
	_, from := time.Parse(time.RFC3339, r.URL.Query().Get("start"))
	_, to := time.Parse(time.RFC3339, r.URL.Query().Get("end"))
	events := s.Calendars[id]
	switch {
	case r.Header.Get("Authorization") != "Bearer "+Token:
		w.WriteHeader(http.StatusUnauthorized)
	case events == nil:
		w.WriteHeader(http.StatusNotFound)
	case from != nil || to != nil:
		w.WriteHeader(http.StatusBadRequest)
	default:
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(events)
	}
}

func (s *Server) add(c *Client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.clients == nil {
		s.clients = map[*Client]struct{}{}
	}
	s.clients[c] = struct{}{}
}

func (s *Server) remove(c *Client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.clients, c)
}

func (s *Server) note(m map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, m)
}

// Asked lists the commands of a type that were received.
func (s *Server) Asked(kind string) (list []map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.asked {
		if m["type"] == kind {
			list = append(list, m)
		}
	}
	return list
}

// Clients returns the number of authenticated connections.
func (s *Server) Clients() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.clients)
}

// Drop closes all connections without a WebSocket close message.
func (s *Server) Drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.clients {
		_ = c.conn.CloseNow()
	}
}

// Starting sets whether Home Assistant is still starting.
func (s *Server) Starting(yes bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.starting = yes
}

// Put sets an entity. If the entity is new, Put sends the whole entity to all subscribers. Otherwise it sends only the change, as Home
// Assistant does.
func (s *Server) Put(id, state string, attributes map[string]any) {
	s.mu.Lock()
	if s.states == nil {
		s.states = map[string]Entity{}
	}
	old, known := s.states[id]
	e := Entity{state, attributes, float64(time.Now().UnixMicro()) / 1e6}
	if e.Attributes == nil {
		e.Attributes = map[string]any{}
	}
	s.states[id] = e
	event := map[string]any{"a": map[string]any{id: e.compressed()}}
	if known {
		event = map[string]any{"c": map[string]any{id: difference(old, e)}}
	}
	s.mu.Unlock()
	s.tell(id, event)
	s.Rendered()
}

// difference() returns the changes between two states of an entity.
func difference(old, e Entity) map[string]any {
	plus := map[string]any{"c": "01HZX0000000000000000000AC"}
	if old.State != e.State {
		plus["s"], plus["lc"] = e.State, e.Changed
	} else {
		plus["lu"] = e.Changed
	}
	more, gone := map[string]any{}, []string{}
	for k, v := range e.Attributes {
		if was, ok := old.Attributes[k]; !ok || !reflect.DeepEqual(was, v) {
			more[k] = v
		}
	}
	for k := range old.Attributes {
		if _, ok := e.Attributes[k]; !ok {
			gone = append(gone, k)
		}
	}
	if len(more) > 0 {
		plus["a"] = more
	}
	d := map[string]any{"+": plus}
	if len(gone) > 0 {
		slices.Sort(gone)
		d["-"] = map[string]any{"a": gone}
	}
	return d
}

// Take removes an entity and sends this change to all subscribers.
func (s *Server) Take(id string) {
	s.mu.Lock()
	delete(s.states, id)
	s.mu.Unlock()
	s.tell(id, map[string]any{"r": []any{id}})
}

// tell sends an event to all subscribers of an entity.
func (s *Server) tell(id string, event map[string]any) {
	s.mu.Lock()
	clients := slices.Collect(maps.Keys(s.clients))
	s.mu.Unlock()
	for _, c := range clients {
		c.mu.Lock()
		var to []int
		for sub, ids := range c.entities {
			if len(ids) == 0 || slices.Contains(ids, id) {
				to = append(to, sub)
			}
		}
		c.mu.Unlock()
		for _, sub := range to {
			c.Event(sub, event)
		}
	}
}

// Event sends an event of a subscription. If the client accepts lists of messages, the event is in a list, because the real server sends
// several events in one list.
func (c *Client) Event(id int, event any) {
	m := map[string]any{"id": id, "type": "event", "event": event}
	if c.coalesce {
		c.Send([]any{m})
		return
	}
	c.Send(m)
}

// Send sends a value as JSON.
func (c *Client) Send(v any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	c.SendRaw(data)
}

// SendRaw sends bytes unchanged in a text message.
func (c *Client) SendRaw(data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.conn.Write(c.ctx, websocket.MessageText, data)
}

// Cut closes the connection without a WebSocket close message.
func (c *Client) Cut() { _ = c.conn.CloseNow() }

func (c *Client) read() (m map[string]any, ok bool) {
	_, data, err := c.conn.Read(c.ctx)
	if err != nil || json.Unmarshal(data, &m) != nil {
		return nil, false
	}
	return m, true
}
