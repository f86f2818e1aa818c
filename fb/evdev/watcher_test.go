package evdev

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"dashboard/fb/kernel"
	"dashboard/internal/testing/programtest"
)

// A pipe is a device with events that the test writes.
type pipe struct {
	*os.File
	info  Info
	taken chan struct{}
}

func (p *pipe) Info() Info { return p.info }
func (p *pipe) Take()      { close(p.taken) }
func (p *pipe) Slot() int  { return 0 }

// A listener records the calls of its methods.
type listener struct {
	packets, late chan int
	gone          chan struct{}
}

func (l *listener) Packet(p *Packet) time.Time {
	l.packets <- p.Down
	if p.Down > 0 {
		return time.Now().Add(20 * time.Millisecond)
	}
	return time.Time{}
}

func (l *listener) Late() time.Time {
	l.late <- 1
	return time.Time{}
}

func (l *listener) Gone() { close(l.gone) }

// machine is a folder of devices.
type machine struct {
	t   *testing.T
	dir string
	mu  sync.Mutex
	all map[string]*pipe
	in  map[string]*os.File
	no  map[string]error
}

func (m *machine) plug(i Info) (name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	name = filepath.Join(m.dir, "event"+strconv.Itoa(len(m.all)))
	r, w, err := os.Pipe()
	if err != nil {
		m.t.Fatal(err)
	}
	m.all[name], m.in[name] = &pipe{r, i, make(chan struct{})}, w
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		m.t.Fatal(err)
	}
	return name
}

func (m *machine) open(path string) (source, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.no[path]; err != nil {
		return nil, err
	}
	return m.all[path], nil
}

func TestWatcher(t *testing.T) {
	m := &machine{t: t, dir: t.TempDir(), all: map[string]*pipe{}, in: map[string]*os.File{}, no: map[string]error{}}
	var mu sync.Mutex
	var heard []*listener
	began := make(chan string, 9)
	w := &Watcher{Dir: m.dir, open: m.open, long: 8, Listen: func(i Info) Listener {
		mu.Lock()
		defer mu.Unlock()
		l := &listener{make(chan int, 9), make(chan int, 9), make(chan struct{})}
		heard = append(heard, l)
		began <- i.Name
		return l
	}}
	first := m.plug(Info{Name: "glass", Touch: true, Multi: true, X: Axis{0, 9}, Y: Axis{0, 9}})
	m.plug(Info{Name: "mouse"})
	ctx, end := context.WithCancel(context.Background())
	defer end()
	poke, done := make(chan struct{}), make(chan struct{})
	w.opened, w.refused, w.useless = map[string]source{}, map[string]bool{}, map[string]fs.FileInfo{}
	go func() {
		defer close(done)
		w.loop(ctx, poke)
	}()
	if got := programtest.Receive(t, "the first look", began); got != "glass" {
		t.Fatalf("got %q", got)
	}
	programtest.Receive(t, "grab", m.all[first].taken)
	mu.Lock()
	l := heard[0]
	mu.Unlock()
	if _, err := m.in[first].Write(raw(8, mt(absTrackingID, 1), report)); err != nil {
		t.Fatal(err)
	}
	if got := programtest.Receive(t, "a finger", l.packets); got != 1 {
		t.Errorf("got %d fingers", got)
	}
	programtest.Receive(t, "the finger rests", l.late)
	// The device is unplugged, and another device gets the same path.
	_ = m.in[first].Close()
	programtest.Receive(t, "the end", l.gone)
	m.mu.Lock()
	delete(m.all, first)
	m.mu.Unlock()
	w.wg.Wait() // the reading goroutine has removed the device
	r, in, _ := os.Pipe()
	m.mu.Lock()
	m.all[first], m.in[first] = &pipe{r, Info{Name: "again", Touch: true}, make(chan struct{})}, in
	m.mu.Unlock()
	poke <- struct{}{}
	if got := programtest.Receive(t, "the next look", began); got != "again" {
		t.Fatalf("got %q", got)
	}
	end()
	programtest.Receive(t, "the loop", done)
	for name := range m.in {
		_ = m.in[name].Close()
	}
	w.wg.Wait()
}

