package netstream

import (
	"image"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"dashboard/render/damage"
)

// DefaultCacheBytes is the default of Options.CacheBytes. It is enough for five pictures of 1920x1080 with their files.
const DefaultCacheBytes = 64 << 20

// Options set how frames are encoded and kept. The zero value means the defaults. Values out of range also become defaults, because
// package config has already reported them.
type Options struct {
	Format     string        // jpeg, jpg, png or bmp. "" means jpeg
	Quality    int           // quality of JPEG, 1 to 100. 0 means 85
	Chroma     int           // chroma sampling of JPEG, 420 or 444. 0 means the encoder's default
	Debounce   time.Duration // time without changes after which a frame is published. 0 publishes every frame
	CacheBytes int           // bound of the memory of all kept sizes, without the frame itself. 0 means DefaultCacheBytes
}

// A Stream publishes frames and serves them in any size. Its methods may be called from any goroutine.
type Stream struct {
	now func() time.Time

	draw    sync.Mutex // held while a frame is drawn. It guards the fields `hold` and `changed`
	hold    hold
	changed damage.List // changes of the frame that is being published
	pix     sync.RWMutex
	frame   *image.RGBA // the newest frame, whose top left pixel is (0, 0). nil before the first frame
	rows    rowSums     // row hashes of the field `frame`. They change only while `pix` is locked

	wholes atomic.Int32 // number of clients that fetch whole frames

	mu     sync.Mutex // guards the following fields
	conf   conf
	cur    frameID
	tag    string // tag of cur, or "" until the first request for it
	sizes  []*size
	subs   map[*Subscription]struct{}
	counts counts
	dark   bool // true if the wall's screen is off
	light  Light

	files    *files
	encoding chan struct{} // semaphore for requests that encode
	strips   chan struct{} // semaphore for the only response in strips
	ofSizes  sparePicture  // unused memory for the picture of the next size
	ofStrips sparePicture  // unused memory for the next response in strips
}

// conf contains the checked options.
type conf struct {
	codec    codec
	debounce time.Duration
	budget   int
}

// A frameID identifies a frame.
type frameID struct {
	seq  uint64 // number of the frame, counted from 1. 0 means that there is no frame
	base uint64 // hash of the frame's size and pixels
	at   time.Time
	size image.Point
}

// New returns a stream with the default options and no frame. The function `now` returns the present time, which becomes the publication
// time of frames.
func New(now func() time.Time) *Stream {
	// At most GOMAXPROCS-1 requests (at least one) encode at the same time, so that one processor stays free for the renderer.
	s := &Stream{
		now: now, subs: make(map[*Subscription]struct{}), files: newFiles(),
		encoding: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1)),
		strips:   make(chan struct{}, 1),
	}
	s.Configure(Options{})
	return s
}

// Configure sets the options, at the start and after every reload. It does not end subscriptions or requests. If the format or its options
// change, each size is encoded again at its next request.
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

// String returns the name of the stream as an output.
func (s *Stream) String() string { return "stream" }

// Bounds returns the bounds of the newest frame, or an empty rectangle before the first frame. A stream accepts frames of any size.
func (s *Stream) Bounds() image.Rectangle {
	s.mu.Lock()
	defer s.mu.Unlock()
	return image.Rectangle{Max: s.cur.size}
}

// DrawFrame copies the damaged parts of src, which must be a whole opaque frame. If a pixel has changed, DrawFrame publishes the frame,
// or holds it back for the debounce time. If the frame's size has changed, all pixels count as changed. DrawFrame may wait some
// milliseconds while a request scales the previous frame or encodes it without scaling. It never waits for clients.
func (s *Stream) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	s.mu.Lock()
	debounce := s.conf.debounce
	s.mu.Unlock()
	s.draw.Lock()
	defer s.draw.Unlock()
	s.drawLocked(src, damage, debounce)
	return nil
}

// TryDrawFrame does the same as DrawFrame, unless it would have to wait. In this case it does nothing, and `taken` is false. TryDrawFrame
// may still wait if a client requests a size at the same moment, but this is rare.
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

// Current returns the announcement of the newest frame. `ok` is false before the first frame.
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

// Dark records whether the screen of the streamed wall is off, and notifies the subscribers. Frames are still published.
func (s *Stream) Dark(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dark == on {
		return
	}
	s.dark = on
	s.lookLocked()
}

// lookLocked wakes all subscribers, although there is no new frame.
func (s *Stream) lookLocked() {
	for u := range s.subs {
		select {
		case u.c <- struct{}{}:
		default: // the channel already contains a value that will wake the subscriber
		}
	}
}

// A Light is the wanted brightness and warmth of a wall's screen. The zero value changes nothing.
type Light struct {
	Dimmed bool  // true: Level is the brightness. false: do not change the brightness
	Level  uint8 // in percent
	Warmth uint8 // in percent
}

// LightOf converts a brightness and a warmth, both from 0 to 1, to a Light. If `level` is below 0, the Light does not change the
// brightness.
func LightOf(level, warmth float64) Light {
	percent := func(v float64) uint8 { return uint8(100*min(1, max(0, v)) + 0.5) }
	return Light{Dimmed: level >= 0, Level: percent(level), Warmth: percent(warmth)}
}

// SetLight records the wanted light of the wall's screen, and notifies the subscribers.
func (s *Stream) SetLight(l Light) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.light != l {
		s.light = l
		s.lookLocked()
	}
}

// Light returns the argument of the last SetLight.
func (s *Stream) Light() Light {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.light
}

// IsDark returns the argument of the last Dark.
func (s *Stream) IsDark() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dark
}

// Halt publishes the frame that is held back, if there is one, and ends all subscriptions. Requests are still answered. The stream can be
// used again, because a new configuration may use a stream that was halted with the old configuration.
func (s *Stream) Halt() error {
	s.draw.Lock()
	s.releaseLocked()
	s.draw.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endSubscriptionsLocked()
	return nil
}
