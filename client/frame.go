package client

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"sync"
	"time"

	"dashboard/netstream"
	"dashboard/netstream/bilinear"
	"dashboard/render/damage"
)

// stripRows is the number of rows that are compared at a time. These rows fit in a processor's cache. A row of tiles has the same height.
const stripRows = 16

// A frame is the newest picture of the service, in the size of the screen. Two goroutines share the frame: one fetches frames, and the
// other shows frames.
type frame struct {
	mu      sync.Mutex
	pix     *image.RGBA // opaque pixels, black before the first frame
	fresh   damage.List // changes since the frame was shown last
	any     bool        // at least one frame has arrived
	latency latency     // times of the newest frame
	unshown bool        // latency was not shown yet

	// Only the goroutine that fetches frames uses the following fields, so they need no lock.
	strip  *image.RGBA
	scaler *bilinear.Scaler // scales source to the screen's size, or nil if the sizes are equal
	source *image.RGBA
}

func newFrame(size image.Point) *frame {
	all := image.Rectangle{Max: size}
	f := &frame{pix: image.NewRGBA(all), strip: image.NewRGBA(image.Rect(0, 0, size.X, min(size.Y, stripRows)))}
	draw.Draw(f.pix, all, image.Black, image.Point{}, draw.Src)
	f.fresh.Add(all)
	return f
}

// setWhole stores a whole frame of any size. It draws transparent pixels over black. Only services
// other than dashboard send transparent pixels.
func (f *frame) setWhole(img image.Image) {
	src, under := img, false
	if size := img.Bounds().Size(); size == f.pix.Rect.Size() {
		f.scaler, f.source = nil, nil
		under = translucent(img)
	} else {
		f.prepare(img)
		src = nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.any = true
	for y := 0; y < f.pix.Rect.Dy(); y += stripRows {
		end := min(y+stripRows, f.pix.Rect.Dy())
		if src == nil {
			f.scaler.ScaleRows(f.strip, y, end, f.source)
		} else {
			f.fill(src, y, end, under)
		}
		f.mergeLocked(y, end)
	}
}

// prepare copies img to the field `source`, and makes the scaler for the size of img if necessary.
func (f *frame) prepare(img image.Image) {
	from, to := img.Bounds().Size(), f.pix.Rect.Size()
	if f.source == nil || f.source.Rect.Size() != from {
		f.source = image.NewRGBA(image.Rectangle{Max: from})
		f.scaler = bilinear.New(to.X, to.Y, from.X, from.Y)
	}
	flatten(f.source, img, img.Bounds().Min, translucent(img))
}

// fill writes the rows of img from y to `end`-1 to the strip. img must have the screen's size.
func (f *frame) fill(img image.Image, y, end int, translucent bool) {
	f.strip.Rect = image.Rect(0, y, f.pix.Rect.Dx(), end)
	flatten(f.strip, img, img.Bounds().Min.Add(image.Pt(0, y)), translucent)
}

// translucent() reports whether a picture has transparent pixels. For most types of images it checks every pixel.
func translucent(img image.Image) bool {
	o, ok := img.(interface{ Opaque() bool })
	return img.ColorModel() != color.YCbCrModel && (!ok || !o.Opaque())
}

// flatten draws img onto dst. `at` is the point of img that is drawn at the top left of dst. If `translucent` is true, flatten first
// makes dst black.
func flatten(dst *image.RGBA, img image.Image, at image.Point, translucent bool) {
	op := draw.Src
	if translucent {
		draw.Draw(dst, dst.Rect, image.Black, image.Point{}, draw.Src)
		op = draw.Over
	}
	draw.Draw(dst, dst.Rect, img, at, op)
}

// mergeLocked compares the strip with the frame, and copies the differences into the frame. The strip holds the rows from y to `end`-1.
// The caller must hold mu.
func (f *frame) mergeLocked(y, end int) {
	var changed image.Rectangle
	for ; y < end; y++ {
		have, got := row(f.pix, y), row(f.strip, y)
		if bytes.Equal(have, got) {
			continue
		}
		first, last := span(have, got)
		copy(have[4*first:4*last], got[4*first:4*last])
		changed = changed.Union(image.Rect(first, y, last, y+1))
	}
	f.fresh.Add(changed)
}

// row() returns the bytes of row y.
func row(m *image.RGBA, y int) []byte {
	at := (y - m.Rect.Min.Y) * m.Stride
	return m.Pix[at : at+4*m.Rect.Dx()]
}

// span() compares the rows `a` and `b`, which must differ. It returns the index of the first different pixel, and the index after the
// last different pixel.
func span(a, b []byte) (first, last int) {
	last = len(a) / 4
	for a[4*first] == b[4*first] && a[4*first+1] == b[4*first+1] && a[4*first+2] == b[4*first+2] {
		first++
	}
	for i := 4*last - 4; a[i] == b[i] && a[i+1] == b[i+1] && a[i+2] == b[i+2]; i -= 4 {
		last--
	}
	return first, last
}

// setTiles applies changed tiles to the frame, see [netstream.Delta]. After an error the frame is unchanged. The painting goroutine waits
// only while pixels are copied, and each pixel is copied at most once.
func (f *frame) setTiles(body []byte) error {
	d, err := netstream.DecodeDelta(f.pix.Rect.Size(), body)
	if err != nil {
		return err
	}
	var changed damage.List // combines thousands of rectangles into a few
	changed.AddAll(d.Damage())
	f.mu.Lock()
	defer f.mu.Unlock()
	d.Apply(f.pix)
	f.fresh.AddAll(changed.Rects())
	return nil
}

// came() returns the time at which the newest frame was published. If the service does not send this time, came() returns the time of
// arrival. `any` is false if there is no frame yet.
func (f *frame) came() (at time.Time, any bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.latency.published.IsZero() {
		return f.latency.published, f.any
	}
	return f.latency.downloaded, f.any
}

// setLatency stores the times of the newest frame.
func (f *frame) setLatency(l latency) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.latency, f.unshown = l, true
}