// TestWatcherPermission: if the permission for a device is missing, the device is opened at a later check, when the permission exists.
func TestWatcherPermission(t *testing.T) {
	m := &machine{t: t, dir: t.TempDir(), all: map[string]*pipe{}, in: map[string]*os.File{}, no: map[string]error{}}
	path := m.plug(Info{Name: "glass", Touch: true})
	m.no[path] = errors.Join(os.ErrPermission)
	var heard []string
	w := &Watcher{Dir: m.dir, open: m.open, long: 8, opened: map[string]source{}, refused: map[string]bool{}, useless: map[string]fs.FileInfo{}, Listen: func(i Info) Listener {
		heard = append(heard, i.Name)
		return &listener{make(chan int, 9), make(chan int, 9), make(chan struct{})}
	}}
	w.look()
	if len(heard) > 0 {
		t.Fatal("opened without permission")
	}
	delete(m.no, path)
	w.look()
	if !slices.Equal(heard, []string{"glass"}) {
		t.Errorf("got %v", heard)
	}
	_ = m.in[path].Close()
	w.wg.Wait()
}

// stalled simulates a device that is read too late. When its read deadline has passed, events from before the deadline are still unread.
type stalled struct {
	pipe
	passed bool
	events []byte
}

func (s *stalled) SetReadDeadline(t time.Time) error {
	s.passed = !t.IsZero() && !t.After(time.Now())
	return nil
}

func (s *stalled) Read(b []byte) (int, error) {
	switch {
	case s.passed:
		return 0, os.ErrDeadlineExceeded
	case len(s.events) == 0:
		return 0, io.EOF
	}
	n := copy(b, s.events[:min(len(s.events), 48)]) // a packet of two events
	s.events = s.events[n:]
	return n, nil
}

// impatient is a Listener that records its calls. Its Packet returns a time in the past, so that Late is called immediately.
type impatient struct{ said []string }

func (l *impatient) Packet(p *Packet) time.Time {
	l.said = append(l.said, strconv.Itoa(p.Down))
	return time.Now().Add(-time.Second)
}

func (l *impatient) Late() time.Time {
	l.said = append(l.said, "late")
	return time.Time{}
}

func (l *impatient) Gone() {}

// TestNothingIsLateThatIsThere: unread events from before a deadline are read before Late is
// called. Otherwise, a finger that has already left the screen would count as a long press.
func TestNothingIsLateThatIsThere(t *testing.T) {
	d := &stalled{pipe: pipe{info: Info{Touch: true, Multi: true, X: Axis{0, 9}, Y: Axis{0, 9}}},
		events: raw(8, mt(absTrackingID, 1), report, mt(absTrackingID, -1), report)}
	l := &impatient{}
	(&Watcher{long: 8}).read(d, l)
	if !slices.Equal(l.said, []string{"1", "0"}) {
		t.Errorf("got %v", l.said)
	}
}

// TestWatcherBesideUselessDevices: a touchscreen is opened after more than maxDevices useless devices, such as audio jacks and
// buttons. Each useless device is opened once.
func TestWatcherBesideUselessDevices(t *testing.T) {
	m := &machine{t: t, dir: t.TempDir(), all: map[string]*pipe{}, in: map[string]*os.File{}, no: map[string]error{}}
	var heard []string
	opened := 0
	w := &Watcher{Dir: m.dir, long: 8, opened: map[string]source{}, refused: map[string]bool{}, useless: map[string]fs.FileInfo{}}
	w.open = func(path string) (source, error) {
		opened++
		return m.open(path)
	}
	w.Listen = func(i Info) Listener {
		heard = append(heard, i.Name)
		return &listener{make(chan int, 9), make(chan int, 9), make(chan struct{})}
	}
	for range 3 * maxDevices {
		m.plug(Info{Name: "jack"})
	}
	glass := m.plug(Info{Name: "glass", Touch: true})
	w.look()
	w.look()
	if !slices.Equal(heard, []string{"glass"}) || opened != 3*maxDevices+1 {
		t.Errorf("got %v after opening %d devices, want the touchscreen after %d", heard, opened, 3*maxDevices+1)
	}
	for name := range m.in {
		_ = m.in[name].Close()
	}
	<-m.all[glass].taken
	w.wg.Wait()
}

