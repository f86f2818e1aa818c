package homeassistant

import (
	"strings"
	"testing"

	"dashboard/internal/testing/crowdtest"
)

// The answer to a ping publishes the refused result of a template again, and not only confirms the old result.
func TestRefusedTemplateIsPublishedAgain(t *testing.T) {
	cell, free := crowdtest.Run(t, nil)
	r := &rendering{cell: cell}
	c := &Connection{known: entities{}, told: true, renderings: map[*rendering]struct{}{r: {}}}
	r.take(map[string]any{"result": "a value"}, nil)
	for range 2 {
		crowdtest.Check(t, cell)
		c.confirm()
	}
	free()
	c.confirm()
	if s := cell.Load(); s.Err != nil || s.Value != "a value" {
		t.Errorf("with room: got %v, %v", s.Value, s.Err)
	}
}

// The answer to a ping does not replace the error of a template by a refused result from before the error.
func TestErrorAfterRefusal(t *testing.T) {
	cell, free := crowdtest.Run(t, nil)
	r := &rendering{cell: cell}
	c := &Connection{known: entities{}, told: true, renderings: map[*rendering]struct{}{r: {}}}
	r.take(map[string]any{"result": "a value"}, nil)
	crowdtest.Check(t, cell)
	r.take(map[string]any{"error": "no such filter", "level": "ERROR"}, nil)
	free()
	c.confirm()
	if s := cell.Load(); s.Err == nil || s.Has() {
		t.Errorf("got %v, %v", s.Value, s.Err)
	}
}

// If an entity returns to the state before the refused state, the error ends.
func TestStateBeforeRefusal(t *testing.T) {
	const id = "sensor.door"
	cell, free := crowdtest.Run(t, nil)
	c := &Connection{known: entities{id: {state: "on", attributes: map[string]any{}, changed: 7}}}
	free()
	c.tellLocked(id, cell)
	c.known[id] = &entity{state: "off", attributes: map[string]any{"text": strings.Repeat("y", 200_000)}, changed: 8}
	c.tellLocked(id, cell)
	crowdtest.Check(t, cell)
	c.known[id] = &entity{state: "on", attributes: map[string]any{}, changed: 7}
	c.tellLocked(id, cell)
	if s := cell.Load(); s.Err != nil {
		t.Errorf("got %v", s.Err)
	}
}
