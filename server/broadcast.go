package server

import (
	"net"
	"sync"
	"time"

	"dashboard/netstream"

	"github.com/VictoriaMetrics/metrics"
)

// A broadcaster sends the event of every frame to all lines, which are the connections of /events. It uses one goroutine, writes as much
// as each socket accepts, and never blocks. A line needs 1.4 kB of heap. With the goroutine and the buffers of net/http, a line would
// need 25 kB. With a goroutine of its own, it would need 5 kB.
//
// There is no queue of events. If the socket of a slow line is full, events are skipped. When the socket accepts data again, the line
// gets the newest event.
type broadcaster struct {
	stream *netstream.Stream
	hub    *hub
	last   *eventCache
	gone   func(*subscriber) // called when a line has ended
	lost   *metrics.Counter
	coming int // number of expected lines. The field mu of the type broadcasters guards it

	mu      sync.Mutex      // guards the fields below and the lines. It is held during a round
	light   netstream.Light // light of the screen
	lit     *event
	sound   *event  // newest sound of a notification, or nil before the first sound
	lines   []*line // lines in the order of their arrival, which is also the order of their sockets in memory
	running bool
	more    chan struct{} // capacity 1; receives a value after a new line or a new sound
	rhythm  rhythm
}

// A line is a connection of /events that was taken over from net/http. If the caller supports it, the line uses the chunked coding of RFC
// 9112 section 7.1.
type line struct {
	subscriber *subscriber
	conn       net.Conn
	out        eagerWriter
	chunked    bool
	dark       bool // state of the wall's screen that was sent last: true if it is off
	light      netstream.Light
	sounds     bool // true if the caller has requested sounds
	// The line must not send this sound or an older sound. The sound was already sent, or the caller did not request sounds, or the sound
	// is older than the response's header.
	heard  *event
	calm   bool      // true for a calm line, see calmFor
	owed   time.Time // for a calm line, the arrival time of the oldest frame that was not sent yet. Otherwise zero
	said   time.Time // time of the last frame sent
	told   *event    // newest event of which at least a part was sent
	rest   []byte    // bytes that are not sent yet. They must not be changed
	behind *event    // newest event. It waits until the bytes in `rest` are sent
	at     time.Time // last time at which a byte was written
}

// body returns the text of an event, as a chunk if the line uses chunks.
func (l *line) body(n *event) []byte {
	if l.chunked {
		return n.chunk
	}
	return n.text
}

// add adds a line. For the first line it starts the broadcaster's goroutine.
func (d *broadcaster) add(l *line) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, l)
	if l.calm {
		d.stream.Wholes(1)
	}
	if !d.running {
		d.running = true
		go d.run()
	}
	d.look()
}

// look makes the goroutine check the lines.
func (d *broadcaster) look() {
	select {
	case d.more <- struct{}{}:
	default:
	}
}

// play sends a sound to the lines whose callers have requested sounds. If a second sound follows before the first sound is sent, only the
// second sound is sent.
func (d *broadcaster) play(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sound = ofSound(name)
	d.look()
}

// run serves the lines until there are no more lines.
func (d *broadcaster) run() {
	sub := d.stream.Subscribe()
	defer sub.Close()
	timer := time.NewTimer(pingEvery)
	defer timer.Stop()
	for d.round(time.Now(), timer) {
		select {
		case <-d.hub.life.Done():
			d.dismiss()
		case _, open := <-sub.C():
			if !open {
				d.dismiss()
			}
		case <-d.more:
		case <-timer.C:
		}
	}
}

