package homeassistanttest

import (
	"maps"
	"slices"
)

// result() renders a template.
func (s *Server) result(template string) (any, error) {
	if s.Render == nil {
		return template, nil
	}
	return s.Render(template)
}

// render answers the command render_template. If the template cannot be parsed, render refuses the command. Otherwise it accepts the
// command and sends the result as an event.
func (c *Client) render(id int, m map[string]any) {
	text, _ := m["template"].(string)
	if _, err := c.s.result(text); err != nil {
		c.Refuse(id, "template_error", err.Error())
		return
	}
	c.Result(id, nil)
	c.mu.Lock()
	c.templates[id] = text
	c.mu.Unlock()
	c.rendered(id, text)
}

// rendered() sends the current result of a template. If the template fails, it sends the error, as the real server does for a client that
// has set report_errors.
func (c *Client) rendered(id int, text string) {
	v, err := c.s.result(text)
	if err != nil {
		c.Event(id, map[string]any{"error": err.Error(), "level": "ERROR"})
		return
	}
	c.Event(id, map[string]any{"result": v, "listeners": map[string]any{"all": false, "entities": []any{}, "domains": []any{}, "time": false}})
}

// Rendered sends the current results of all templates, as Home Assistant does after a change of an entity.
func (s *Server) Rendered() {
	s.mu.Lock()
	clients := slices.Collect(maps.Keys(s.clients))
	s.mu.Unlock()
	for _, c := range clients {
		c.mu.Lock()
		all := maps.Clone(c.templates)
		c.mu.Unlock()
		for id, text := range all {
			c.rendered(id, text)
		}
	}
}
