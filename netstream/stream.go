package netstream

import (
	"image"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"dashboard/render/damage"
)

// DefaultCacheBytes is the budget of Options without a budget: five pictures of 1920x1080 with their files.
const DefaultCacheBytes = 64 << 20

// Options set how frames are encoded and kept. The zero value means the defaults. Values out of range are replaced by the defaults.
// Package config has already reported them.
type Options struct {
	Format     string        // jpeg (or ""), jpg, png, bmp
	Quality    int           // quality of JPEG, 1 to 100, or 0 for 85
	Chroma     int           // chroma sampling of JPEG: 420, 444, or 0 for the encoder's default
	Debounce   time.Duration // time that frames must be quiet before one is published (0: publish each)
	CacheBytes int           // maximum size of all kept sizes together, without the frame itself. 0 is DefaultCacheBytes
}

// A Stream publishes frames and serves them at any size. Its methods may be called by any goroutine.
type Stream struct {
	now func() time.Time

	draw    sync.Mutex // held while a frame is taken over. Guards hold, canvas and changed
	hold    hold
	changed damage.List // changes of the frame being published
	pix     sync.RWMutex
	frame   *image.RGBA // the newest frame, from 0,0 (nil before the first)
	rows    rowSums     // hashes of frame. Written under pix

	wholes atomic.Int32 // clients that fetch whole frames

	mu     sync.Mutex // guards the following fields
	conf   conf
	cur    frameID
	tag    string // tag of cur, made at the first request
	sizes  []*size
	subs   map[*Subscription]struct{}
	counts counts
	dark   bool // the wall's screen is off
	light  Light

	files    *files
	encoding chan struct{} // semaphore of the requests that encode
	strips   chan struct{} // semaphore of the one answer in strips
	ofSizes  sparePicture  // pixels for the next size
	ofStrips sparePicture  // pixels for the next answer in strips
}

// conf is the result of checking Options.
type conf struct {
	codec    codec
	debounce time.Duration
	budget   int
}

// A frameID identifies a frame.
type frameID struct {
	seq  uint64 // counts from 1 (0: there is no frame)
	base uint64 // hash of the pixels
	at   time.Time
	size image.Point
}

// New returns a stream with default options and no frame. now gives the time of publication.
func New(now func() time.Time) *Stream {
	// Leave one processor for the renderer.
	s := &Stream{
		now: now, subs: make(map[*Subscription]struct{}), files: newFiles(),
		encoding: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1)),
		strips:   make(chan struct{}, 1),
	}
	s.Configure(Options{})
	return s
}

// Configure sets the options, at start and on every reload. Subscriptions stay and Get continues to answer. If the
// encoding changes, sizes are encoded again at their next request.
func (s *Stream) Configure(o Options) {
	c := conf{codec: newCodec(o), debounce: max(0, o.Debounce), budget: o.CacheBytes}
	if c.budget <= 0 {
		c.budget = DefaultCacheBytes
	}
	s.files.limit(c.budget / pinnedShare)
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.codec != s.conf.codec {
		s.dropAllLocked()
	}
	s.conf = c
	s.trimLocked()
}

// String names the stream as an output.
func (s *Stream) String() string { return "stream" }

// Bounds returns the bounds of the newest frame, empty before the first one. A stream takes frames of any size.
func (s *Stream) Bounds() image.Rectangle {
	s.mu.Lock()
	defer s.mu.Unlock()
	return image.Rectangle{Max: s.cur.size}
}

// DrawFrame copies the damage of src, which is a whole opaque frame. If this changes any pixel, the frame is published, at once
// or after the debounce time. If the size of the frame has changed, the whole frame is new. DrawFrame may wait some milliseconds
// while sizes are scaled or the frame's own size is encoded. It never waits for a client.
func (s *Stream) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	s.mu.Lock()
	debounce := s.conf.debounce
	s.mu.Unlock()
	s.draw.Lock()
	defer s.draw.Unlock()
	s.drawLocked(src, damage, debounce)
	return nil
}

// TryDrawFrame calls DrawFrame if this does not have to wait. It reports whether it took the frame. In a rare case it still
// waits: if a size is requested at the same moment.
func (s *Stream) TryDrawFrame(src *image.RGBA, damage []image.Rectangle) (taken bool) {
	s.mu.Lock()
	debounce := s.conf.debounce
	s.mu.Unlock()
	if !s.draw.TryLock() {
		return false
	}
	defer s.draw.Unlock()
	if !s.pix.TryLock() {
		return false
	}
	s.pix.Unlock()
	s.drawLocked(src, damage, debounce)
	return true
}

// Current returns the newest frame's announcement, and false before the first.
func (s *Stream) Current() (Published, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.currentLocked(), s.cur.seq > 0
}

func (s *Stream) currentLocked() Published {
	if s.tag == "" && s.cur.seq > 0 {
		s.tag = string(appendBase(make([]byte, 0, baseDigits), s.cur.base))
	}
	return Published{ETag: s.tag, At: s.cur.at}
}

// Dark records whether the screen of the streamed wall is off and notifies the subscribers. Frames continue.
func (s *Stream) Dark(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dark == on {
		return
	}
	s.dark = on
	s.lookLocked()
}

// lookLocked wakes all subscribers although there is no new frame.
func (s *Stream) lookLocked() {
	for u := range s.subs {
		select {
		case u.c <- struct{}{}:
		default: // the subscriber is already being woken
		}
	}
}

// A Light is the desired brightness and warmth of a wall's screen. The zero value changes nothing.
type Light struct {
	Dimmed bool  // the brightness is Level. Otherwise it stays unchanged
	Level  uint8 // percent
	Warmth uint8 // percent
}

// LightOf returns the light for a brightness from 0 to 1, or below 0 for unchanged, and a warmth from 0 to 1.
func LightOf(level, warmth float64) Light {
	percent := func(v float64) uint8 { return uint8(100*min(1, max(0, v)) + 0.5) }
	return Light{Dimmed: level >= 0, Level: percent(level), Warmth: percent(warmth)}
}

// SetLight records the wanted brightness of the wall's screen and notifies the subscribers.
func (s *Stream) SetLight(l Light) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.light != l {
		s.light = l
		s.lookLocked()
	}
}

// Light returns the last value of SetLight.
func (s *Stream) Light() Light {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.light
}

// IsDark returns the last value of Dark.
func (s *Stream) IsDark() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dark
}

// Halt publishes the frame that the debounce holds back and ends all subscriptions. Get keeps answering. The stream can be used
// again: a new configuration may use a stream that the old one halted.
func (s *Stream) Halt() error {
	s.draw.Lock()
	s.releaseLocked()
	s.draw.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endSubscriptionsLocked()
	return nil
}
