package provider

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// report logs that the Run of a provider has failed.
func (m *Manager) report(e *entry, err error, wait time.Duration) {
	log := m.about(e).With("restarts", e.restarts.Load(), "again_in", wait)
	var p *PanicError
	if errors.As(err, &p) {
		log.LogAttrs(context.Background(), slog.LevelError, "provider panicked", slog.Any("panic", p.Value), slog.String("stack", string(p.Stack)))
		return
	}
	log.Warn("provider ended early", "error", err)
}

// tried() stores the value if a write is due. It logs new warnings, the first failure of a source, and its recovery. It does not log
// failures that come from another source, because they are logged for that source. It does not log panics, because report() logs them.
func (m *Manager) tried(e *entry, err error) {
	m.save(e, false)
	m.warn(e)
	switch {
	case err == nil && e.failing.CompareAndSwap(true, false):
		m.about(e).Info("a source works again")
	case own(err) && e.failing.CompareAndSwap(false, true):
		text := "a source fails: there is no value yet"
		if !e.cell.Load().At.IsZero() {
			text = "a source fails: its last value is kept"
		}
		m.about(e).Warn(text, "reason", err.Error())
	}
}

// own() reports whether an error comes from the source itself and is not logged elsewhere.
func own(err error) bool {
	var up *Upstream
	var fell *PanicError
	return err != nil && !errors.As(err, &up) && !errors.As(err, &fell) && !errors.Is(err, errEnded)
}

// about() returns a logger that adds the name of the entry, its widget, its type and its position in the files, as far as they are known.
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

// identify returns the first name of the entry in the running generation, or "" if the entry has no name there. It also returns the entry's
// position.
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

// maxWarned is the maximum number of warnings of a source that are logged.
const maxWarned = 20

// The type warnings holds the warnings of a source that were already logged.
type warnings struct {
	mu   sync.Mutex
	seen map[string]bool
}

// warn logs the warnings about the entry's value that were not logged yet.
func (m *Manager) warn(e *entry) {
	for _, w := range Warnings(e.cell.Load().Value) {
		if e.warned.first(w) {
			m.about(e).Warn("a source gives a doubtful value", "reason", w)
		}
	}
}

// first() reports whether a warning is new, and records it. It returns false after maxWarned different warnings.
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