// TestWatcherExchangedPaths: a touchscreen gets the path of a useless device, and there was no look in between. This happens if a hub
// resets its devices, and they come back in another order.
func TestWatcherExchangedPaths(t *testing.T) {
	m := &machine{t: t, dir: t.TempDir(), all: map[string]*pipe{}, in: map[string]*os.File{}, no: map[string]error{}}
	var heard []string
	w := &Watcher{
		Dir: m.dir, open: m.open, long: 8, opened: map[string]source{}, refused: map[string]bool{}, useless: map[string]fs.FileInfo{},
		Listen: func(i Info) Listener {
			heard = append(heard, i.Name)
			return &listener{make(chan int, 9), make(chan int, 9), make(chan struct{})}
		},
	}
	path := m.plug(Info{Name: "mouse"})
	w.look()
	m.plug(Info{Name: "glass", Touch: true})
	later := filepath.Join(m.dir, "event1")
	m.all[path], m.in[path] = m.all[later], m.in[later]
	delete(m.all, later)
	delete(m.in, later)
	if err := os.Rename(later, path); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		w.look()
	}
	if !slices.Equal(heard, []string{"glass"}) {
		t.Errorf("got %v, want the touchscreen once", heard)
	}
	_ = m.in[path].Close()
	w.wg.Wait()
}

// TestByNumber: devices are opened in the order of their numbers.
func TestByNumber(t *testing.T) {
	got := []string{"event10", "event1", "event9", "event2"}
	slices.SortFunc(got, byNumber)
	if want := []string{"event1", "event2", "event9", "event10"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestWatcherBounds: at most maxDevices useful devices are open.
func TestWatcherBounds(t *testing.T) {
	m := &machine{t: t, dir: t.TempDir(), all: map[string]*pipe{}, in: map[string]*os.File{}, no: map[string]error{}}
	heard := 0
	w := &Watcher{Dir: m.dir, open: m.open, long: 8, opened: map[string]source{}, refused: map[string]bool{}, useless: map[string]fs.FileInfo{}, Listen: func(Info) Listener {
		heard++
		return &listener{make(chan int, 9), make(chan int, 9), make(chan struct{})}
	}}
	for range maxDevices + 3 {
		m.plug(Info{Name: "glass", Touch: true})
	}
	if w.look(); heard != maxDevices {
		t.Errorf("%d devices are open, want %d", heard, maxDevices)
	}
	for name := range m.in {
		_ = m.in[name].Close()
	}
	w.wg.Wait()
}

// early is a listener for messages. It reports a device that was announced between the opening of the listener and Watch.
type early struct{ announced chan struct{} }

// Watch implements messages.
func (e *early) Watch(ctx context.Context, heard func(kernel.Message) bool, changed func()) error {
	select {
	case <-ctx.Done():
	case <-e.announced:
		if heard(kernel.Message("add@/devices/x\x00SUBSYSTEM=input\x00")) {
			changed()
		}
		<-ctx.Done()
	}
	return nil
}

// TestWatcherHearsFirst: the Watcher listens to the kernel before it looks for devices. A device that appears after the first look is
// opened at once, and not at the next pollInterval.
func TestWatcherHearsFirst(t *testing.T) {
	m := &machine{t: t, dir: t.TempDir(), all: map[string]*pipe{}, in: map[string]*os.File{}, no: map[string]error{}}
	began := make(chan string, 1)
	var e *early // nil until the Watcher listens
	plugged := false
	w := &Watcher{Dir: m.dir, open: m.open, long: 8, Listen: func(i Info) Listener {
		began <- i.Name
		return &listener{make(chan int, 9), make(chan int, 9), make(chan struct{})}
	}}
	w.hear = func() (messages, error) {
		e = &early{make(chan struct{}, 1)}
		return e, nil
	}
	w.Wanted = func() bool {
		if plugged {
			return true
		}
		plugged = true
		m.plug(Info{Name: "glass", Touch: true, Multi: true, X: Axis{0, 9}, Y: Axis{0, 9}})
		if e == nil {
			t.Error("the Watcher looks before it listens")
		} else {
			e.announced <- struct{}{}
		}
		return false
	}
	ctx, end := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { w.Run(ctx); close(done) }()
	programtest.Receive(t, "the device", began)
	end()
	programtest.Receive(t, "the end", done)
}
