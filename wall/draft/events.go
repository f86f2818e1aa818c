package draft

import (
	"encoding/json"
	"sync"
)

const (
	// maxListeners is the maximum number of open pages that can receive events.
	maxListeners = 32
	// maxWaiting is the maximum number of queued events for one page. Further events are dropped.
	// This loses nothing, because each event makes the page request the whole state.
	maxWaiting = 16
)

type event struct {
	name   string
	fields map[string]any
}

// events sends events about saves and changes of drafts to the open pages.
type events struct {
	mu  sync.Mutex
	all map[chan []byte]bool
}

func (e *events) send(v event) {
	body, err := json.Marshal(v.fields)
	if err != nil {
		return
	}
	text := []byte("event: " + v.name + "\ndata: " + string(body) + "\n\n")
	e.mu.Lock()
	defer e.mu.Unlock()
	for c := range e.all {
		select {
		case c <- text:
		default:
		}
	}
}

// Listen returns a channel of server-sent events. The caller must call `end` to stop the events. `end` does not close the channel. If there
// are too many listeners, Listen returns nil.
func (d *Editor) Listen() (events <-chan []byte, end func()) {
	c := make(chan []byte, maxWaiting)
	e := &d.events
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.all) >= maxListeners {
		return nil, nil
	}
	if e.all == nil {
		e.all = map[chan []byte]bool{}
	}
	e.all[c] = true
	return c, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.all, c)
	}
}
