package provider

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// report tells of a provider that fell over.
func (m *Manager) report(e *entry, err error, wait time.Duration) {
	log := m.about(e).With("restarts", e.restarts.Load(), "again_in", wait)
	var p *PanicError
	if errors.As(err, &p) {
		log.LogAttrs(context.Background(), slog.LevelError, "provider panicked", slog.Any("panic", p.Value), slog.String("stack", string(p.Stack)))
		return
	}
	log.Warn("provider ended early", "error", err)
}

// tried tells of a source that begins to fail or is well again: once each, however often it is tried. One that only passes on
// another's failure is not told of, and one that fell over is told of by report.
func (m *Manager) tried(e *entry, err error) {
	m.save(e, false)
	m.warn(e)
	switch {
	case err == nil && e.failing.CompareAndSwap(true, false):
		m.about(e).Info("a source works again")
	case own(err) && e.failing.CompareAndSwap(false, true):
		m.about(e).Warn("a source fails: its last value is kept", "reason", err.Error())
	}
}

// own reports whether an error is the source's own, and not told of already.
func own(err error) bool {
	var up *Upstream
	var fell *PanicError
	return err != nil && !errors.As(err, &up) && !errors.As(err, &fell) && !errors.Is(err, errEnded)
}

// about is the log with what tells the entry from others: its name, or the widget that it is for, and where that is written.
func (m *Manager) about(e *entry) *slog.Logger {
	name, at := m.identify(e)
	log := m.log
	if name != "" {
		log = log.With("provider", name)
	}
	if at.What != "" {
		log = log.With("widget", at.What)
	}
	if k, ok := e.provider.(Kinder); ok {
		log = log.With("kind", k.Kind())
	}
	if at.At != "" {
		log = log.With("at", at.At)
	}
	return log
}

// identify finds a name of the entry in the running generation, empty if it has none, and where it is written.
func (m *Manager) identify(e *entry) (name string, at Place) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for n, key := range m.current.names {
		if key == e.key && (name == "" || n < name) {
			name = n
		}
	}
	return name, m.current.places[e.key]
}

// maxWarned bounds the warnings of a source that are logged.
const maxWarned = 20

// warnings are the warnings of a source that were logged.
type warnings struct {
	mu   sync.Mutex
	seen map[string]bool
}

// warn logs each warning of a source's value once.
func (m *Manager) warn(e *entry) {
	for _, w := range Warnings(e.cell.Load().Value) {
		if e.warned.first(w) {
			m.about(e).Warn("a source gives a doubtful value", "reason", w)
		}
	}
}

// first reports whether a warning is new, and remembers it.
func (w *warnings) first(text string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.seen[text] || len(w.seen) >= maxWarned {
		return false
	}
	if w.seen == nil {
		w.seen = map[string]bool{}
	}
	w.seen[text] = true
	return true
}
