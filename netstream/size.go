package netstream

import (
	"context"
	"image"
	"time"

	"dashboard/netstream/bilinear"
	"dashboard/render/damage"
)

// historyLength is the number of frames that a client may be behind and still get a delta: a second at 60 frames a second.
const historyLength = 64

// A size is one served picture size: the scaled picture, its encoded tiles, the newest file, and the history of the
// frames before it.
type size struct {
	w, h int // pixels

	turn        chan struct{}    // a lock that respects a context. It guards the following fields
	scaler      *bilinear.Scaler // nil if frames have this size
	from        image.Point      // frame size of scaler (zero before the first)
	pixels      *image.RGBA      // scaled (nil if frames have this size)
	enc         encoder
	tiler       tiler             // enc, if its format has deltas, otherwise nil
	contentType string            // content type of enc's files
	damage      damage.List       // scratch: changes of the frame being scaled
	rects       []image.Rectangle // scratch: the same in pixels of this size
	shown       frameID           // the frame in pixels and enc
	version     uint64            // number of frames shown, counted from 1
	changed     []uint64          // version of the last change of each tile
	past        [historyLength]past
	file        *file // whole file of fileVersion
	fileVersion uint64
	spares      spares // spare buffers for whole files. Guarded by files.mu
	deltas      deltas
	grown       bool // the memory has changed since the last measurement

	// guarded by Stream.mu:
	pending  damage.List // changes since the frame shown, in pixels of the frame
	asked    time.Time   // latest request
	askedSeq uint64      // the frame that was current then
	users    int         // number of requests between claim and yield
	dropped  bool        // not in the table any more
	bytes    int         // memory as last measured. Before that, an estimate
	encodes  uint64
	took     time.Duration // duration of the latest scale and encode
}

// past is a frame that a size has shown.
type past struct {
	base    uint64
	version uint64 // 0: nothing
	native  bool   // the frame had this size, so its tag without a size also means this picture
}

// newSize prepares a size. Its buffers are allocated at the first update.
func newSize(w, h, estimate int, now time.Time) *size {
	return &size{
		w: w, h: h, turn: make(chan struct{}, 1), asked: now, bytes: estimate,
		spares: spares{most: 1}, deltas: deltas{spares: spares{most: keptDeltas}},
	}
}

// lock waits until the size is free.
func (z *size) lock(ctx context.Context) error { return acquire(ctx, z.turn) }
func (z *size) unlock()                        { <-z.turn }

// acquire takes a place in a channel used as a semaphore.
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

// native reports whether frames have this size.
func (z *size) native() bool { return z.from.X == z.w && z.from.Y == z.h }

// update updates picture and tiles to the newest frame. The size is locked.
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

// prepare makes the buffers of a new size.
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

// code updates picture and tiles to the newest frame and returns the tiles that changed.
func (s *Stream) code(z *size) []int {
	if tiles, done := s.fromFrame(z); done {
		return tiles
	}
	return z.enc.Update(z.pixels, z.rects...)
}

// fromFrame does the part that needs the frame, which is scaling. A picture of the frame's own size is also encoded here. With a
// copy, new frames would wait less, but the copy would take as much memory as the frame.
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

// fit prepares scaler and picture for frames of a new size.
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

// remember records the tiles that a new frame changed.
func (z *size) remember(tiles []int, files *files) {
	z.version++
	for _, i := range tiles {
		z.changed[i] = z.version
	}
	z.past[z.version%historyLength] = past{base: z.shown.base, version: z.version, native: z.native()}
	z.deltas.clear(files)
}

// find returns the latest version that showed a frame. If native is true, the frame must have had this size.
func (z *size) find(base uint64, native bool) (version uint64) {
	for _, p := range z.past {
		if p.base == base && p.version > version && (p.native || !native) {
			version = p.version
		}
	}
	return version
}

// whole returns the file of the whole picture.
func (s *Stream) whole(z *size) *file {
	if z.file == nil || z.fileVersion != z.version {
		f := s.files.take(&z.spares)
		f.data = z.enc.AppendTo(f.room(z.enc.Size()))
		s.files.retire(z.file)
		z.file, z.fileVersion, z.grown = f, z.version, true
	}
	return z.file
}

// memory is what the size holds, in bytes.
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

// weigh stores the size's memory and, after an encode, the time it took.
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
