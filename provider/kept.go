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

// A Keeper is a provider whose values can be stored for the next start of the program. Kept and
// Restore are called before Run, or by the goroutine of Run.
type Keeper interface {
	Provider
	// Kept returns a value in the form in which it is stored. It returns an error if the value cannot be stored.
	Kept(value any) ([]byte, error)
	// Restore returns the value in stored data. The data may be damaged. `at` is the time at which the value was received.
	Restore(data []byte, at time.Time) (value any, err error)
}

// A SharedKeeper is a Keeper whose values are published by a goroutine that other providers share. That goroutine must not wait for a
// disk, so the manager calls Kept in another goroutine. The methods of a SharedKeeper must allow calls from any goroutine. After the
// first Run, they must also allow several calls at once.
type SharedKeeper interface {
	Keeper
	// SharesPublisher does nothing. It only marks the type.
	SharesPublisher()
}

// A StableKeeper is a Keeper whose stored data rarely changes, although its values change often. The data is stored again only if KeptID
// has changed, because writing wears out memory cards.
type StableKeeper interface {
	Keeper
	// KeptID returns an identifier of the data that Kept would return. If the identifier is "", the data is always stored.
	KeptID() string
}

// A Store stores data for the next start. state.Store implements it.
type Store interface {
	Load(kind, key string) ([]byte, bool)
	Save(kind, key string, data []byte) error
}

const (
	// keptKind is the argument `kind` that the manager passes to its Store for samples.
	keptKind = "sample"
	// keepEvery is the minimum time between two writes of a source's samples while the program runs, because writing wears out memory
	// cards. The last sample is always stored when the program ends.
	keepEvery = 10 * time.Minute
	// keepSame is the minimum time between two writes if the value was only confirmed and has not changed.
	keepSame = time.Hour
	// maxSample is the maximum size of a stored value before compression, in bytes. Large calendars have a few megabytes.
	maxSample = 16 << 20
	// sampleHead is the length of the header: the time of the value in Unix ns, and the promised interval in ns.
	sampleHead = 16
)

// Keep sets the store for the last values of Keepers. Call Keep before the first Begin.
func (m *Manager) Keep(s Store) { m.store = s }

// The type keeping records which sample of an entry is stored.
type keeping struct {
	waits atomic.Bool // whether a sample of a SharedKeeper is waiting to be stored

	mu    sync.Mutex // guards the fields below
	at    time.Time  // time of the stored value
	seq   uint64     // sequence number of the stored value
	wrote time.Time  // time of the last write; zero before the first write in this run
	told  bool       // whether a failed write was already logged
	id    string     // KeptID of the stored data; "" if the Keeper is not a StableKeeper
}

// due() reports whether the time since the last write is long enough to store s while the program runs.
func (k *keeping) due(s *Sample, now time.Time) bool {
	pause := keepEvery
	if s.Seq == k.seq {
		pause = keepSame
	}
	return k.wrote.IsZero() || now.Sub(k.wrote).Abs() >= pause
}

// restore publishes the stored sample of the entry, if there is a stored sample. The sample keeps its original time.
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

// restore decodes a stored sample and publishes it. A panic becomes an error, because the file may be damaged.
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

// save stores the value of an entry if this value is newer than the stored value. Unless `last` is true, save observes the minimum time
// between two writes.
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

// saveLater stores the value in another goroutine. Only one entry is stored at a time.
func (m *Manager) saveLater(e *entry) {
	if !e.kept.mu.TryLock() { // the entry is being stored now
		return
	}
	due := e.kept.due(e.cell.Load(), time.Now())
	e.kept.mu.Unlock()
	if !due || !e.kept.waits.CompareAndSwap(false, true) {
		return
	}
	m.wg.Go(func() { // Close waits for this goroutine too
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
	e.kept.wrote = now // set after a failure too, because a full disk stays full
	if err == nil {
		e.kept.at, e.kept.seq, e.kept.told, e.kept.id = s.At, s.Seq, false, id
		return
	}
	if !e.kept.told {
		e.kept.told = true
		m.about(e).Warn("cannot keep the value for the next start; trying again later", "reason", err)
	}
}

// write compresses and stores one value.
func (m *Manager) write(key string, s *Sample, data []byte) error {
	if len(data) > maxSample {
		return fmt.Errorf("the value has %d bytes, more than %d", len(data), maxSample)
	}
	var head [sampleHead]byte
	binary.LittleEndian.PutUint64(head[:], uint64(s.At.UnixNano()))
	binary.LittleEndian.PutUint64(head[8:], uint64(s.Interval))
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed) // NewWriterLevel fails only for an invalid level
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

// unpack decompresses a stored sample. The result is the header, followed by the data.
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
