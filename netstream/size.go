package netstream

import (
	"context"
	"image"
	"time"

	"dashboard/netstream/bilinear"
	"dashboard/render/damage"
)

// historyLength is the number of frames that a size remembers, including the newest frame. A client with an older frame gets no delta. At
// 60 frames a second, this is about one second.
const historyLength = 64

// A size is the state for one size of served pictures: the scaled picture, its encoded tiles, the newest file, and the tags of earlier
// frames.
type size struct {
	w, h int // in pixels

	// turn is a channel that is used as a mutex, because waiting for a channel can end with a context. It guards the following fields.
	turn        chan struct{}
	scaler      *bilinear.Scaler // nil if frames have this size
	from        image.Point      // frame size of the latest update, or zero before the first update
	pixels      *image.RGBA      // the scaled picture, or nil if frames have this size
	enc         encoder
	tiler       tiler             // the field `enc`, or nil if its format has no deltas
	contentType string            // content type of the files that the field `enc` makes
	damage      damage.List       // memory that update() uses again: changed rectangles, in pixels of the frame
	rects       []image.Rectangle // memory that update() uses again: changed rectangles, in pixels of this size
	shown       frameID           // the frame that the fields pixels and enc contain
	version     uint64            // number of frames that this size has encoded
	changed     []uint64          // for each tile, the version that changed it last
	past        [historyLength]past
	file        *file // the whole file of the version fileVersion, or nil
	fileVersion uint64
	spares      spares // spare files for whole pictures. files.mu guards them
	deltas      deltas
	grown       bool // true if the memory may have changed since the last call of weigh()

	// Stream.mu guards the following fields.
	pending  damage.List // rectangles that changed since the frame `shown`, in pixels of the frame
	asked    time.Time   // time of the latest request
	askedSeq uint64      // number of the frame that was current at the latest request
	users    int         // number of requests between claimLocked() and yield()
	dropped  bool        // true if the size was removed from Stream.sizes
	bytes    int         // memory at the latest call of weigh(), or an estimate before the first call
	encodes  uint64
	took     time.Duration // time for the latest scaling and encoding
}

// A past is one of the latest frames that a size has encoded.
type past struct {
	base    uint64
	version uint64 // 0 for an unused entry
	native  bool   // true if frames had this size at that time. So a tag without a size also identifies this picture
}

// newSize returns a size. Its buffers are allocated at its first update.
func newSize(w, h, estimate int, now time.Time) *size {
	return &size{
		w: w, h: h, turn: make(chan struct{}, 1), asked: now, bytes: estimate,
		spares: spares{most: 1}, deltas: deltas{spares: spares{most: keptDeltas}},
	}
}

// lock waits until the size is free or ctx ends.
func (z *size) lock(ctx context.Context) error { return acquire(ctx, z.turn) }
func (z *size) unlock()                        { <-z.turn }

