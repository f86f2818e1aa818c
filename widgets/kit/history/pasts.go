package history

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"
)

const (
	// pastKind is the kind under which the store keeps histories of numbers.
	pastKind = "past"
	// MaxPasts is the maximum number of histories in memory. Each history needs twelve kilobytes.
	MaxPasts = 256
	// DatumBytes is the encoded size of a number and its time.
	DatumBytes = 16
)

// A Store stores data until the next start. state.Store implements it.
type Store interface {
	Load(kind, key string) ([]byte, bool)
	Save(kind, key string, data []byte) error
}

// Pasts holds the histories of the numbers that widgets show. All trees of all walls share one Pasts. The histories are stored, so that
// they survive a restart. A nil Pasts keeps no histories. The methods are safe for concurrent use.
type Pasts struct {
	store Store
	home  string // directory of the configuration, part of the keys in the store

	mu  sync.Mutex // guards All
	All map[string]*keptPast
}

// NewPasts returns a Pasts for the configuration in the directory `home`. Its histories are kept in `store`.
func NewPasts(store Store, home string) *Pasts {
	return &Pasts{store: store, home: home, All: map[string]*keptPast{}}
}

// A keptPast is the history of one number.
type keptPast struct {
	mu    sync.Mutex // guards the fields below
	data  []Datum    // numbers, with a capacity of Most
	fresh bool       // true if the newest number is not in the store yet
}

// Of returns the shared history for the results of a program. `span` is the length of the history in seconds. If k is nil or `program` is
// empty, Of returns nil.
func (k *Pasts) Of(program string, span float64) *keptPast {
	if k == nil || program == "" {
		return nil
	}
	key := fmt.Sprintf("%s\x00%s\x00%v", k.home, program, span)
	k.mu.Lock()
	defer k.mu.Unlock()
	if p, ok := k.All[key]; ok {
		return p
	}
	p := &keptPast{data: make([]Datum, 0, Most)}
	if data, ok := k.store.Load(pastKind, key); ok {
		p.data = Read(p.data, data)
	}
	if len(k.All) >= MaxPasts {
		k.forget()
	}
	k.All[key] = p
	return p
}

// Past returns a history for the results of a program, with the numbers that are already known. timeSet reports whether the clock is set.
func (k *Pasts) Past(program string, span time.Duration, timeSet func() bool) *Past {
	p := New(span)
	p.kept, p.timeSet = k.Of(program, p.span), timeSet
	p.take()
	return p
}

// forget removes the history that has not received a number for the longest time.
func (k *Pasts) forget() {
	oldest, at := "", math.Inf(1)
	for key, p := range k.All {
		p.mu.Lock()
		if n := p.newest(); n < at {
			oldest, at = key, n
		}
		p.mu.Unlock()
	}
	delete(k.All, oldest)
}

// Save writes the changed histories to the store.
func (k *Pasts) Save() error {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for key, p := range k.All {
		data, fresh := p.bytes()
		if !fresh {
			continue
		}
		if err := k.store.Save(pastKind, key, data); err != nil {
			p.mu.Lock()
			p.fresh = true // the next call of Save writes the history again
			p.mu.Unlock()
			return err
		}
	}
	return nil
}

// newest() returns the time of the last number, or -Inf if there is no number.
func (p *keptPast) newest() float64 {
	if len(p.data) == 0 {
		return math.Inf(-1)
	}
	return p.data[len(p.data)-1].At
}

// bytes() returns the encoded history. `fresh` is false if the history has not changed since the last call.
func (p *keptPast) bytes() (data []byte, fresh bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.fresh {
		return nil, false
	}
	p.fresh = false
	for _, d := range p.data {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(d.At))
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(d.V))
	}
	return data, true
}

// Read decodes a history and appends it to dst. It stops at an entry that is malformed.
func Read(dst []Datum, data []byte) []Datum {
	for ; len(data) >= DatumBytes && len(dst) < Most; data = data[DatumBytes:] {
		d := Datum{math.Float64frombits(binary.LittleEndian.Uint64(data)), math.Float64frombits(binary.LittleEndian.Uint64(data[8:]))}
		if !(math.Abs(d.At) < 1e12) || math.IsInf(d.V, 0) || len(dst) > 0 && d.At <= dst[len(dst)-1].At {
			break
		}
		dst = append(dst, d)
	}
	return dst
}

// take replaces the history with the shared history if the history is empty or if another tree has recorded newer numbers.
func (p *Past) take() {
	k := p.kept
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(p.Data) == 0 || k.newest() > p.Data[len(p.Data)-1].At {
		p.Data = append(p.Data[:0], k.data...)
	}
}

// give copies the recorded numbers to the shared history. It does so if the newest number is newer than the shared history by at least
// the duration of one entry. It also does so if the clock was set back.
func (p *Past) give() {
	k := p.kept
	if k == nil || len(p.Data) == 0 {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if since := p.Data[len(p.Data)-1].At - k.newest(); since >= p.span/(Most-1) || since < 0 {
		k.data, k.fresh = append(k.data[:0], p.Data...), true
	}
}

// wrongBy is a time in seconds. A number that lies further in the future is removed, because the clock was wrong when the number was
// recorded.
const wrongBy = 24 * 3600

// unwind removes numbers that lie far in the future, because the clock was wrong when they were recorded.
func (p *Past) unwind(now float64) {
	p.Data = slices.DeleteFunc(p.Data, func(d Datum) bool { return d.At > now+wrongBy })
}
