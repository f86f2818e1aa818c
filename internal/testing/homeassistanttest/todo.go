package homeassistanttest

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// An Item is an item of a to-do list.
type Item struct {
	UID     string `json:"uid"`
	Summary string `json:"summary"`
	Status  string `json:"status"`        // needs_action or completed
	Due     string `json:"due,omitempty"` // a date
	// Weekly items move to the next week when they are completed. Some integrations do this.
	Weekly bool `json:"-"`
}

// SetList sets the items and the state of a list, and sends them to the subscribers.
func (s *Server) SetList(entity string, items ...Item) {
	s.ChangeList(entity, func([]Item) []Item { return items })
}

// ChangeList changes the items of a list, as another client of the server would do.
func (s *Server) ChangeList(entity string, change func([]Item) []Item) {
	s.mu.Lock()
	if s.todo == nil {
		s.todo = map[string][]Item{}
	}
	s.todo[entity] = change(slices.Clone(s.todo[entity]))
	open := 0
	for _, i := range s.todo[entity] {
		if i.Status != "completed" {
			open++
		}
	}
	s.mu.Unlock()
	s.Put(entity, fmt.Sprint(open), nil)
	s.tellList(entity)
}

// List returns the items of a list.
func (s *Server) List(entity string) []Item {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Item{}, s.todo[entity]...)
}

// tellList sends the items of a list to its subscribers.
func (s *Server) tellList(entity string) {
	s.mu.Lock()
	clients := slices.Collect(maps.Keys(s.clients))
	s.mu.Unlock()
	for _, c := range clients {
		c.mu.Lock()
		all := maps.Clone(c.lists)
		c.mu.Unlock()
		for id, of := range all {
			if of == entity {
				c.Event(id, map[string]any{"items": s.List(entity)})
			}
		}
	}
}

// knows() reports whether the server has a to-do list with the given entity ID.
func (s *Server) knows(entity string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.todo[entity] != nil
}

// list() answers todo/item/list.
func (c *Client) list(id int, m map[string]any) {
	entity, _ := m["entity_id"].(string)
	if !c.s.knows(entity) {
		c.Refuse(id, "not_found", "Entity not found")
		return
	}
	c.Result(id, map[string]any{"items": c.s.List(entity)})
}

// follow answers todo/item/subscribe.
func (c *Client) follow(id int, m map[string]any) {
	entity, _ := m["entity_id"].(string)
	if !c.s.knows(entity) {
		c.Refuse(id, "invalid_entity_id", "To-do list entity not found: "+entity)
		return
	}
	c.mu.Lock()
	c.lists[id] = entity
	c.mu.Unlock()
	c.Result(id, nil)
	c.Event(id, map[string]any{"items": c.s.List(entity)})
}

// todo() answers a call of a to-do service, such as add_item. If the list is unavailable, it ignores the call and reports success, as the
// real server does.
func (c *Client) todo(id int, m map[string]any) {
	target, _ := m["target"].(map[string]any)
	entity, _ := target["entity_id"].(string)
	data, _ := m["service_data"].(map[string]any)
	item, _ := data["item"].(string)
	c.s.mu.Lock()
	e, there := c.s.states[entity]
	c.s.mu.Unlock()
	found := true
	if there && e.State != "unavailable" {
		c.s.ChangeList(entity, func(all []Item) []Item {
			if m["service"] == "add_item" {
				c.s.added++
				return append(all, Item{UID: fmt.Sprint("added-", c.s.added), Summary: item, Status: "needs_action"})
			}
			i := slices.IndexFunc(all, func(i Item) bool { return i.UID == item || i.Summary == item })
			if found = i >= 0; found {
				status, _ := data["status"].(string)
				all[i].set(status)
			}
			return all
		})
	}
	if !found {
		c.Refuse(id, "service_validation_error", "Unable to find to-do list item: "+item)
		return
	}
	c.Result(id, map[string]any{"context": map[string]any{"id": "01HZX0000000000000000000AD"}, "response": nil})
}

// set changes the status of an item.
func (i *Item) set(status string) {
	if due, err := time.Parse(time.DateOnly, i.Due); err == nil && i.Weekly && status == "completed" {
		i.Due = due.AddDate(0, 0, 7).Format(time.DateOnly)
		return
	}
	i.Status = status
}
