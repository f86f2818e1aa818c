//go:build linux

package main

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A listener is a connection to /events. To use little processor time, a listener sends a minimal request and does not parse HTTP.
type listener struct {
	conn net.Conn
	seen chan event // closed when the connection ends
}

// An event holds the time when a frame was published, and the time when its event was read.
type event struct{ published, read time.Time }

// Bounds of listeners. The service may announce several frames with one event, so the number of events is not the number of frames. After
// a notification's first event, further events may follow within settleTime, which is a little longer than three frames.
const (
	eventTime  = 5 * time.Second
	settleTime = 60 * time.Millisecond
	unread     = 16
)

// listen opens /events, and reads the event of the present frame.
func (s *service) listen() (*listener, error) {
	host := strings.TrimPrefix(s.url, "http://")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(conn, "GET /events HTTP/1.1\r\nHost: %s\r\nA-IM: tiles\r\n\r\n", host); err != nil {
		return nil, err
	}
	return hear(conn)
}

// hear() starts reading from a connection, and waits for the first event.
func hear(conn net.Conn) (*listener, error) {
	l := &listener{conn, make(chan event, unread)}
	go l.read()
	_, err := l.next()
	return l, err
}

// read sends each event to l.seen, until the connection ends.
func (l *listener) read() {
	defer close(l.seen)
	r := bufio.NewReaderSize(l.conn, 1<<10)
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return
		}
		data, ok := strings.CutPrefix(string(line), "data: ")
		if !ok {
			continue
		}
		now := time.Now()
		_, at, _ := strings.Cut(data, `"published_at": `)
		seconds, err := strconv.ParseFloat(strings.TrimRight(at, "}\n"), 64)
		if err != nil {
			return
		}
		l.seen <- event{time.UnixMicro(int64(math.Round(seconds * 1e6))), now}
	}
}

// next() waits for the next event.
func (l *listener) next() (event, error) {
	select {
	case e, open := <-l.seen:
		if open {
			return e, nil
		}
		return e, errors.New("/events ended")
	case <-time.After(eventTime):
		return event{}, errors.New("no event")
	}
}

// latest() waits for an event. If several have arrived, it returns the newest event.
func (l *listener) latest() (event, error) {
	e, err := l.next()
	for err == nil && len(l.seen) > 0 {
		e, err = l.next()
	}
	return e, err
}

// settle waits for settleTime and drops the events that have arrived since: the further events of a notification.
func settle(all ...*listener) {
	time.Sleep(settleTime)
	for _, l := range all {
		for len(l.seen) > 0 {
			<-l.seen
		}
	}
}

// noteCount is the number of notifications for row 12 of docs/benchmarks.md.
const noteCount = 1000

// Bounds of row 12 of docs/benchmarks.md.
const (
	mostNote    = 25 * time.Millisecond
	percent99   = 0.99
	percentHalf = 0.5
)

// notifications() measures row 12: the time from a notification to its event.
func notifications(l *lab) error {
	s, err := l.launch(wallWidgets)
	if err != nil {
		return err
	}
	defer s.stop()
	took, err := s.noted(noteCount)
	if err != nil {
		return err
	}
	l.table.percentiles(12, fmt.Sprintf("POST /notify to its event at fps-limit %d", fpsLimit), took, mostNote)
	return nil
}

// noted() sends n notifications. Before it sends a notification, it waits until the previous notification has disappeared. It returns for
// each notification how long it took until its event arrived.
func (s *service) noted(n int) ([]time.Duration, error) {
	l, err := s.listen()
	if err != nil {
		return nil, err
	}
	defer l.conn.Close()
	var took []time.Duration
	for i := range n {
		start := time.Now()
		if err := s.note(fmt.Sprintf("12:34:%02d", i%50), oneFrame); err != nil {
			return nil, err
		}
		e, err := l.next()
		if err != nil {
			return nil, fmt.Errorf("notification %d: %w", i, err)
		}
		took = append(took, e.read.Sub(start))
		settle(l)
	}
	return took, nil
}

func quantile(d []time.Duration, q float64) time.Duration {
	d = slices.Sorted(slices.Values(d))
	return d[int(q*float64(len(d)-1))]
}

