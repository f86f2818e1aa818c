package homeassistanttest

// Result answers a command.
func (c *Client) Result(id int, result any) {
	c.Send(map[string]any{"id": id, "type": "result", "success": true, "result": result})
}

// Refuse answers a command with an error.
func (c *Client) Refuse(id int, code, message string) {
	c.Send(map[string]any{"id": id, "type": "result", "success": false, "error": map[string]any{"code": code, "message": message}})
}

// answer() carries out a command.
func (c *Client) answer(m map[string]any) {
	number, _ := m["id"].(float64)
	id := int(number)
	switch m["type"] {
	case "supported_features":
		features, _ := m["features"].(map[string]any)
		c.coalesce = features["coalesce_messages"] == float64(1)
		c.Result(id, nil)
	case "ping":
		c.Send(map[string]any{"id": id, "type": "pong"})
	case "get_config":
		c.Result(id, map[string]any{
			"location_name": "Home", "time_zone": "Europe/London", "language": "en", "state": c.s.state(),
			"unit_system": map[string]any{"temperature": "°C"}, "version": "2026.8.0", "components": []any{},
		})
	case "subscribe_entities":
		c.subscribe(id, m)
	case "unsubscribe_events":
		c.unsubscribe(id, m)
	case "todo/item/list":
		c.list(id, m)
	case "todo/item/subscribe":
		c.follow(id, m)
	case "call_service":
		if m["domain"] == "todo" {
			c.todo(id, m)
			return
		}
		c.Result(id, map[string]any{"context": map[string]any{"id": "01HZX0000000000000000000AD", "parent_id": nil, "user_id": "u"}, "response": nil})
	case "render_template":
		c.render(id, m)
	case "history/history_during_period":
		c.Result(id, c.s.history(m))
	case "weather/subscribe_forecast":
		kind, _ := m["forecast_type"].(string)
		c.Result(id, nil)
		c.Event(id, map[string]any{"type": kind, "forecast": c.s.Forecast[kind]})
	default:
		c.Refuse(id, "unknown_command", "Unknown command.")
	}
}

// state() returns the value of the field `state` in the response to get_config.
func (s *Server) state() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.starting {
		return "STARTING"
	}
	return "RUNNING"
}

// subscribe sends all requested entities, and their changes from then on.
func (c *Client) subscribe(id int, m map[string]any) {
	ids := []string{}
	list, _ := m["entity_ids"].([]any)
	for _, v := range list {
		if s, ok := v.(string); ok {
			ids = append(ids, s)
		}
	}
	c.Result(id, nil)
	all := map[string]any{}
	c.s.mu.Lock()
	for name, e := range c.s.states {
		if len(ids) == 0 || contains(ids, name) {
			all[name] = e.compressed()
		}
	}
	c.mu.Lock()
	c.entities[id] = ids
	c.mu.Unlock()
	c.s.mu.Unlock()
	c.Event(id, map[string]any{"a": all})
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func (c *Client) unsubscribe(id int, m map[string]any) {
	sub, _ := m["subscription"].(float64)
	c.mu.Lock()
	delete(c.entities, int(sub))
	delete(c.templates, int(sub))
	delete(c.lists, int(sub))
	c.mu.Unlock()
	c.Result(id, nil)
}

// history() returns the history of the requested entities.
func (s *Server) history(m map[string]any) map[string]any {
	out := map[string]any{}
	list, _ := m["entity_ids"].([]any)
	for _, v := range list {
		if id, ok := v.(string); ok && s.History[id] != nil {
			out[id] = s.History[id]
		}
	}
	return out
}

// Carry carries out a command without calling the server's Before.
func (c *Client) Carry(m map[string]any) { c.answer(m) }
