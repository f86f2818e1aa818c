package follow

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"aead.dev/minisign"

	"dashboard/appliance/about"
	"dashboard/appliance/delta"
	"dashboard/appliance/install"
	"dashboard/appliance/manifest"
	"dashboard/appliance/state"
)

// errCut is the value with which every step panics after the power was cut.
var errCut = errors.New("the power is cut")

// A supply simulates the power of a board. `left` is the number of steps until the power is cut, or negative if the power is never cut.
type supply struct{ used, left int }

func (s *supply) step() {
	if s.used++; s.left == 0 {
		panic(errCut)
	}
	s.left--
}

// sectorSize is the number of bytes that a card writes completely or not at all.
const sectorSize = 512

// A part is a partition with a cache. A power cut loses some of the cache.
type part struct {
	power *supply
	data  []byte           // content as the board reads it
	kept  []byte           // content on the card
	cache map[int64]func() // sectors that are only in the cache
}

func newPart(power *supply, size int) *part {
	return &part{power: power, data: make([]byte, size), kept: make([]byte, size), cache: map[int64]func(){}}
}

func (p *part) ReadAt(b []byte, at int64) (int, error) { return bytes.NewReader(p.data).ReadAt(b, at) }

func (p *part) WriteAt(b []byte, at int64) (int, error) {
	p.power.step()
	copy(p.data[at:], b)
	for s := at / sectorSize; s*sectorSize < at+int64(len(b)); s++ {
		p.cache[s] = func() { p.keep(s) }
	}
	p.power.step()
	return len(b), nil
}

func (p *part) keep(sector int64) {
	from, to := sector*sectorSize, min((sector+1)*sectorSize, int64(len(p.data)))
	copy(p.kept[from:to], p.data[from:to])
}

func (p *part) Sync() error {
	p.power.step()
	for _, keep := range p.cache {
		keep()
	}
	clear(p.cache)
	return nil
}

// cut loses a random part of the cache.
func (p *part) cut(r *rand.Rand) {
	for _, sector := range slices.Sorted(maps.Keys(p.cache)) {
		if r.IntN(2) == 0 {
			p.cache[sector]()
		}
	}
	clear(p.cache)
	copy(p.data, p.kept)
}

// A testCard is a board with its card, in memory.
type testCard struct {
	t        testing.TB
	power    supply
	state    *part
	slots    map[state.Slot]*part
	running  state.Slot
	mark     install.Mark
	told     []about.Update
	set      []string
	restarts int
	locked   error // error of every attempt to open the other slot, or nil
}

// slotSize is the size of each slot of the test's card, in bytes. A delta file for a whole slot has three pieces.
const slotSize = 2*delta.Step + 100<<10

func newCard(t testing.TB, image []byte) *testCard {
	c := &testCard{t: t, power: supply{left: -1}, running: state.A}
	c.state = newPart(&c.power, state.Size)
	c.slots = map[state.Slot]*part{state.A: newPart(&c.power, slotSize), state.B: newPart(&c.power, slotSize)}
	copy(c.slots[state.A].data, image)
	copy(c.slots[state.A].kept, image)
	return c
}

func (c *testCard) State() (state.Record, error) { return state.Load(c.state) }

func (c *testCard) Change(f func(state.Record) state.Record) error {
	r, err := state.Load(c.state)
	if err != nil {
		return err
	}
	if after := f(r); after != r {
		_, err = state.Save(c.state, after)
	}
	return err
}

func (c *testCard) Running() (io.ReaderAt, manifest.Sum, error) {
	p := c.slots[c.running]
	return p, sumOf(p.data), nil
}

func (c *testCard) Target() (Target, error) {
	return testTarget{c.slots[c.running.Other()]}, c.locked
}

type testTarget struct{ *part }

func (testTarget) Close() error { return nil }
func (t testTarget) ReadBack(size int64) (manifest.Sum, error) {
	t.power.step()
	return sumOf(t.data[:size]), nil
}

func (c *testCard) Set(name, value string) error      { c.set = append(c.set, name+" = "+value); return nil }
func (c *testCard) Restart(state.Record) error        { c.restarts++; return nil }
func (c *testCard) Tell(u about.Update)               { c.told = append(c.told, u) }
func (c *testCard) Load() install.Mark                { return c.mark }
func (c *testCard) Save(m install.Mark)               { c.power.step(); c.mark = m }
func (c *testCard) last() about.Update                { return c.told[len(c.told)-1] }
func pause(context.Context, time.Duration) error      { return nil }
func (c *testCard) record() state.Record              { r, _ := c.State(); return r }
func (c *testCard) image(s state.Slot) []byte         { return c.slots[s].data }
func (c *testCard) holds(s state.Slot, b []byte) bool { return bytes.Equal(c.image(s), b) }

// A web is a server with its files.
type web struct {
	power  *supply
	files  map[string][]byte
	asked  []string
	cutAt  int // number of bytes after which a connection ends, or 0 for never
	broken error
}

func (w *web) Open(_ context.Context, name string, offset int64) (io.ReadCloser, error) {
	w.power.step()
	w.asked = append(w.asked, fmt.Sprintf("%s %d", name, offset))
	data, ok := w.files[name]
	switch {
	case w.broken != nil:
		return nil, w.broken
	case !ok:
		return nil, install.ErrGone
	}
	rest := data[min(offset, int64(len(data))):]
	if w.cutAt > 0 {
		rest = rest[:min(w.cutAt, len(rest))]
	}
	return io.NopCloser(slow{bytes.NewReader(rest), w.power}), nil
}

// The type slow is a connection that returns only a part of the requested bytes.
type slow struct {
	r     io.Reader
	power *supply
}

func (s slow) Read(p []byte) (int, error) {
	s.power.step()
	return s.r.Read(p[:min(len(p), 300<<10)])
}

// sums contains the sums of the files in images.
var sums = sync.OnceValue(func() []summed {
	i := images()
	var all []summed
	for _, data := range [][]byte{i.old, i.fresh, i.small, i.whole} {
		all = append(all, summed{data, sha256.Sum256(data)})
	}
	return all
})

type summed struct {
	data []byte
	sum  manifest.Sum
}

// sumOf returns the SHA-256 sum of b. For files in images it returns the stored sum, because
// computing these sums took most of the time on an emulated processor.
func sumOf(b []byte) manifest.Sum {
	for _, s := range sums() {
		if bytes.Equal(s.data, b) {
			return s.sum
		}
	}
	return sha256.Sum256(b)
}

// noise returns a root file system of random bytes.
func noise(seed uint64) []byte {
	b := make([]byte, slotSize)
	r := rand.New(rand.NewPCG(seed, seed))
	for i := 0; i < len(b); i += 8 {
		v := r.Uint64()
		for j := range min(8, len(b)-i) {
			b[i+j] = byte(v >> (8 * j))
		}
	}
	return b
}

// changed() returns a copy of a root file system in which 1 MiB is replaced by random bytes.
func changed(image []byte, seed uint64) []byte {
	fresh := bytes.Clone(image)
	copy(fresh[1<<20:2<<20], noise(seed))
	return fresh
}

// made() returns the delta file of a release.
func made(t testing.TB, old, fresh []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := delta.Make(&out, bytes.NewReader(old), bytes.NewReader(fresh), int64(len(old)), int64(len(fresh))); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// keyPair returns a key pair for tests.
func keyPair(t testing.TB, seed byte) (minisign.PublicKey, minisign.PrivateKey) {
	t.Helper()
	public, private, err := minisign.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{seed, 7, seed}, 1000)))
	if err != nil {
		t.Fatal(err)
	}
	return public, private
}