// percentiles() adds two lines about durations: the 99th percentile, which must not exceed `most`, and the median.
func (t *table) percentiles(number int, what string, took []time.Duration, most time.Duration) {
	t.limit(number, fmt.Sprintf("%s, p99 of %d", what, len(took)), "%.1f ms", milliseconds(quantile(took, percent99)), milliseconds(most))
	t.figure(number, what+", median", "%.1f ms", milliseconds(quantile(took, percentHalf)))
}

func milliseconds(d time.Duration) float64 { return float64(d) / 1e6 }

// Row 17: as many listeners as the service accepts. The memory of the service without listeners is not counted,
// because the service needs it in any case.
const (
	mostListeners  = 5000
	listenersFirst = 200
	mostIdle       = 10 << 10 // in bytes
	mostLate       = 20 * time.Millisecond
	listenersTurns = 40
)

// listeners() measures row 17: the memory for listeners, and how soon the last listener gets an event.
func listeners(l *lab) error {
	s, err := l.launch(wallWidgets, "GOMAXPROCS=1")
	if err != nil {
		return err
	}
	defer s.stop()
	var all []*listener
	defer func() { closeAll(all) }()
	for len(all) < listenersFirst {
		if all, err = s.join(all); err != nil {
			return err
		}
	}
	before, err := s.resident()
	for len(all) < mostListeners && err == nil {
		all, err = s.join(all)
	}
	if err != nil {
		return err
	}
	after, err := s.resident()
	if err != nil {
		return err
	}
	l.table.limit(17, fmt.Sprintf("resident memory of an idle listener, mean of %d", mostListeners-listenersFirst), "%.0f B", (after-before)/(mostListeners-listenersFirst), mostIdle)
	took, err := tellAll(all, func() error { return s.note("12:34", oneFrame) })
	if err != nil {
		return err
	}
	closeAll(all) // close the connections before the peer runs
	l.late(took)
	return nil
}

// late() adds the lines about the time until the last listener has the event. The peer is a program that only writes to sockets in a loop.
func (l *lab) late(took []time.Duration) {
	least, median := milliseconds(slices.Min(took)), milliseconds(quantile(took, percentHalf))
	l.table.limit(17, fmt.Sprintf("published until the last of %d, on the same machine, has the event: least of %d", mostListeners, len(took)), "%.1f ms", least, milliseconds(mostLate))
	bare, err := l.bareWrites()
	if err != nil {
		l.table.figure(17, "the same, median", "%.1f ms", median)
		l.table.remark(17, "write(2) in a loop: "+err.Error())
		return
	}
	beside := func(what string, ours, peer float64) {
		l.table.add(line{number: 17, what: what, ours: fmt.Sprintf("%.1f ms", ours), peer: fmt.Sprintf("write(2) in a loop %.1f ms", peer), ratio: fmt.Sprintf("%.2fx", ours/peer)})
	}
	beside("the same", least, milliseconds(slices.Min(bare)))
	beside("the same, median", median, milliseconds(quantile(bare, percentHalf)))
}

func closeAll(all []*listener) {
	for _, one := range all {
		one.conn.Close()
	}
}

func (s *service) join(all []*listener) ([]*listener, error) {
	one, err := s.listen()
	if err != nil {
		return all, fmt.Errorf("listener %d: %w", len(all), err)
	}
	return append(all, one), nil
}

// tellAll calls `publish` several times. It returns for each call how long it took until all listeners had the event.
func tellAll(all []*listener, publish func() error) ([]time.Duration, error) {
	var took []time.Duration
	for range listenersTurns {
		if err := publish(); err != nil {
			return nil, err
		}
		d, err := lastOf(all)
		if err != nil {
			return nil, err
		}
		took = append(took, d)
		settle(all...)
	}
	return took, nil
}

// lastOf waits until every listener has an event. It returns the time from the publication to the last listener's event.
func lastOf(all []*listener) (late time.Duration, err error) {
	for _, one := range all {
		e, err := one.next()
		if err != nil {
			return 0, err
		}
		late = max(late, e.read.Sub(e.published))
	}
	return late, nil
}
