package evdev

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"dashboard/fb/kernel"
	"dashboard/internal/stable"
)

// Dir is the folder with the kernel's input devices.
const Dir = "/dev/input"

const (
	// maxDevices bounds the useful devices that are open at the same time. Further devices are ignored.
	maxDevices = 16
	// maxUseless bounds the useless devices that a Watcher remembers, so that it does not open them at every check. The kernel has at most
	// this many devices (INPUT_MAX_CHAR_DEVICES).
	maxUseless = 1024
	// pollInterval is the time between two checks for devices that the kernel has not announced.
	pollInterval = 30 * time.Second
	// grace is the time limit of a second read after the deadline of the first read has passed. On a busy machine, earlier events may
	// still be unread at the deadline.
	grace = 5 * time.Millisecond
)

// lookAfter lists the pauses before the checks that follow a message of the kernel. Several checks are needed because udev takes a while
// to set permissions.
var lookAfter = [...]time.Duration{0, 500 * time.Millisecond, 2 * time.Second}

// A source is an open device that a Watcher reads.
type source interface {
	Info() Info
	Take()
	Slot() int
	Read([]byte) (int, error)
	SetReadDeadline(time.Time) error
	Close() error
}

// messages is a source of the kernel's reports about devices. *kernel.Listener implements this interface.
type messages interface {
	Watch(ctx context.Context, heard func(kernel.Message) bool, changed func()) error
}

// A Listener receives the packets of one device. All calls of its methods come from one goroutine.
type Listener interface {
	// Packet receives a packet. It returns the time at which Late must be called, unless a packet comes earlier. The zero time means never.
	Packet(*Packet) (late time.Time)
	// Late is called at the time that the latest call of Packet or Late returned. Like Packet, it returns the time of the next call of
	// Late.
	Late() (late time.Time)
	// Gone is called after the last packet.
	Gone()
}

// A Watcher opens the useful input devices when they appear, and closes them when they disappear.
type Watcher struct {
	Dir    string                       // "" means the constant Dir
	Wanted func() bool                  // reports whether devices are needed. nil: always
	Listen func(Info) Listener          // returns the listener for a device, or nil to ignore it
	Log    *slog.Logger                 // nil: no log
	open   func(string) (source, error) // opens a device. nil: open a device of the kernel
	hear   func() (messages, error)     // opens a listener for messages. nil: listen to the kernel
	long   int                          // size of the kernel's long, or 0 for the size on this machine

	mu      sync.Mutex
	opened  map[string]source      // open devices by path. nil for a useless device
	useless map[string]fs.FileInfo // files of the useless devices by path
	refused map[string]bool        // contains the paths whose errors were logged
	wg      sync.WaitGroup
}

// Run watches for devices until ctx is done. When it returns, all devices are closed.
func (w *Watcher) Run(ctx context.Context) {
	w.mu.Lock() // the lock is necessary because Open may be called before Run
	w.opened, w.refused, w.useless = map[string]source{}, map[string]bool{}, map[string]fs.FileInfo{}
	w.mu.Unlock()
	if w.Dir == "" {
		w.Dir = Dir
	}
	if w.open == nil {
		w.open, w.long = openSource, longBytes
	}
	if w.hear == nil {
		w.hear = func() (messages, error) { return kernel.Listen() }
	}
	poke := make(chan struct{}, 1)
	var watching sync.WaitGroup
	// The listener is opened before the first look, so that no later device is missed. Without messages, the Watcher still polls.
	if m, err := w.hear(); err == nil {
		watching.Go(func() {
			_ = m.Watch(ctx, func(m kernel.Message) bool { return m.Of("input") }, func() {
				select {
				case poke <- struct{}{}:
				default:
				}
			})
		})
	}
	w.loop(ctx, poke)
	w.mu.Lock()
	w.closeAll()
	w.mu.Unlock()
	w.wg.Wait()
	watching.Wait()
}

// closeAll closes all devices. The caller holds mu.
func (w *Watcher) closeAll() {
	for _, d := range w.opened {
		if d != nil {
			_ = d.Close()
		}
	}
}

// Open reports whether at least one device is open.
func (w *Watcher) Open() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, d := range w.opened {
		if d != nil {
			return true
		}
	}
	return false
}

