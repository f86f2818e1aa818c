package mqtt

import (
	"fmt"
	"testing"
)

// Messages of exactly all the room there is are kept; a byte more is left out.
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
