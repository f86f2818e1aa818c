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

// A Keeper is a provider whose values can be saved for the next start. Its methods are called before Run, or by Run's goroutine.
type Keeper interface {
	Provider
	// Kept returns the saved form of a value, for Restore. It returns an error if the value cannot be saved.
	Kept(value any) ([]byte, error)
	// Restore returns the value of a saved form, which may be damaged. The value arrived at the given time.
	Restore(data []byte, at time.Time) (value any, err error)
}

// A SharedKeeper is a Keeper whose values are published by a shared goroutine that must not wait for a disk. Its methods may be
// called from any goroutine, and after the first Run from several at once.
type SharedKeeper interface {
	Keeper
	// SharesPublisher does nothing.
	SharesPublisher()
}

// A StableKeeper is a Keeper whose saved form rarely changes, although its values do. The form is saved again only if its identity
// changed, because memory cards wear out.
type StableKeeper interface {
	Keeper
	// KeptID identifies the saved form.
	KeptID() string
}

// A Store keeps data through restarts, such as a state.Store.
type Store interface {
	Load(kind, key string) ([]byte, bool)
	Save(kind, key string, data []byte) error
}

const (
	// keptKind is the kind of saved samples in the store.
	keptKind = "sample"
	// keepEvery is the least time between two saved samples of a source while the program runs, because memory cards wear out.
	// The last sample is saved at the end.
	keepEvery = 10 * time.Minute
	// keepSame is the same for a value that was only confirmed.
	keepSame = time.Hour
	// maxSample bounds the saved form of a value in bytes, before compression. Large calendars have some megabytes.
	maxSample = 16 << 20
	// sampleHead is the length of the header: the time of the value in Unix ns, and the promised interval in ns.
	sampleHead = 16
)

// Keep saves the last values of Keepers in a store. It must be called before the first Begin.
func (m *Manager) Keep(s Store) { m.store = s }

// A keeping is the state of an entry's saved sample.
type keeping struct {
	waits atomic.Bool // a sample of a SharedKeeper waits to be saved

	mu    sync.Mutex // guards the following fields
	at    time.Time  // time of the saved value
	seq   uint64     // sequence number of the saved value
	wrote time.Time  // time of the last save; zero before the first in this run
	told  bool       // a failure was reported
	id    string     // id of the saved form of a StableKeeper
}

// due reports whether a sample must be saved while the program runs.
func (k *keeping) due(s *Sample, now time.Time) bool {
	pause := keepEvery
	if s.Seq == k.seq {
		pause = keepSame
	}
	return k.wrote.IsZero() || now.Sub(k.wrote).Abs() >= pause
}

// restore publishes the saved sample of the entry, if there is one, with its original time.
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

// restore reads a saved sample. A panic becomes an error, because the files may be damaged.
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

// save saves the entry's value if it is newer than the saved one. While the program runs, it does not save too often.
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

// saveLater is save in another goroutine. Only one entry is saved at a time.
func (m *Manager) saveLater(e *entry) {
	if !e.kept.mu.TryLock() { // the entry is already being saved
		return
	}
	due := e.kept.due(e.cell.Load(), time.Now())
	e.kept.mu.Unlock()
	if !due || !e.kept.waits.CompareAndSwap(false, true) {
		return
	}
	m.wg.Go(func() { // Close waits for this goroutine while the entry's own goroutine still runs
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
	id := ""
	if stable, ok := k.(StableKeeper); ok {
		if id = stable.KeptID(); id != "" && id == e.kept.id {
			return
		}
	}
	data, err := k.Kept(s.Value)
	if err == nil {
		err = m.write(e.key, s, data)
	}
	e.kept.wrote = now // a failed attempt also has to wait, because a full disk stays full
	if err == nil {
		e.kept.at, e.kept.seq, e.kept.told, e.kept.id = s.At, s.Seq, false, id
		return
	}
	if !e.kept.told {
		e.kept.told = true
		m.about(e).Warn("cannot keep the value for the next start; trying again later", "reason", err)
	}
}

// write saves one value.
func (m *Manager) write(key string, s *Sample, data []byte) error {
	if len(data) > maxSample {
		return fmt.Errorf("the value has %d bytes, more than %d", len(data), maxSample)
	}
	var head [sampleHead]byte
	binary.LittleEndian.PutUint64(head[:], uint64(s.At.UnixNano()))
	binary.LittleEndian.PutUint64(head[8:], uint64(s.Interval))
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed) // an error is only possible for other levels
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

// unpack returns the header and the data.
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