// loop checks for new devices several times after each message (see lookAfter), and otherwise at each pollInterval.
func (w *Watcher) loop(ctx context.Context, poke <-chan struct{}) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for more := len(lookAfter); ; {
		select {
		case <-ctx.Done():
			return
		case <-poke:
			more = 0
		case <-timer.C:
		}
		w.look()
		if more < len(lookAfter)-1 {
			more++
			timer.Reset(lookAfter[more])
		} else {
			timer.Reset(pollInterval)
		}
	}
}

// look opens devices that have appeared. If devices are not needed, it closes all devices.
func (w *Watcher) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.Wanted != nil && !w.Wanted() {
		w.closeAll()
		return
	}
	paths, _ := filepath.Glob(filepath.Join(w.Dir, "event*"))
	for path, d := range w.opened {
		if d == nil && !w.remains(path) {
			delete(w.opened, path) // another device may have the same path now, or get it later
			delete(w.useless, path)
		}
	}
	stable.Sort(paths, byNumber)
	for _, path := range paths {
		if _, known := w.opened[path]; !known && w.room() {
			w.begin(path)
		}
	}
}

// remains() reports whether a path still leads to the useless device that was opened there. If several devices disappear and appear again
// between two looks, they may exchange their paths. The kernel then creates new files. The caller holds mu.
func (w *Watcher) remains(path string) bool {
	now, err := os.Stat(path)
	then := w.useless[path]
	return err == nil && then != nil && os.SameFile(now, then) && now.ModTime().Equal(then.ModTime())
}

// byNumber orders paths by their numbers, so that event2 comes before event10.
func byNumber(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// room reports whether another device may be opened. The caller holds mu.
func (w *Watcher) room() bool {
	useful := 0
	for _, d := range w.opened {
		if d != nil {
			useful++
		}
	}
	return useful < maxDevices && len(w.opened)-useful < maxUseless
}

// begin opens a device, and starts to read it if it is useful. The caller holds mu.
func (w *Watcher) begin(path string) {
	file, _ := os.Stat(path) // before the device is opened. After an error, the device is opened again at the next look
	d, err := w.open(path)
	if err != nil {
		w.logOnce(path, err)
		return
	}
	delete(w.refused, path)
	var l Listener
	if d.Info().Useful() {
		l = w.Listen(d.Info())
	}
	if l == nil {
		_ = d.Close()
		if !d.Info().Useful() {
			w.opened[path], w.useless[path] = nil, file // a useful device is not remembered, because it may get a listener later
		}
		return
	}
	d.Take()
	w.opened[path] = d
	if w.Log != nil {
		i := d.Info()
		w.Log.Info("input device", "device", path, "name", printable(i.Name), "touch", i.Touch, "keys", i.Keys)
	}
	w.wg.Go(func() {
		w.read(d, l)
		_ = d.Close()
		l.Gone()
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.opened, path)
	})
}

// logOnce logs the error of a device, but only once for each path.
func (w *Watcher) logOnce(path string, err error) {
	if w.Log == nil || w.refused[path] || errors.Is(err, os.ErrNotExist) || len(w.refused) >= maxDevices {
		return
	}
	w.refused[path] = true
	level := slog.LevelWarn
	if errors.Is(err, fs.ErrPermission) {
		level = slog.LevelInfo // most walls have no touchscreen and do not need the permission
	}
	w.Log.Log(context.Background(), level, "input device not opened", "device", path, "error", err)
}

// read passes the packets of a device to a listener, until the device is closed.
func (w *Watcher) read(d source, l Listener) {
	p := NewParser(d.Info(), w.long)
	p.Restore(d.Slot())
	buf := make([]byte, maxEvents*p.eventBytes())
	var late time.Time
	each := func(packet *Packet) { late = l.Packet(packet) }
	for {
		if d.SetReadDeadline(late) != nil {
			return
		}
		n, err := d.Read(buf)
		if errors.Is(err, os.ErrDeadlineExceeded) && d.SetReadDeadline(time.Now().Add(grace)) == nil {
			n, err = d.Read(buf)
		}
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			late = l.Late()
		case err != nil:
			return
		default:
			p.Parse(buf[:n], each)
			if p.Lost() {
				p.Restore(d.Slot())
			}
		}
	}
}

// printable() returns s without control characters.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
}