// round updates every line. It sets `timer` to the next time at which a line must be checked. If there are no lines, it returns false,
// and the goroutine ends.
func (d *broadcaster) round(now time.Time, timer *time.Timer) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	latest, dark := d.latest(), d.stream.IsDark()
	if l := d.stream.Light(); l != d.light {
		d.light, d.lit = l, ofLight(l)
	}
	d.rhythm.note(latest, now)
	wait, kept := pingEvery, d.lines[:0]
	for _, l := range d.lines {
		again, err := d.update(l, latest, dark, now)
		if err != nil {
			d.end(l)
			continue
		}
		kept = append(kept, l)
		wait = min(wait, again)
	}
	d.keep(kept)
	timer.Reset(wait)
	d.running = len(d.lines) > 0
	return d.running
}

// latest() returns the event of the current frame, or nil before the first frame.
func (d *broadcaster) latest() *event {
	p, ok := d.stream.Current()
	if !ok {
		return nil
	}
	return d.last.of(p)
}

// update sends new events to a line. `again` is the time until the next check of the line.
func (d *broadcaster) update(l *line, latest *event, dark bool, now time.Time) (again time.Duration, err error) {
	if len(l.rest) > 0 {
		if err := l.write(l.rest, now); err != nil {
			return 0, err
		}
	}
	if err := d.besides(l, dark, now); err != nil {
		return 0, err
	}
	fresh := latest != l.told && latest != nil
	if wait := d.rhythm.hold(l, fresh, now); wait > 0 && len(l.rest) == 0 {
		return wait, nil
	}
	switch {
	case len(l.rest) > 0:
		d.fallBehind(l, latest, fresh)
		if now.Sub(l.at) >= writeGrace {
			return 0, errSlow
		}
		return retryEvery, nil
	case fresh:
		l.told, l.behind, l.owed, l.said = latest, nil, time.Time{}, now
		err = l.write(l.body(latest), now)
	case now.Sub(l.at) >= pingEvery:
		err = l.write(l.body(ping), now)
	}
	if len(l.rest) > 0 {
		return retryEvery, err
	}
	return pingEvery - now.Sub(l.at), err
}

// besides() sends the events that do not belong to a frame: whether the screen is off or on, the light of the screen, or a sound.
func (d *broadcaster) besides(l *line, dark bool, now time.Time) error {
	if dark != l.dark && len(l.rest) == 0 {
		l.dark = dark
		if err := l.write(l.body(ofScreen(dark)), now); err != nil {
			return err
		}
	}
	if d.light != l.light && len(l.rest) == 0 {
		l.light = d.light
		if err := l.write(l.body(d.lit), now); err != nil {
			return err
		}
	}
	if d.sound != nil && d.sound != l.heard && len(l.rest) == 0 {
		if l.heard = d.sound; l.sounds {
			return l.write(l.body(d.sound), now)
		}
	}
	return nil
}

// fallBehind stores the newest event for a line whose socket is full. If another event was waiting, the newest event replaces it, and the
// replaced event counts as lost.
func (d *broadcaster) fallBehind(l *line, latest *event, fresh bool) {
	if !fresh || l.behind == latest {
		return
	}
	if l.behind != nil {
		d.lost.Inc()
	}
	l.behind = latest
}

// write writes as much as the socket accepts, and stores the rest in l.rest.
func (l *line) write(p []byte, now time.Time) error {
	n, err := l.out.try(p)
	if n > 0 {
		l.at = now
	}
	l.rest = p[n:]
	return err
}

// dismiss() ends every stream. On a line with chunks, it first sends the last chunk, unless an event is only partly sent.
func (d *broadcaster) dismiss() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, l := range d.lines {
		if len(l.rest) == 0 && l.chunked {
			_, _ = l.out.try(lastChunk)
		}
		d.end(l)
	}
	d.keep(nil)
}

// keep() replaces d.lines by the slice `kept`. This slice must begin at the same element of the same array as d.lines.
func (d *broadcaster) keep(kept []*line) {
	clear(d.lines[len(kept):])
	d.lines = kept
}

// end closes a line. The caller removes the line from d.lines.
func (d *broadcaster) end(l *line) {
	_ = l.conn.Close()
	if l.calm {
		d.stream.Wholes(-1)
	}
	d.gone(l.subscriber)
}
