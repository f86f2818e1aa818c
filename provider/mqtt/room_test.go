package mqtt

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"dashboard/internal/budget"
	"dashboard/provider"
)

// Messages that exactly fill the available room are kept. With one byte more, a message is dropped.
func TestRoom(t *testing.T) {
	for more, full := range map[int]bool{0: false, 1: true} {
		h := &held{wild: true, at: map[string]*arrived{}, more: make(chan struct{}, 1)}
		const size = maxHeld / 32
		for i := range 32 {
			m := Message{Topic: fmt.Sprintf("%04d", i), Payload: make([]byte, size-4)}
			if i == 31 {
				m.Payload = make([]byte, size-4+more)
			}
			for k := range m.Payload {
				m.Payload[k] = '1'
			}
			h.take(t.Context(), m)
		}
		if h.err != nil || h.full != full || (len(h.at) == 32) == full {
			t.Errorf("%d bytes too many: full %v, %d of 32 kept, %v", more, h.full, len(h.at), h.err)
		}
	}
}

// The decoded values of the test's messages need fifty times as much memory as the messages. The memory for decoded values is limited,
// and dropped messages are reported.
func TestRoomOfValues(t *testing.T) {
	h := (&Provider{params: Params{Topic: "#"}}).held()
	payload := []byte("[" + strings.Repeat(`{"":0},`, 4096/7) + "0]")
	for i := range MaxTopics {
		h.take(t.Context(), Message{Topic: fmt.Sprint(i), Payload: payload})
	}
	total := int64(0)
	for _, a := range h.at {
		total += provider.SizeOf(a.value)
	}
	if total > maxDecoded || len(h.at) == 0 || !h.full {
		t.Errorf("%d topics with %d MiB are held (full: %v), of at most %d", len(h.at), total>>20, h.full, maxDecoded>>20)
	}
	for i := range MaxTopics {
		h.take(t.Context(), Message{Topic: fmt.Sprint(i)})
	}
	if h.size != 0 || h.bytes != 0 {
		t.Errorf("%d and %d bytes are counted without a message", h.size, h.bytes)
	}
}

// If the process has no memory for the values, the values are dropped, and the error wraps budget.ErrTooLarge.
func TestNoRoomForValues(t *testing.T) {
	memory := &budget.Memory{Jobs: budget.NewBudget(budget.MaxJobs), Bodies: budget.NewBudget(1), Kept: budget.NewLedger(10_000)}
	m := provider.NewManager(memory, func() {}, slog.New(slog.DiscardHandler))
	defer m.Close()
	set := m.Begin()
	cell := set.Add("x", idle{})
	m.Commit(set)
	h := (&Provider{params: Params{Topic: "#"}}).held()
	h.take(t.Context(), Message{Topic: "a", Payload: make([]byte, 20_000)})
	h.tell(cell, time.Now())
	if err := cell.Load().Err; !errors.Is(err, budget.ErrTooLarge) || h.size != 0 {
		t.Errorf("got %v, and %d bytes are held", err, h.size)
	}
}

// The type idle is a provider that publishes nothing.
type idle struct{}

func (idle) Run(ctx context.Context, _ *provider.Cell) error { <-ctx.Done(); return nil }
