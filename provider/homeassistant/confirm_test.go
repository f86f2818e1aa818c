package homeassistant

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"dashboard/internal/budget"
	"dashboard/provider"
)

// If Home Assistant repeats a value, only the time of the value changes, and nothing is drawn.
func TestToldAgain(t *testing.T) {
	c := &Connection{known: entities{"light.hall": {state: "on", attributes: map[string]any{"brightness": 1.0}, changed: 7}}}
	cell := provider.NewCell(nil)
	c.tellLocked("light.hall", cell)
	first := cell.Load()
	time.Sleep(time.Millisecond) // because the clock of some machines has a low resolution
	c.tellLocked("light.hall", cell)
	if again := cell.Load(); !first.Has() || again.Seq != first.Seq || !again.At.After(first.At) {
		t.Errorf("got %+v after %+v, want the same value, younger", again, first)
	}
	c.known["light.hall"].state = "off"
	if c.tellLocked("light.hall", cell); cell.Load().Seq == first.Seq {
		t.Error("a change is not told")
	}
}

// An idle provider publishes nothing.
type idle struct{}

// Run implements provider.Provider.
func (idle) Run(ctx context.Context, _ *provider.Cell) error { <-ctx.Done(); return nil }

// If a value does not fit into the memory, the answer to a ping does not confirm the old value. The new value is published as soon as there
// is room.
func TestRefusedValueIsNotConfirmed(t *testing.T) {
	memory := &budget.Memory{Jobs: budget.NewBudget(1), Bodies: budget.NewBudget(1), Kept: budget.NewLedger(10_000)}
	m := provider.NewManager(memory, func() {}, slog.New(slog.DiscardHandler))
	defer m.Close()
	set := m.Begin()
	other, cell, whole := set.Add("other", idle{}), set.Add("cell", idle{}), set.Add("whole", idle{})
	m.Commit(set)
	other.Publish(strings.Repeat("x", 9900), time.Now())
	const id = "sensor.door"
	c := &Connection{
		known: entities{id: {state: "on", attributes: map[string]any{"text": strings.Repeat("y", 1000)}, changed: 7}}, told: true, stale: true,
		follows: map[string]map[*provider.Cell]struct{}{id: {cell: {}}}, wholes: map[*provider.Cell]wholeOf{whole: nil},
	}
	c.tellLocked(id, cell)
	c.tellWholes()
	for range 2 {
		for _, one := range []*provider.Cell{cell, whole} {
			if s := one.Load(); s.Has() || !errors.Is(s.Err, budget.ErrTooLarge) {
				t.Errorf("without room: got %v, %v", s.Has(), s.Err)
			}
		}
		c.confirm()
		c.tellWholes()
	}
	other.Publish("", time.Now())
	c.confirm()
	c.tellWholes()
	for _, one := range []*provider.Cell{cell, whole} {
		if s := one.Load(); s.Err != nil || !s.Has() {
			t.Errorf("with room: got %v, %v", s.Has(), s.Err)
		}
	}
}

// The mappings of all entities are published only after a change, and only while all requested entities are known and the connection works.
func TestWholeNeedsAChange(t *testing.T) {
	const id = "sensor.door"
	for name, tt := range map[string]struct {
		stale, told bool
		err         error
		want        bool
	}{
		"after a change":         {true, true, nil, true},
		"no change":              {false, true, nil, false},
		"entities are missing":   {true, false, nil, false},
		"without the connection": {true, true, errors.New("no route to host"), false},
	} {
		cell, whole := provider.NewCell(nil), provider.NewCell(nil)
		c := &Connection{
			known: entities{id: {state: "on", changed: 7}}, told: tt.told, stale: tt.stale, err: tt.err,
			follows: map[string]map[*provider.Cell]struct{}{id: {cell: {}}}, wholes: map[*provider.Cell]wholeOf{whole: nil},
		}
		if c.tellWholes(); whole.Load().Has() != tt.want {
			t.Errorf("%s: published %v, want %v", name, whole.Load().Has(), tt.want)
		}
	}
}