// acquire takes a place in a channel that is used as a semaphore. It waits until a place is free or ctx ends.
func acquire(ctx context.Context, places chan struct{}) error {
	select {
	case places <- struct{}{}:
		return nil
	default:
	}
	select {
	case places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// native() reports whether frames have this size, so that they need not be scaled.
func (z *size) native() bool { return z.from.X == z.w && z.from.Y == z.h }

// update brings the picture and the tiles up to date with the newest frame. The size must be locked.
func (s *Stream) update(ctx context.Context, z *size) error {
	if s.upToDate(z) {
		return nil
	}
	if err := acquire(ctx, s.encoding); err != nil {
		return err
	}
	defer func() { <-s.encoding }()
	if err := s.prepare(z); err != nil {
		return err
	}
	start := s.now()
	z.remember(s.code(z), s.files)
	z.grown = true
	s.countEncode(z, s.now().Sub(start))
	return nil
}

func (s *Stream) upToDate(z *size) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return z.shown.seq == s.cur.seq
}

// prepare allocates the buffers of a new size.
func (s *Stream) prepare(z *size) error {
	if z.enc != nil {
		return nil
	}
	s.mu.Lock()
	codec := s.conf.codec
	s.mu.Unlock()
	enc, err := codec.encoder(z.w, z.h)
	if err != nil {
		return err
	}
	z.enc, z.contentType = enc, codec.contentType()
	if z.tiler, _ = enc.(tiler); z.tiler != nil {
		z.changed = make([]uint64, z.tiler.tiles())
	}
	return nil
}

// code scales and encodes the changes of the newest frame. It returns the numbers of the tiles that have changed.
func (s *Stream) code(z *size) []int {
	if tiles, done := s.fromFrame(z); done {
		return tiles
	}
	return z.enc.Update(z.pixels, z.rects...)
}

// fromFrame does the steps of code() that read the frame. It scales the damage. If the frame already has the right size, it encodes the
// frame instead, and `done` is true. New frames have to wait until fromFrame returns. Encoding a copy would shorten this time, but a copy
// takes as much memory as the frame.
func (s *Stream) fromFrame(z *size) (tiles []int, done bool) {
	s.pix.RLock()
	defer s.pix.RUnlock()
	s.mu.Lock()
	z.shown, z.damage = s.cur, z.pending
	z.pending.Reset()
	s.mu.Unlock()
	s.fit(z, z.shown.size)
	if z.native() {
		return z.enc.Update(s.frame, z.damage.Rects()...), true
	}
	z.rects = z.rects[:0]
	for _, r := range z.damage.Rects() {
		r = z.scaler.DstRect(r)
		z.scaler.Scale(z.pixels, r, s.frame)
		z.rects = append(z.rects, r)
	}
	return nil, false
}

// fit adapts the scaler and the picture if the size of frames has changed. In this case the whole frame counts as damage.
func (s *Stream) fit(z *size, frame image.Point) {
	if z.from == frame {
		return
	}
	z.from, z.scaler = frame, nil
	switch {
	case z.native():
		s.ofSizes.put(z.pixels, s.now())
		z.pixels = nil
	case z.pixels == nil:
		z.pixels = s.ofSizes.take(z.w, z.h)
	}
	if !z.native() {
		z.scaler = bilinear.New(z.w, z.h, frame.X, frame.Y)
	}
	z.damage.Reset()
	z.damage.Add(image.Rectangle{Max: frame})
}

// remember records which tiles a new frame has changed.
func (z *size) remember(tiles []int, files *files) {
	z.version++
	for _, i := range tiles {
		z.changed[i] = z.version
	}
	z.past[z.version%historyLength] = past{base: z.shown.base, version: z.version, native: z.native()}
	z.deltas.clear(files)
}

// find returns the latest version whose frame has the hash `base`. If `native` is true, find considers only versions whose frames had this
// size. If there is no such version, the result is 0.
func (z *size) find(base uint64, native bool) (version uint64) {
	for _, p := range z.past {
		if p.base == base && p.version > version && (p.native || !native) {
			version = p.version
		}
	}
	return version
}

// whole() returns the file of the whole picture. It builds the file if necessary.
func (s *Stream) whole(z *size) *file {
	if z.file == nil || z.fileVersion != z.version {
		f := s.files.take(&z.spares)
		f.data = z.enc.AppendTo(f.room(z.enc.Size()))
		s.files.retire(z.file)
		z.file, z.fileVersion, z.grown = f, z.version, true
	}
	return z.file
}

// memory returns the memory of the size in bytes.
func (s *Stream) memory(z *size) int {
	n := z.enc.Memory() + 8*len(z.changed) + s.files.spareBytes(&z.spares)
	if z.scaler != nil {
		n += len(z.pixels.Pix) + z.scaler.Bytes()
	}
	if z.file != nil {
		n += cap(z.file.data)
	}
	return n + z.deltas.bytes(s.files)
}

// weigh measures the memory of z if this memory may have changed.
func (s *Stream) weigh(z *size) {
	if !z.grown {
		return
	}
	bytes := s.memory(z)
	z.grown = false
	s.mu.Lock()
	defer s.mu.Unlock()
	z.bytes = bytes
}

func (s *Stream) countEncode(z *size, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	z.took = took
	z.encodes++
	s.counts.encodes++
	s.counts.encodeTime += took
}
