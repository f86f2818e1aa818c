package provider

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// A Keeper is a provider whose values can be kept for the next start. Its methods are called before Run, or by Run's goroutine.
type Keeper interface {
	Provider
	// Kept returns of what Restore makes the value again; an error if it cannot be kept.
	Kept(value any) ([]byte, error)
	// Restore makes the value that came at a moment of what Kept returned, which may have been changed by others.
	Restore(data []byte, at time.Time) (value any, err error)
}

// A SharedKeeper is a Keeper whose values are published by a goroutine that others' are published by too, and that must not wait
// for a disk. Its methods may be called from any goroutine, after the first Run from several.
type SharedKeeper interface {
	Keeper
	// SharesPublisher does nothing.
	SharesPublisher()
}

// A Store keeps data through restarts. It is a state.Store.
type Store interface {
	Load(kind, key string) ([]byte, bool)
	Save(kind, key string, data []byte) error
}

const (
	// keptKind is what kept samples are called in the store.
	keptKind = "sample"
	// keepEvery is the least time between two samples of a source that are kept while the program runs: cards wear out. The
	// last one is kept when it ends.
	keepEvery = 10 * time.Minute
	// keepSame is that of a value that was only confirmed since.
	keepSame = time.Hour
	// maxSample bounds what is kept of a value, bytes before it is packed: those of large calendars are some megabytes.
	maxSample = 16 << 20
	// sampleHead is how long what stands before the data is: when the value came, Unix ns, and the promised interval, ns.
	sampleHead = 16
)

// Keep has the last values of providers that are Keepers kept in a store. Only before the first Begin.
func (m *Manager) Keep(s Store) { m.store = s }

// A keeping is what is known of the kept sample of an entry.
type keeping struct {
	waits atomic.Bool // for its turn to be kept, of a SharedKeeper

	mu    sync.Mutex // guards what follows
	at    time.Time  // when the value came that is kept
	seq   uint64     // of that
	wrote time.Time  // when it was; zero if this run of the program did not
	told  bool       // that it cannot be
}

// due reports whether a sample is to be kept while the program runs.
func (k *keeping) due(s *Sample, now time.Time) bool {
	pause := keepEvery
	if s.Seq == k.seq {
		pause = keepSame
	}
	return k.wrote.IsZero() || now.Sub(k.wrote).Abs() >= pause
}

// restore puts the kept sample into the entry's cell, if there is one. Whoever asks for the value sees how old it is.
func (m *Manager) restore(e *entry) {
	k, ok := e.provider.(Keeper)
	if !ok || m.store == nil {
		return
	}
	data, ok := m.store.Load(keptKind, e.key)
	if !ok {
		return
	}
	if err := e.restore(k, data); err != nil {
		m.log.Warn("cannot read a kept value; waiting for the next answer", "reason", err)
	}
}

// restore reads a kept sample. A panic is its error: the files may be anybody's.
func (e *entry) restore(k Keeper, packed []byte) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v}
		}
	}()
	data, err := unpack(packed)
	if err != nil {
		return err
	}
	at := time.Unix(0, int64(binary.LittleEndian.Uint64(data)))
	v, err := k.Restore(data[sampleHead:], at)
	if err != nil {
		return err
	}
	e.kept.at = at
	e.cell.change(func(s *Sample) {
		s.Value, s.At, s.Interval = v, at, max(0, time.Duration(binary.LittleEndian.Uint64(data[8:])))
		s.Seq++
	})
	return nil
}

// save keeps the entry's value if it is newer than what is kept; while the program runs not too often.
func (m *Manager) save(e *entry, last bool) {
	k, ok := e.provider.(Keeper)
	if !ok || m.store == nil {
		return
	}
	if _, shared := k.(SharedKeeper); shared && !last {
		m.saveLater(e)
		return
	}
	m.saveNow(e, k, last)
}

// saveLater is save from another goroutine. Of all entries one is kept at a time.
func (m *Manager) saveLater(e *entry) {
	if !e.kept.mu.TryLock() { // it is being kept
		return
	}
	due := e.kept.due(e.cell.Load(), time.Now())
	e.kept.mu.Unlock()
	if !due || !e.kept.waits.CompareAndSwap(false, true) {
		return
	}
	m.wg.Go(func() { // which Close waits for: the entry's own goroutine still runs
		m.turn <- struct{}{}
		defer func() { <-m.turn }()
		e.kept.waits.Store(false)
		m.saveNow(e, e.provider.(Keeper), false)
	})
}

func (m *Manager) saveNow(e *entry, k Keeper, last bool) {
	e.kept.mu.Lock()
	defer e.kept.mu.Unlock()
	s, now := e.cell.Load(), time.Now()
	if !s.Has() || s.At.Equal(e.kept.at) || !last && !e.kept.due(s, now) {
		return
	}
	data, err := k.Kept(s.Value)
	if err == nil {
		err = m.write(e.key, s, data)
	}
	e.kept.wrote = now // a failed attempt also waits for its turn, because a full disk stays full
	if err == nil {
		e.kept.at, e.kept.seq, e.kept.told = s.At, s.Seq, false
		return
	}
	if !e.kept.told {
		e.kept.told = true
		m.about(e).Warn("cannot keep the value for the next start; trying again later", "reason", err)
	}
}

// write keeps one value.
func (m *Manager) write(key string, s *Sample, data []byte) error {
	if len(data) > maxSample {
		return fmt.Errorf("the value has %d bytes, more than %d", len(data), maxSample)
	}
	var head [sampleHead]byte
	binary.LittleEndian.PutUint64(head[:], uint64(s.At.UnixNano()))
	binary.LittleEndian.PutUint64(head[8:], uint64(s.Interval))
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed) // which fails for other levels
	for _, part := range [][]byte{head[:], data} {
		if _, err := z.Write(part); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return m.store.Save(keptKind, key, out.Bytes())
}

var errKept = errors.New("a kept value is damaged")

// unpack returns what stands before the data, and the data.
func unpack(packed []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errKept, err)
	}
	data, err := io.ReadAll(io.LimitReader(z, maxSample+sampleHead+1))
	if err != nil || len(data) < sampleHead || len(data) > maxSample+sampleHead {
		return nil, errors.Join(errKept, err)
	}
	return data, nil
}
